//! Chooses one level per block under a budget.
//!
//! This is the multiple-choice knapsack problem: each item offers choices with a weight and a value, at most one choice
//! of each item is taken, and the total weight stays within a capacity. Items can be required, at least at one of their
//! choices. This crate knows nothing about text: weights are tokens, and values are set by the strategy families.
//!
//! Below the level of blocks, a [`Selection`] chooses rows: lines, sentences, members of JSON.

mod items;
mod mode;
mod packing;

mod hull;
mod relaxation;

mod greedy;
mod in_turn;
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
    packer::{Packer, pack_greedily},
    packing::{Packing, TooSmall},
    queue::{Queue, Score},
    selection::{Selection, With},
};
