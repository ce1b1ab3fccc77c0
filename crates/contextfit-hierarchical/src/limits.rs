//! How long a level should be.

use contextfit_kernel::{Level, Tokens};

/// How many tokens a memory should take at a level, and how many at the most.
///
/// The maxima of levels 1 and 2 are kept by shortening, as long as id, type, importance, tags and confidence leave room;
/// the others are checked ([`CompressedMemory::is_within`](crate::CompressedMemory::is_within)): ids cannot be cut, and
/// level 3 loses nothing. No count is ever made up from these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelLimit {
    /// What a level aims at: a figure to plan windows with.
    pub target: Tokens,
    /// The most that it should take.
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
    /// Those of seed 004: 5 of 10, 50 of 75, 200 of 300, 500 of 1000.
    fn default() -> Self {
        Self(
            [(5, 10), (50, 75), (200, 300), (500, 1000)]
                .map(|(target, max)| LevelLimit { target: Tokens::new(target), max: Tokens::new(max) }),
        )
    }
}
