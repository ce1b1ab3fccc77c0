//! Exchanges: messages that move together.

use contextfit_kernel::{Hold, Measured};

/// Messages that move together: a message that calls tools with the results of the calls, or a single message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// Indices of its blocks in the context, ascending.
    pub(crate) members: Vec<usize>,
    /// How its blocks are held.
    pub(crate) hold: Hold,
    /// Whether it is an entry of an earlier record rather than a message.
    pub(crate) is_entry: bool,
}

/// The exchanges of `input`, in the order of their first messages. Linear.
pub(crate) fn exchanges(input: &Measured<'_>) -> Vec<Exchange> {
    let holds = input.context.holds();
    let exchange = |members: Vec<usize>| {
        let first = members.first().copied().unwrap_or_default();
        let hold = holds.get(first).copied().unwrap_or_default();
        let is_entry = input.blocks.get(first).is_some_and(|block| !block.block().level.shows_source());
        Exchange { members, hold, is_entry }
    };
    input.context.groups().into_iter().map(exchange).collect()
}
