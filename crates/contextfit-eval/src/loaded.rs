//! The items read from a data set's files, and those that were skipped.

use std::collections::BTreeMap;

use crate::{Item, folder::FileLine};

/// The contents of a data set's files.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) items: Vec<FileLine<Item>>,
    /// The number of skipped items for each reason.
    pub(crate) skipped: BTreeMap<String, usize>,
}

impl Loaded {
    pub(crate) fn skip(&mut self, reason: String) {
        *self.skipped.entry(reason).or_default() += 1;
    }
}
