//! Sentence selection passes the conformance suite with any options.

use std::sync::Arc;

use contextfit_bm25::{Bm25, Fusion, SentenceOptions, SentenceSelection, Unmatched};
use contextfit_testkit::check_strategy;

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
    check(SentenceOptions {
        heading: 0.0,
        passage: 0.0,
        neighbour: 0.0,
        phrase: 0.0,
        lead: 0.0,
        mention: 0.0,
        shared_name: 0.0,
        repetition: 0.0,
        retrieval: 0.0,
        unmatched: Unmatched::Nothing,
        language: Some("none".into()),
        ..SentenceOptions::default()
    });
}

#[test]
fn all_parts() {
    check(SentenceOptions { feedback: 5, min_relevance: 0.5, repetition: 1.0, ..SentenceOptions::default() });
}

#[test]
fn weights_that_make_no_sense() {
    check(SentenceOptions {
        k1: f64::NAN,
        b: f64::INFINITY,
        heading: -1.0,
        passage: f64::NAN,
        repetition: f64::INFINITY,
        min_relevance: f64::NAN,
        ..SentenceOptions::default()
    });
}

#[test]
fn fused() {
    for fusion in [Fusion::default(), Fusion::ReciprocalRank { k: 60.0 }] {
        let meaning = Arc::new(Bm25::default());
        check_strategy(Arc::new(SentenceSelection::default().with_scorer(meaning, fusion)));
    }
}
