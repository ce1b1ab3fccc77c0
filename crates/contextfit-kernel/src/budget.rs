//! The number of tokens that may be spent.

use serde::{Deserialize, Serialize};

use crate::{Error, Tokens};

/// The number of tokens that a context may take: a limit, of which a part can be reserved for something else.
///
/// The reserve never exceeds the limit.
///
/// ```
/// # use contextfit_kernel as contextfit;
/// use contextfit::{Budget, Tokens};
///
/// let budget = Budget::new(8_000).with_reserve(1_000)?;
/// assert_eq!(budget.available(), Tokens::new(7_000));
/// # Ok::<(), contextfit_kernel::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Budget {
    limit: Tokens,
    reserve: Tokens,
}

/// A budget as it is read, before its reserve is checked.
#[derive(Deserialize)]
struct Fields {
    limit: Tokens,
    #[serde(default)]
    reserve: Tokens,
}

impl TryFrom<Fields> for Budget {
    type Error = Error;

    fn try_from(Fields { limit, reserve }: Fields) -> Result<Self, Error> {
        Self::new(limit).with_reserve(reserve)
    }
}

impl Budget {
    /// Creates a budget of `limit` tokens with nothing reserved.
    #[must_use]
    pub fn new(limit: impl Into<Tokens>) -> Self {
        Self { limit: limit.into(), reserve: Tokens::ZERO }
    }

    /// Sets aside `reserve` tokens of the limit, for the answer or for instructions added later.
    ///
    /// # Errors
    /// [`Error::Reserve`] if the reserve is larger than the limit.
    pub fn with_reserve(self, reserve: impl Into<Tokens>) -> Result<Self, Error> {
        let reserve = reserve.into();
        if reserve > self.limit {
            return Err(Error::Reserve { reserve, limit: self.limit });
        }
        Ok(Self { reserve, ..self })
    }

    /// The limit, including the reserve.
    #[must_use]
    pub const fn limit(&self) -> Tokens {
        self.limit
    }

    /// The tokens set aside.
    #[must_use]
    pub const fn reserve(&self) -> Tokens {
        self.reserve
    }

    /// The tokens that the context itself may take.
    #[must_use]
    pub const fn available(&self) -> Tokens {
        self.limit.saturating_sub(self.reserve)
    }
}
