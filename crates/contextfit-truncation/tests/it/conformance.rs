//! Every strategy under every combination of options passes the conformance suite.

use std::sync::Arc;

use contextfit_testkit::check_strategy;
use contextfit_truncation::{Incremental, MetadataOnly, ScoreMode, SmartTruncation, TruncationOptions};

/// Options that exercise different code paths.
fn variants() -> Vec<TruncationOptions> {
    let mut no_structure = TruncationOptions::aggressive();
    no_structure.smart_truncation.preserve_structure = false;
    no_structure.metadata_only.score_mode = ScoreMode::Quantile;
    let mut no_metadata = TruncationOptions::default();
    no_metadata.metadata_only.enabled = false;
    let mut no_truncation = TruncationOptions::default();
    no_truncation.smart_truncation.enabled = false;
    let mut off = no_truncation.clone();
    off.metadata_only.enabled = false;
    vec![TruncationOptions::default(), off, no_structure, no_metadata, no_truncation]
}

#[test]
fn smart_truncation() {
    variants().into_iter().for_each(|options| check_strategy(Arc::new(SmartTruncation::new(options))));
}

#[test]
fn metadata_only() {
    variants().into_iter().for_each(|options| check_strategy(Arc::new(MetadataOnly::new(options))));
}

#[test]
fn incremental() {
    variants().into_iter().for_each(|options| check_strategy(Arc::new(Incremental::new(options))));
}
