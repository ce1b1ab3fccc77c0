//! JSON that stays JSON: elements and members are left out, and one that has their number replaces them.

mod choice;
mod tree;
mod worth;

pub(crate) use self::tree::Tree;
