//! What the calls of a session read.

use contextfit_kernel::Tokens;
use contextfit_text::{Bill, Prices, TokenUsage};
use serde::{Deserialize, Serialize};

/// What the calls so far read, and what they would have read had nothing been shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Calls {
    read: Side,
    whole: Side,
    /// Tokens of all that the session was given.
    given: Tokens,
}

/// Tokens of all calls, and of the last one: what the provider has in its cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Side {
    usage: TokenUsage,
    last: Tokens,
}

impl Side {
    /// A call with `tokens`, of which `unchanged` stand before the first change since the last one.
    fn call(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.usage += TokenUsage { cached: self.last.min(unchanged), ..TokenUsage::of_input(tokens) };
        self.last = tokens;
    }
}

impl Calls {
    /// The session is given so much more.
    pub(crate) fn given(&mut self, tokens: Tokens) {
        self.given += tokens;
    }

    /// A request of `tokens` is sent, of which `unchanged` stand before the first change.
    pub(crate) fn sent(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.read.call(tokens, unchanged);
        self.whole.call(self.given, self.given);
    }

    /// What was saved at `prices`.
    pub(crate) fn bill(&self, prices: &Prices) -> Bill {
        let mut bill = Bill::default();
        bill.save(prices, self.whole.usage, self.read.usage);
        bill
    }
}
