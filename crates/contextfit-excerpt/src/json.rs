//! JSON that stays JSON: elements and members are left out, and an element or member in their place says how many.

mod choice;
mod tree;
mod worth;

pub(crate) use self::tree::Tree;
