//! The division of a model's window.

use contextfit_kernel::{Error, Level, Tokens};
use contextfit_text::share_of;
use serde::Serialize;

/// A model's window, and the part of it that is available to memories. Tokens are set aside for the system prompt and
/// the response, and types of memories can have shares.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Tokens; pub use ::contextfit_hierarchical as memory; }
/// use contextfit::{Tokens, memory::MemoryBudget};
///
/// let mut budget = MemoryBudget::new(Tokens::new(8_000))
///     .with_system(Tokens::new(1_000))?
///     .with_response(Tokens::new(3_000))?
///     .with_share("tribal", 0.25)
///     .with_share("constraint", 0.2);
/// budget.spend(Tokens::new(500))?;
/// let state = budget.state();
/// assert_eq!((state.remaining, state.available_for_memories), (Tokens::new(7_500), Tokens::new(3_500)));
/// assert_eq!(budget.share_of("tribal"), Tokens::new(875));
/// # Ok::<(), contextfit_kernel::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryBudget {
    total: Tokens,
    system: Tokens,
    response: Tokens,
    used: Tokens,
    shares: Vec<(String, f64)>,
}

/// The state of a budget; the fields are those of Cortex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TokenBudget {
    /// The window.
    pub total: Tokens,
    /// Tokens spent.
    pub used: Tokens,
    /// Tokens not spent.
    pub remaining: Tokens,
    /// Tokens set aside for the system prompt and the response.
    pub reserved: Tokens,
    /// Tokens that memories may still use.
    pub available_for_memories: Tokens,
}

/// The number of memories that fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Capacity {
    /// The number at each level, from level 0 up, if all memories are shown at that level.
    pub at_level: [usize; 4],
}

impl MemoryBudget {
    /// Creates a budget for a window of `total` tokens with nothing set aside.
    #[must_use]
    pub const fn new(total: Tokens) -> Self {
        Self { total, system: Tokens::ZERO, response: Tokens::ZERO, used: Tokens::ZERO, shares: Vec::new() }
    }

    /// Sets aside `system` tokens for the system prompt.
    ///
    /// # Errors
    /// [`Error::Reserve`] if more is set aside than the window has.
    pub fn with_system(self, system: Tokens) -> Result<Self, Error> {
        Self { system, ..self }.checked()
    }

    /// Sets aside `response` tokens for the response.
    ///
    /// # Errors
    /// [`Error::Reserve`] if more is set aside than the window has.
    pub fn with_response(self, response: Tokens) -> Result<Self, Error> {
        Self { response, ..self }.checked()
    }

    /// Reserves a share, from 0 to 1, of the tokens for memories for those of a type. Tokens that they do not use go to
    /// all memories, and their needs beyond the share are met from there. Shares that sum to more than 1 are scaled
    /// down.
    #[must_use]
    pub fn with_share(mut self, memory_type: impl Into<String>, share: f64) -> Self {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        self.shares.push((memory_type.into(), share));
        let sum: f64 = self.shares.iter().map(|(_, share)| share).sum();
        if sum > 1.0 {
            self.shares.iter_mut().for_each(|(_, share)| *share /= sum);
        }
        self
    }

    fn checked(self) -> Result<Self, Error> {
        let reserve = self.system + self.response;
        if reserve > self.total { Err(Error::Reserve { reserve, limit: self.total }) } else { Ok(self) }
    }

    /// Records that `tokens` were spent on memories.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if fewer are available; then none are spent.
    pub fn spend(&mut self, tokens: Tokens) -> Result<(), Error> {
        let available = self.available_for_memories();
        if tokens > available {
            return Err(Error::Infeasible { needed: tokens, available, blockers: Vec::new() });
        }
        self.used += tokens;
        Ok(())
    }

    /// Tokens that memories may still use.
    #[must_use]
    pub fn available_for_memories(&self) -> Tokens {
        self.total.saturating_sub(self.system + self.response + self.used)
    }

    /// The state of the budget.
    #[must_use]
    pub fn state(&self) -> TokenBudget {
        TokenBudget {
            total: self.total,
            used: self.used,
            remaining: self.total.saturating_sub(self.used),
            reserved: self.system + self.response,
            available_for_memories: self.available_for_memories(),
        }
    }

    /// The shares by type, in the form of [`FitOptions::shares`](crate::FitOptions::shares).
    #[must_use]
    pub fn shares(&self) -> &[(String, f64)] {
        &self.shares
    }

    /// The tokens that memories of a type get first.
    #[must_use]
    pub fn share_of(&self, memory_type: &str) -> Tokens {
        let shares = self.shares.iter().filter(|(of, _)| of == memory_type).map(|(_, share)| share);
        share_of(self.available_for_memories(), shares.sum())
    }

    /// The number of memories that fit at each level if they take the average tokens of those with these
    /// [ladders](crate::MemoryCompressor::ladder). Linear in the number of ladders.
    #[must_use]
    pub fn capacity(&self, ladders: &[[Tokens; 4]]) -> Capacity {
        let available = self.available_for_memories().get();
        let fit = |level: Level| {
            let tokens: Option<Vec<Tokens>> =
                ladders.iter().map(|ladder| ladder.get(usize::from(u8::from(level))).copied()).collect();
            let all: usize = tokens.unwrap_or_default().iter().map(|tokens| tokens.get() + 1).sum();
            (available as u128 * ladders.len() as u128).checked_div(all as u128)
        };
        let number = |fit: Option<u128>| usize::try_from(fit.unwrap_or_default()).unwrap_or(usize::MAX);
        Capacity { at_level: Level::ALL.map(|level| number(fit(level))) }
    }
}
