//! The suites hold the fakes to their contracts: a suite that fails the simplest implementation is wrong itself.

mod fakes;
