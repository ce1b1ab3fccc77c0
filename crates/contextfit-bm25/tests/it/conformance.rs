//! Sentence selection passes the conformance suite with any options.

use std::sync::Arc;

use contextfit_bm25::{Bm25, Fusion, SentenceOptions, SentenceSelection, Unmatched};
use contextfit_testkit::check_strategy;

use crate::requests::own_words;

#[track_caller]
fn check(options: SentenceOptions) {
    check_strategy(Arc::new(SentenceSelection::new(options)));
}

#[test]
fn usual() {
    check(SentenceOptions::default());
}

#[test]
fn own_score_only() {
    let least = SentenceOptions::default().min_relevance;
    let options = own_words().with_min_relevance(least).with_unmatched(Unmatched::Nothing);
    check(options.with_language("none"));
}

#[test]
fn all_parts() {
    check(SentenceOptions::default().with_feedback(5).with_min_relevance(0.5).with_repetition(1.0));
}

#[test]
fn weights_that_make_no_sense() {
    check(
        SentenceOptions::default()
            .with_k1(f64::NAN)
            .with_b(f64::INFINITY)
            .with_heading(-1.0)
            .with_passage(f64::NAN)
            .with_repetition(f64::INFINITY)
            .with_min_relevance(f64::NAN),
    );
}

#[test]
fn fused() {
    let meaning = Arc::new(Bm25::default());
    check_strategy(Arc::new(SentenceSelection::default().with_scorer(meaning, Fusion::default())));
}
