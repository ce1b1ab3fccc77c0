//! The strategy passes the conformance suite.

use std::sync::Arc;

use contextfit_outline::Outlining;
use contextfit_testkit::check_strategy;

#[test]
fn outline() {
    check_strategy(Arc::new(Outlining::new()));
}
