//! The strategy over blocks passes the conformance suite.

use std::sync::Arc;

use contextfit_bm25::Bm25;
use contextfit_hierarchical::MemoryLevels;
use contextfit_testkit::check_strategy;

#[test]
fn memory_levels() {
    check_strategy(Arc::new(MemoryLevels::new()));
}

#[test]
fn memory_levels_by_relevance() {
    check_strategy(Arc::new(MemoryLevels::new().with_scorer(Arc::new(Bm25::default()))));
}
