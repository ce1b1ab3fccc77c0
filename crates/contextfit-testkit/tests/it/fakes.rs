//! The fakes pass the suites.

use std::sync::Arc;

use contextfit_testkit::{DropAll, PairCounter, Stubborn, check_counter, check_strategy};

#[test]
fn the_pair_counter_counts() {
    check_counter(&PairCounter);
}

#[test]
fn a_strategy_that_drops_everything_is_valid() {
    check_strategy(Arc::new(DropAll));
}

/// The pipeline makes good what the strategy will not do.
#[test]
fn a_strategy_that_never_shortens_is_harmless() {
    check_strategy(Arc::new(Stubborn));
}
