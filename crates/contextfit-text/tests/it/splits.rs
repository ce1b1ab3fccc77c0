//! `splits_at` is right for the text alone, and whatever is added before and after it.

use contextfit_kernel::TokenCounter;
use proptest::prelude::*;

use crate::{
    counters,
    texts::{NASTY, glued},
};

/// Every place where `text` splits still does with `before` before the text and `after` after it.
#[track_caller]
fn check(counter: &dyn TokenCounter, text: &str, before: &str, after: &str) {
    for at in (0..text.len() + 2).filter(|&at| counter.splits_at(text, at)) {
        let inside = at > 0 && at < text.len() && text.is_char_boundary(at);
        assert!(inside, "{} splits at {at} of {text:?}", counter.name());
        let (head, tail) = text.split_at(at);
        let (head, tail) = (format!("{before}{head}"), format!("{tail}{after}"));
        let whole = counter.count(&format!("{head}{tail}"));
        assert_eq!(
            counter.count(&head) + counter.count(&tail),
            whole,
            "{}: {head:?} | {tail:?}",
            counter.name()
        );
    }
}

/// Texts to put before others, ending in every way that matters.
const BEFORE: [&str; 17] =
    ["", "x", "X'", "it'", " ", "  ", "\n ", "\n", ";", ";\n", "12", "é", "字", "。", "\u{301}", "/", ";/"];

/// Texts to put after others, beginning in every way that matters.
const AFTER: [&str; 15] =
    ["", "x", "s", "ll", " ", "  x", " \n", "\n", "\n\n", "/", "/\n", "'s", "123", "字", "\u{301}"];

/// Characters of every class, at least two of each.
const CHARACTERS: &str = "asZ19'/_(.!\n\r \t\u{b}\u{0}\u{7f}éßſЖяΩǅ²½٣ʰ\u{301}\u{a0}\u{85}\u{2028}\u{3000}字かカー한，。：１〇々→–“…•😀\u{200d}न";

/// How lines begin and end.
const LINE_ENDS: [&str; 12] = ["", "\n", "\r\n", " ", "  ", "\t", "\u{3000}", "/", "x", ";", "。", "\u{301}"];

#[test]
fn every_pair_of_characters() {
    for counter in counters::all() {
        for one in CHARACTERS.chars() {
            for other in CHARACTERS.chars() {
                let pair = format!("{one}{other}");
                for (before, after) in BEFORE.iter().flat_map(|before| AFTER.map(|after| (before, after))) {
                    check(&*counter, &pair, before, after);
                }
            }
        }
    }
}

#[test]
fn every_start_of_a_line() {
    for counter in counters::all() {
        for (one, other) in LINE_ENDS.iter().flat_map(|one| LINE_ENDS.map(|other| (one, other))) {
            for third in LINE_ENDS {
                let text = format!("{one}\n{other}{third}");
                for (before, after) in BEFORE.iter().flat_map(|before| AFTER.map(|after| (before, after))) {
                    check(&*counter, &text, before, after);
                }
            }
        }
    }
}

#[test]
fn every_fragment() {
    for counter in counters::all() {
        for fragment in NASTY {
            check(&*counter, fragment, "", "");
            check(&*counter, &fragment.repeat(3), "", "");
        }
    }
}

proptest! {
    // Counts are a promise, and quick.
    #![proptest_config(ProptestConfig::with_cases(8 * ProptestConfig::default().cases))]

    #[test]
    fn any_text_in_any_surroundings(text in glued(8), before in glued(6), after in glued(6)) {
        for counter in counters::all() {
            check(&*counter, &text, "", "");
            check(&*counter, &text, &before, &after);
        }
    }
}
