//! Choosing one level per block under a budget.
//!
//! This is the multiple-choice knapsack problem: each item offers choices of some weight and value, at most one choice
//! of each item is taken, and the weights together stay within a capacity. Items can be required, and can be alike, so
//! that two of them are worth less than twice one. This crate knows nothing about text; the weights are tokens, the values
//! what a family thinks a level is worth.

mod items;
mod mode;
mod packing;

mod alike;
mod hull;
mod relaxation;

mod greedy;
mod in_turn;
mod packer;
mod search;

mod coverage;

pub use crate::{
    coverage::{CoverHolder, CoverItem, Coverage},
    greedy::pack_greedily,
    items::{Choice, Items, together},
    mode::Mode,
    packer::Packer,
    packing::{Packing, TooSmall},
};
