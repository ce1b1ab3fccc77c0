//! Chooses what to show within a budget.
//!
//! The choice of a level for each block is a multiple-choice knapsack problem: each item offers choices with a weight
//! and a value, at most one choice of each item is taken, and the total weight stays within a capacity. Items can be
//! required, with a minimum choice. This crate knows nothing about text: weights are tokens, and values come from the
//! strategy families.
//!
//! Within a block, a [`Selection`] chooses rows, such as lines, sentences or members of JSON. [`Coverage`] chooses
//! items by the features that they cover.

mod items;
mod mode;
mod packing;

mod hull;
mod relaxation;

mod greedy;
mod packer;
mod search;

mod coverage;
mod ledger;
mod queue;
mod selection;

pub use crate::{
    coverage::{CoverItem, Coverage},
    items::{Choice, Items, together},
    ledger::{Holder, Ledger, Need, Node, Relation},
    mode::PackingMode,
    packer::Packer,
    packing::{Packing, TooSmall},
    queue::{Queue, Score},
    selection::{Selection, With},
};
