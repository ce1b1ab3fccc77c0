//! When a conversation is shortened, and to what size.

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

use crate::SessionError;

/// When a conversation is shortened, and to what size: above the high mark, to the low mark.
///
/// Between the two marks, turns are only added. The further apart the marks, the less often the prefix changes; the
/// closer together, the more of the conversation the model gets to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Marks", into = "Marks")]
pub struct WaterMarks {
    high: Tokens,
    low: Tokens,
}

impl WaterMarks {
    /// Shortens to `low` tokens once there are more than `high`.
    ///
    /// # Errors
    /// [`SessionError::Marks`] if `low` is above `high`.
    pub const fn new(high: Tokens, low: Tokens) -> Result<Self, SessionError> {
        if low.get() > high.get() { Err(SessionError::Marks { high, low }) } else { Ok(Self { high, low }) }
    }

    /// At most `high` tokens; shortens to half of that.
    #[must_use]
    pub const fn half_of(high: Tokens) -> Self {
        Self { high, low: Tokens::new(high.get() / 2) }
    }

    /// The maximum size of a request, in tokens.
    #[must_use]
    pub const fn high(&self) -> Tokens {
        self.high
    }

    /// The size that a request is shortened to, in tokens.
    #[must_use]
    pub const fn low(&self) -> Tokens {
        self.low
    }
}

/// The serialized form of the marks.
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
