//! Compactions: what a shortening did.

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

/// A shortening of the conversation: what it saved, and how much of the prompt cache it invalidated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compaction {
    /// Number of messages passed to the session by then.
    pub after_messages: usize,
    /// The strategy used.
    pub strategy: String,
    /// Tokens of the request before.
    pub tokens_before: Tokens,
    /// Tokens of the request after.
    pub tokens_after: Tokens,
    /// Number of leading messages that are unchanged, and therefore still in the provider's cache.
    pub same_prefix: usize,
    /// Tokens of the messages after them, which must be read again at full price.
    pub tokens_changed: Tokens,
}
