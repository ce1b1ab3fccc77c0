//! How many tokens may be spent.

use serde::{Deserialize, Serialize};

use crate::{Error, Tokens};

/// How many tokens a context may take: a limit, of which a part can be reserved for something else.
///
/// The reserve never exceeds the limit.
///
/// ```
/// use contextfit_kernel::{Budget, Tokens};
///
/// let budget = Budget::new(Tokens::new(8_000)).with_reserve(Tokens::new(1_000))?;
/// assert_eq!(budget.available(), Tokens::new(7_000));
/// # Ok::<(), contextfit_kernel::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Budget {
    limit: Tokens,
    #[serde(default)]
    reserve: Tokens,
}

impl Budget {
    /// A budget of `limit` tokens, nothing reserved.
    #[must_use]
    pub const fn new(limit: Tokens) -> Self {
        Self { limit, reserve: Tokens::ZERO }
    }

    /// The same limit with `reserve` tokens set aside, for the answer or for instructions added later.
    ///
    /// # Errors
    /// [`Error::Reserve`] when the reserve is larger than the limit.
    pub fn with_reserve(self, reserve: Tokens) -> Result<Self, Error> {
        if reserve > self.limit {
            return Err(Error::Reserve { reserve, limit: self.limit });
        }
        Ok(Self { reserve, ..self })
    }

    /// The limit, the reserve included.
    #[must_use]
    pub const fn limit(&self) -> Tokens {
        self.limit
    }

    /// What is set aside.
    #[must_use]
    pub const fn reserve(&self) -> Tokens {
        self.reserve
    }

    /// What the context itself may take.
    #[must_use]
    pub const fn available(&self) -> Tokens {
        self.limit.saturating_sub(self.reserve)
    }
}
