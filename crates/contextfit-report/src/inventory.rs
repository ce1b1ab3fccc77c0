//! The names in a text, each with its number of occurrences.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::{
    names::{Name, names},
    quoted::quotations,
};

/// Names with their occurrences.
pub(crate) type Names<'a> = HashMap<&'a str, Occurrences, FixedState>;

/// Where and how often a name occurs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occurrences {
    /// How often.
    pub(crate) times: usize,
    /// The first block it occurs in.
    pub(crate) block: usize,
    /// How many names of its kind were met before it.
    pub(crate) order: usize,
}

/// The identifiers, numbers and quotations of some texts.
#[derive(Debug, Default)]
pub(crate) struct Inventory<'a> {
    pub(crate) identifiers: Names<'a>,
    pub(crate) numbers: Names<'a>,
    pub(crate) quotations: Names<'a>,
}

impl<'a> Inventory<'a> {
    /// Adds those of `text`, a text of `block`. Linear in its length.
    pub(crate) fn read(&mut self, block: usize, text: &'a str) {
        names(text, |name, text| {
            let names = match name {
                Name::Identifier => &mut self.identifiers,
                Name::Number => &mut self.numbers,
            };
            add(names, block, text);
        });
        quotations(text, |quote| add(&mut self.quotations, block, quote));
    }
}

fn add<'a>(names: &mut Names<'a>, block: usize, text: &'a str) {
    let order = names.len();
    names.entry(text).or_insert(Occurrences { times: 0, block, order }).times += 1;
}
