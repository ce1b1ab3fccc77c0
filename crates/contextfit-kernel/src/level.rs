//! The levels at which a block can be shown.

use serde::{Deserialize, Serialize};

/// How much of a block is shown. Levels are ordered: a higher level never shows less.
///
/// | level | memory | search result | conversation turn |
/// |---|---|---|---|
/// | [`Full`](Level::Full) 3 | full context | whole chunk | verbatim |
/// | [`Extract`](Level::Extract) 2 | knowledge, best example | smart truncation, best sentences | best sentences |
/// | [`Gist`](Level::Gist) 1 | one-liner, tags | metadata only | one line |
/// | [`Reference`](Level::Reference) 0 | id, type, importance | id and path | handle of the original |
///
/// A dropped block has no level. A level is serialized as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Level {
    /// Level 0: a line from which the block can be found, without its content.
    Reference,
    /// Level 1: a description of the content, in one or a few lines.
    Gist,
    /// Level 2: the important parts of the text, verbatim, with a marker in every gap.
    Extract,
    /// Level 3: the whole block, byte for byte.
    Full,
}

impl Level {
    /// All levels, from least to most faithful.
    pub const ALL: [Self; 4] = [Self::Reference, Self::Gist, Self::Extract, Self::Full];

    /// Whether this level shows the text of the block, under its header, instead of a description.
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
