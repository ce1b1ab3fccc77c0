//! Exchanges: messages that move together.

use contextfit_kernel::{Hold, Measured};
use foldhash::{HashMap, HashMapExt};

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
    let mut exchanges: Vec<Exchange> = Vec::new();
    let mut groups: HashMap<&str, usize> = HashMap::new();
    for ((at, measured), hold) in input.blocks.iter().enumerate().zip(input.context.holds()) {
        let known = measured.block().group.as_deref().and_then(|group| {
            let next = exchanges.len();
            let place = *groups.entry(group).or_insert(next);
            (place < next).then_some(place)
        });
        match known.and_then(|place| exchanges.get_mut(place)) {
            Some(exchange) => exchange.members.push(at),
            None => {
                let is_entry = !measured.block().level.shows_source();
                exchanges.push(Exchange { members: vec![at], hold, is_entry });
            }
        }
    }
    exchanges
}
