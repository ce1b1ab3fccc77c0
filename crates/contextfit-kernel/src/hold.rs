//! What may happen to a block.

use serde::{Deserialize, Serialize};

use crate::Tokens;

/// How firmly a block is held: what a strategy may do to it, from anything to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// May be cut, replaced or dropped.
    #[default]
    Free,
    /// May be cut, but is never dropped or replaced by a gist, a reference or a summary.
    Shown,
    /// Never touched.
    Pinned,
}

crate::names!(Hold, "hold": Free => "free", Shown => "shown", Pinned => "pinned");

/// A block that even the smallest possible result must include.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocker {
    /// The block's id.
    pub id: String,
    /// Tokens of the block in the smallest possible result.
    pub tokens: Tokens,
    /// The hold because of which it must be included: its own or that of its group.
    pub hold: Hold,
}
