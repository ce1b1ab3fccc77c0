//! Outlines of code.

mod grammar;
mod grammars;
mod lines;

mod indentation;
mod outline;
mod walk;

mod passages;

mod page;
mod selection;

mod candidates;
mod choice;

mod outlining;

pub use crate::{
    outline::{Item, ItemKind, Outline},
    outlining::Outlining,
};
