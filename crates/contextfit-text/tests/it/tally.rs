//! Counts unit by unit: exact in total, never decreasing, exact where the counter splits.

use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_text::{CharsPer, Shape, tally, unit_ends};
use proptest::prelude::*;

use crate::{counters, texts::glued};

#[track_caller]
fn check(counter: &dyn TokenCounter, text: &str, ends: &[usize]) {
    let units = tally(counter, text, ends);
    assert!(units.iter().map(|unit| unit.end).eq(ends.iter().copied()), "{ends:?} of {text:?}");
    let last = units.last().map_or(Tokens::ZERO, |unit| unit.tokens_through);
    assert_eq!(last, counter.count(text), "{}: {text:?}", counter.name());
    let mut before = Tokens::ZERO;
    for unit in units {
        assert!(unit.tokens_through >= before, "{} falls at {}: {text:?}", counter.name(), unit.end);
        before = unit.tokens_through;
        assert!(!unit.splits || counter.splits_at(text, unit.end), "not a split");
        if unit.splits {
            let (head, _) = text.split_at(unit.end);
            assert_eq!(unit.tokens_through, counter.count(head), "{}: {head:?}", counter.name());
        }
    }
}

#[test]
fn nothing_is_nothing() {
    for counter in counters::all() {
        check(&*counter, "", &[]);
    }
}

#[test]
fn a_counter_that_splits_nowhere_shares_by_bytes() {
    let counter = CharsPer::new(2).unwrap();
    let text = "x".repeat(100);
    let through: Vec<_> =
        tally(&counter, &text, &[20, 50, 51, 100]).iter().map(|unit| unit.tokens_through.get()).collect();
    assert_eq!(through, [10, 25, 26, 50]);
}

#[cfg(feature = "tiktoken")]
#[test]
fn short_lines_of_code_have_figures_close_to_their_counts() {
    let counter = contextfit_text::Tiktoken::o200k_base();
    let text = "fn main() {\n    let x = f(1, 2);\n\n    if x > 3 {\n        call(x);\n    }\n}\n".repeat(20);
    for unit in tally(&counter, &text, &unit_ends(&text, Shape::Code)) {
        let (head, _) = text.split_at(unit.end);
        let off = unit.tokens_through.get().abs_diff(counter.count(head).get());
        assert!(off <= 4, "{off} tokens off after {head:?}");
    }
}

proptest! {
    // Counts are a promise, and quick.
    #![proptest_config(ProptestConfig::with_cases(8 * ProptestConfig::default().cases))]

    #[test]
    fn lines_and_sentences(text in glued(60)) {
        for counter in counters::all() {
            check(&*counter, &text, &unit_ends(&text, Shape::Code));
            check(&*counter, &text, &unit_ends(&text, Shape::Prose));
        }
    }

    #[test]
    fn any_units(text in glued(20), step in 1..12usize) {
        let borders = (1..text.len()).filter(|&at| text.is_char_boundary(at)).step_by(step);
        let ends: Vec<_> = borders.chain((!text.is_empty()).then_some(text.len())).collect();
        for counter in counters::all() {
            check(&*counter, &text, &ends);
        }
    }
}
