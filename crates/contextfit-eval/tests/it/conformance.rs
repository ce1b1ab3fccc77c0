//! Every baseline passes the conformance suite.

use std::sync::Arc;

use contextfit_eval::Baseline;
use contextfit_testkit::check_strategy;

#[test]
fn head() {
    check_strategy(Arc::new(Baseline::Head));
}

#[test]
fn head_per_chunk() {
    check_strategy(Arc::new(Baseline::HeadPerChunk));
}

#[test]
fn whole_chunks_bm25() {
    check_strategy(Arc::new(Baseline::WholeChunksBm25));
}

#[test]
fn okapi_sentences() {
    check_strategy(Arc::new(Baseline::OkapiSentences));
}

#[test]
fn recent_turns() {
    check_strategy(Arc::new(Baseline::RecentTurns));
}

#[test]
fn trim_messages() {
    check_strategy(Arc::new(Baseline::TrimMessages));
}

#[test]
fn cut_tool_outputs() {
    check_strategy(Arc::new(Baseline::CutToolOutputs));
}

#[test]
fn bm25_turns() {
    check_strategy(Arc::new(Baseline::Bm25Turns));
}
