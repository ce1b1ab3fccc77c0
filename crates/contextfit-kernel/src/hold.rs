//! How firmly a block is held.

use serde::{Deserialize, Serialize};

use crate::Tokens;

/// What a strategy may do to a block, from everything to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hold {
    /// May be cut, replaced or dropped.
    #[default]
    Free,
    /// May be cut, but is never dropped nor replaced by a gist, a reference or a summary.
    Shown,
    /// Never touched.
    Pinned,
}

impl Hold {
    /// The hold in one word, as JSON spells it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Shown => "shown",
            Self::Pinned => "pinned",
        }
    }
}

/// A block that the smallest possible result cannot do without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocker {
    /// The block's id.
    pub id: String,
    /// What the block takes in the smallest possible result.
    pub tokens: Tokens,
    /// Why it is there: its own hold, or that of its group.
    pub hold: Hold,
}
