//! Every strategy keeps the invariants.

use std::sync::Arc;

use contextfit_conversational::{
    HierarchicalCompressor, HybridCompressor, SemanticCompressor, SlidingWindowCompressor,
    SummarizingCompressor, SummarizingOptions, ToolOutputs,
};
use contextfit_kernel::{Scorer, Tokens};
use contextfit_testkit::{DropAll, check_conversation_chain, check_conversation_strategy, check_strategy};

/// Scores a text by how many words of the query it contains.
struct Overlap;

impl Scorer for Overlap {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let words: Vec<&str> = query.split_whitespace().collect();
        let count = |text: &&str| words.iter().filter(|word| text.contains(**word)).count() as f64;
        texts.iter().map(count).collect()
    }
}

#[test]
fn sliding_window() {
    check_conversation_strategy(Arc::new(SlidingWindowCompressor::new()));
    check_conversation_strategy(Arc::new(SlidingWindowCompressor::new().with_exchanges(3)));
    check_strategy(Arc::new(SlidingWindowCompressor::new()));
}

#[test]
fn hierarchical() {
    check_conversation_strategy(Arc::new(HierarchicalCompressor::new(Arc::new(Overlap))));
}

#[test]
fn hierarchical_on_passages() {
    check_strategy(Arc::new(HierarchicalCompressor::new(Arc::new(Overlap))));
}

#[test]
fn summarizing() {
    check_conversation_strategy(Arc::new(SummarizingCompressor::new()));
    let mut options = SummarizingOptions::default();
    (options.exchanges, options.record) = (Some(2), 0.9);
    options.min_tokens = Tokens::ZERO;
    check_conversation_strategy(Arc::new(SummarizingCompressor::new().with_options(options)));
    check_strategy(Arc::new(SummarizingCompressor::new()));
}

#[test]
fn semantic() {
    check_conversation_strategy(Arc::new(SemanticCompressor::new(Arc::new(Overlap))));
    check_strategy(Arc::new(SemanticCompressor::new(Arc::new(Overlap))));
}

#[test]
fn hybrid() {
    let chain: Vec<_> = HybridCompressor::new(Arc::new(Overlap)).into_iter().collect();
    check_conversation_chain(&chain);
}

#[test]
fn tool_outputs() {
    // It keeps every word, so another strategy must follow.
    check_conversation_chain(&[Arc::new(ToolOutputs), Arc::new(DropAll)]);
}
