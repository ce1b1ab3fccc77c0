//! Choosing one level per block under a budget.
//!
//! This is the multiple-choice knapsack problem: each item offers choices of some weight and value, at most one choice
//! of each item is taken, and the weights together stay within a capacity. This crate knows nothing about text; the
//! weights are tokens, the values what a family thinks a level is worth.

mod greedy;
mod hull;
mod items;

pub use crate::{
    greedy::{Packer, Packing, pack_greedily},
    items::{Choice, Items},
};
