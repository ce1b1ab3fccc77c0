//! Every counter passes the suite for counters.

use contextfit_testkit::check_counter;

use crate::counters;

#[test]
fn every_counter() {
    for counter in counters::all() {
        check_counter(&*counter);
    }
}
