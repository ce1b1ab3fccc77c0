//! When a conversation is shortened, and to what.

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

use crate::SessionError;

/// When a conversation is shortened, and to what: above the high mark, to the low mark.
///
/// Between the two there is room for turns that are only added. The further apart they are, the less often the prefix
/// changes; the closer, the more of the talk is there to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Marks", into = "Marks")]
pub struct WaterMarks {
    high: Tokens,
    low: Tokens,
}

impl WaterMarks {
    /// Shortened to `low` tokens when there are more than `high`.
    ///
    /// # Errors
    /// [`SessionError::Marks`] when `low` is above `high`.
    pub const fn new(high: Tokens, low: Tokens) -> Result<Self, SessionError> {
        if low.get() > high.get() { Err(SessionError::Marks { high, low }) } else { Ok(Self { high, low }) }
    }

    /// At most `high` tokens, shortened to half of that.
    #[must_use]
    pub const fn half_of(high: Tokens) -> Self {
        Self { high, low: Tokens::new(high.get() / 2) }
    }

    /// The most tokens that a request takes.
    #[must_use]
    pub const fn high(&self) -> Tokens {
        self.high
    }

    /// What a request is shortened to.
    #[must_use]
    pub const fn low(&self) -> Tokens {
        self.low
    }
}

/// The marks as they are stored.
#[derive(Serialize, Deserialize)]
struct Marks {
    high: Tokens,
    low: Tokens,
}

impl TryFrom<Marks> for WaterMarks {
    type Error = SessionError;

    fn try_from(Marks { high, low }: Marks) -> Result<Self, SessionError> {
        Self::new(high, low)
    }
}

impl From<WaterMarks> for Marks {
    fn from(WaterMarks { high, low }: WaterMarks) -> Self {
        Self { high, low }
    }
}
