//! The strategy passes the conformance suite.

use std::sync::Arc;

use contextfit_bm25::Bm25;
use contextfit_outline::Outlining;
use contextfit_packing::Mode;
use contextfit_testkit::check_strategy;

#[test]
fn outline() {
    check_strategy(Arc::new(Outlining::new(Arc::new(Bm25::default()))));
}

#[test]
fn outline_packed_greedily() {
    check_strategy(Arc::new(Outlining::new(Arc::new(Bm25::default())).with_mode(Mode::Greedy)));
}
