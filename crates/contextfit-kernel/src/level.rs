//! Levels: how faithfully a block is shown.

use serde::{Deserialize, Serialize};

/// How faithfully a block is shown. Levels are ordered: a higher level never says less.
///
/// | level | memory | search result | conversation turn |
/// |---|---|---|---|
/// | [`Full`](Level::Full) 3 | full context | whole chunk | verbatim |
/// | [`Extract`](Level::Extract) 2 | knowledge, best example | smart truncation, best sentences | best sentences |
/// | [`Gist`](Level::Gist) 1 | one-liner, tags | metadata only | one line |
/// | [`Reference`](Level::Reference) 0 | id, type, importance | id and path | handle of the original |
///
/// A dropped block has no level. Serialized as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Level {
    /// Level 0: says that the block exists and how to find it.
    Reference,
    /// Level 1: what the block is about, in one or a few lines.
    Gist,
    /// Level 2: the parts that matter, verbatim, with gaps marked.
    Extract,
    /// Level 3: the whole block, byte for byte.
    Full,
}

impl Level {
    /// All levels, from least to most faithful.
    pub const ALL: [Self; 4] = [Self::Reference, Self::Gist, Self::Extract, Self::Full];

    /// Whether this level shows the block's own text, under its header, rather than a description.
    #[must_use]
    pub const fn shows_source(self) -> bool {
        matches!(self, Self::Extract | Self::Full)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> Self {
        match level {
            Level::Reference => 0,
            Level::Gist => 1,
            Level::Extract => 2,
            Level::Full => 3,
        }
    }
}

impl TryFrom<u8> for Level {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            0 => Ok(Self::Reference),
            1 => Ok(Self::Gist),
            2 => Ok(Self::Extract),
            3 => Ok(Self::Full),
            _ => Err("a level is a number from 0 to 3"),
        }
    }
}
