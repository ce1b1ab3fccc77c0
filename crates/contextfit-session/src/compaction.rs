//! What a shortening did.

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

/// A shortening of the conversation: what it saved, and what of the prompt cache it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compaction {
    /// How many messages the session had been given by then.
    pub after_messages: usize,
    /// The strategy.
    pub strategy: String,
    /// Tokens of the request before.
    pub tokens_before: Tokens,
    /// Tokens of the request after.
    pub tokens_after: Tokens,
    /// How many messages at the beginning are the same as before: a provider's cache still holds these.
    pub same_prefix: usize,
    /// Tokens of the messages behind them: what must be read again at full price.
    pub tokens_changed: Tokens,
}
