//! The input tokens of a session's calls.

use contextfit_kernel::Tokens;
use contextfit_text::{Bill, Prices, TokenUsage};
use serde::{Deserialize, Serialize};

/// Input tokens of the calls so far, with shortening and as they would have been without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Calls {
    read: Side,
    whole: Side,
    /// Tokens of everything passed to the session.
    given: Tokens,
}

/// Tokens of all calls, and of the last one, which the provider has in its cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Side {
    usage: TokenUsage,
    last: Tokens,
}

impl Side {
    /// Records a call of `tokens`, `unchanged` of which precede the first change since the last call.
    fn call(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.usage += TokenUsage { cached: self.last.min(unchanged), ..TokenUsage::of_input(tokens) };
        self.last = tokens;
    }
}

impl Calls {
    /// Records that `tokens` were added to the session.
    pub(crate) fn given(&mut self, tokens: Tokens) {
        self.given += tokens;
    }

    /// Records that a request of `tokens` was sent, `unchanged` of which precede the first change.
    pub(crate) fn sent(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.read.call(tokens, unchanged);
        self.whole.call(self.given, self.given);
    }

    /// The savings at `prices`.
    pub(crate) fn bill(&self, prices: &Prices) -> Bill {
        let mut bill = Bill::default();
        bill.save(prices, self.whole.usage, self.read.usage);
        bill
    }
}
