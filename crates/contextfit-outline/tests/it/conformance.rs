//! The strategy passes the conformance suite.

use std::sync::Arc;

use contextfit_kernel::Scorer;
use contextfit_outline::Outlining;
use contextfit_testkit::check_strategy;

#[test]
fn outline() {
    check_strategy(Arc::new(Outlining::new()));
}

/// Rates texts by their lengths: what it says has nothing to do with words.
struct ByLength;

impl Scorer for ByLength {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        texts.iter().map(|text| 1.0 / (1 + text.len()) as f64).collect()
    }
}

#[test]
fn outline_with_a_scorer() {
    check_strategy(Arc::new(Outlining::new().with_scorer(Arc::new(ByLength))));
}
