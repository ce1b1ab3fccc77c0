//! The units of prose: what holds for any text, and how long the longest texts take.

use contextfit_text::{Shape, unit_ends};
use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
use proptest::prelude::*;

use crate::texts::glued;

/// `text` with a bar after every unit but the last.
pub(crate) fn barred(text: &str) -> String {
    let mut start = 0;
    let units = unit_ends(text, Shape::Prose)
        .into_iter()
        .map(|end| text.get(std::mem::replace(&mut start, end)..end).unwrap());
    units.collect::<Vec<_>>().join("¦")
}

/// The units of a text end at the bars in `expect`.
#[track_caller]
pub(crate) fn check(expect: &str) {
    assert_eq!(barred(&expect.replace('¦', "")), expect);
}

/// Adjacent, at character boundaries, through the end, and without units of white space alone among others.
#[track_caller]
fn well_formed(text: &str, shape: Shape) {
    let ends = unit_ends(text, shape);
    assert!(ends.is_sorted_by(|a, b| a < b), "{ends:?} of {text:?}");
    assert_eq!(ends.last().copied().unwrap_or(0), text.len(), "{text:?}");
    let mut start = 0;
    for end in ends.iter().copied() {
        let unit = text.get(std::mem::replace(&mut start, end)..end);
        let blank = unit.is_none_or(|unit| unit.trim().is_empty());
        assert!(!blank || shape == Shape::Code || ends.len() == 1, "{unit:?} of {text:?}");
    }
    for end in ends.iter().copied().filter(|&end| end < text.len()) {
        let (head, tail) = text.split_at(end);
        let letter = |c: char| c.is_ascii_alphanumeric();
        assert!(!(head.ends_with(letter) && tail.starts_with(letter)), "{head:?} | {tail:?}");
    }
}

/// Prose that Annex 29 divides as we do: no abbreviations, one space between sentences, a capital at their start.
fn plain_sentence() -> impl Strategy<Value = String> {
    let alphabets = prop_oneof![
        Just(("[A-Z][a-z]{3,8}", "[a-z]{4,9}")),
        Just(("[А-Я][а-я]{3,8}", "[а-я]{4,9}")),
        Just(("[Α-Ρ][α-ω]{3,8}", "[α-ω]{4,9}")),
    ];
    alphabets.prop_flat_map(|(first, other)| {
        let words = proptest::collection::vec(other, 3..12);
        (first, words, "[.!?]").prop_map(|(first, words, stop)| format!("{first} {}{stop}", words.join(" ")))
    })
}

proptest! {
    // A text takes some microseconds.
    #![proptest_config(ProptestConfig::with_cases(32 * ProptestConfig::default().cases))]

    #[test]
    fn any_text(text in glued(12)) {
        well_formed(&text, Shape::Prose);
        well_formed(&text, Shape::Code);
    }

    #[test]
    fn any_lines(
        lines in proptest::collection::vec(
            "(> |>> |- |1\\. |\\| |# |```|~~~|---|===|  |\t|• |、|\u{3000})?[a-cA-C字Я.!?。」\"'()\\[\\]:;|0-2 \u{a0}\u{2028}-]{0,12}\r?",
            0..12,
        ),
    ) {
        well_formed(&lines.join("\n"), Shape::Prose);
    }

    /// If nothing needs repair, the sentences are those of Annex 29.
    #[test]
    fn plain_sentences_are_those_of_annex_29(sentences in proptest::collection::vec(plain_sentence(), 1..8)) {
        let text = sentences.join(" ");
        let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
        let theirs: Vec<&str> = segmenter
            .segment_str(&text)
            .collect::<Vec<_>>()
            .windows(2)
            .map(|pair| text.get(pair[0]..pair[1]).unwrap().trim())
            .collect();
        let barred = barred(&text);
        prop_assert_eq!(barred.split("¦").map(str::trim).collect::<Vec<_>>(), theirs);
    }

    /// A sentence alone is one unit, and so is a sentence over three lines.
    #[test]
    fn a_sentence_is_one_unit(sentence in plain_sentence(), at in 1..3usize) {
        prop_assert_eq!(barred(&sentence), sentence.clone());
        let mut gaps = 0;
        let wrapped: String = sentence
            .chars()
            .map(|c| if c == ' ' { gaps += 1; if gaps % (at + 1) == 0 { '\n' } else { c } } else { c })
            .collect();
        prop_assert_eq!(barred(&wrapped), wrapped.clone());
    }
}

/// Sizes at which quadratic time would take hours; `splits.rs` has the same texts for counters.
#[test]
fn long_texts_take_linear_time() {
    const LEN: usize = 100_000;
    let parts = [
        "a",
        "word ",
        "! (",
        "(",
        "(1. ",
        "字.",
        "字。",
        "a.",
        "A. ",
        "A.a",
        "\n",
        "> a\n",
        "- a\n",
        "|a",
        "a|\n",
        "``",
        "Mr. ",
        "U.S. ",
        "?\" ",
        "[1]",
        "x.[1]Y ",
        "...",
        "。」と",
        ";",
        "α; Β",
        "»! ",
        "\r\n",
        "a: b\n",
        "a\n",
        "A\n",
        "am 3. Mai ",
        "z. B. ",
        "— ",
        "\u{301}.",
        "x\n---\n",
        "a|b\n---|---\n",
    ];
    for part in parts {
        for before in ["", "🙂\""] {
            let before = before.repeat(LEN / 8 / before.len().max(1));
            well_formed(&format!("{before}{}", part.repeat(LEN / part.len())), Shape::Prose);
        }
    }
}

/// A hundred megabytes in one line, without a single border.
#[test]
fn a_hundred_megabytes_in_one_line() {
    assert_eq!(unit_ends(&"word ".repeat(20_000_000), Shape::Prose), [100_000_000]);
}

/// Blanks after a stop cost no more than other characters: segmenters that look ahead from each take minutes here.
#[test]
fn many_blanks_after_a_stop() {
    let text = format!("第一句話。{}第二句話。", " ".repeat(1_000_000));
    assert_eq!(unit_ends(&text, Shape::Prose).len(), 2);
}

/// Ten thousand log lines are not a sentence, whatever they look like.
#[test]
fn logs_are_divided() {
    let check = |line: fn(usize) -> String, least: usize| {
        let log: String = (0..10_000).map(line).collect();
        let units = unit_ends(&log, Shape::Prose).len();
        assert!(units >= least, "{units} units of {:?}", log.get(..200));
    };
    check(|n| format!("2024-05-01 12:00:{:02} INFO request {n} done\n", n % 60), 10_000);
    check(|n| format!("kernel event {n} of some kind\n"), 9_000);
    check(|n| format!("warning: disk {n} is full\n"), 10_000);
    check(|n| format!("{}\n", "x".repeat(40 + n % 30)), 9_000);
    check(|_| "all lines are the same, and every one is a full line, with a stop.\n".into(), 9_000);
    check(|_| "同じ行が続くだけのログ、すべての行の幅は同じで終わりがない、何度も何度も\n".into(), 9_000);
}
