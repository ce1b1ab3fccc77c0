//! A model's window, divided.

use contextfit_kernel::{Error, Level, Tokens};
use serde::Serialize;

use crate::batch::part;

/// A model's window and what of it is for memories: the system prompt and the response are set aside, types of memories
/// can have shares.
///
/// ```
/// use contextfit_hierarchical::MemoryBudget;
/// use contextfit_kernel::Tokens;
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

/// Where a budget stands, with the fields of seed 004.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TokenBudget {
    /// The window.
    pub total: Tokens,
    /// What was spent.
    pub used: Tokens,
    /// What was not.
    pub remaining: Tokens,
    /// What of it is set aside for the system prompt and the response.
    pub reserved: Tokens,
    /// What memories may still take.
    pub available_for_memories: Tokens,
}

/// How many memories there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Capacity {
    /// At each level, from level 0 up, if all were shown at it.
    pub at_level: [usize; 4],
}

impl MemoryBudget {
    /// A window of `total` tokens, nothing set aside.
    #[must_use]
    pub const fn new(total: Tokens) -> Self {
        Self { total, system: Tokens::ZERO, response: Tokens::ZERO, used: Tokens::ZERO, shares: Vec::new() }
    }

    /// The same with so many tokens for the system prompt.
    ///
    /// # Errors
    /// [`Error::Reserve`] when more is set aside than there is.
    pub fn with_system(self, system: Tokens) -> Result<Self, Error> {
        Self { system, ..self }.checked()
    }

    /// The same with so many tokens for the response.
    ///
    /// # Errors
    /// [`Error::Reserve`] when more is set aside than there is.
    pub fn with_response(self, response: Tokens) -> Result<Self, Error> {
        Self { response, ..self }.checked()
    }

    /// The same with a share, from 0 to 1, of what memories may take for those of a type. What a type does not use goes
    /// back to all; what it needs beyond its share comes from there. Shares of more than 1 together are scaled down.
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

    /// Notes that so many tokens were spent on memories.
    ///
    /// # Errors
    /// [`Error::Infeasible`] when there are not so many; then none is spent.
    pub fn spend(&mut self, tokens: Tokens) -> Result<(), Error> {
        let available = self.available_for_memories();
        if tokens > available {
            return Err(Error::Infeasible { needed: tokens, available, blockers: Vec::new() });
        }
        self.used += tokens;
        Ok(())
    }

    /// What memories may still take.
    #[must_use]
    pub fn available_for_memories(&self) -> Tokens {
        self.total.saturating_sub(self.system + self.response + self.used)
    }

    /// Where it stands.
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

    /// The shares by type: what [`FitOptions::shares`](crate::FitOptions::shares) takes.
    #[must_use]
    pub fn shares(&self) -> &[(String, f64)] {
        &self.shares
    }

    /// What of the tokens for memories belongs to a type first.
    #[must_use]
    pub fn share_of(&self, memory_type: &str) -> Tokens {
        let shares = self.shares.iter().filter(|(of, _)| of == memory_type).map(|(_, share)| share);
        Tokens::new(part(self.available_for_memories().get(), shares.sum()))
    }

    /// How many memories there is room for when they take at each level what those with these
    /// [ladders](crate::HierarchicalCompressor::ladder) take on average. Linear in their number.
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
