//! The suite for counters.

use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_text::{Shape, tally, unit_ends};
use proptest::test_runner::{Config, TestRunner};

use crate::inputs::awkward_texts;

/// Checks the contract of `counter` on awkward and arbitrary texts.
///
/// # Panics
/// If the contract is violated.
pub fn check_counter(counter: &dyn TokenCounter) {
    assert_eq!(counter.count(""), Tokens::ZERO, "the empty text has no tokens");
    assert!(!counter.name().is_empty());
    let texts = awkward_texts();
    for (n, text) in texts.iter().enumerate() {
        check_text(counter, text);
        check_splits(counter, text, &texts[(n + 1) % texts.len()]);
    }
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let run = runner.run(&("(?s).{0,200}", "(?s).{0,40}"), |(text, around)| {
        check_text(counter, &text);
        check_splits(counter, &text, &around);
        Ok(())
    });
    if let Err(failure) = run {
        panic!("{}: {failure}", counter.name());
    }
}

/// The same text always has the same count, and the counts of its units add up to it.
fn check_text(counter: &dyn TokenCounter, text: &str) {
    let whole = counter.count(text);
    assert_eq!(whole, counter.count(text), "counted twice");
    for shape in [Shape::Code, Shape::Prose, Shape::Json] {
        let units = tally(counter, text, &unit_ends(text, shape));
        assert!(units.is_sorted_by_key(|unit| unit.tokens_through), "counts never decrease");
        assert_eq!(units.last().map_or(Tokens::ZERO, |unit| unit.tokens_through), whole, "units of {text:?}");
    }
}

/// If the counter splits at a place, it does so in any surroundings.
fn check_splits(counter: &dyn TokenCounter, text: &str, around: &str) {
    assert!(!counter.splits_at(text, 0) && !counter.splits_at(text, text.len()), "the ends promise nothing");
    let places: Vec<usize> = (1..text.len().min(600)).filter(|&at| text.is_char_boundary(at)).collect();
    for at in places.into_iter().filter(|&at| counter.splits_at(text, at)) {
        let (before, behind) = text.split_at(at);
        let (before, behind) = (format!("{around}{before}"), format!("{behind}{around}"));
        let parts = counter.count(&before) + counter.count(&behind);
        assert_eq!(
            counter.count(&format!("{before}{behind}")),
            parts,
            "split at {at} of {text:?} in {around:?}"
        );
    }
}
