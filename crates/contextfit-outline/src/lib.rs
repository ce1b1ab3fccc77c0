//! Outlines of code.

mod grammar;
mod grammars;
mod lines;

mod indentation;
mod outline;
mod walk;

mod candidates;
mod outlining;
mod page;
mod passages;
mod selection;

pub use crate::{
    outline::{Item, ItemKind, Outline},
    outlining::Outlining,
};
