//! Length limits of the levels.

use contextfit_kernel::{Level, Tokens};

/// The target and maximum number of tokens of a memory at a level.
///
/// The maxima of levels 1 and 2 are enforced by shortening, as long as id, type, importance, tags and confidence leave
/// room; the others are only checked ([`CompressedMemory::is_within`](crate::CompressedMemory::is_within)): ids cannot
/// be cut, and level 3 loses nothing. Reported counts are never derived from these figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelLimit {
    /// The target, for planning windows.
    pub target: Tokens,
    /// The maximum.
    pub max: Tokens,
}

/// The limits of all levels, from level 0 up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelLimits(pub [LevelLimit; 4]);

impl LevelLimits {
    /// The limit of `level`.
    #[must_use]
    pub fn of(&self, level: Level) -> LevelLimit {
        let Self([reference, gist, extract, full]) = *self;
        match level {
            Level::Reference => reference,
            Level::Gist => gist,
            Level::Extract => extract,
            Level::Full => full,
        }
    }
}

impl Default for LevelLimits {
    /// Those of Cortex, as target and maximum: 5 and 10, 50 and 75, 200 and 300, 500 and 1000.
    fn default() -> Self {
        Self(
            [(5, 10), (50, 75), (200, 300), (500, 1000)]
                .map(|(target, max)| LevelLimit { target: Tokens::new(target), max: Tokens::new(max) }),
        )
    }
}
