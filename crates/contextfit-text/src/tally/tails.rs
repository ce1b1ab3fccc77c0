//! The short ends of units behind the last place that splits: `);` and a line feed, most of the time.

use contextfit_kernel::{TokenCounter, Tokens};

/// The longest tail, in bytes: a key has room for so many and the mark of their number.
pub(super) const NEAR: usize = 15;

/// How many tails are remembered. Code in one language ends its lines in a few dozen ways.
const SLOTS: usize = 64;

/// Counts tails, and remembers the last ones: a look-up takes a tenth of the time.
pub(super) struct Tails {
    /// Keys and counts, each at the place its key says. No tail has the key 0.
    slots: [(u128, Tokens); SLOTS],
}

impl Default for Tails {
    fn default() -> Self {
        Self { slots: [(0, Tokens::ZERO); SLOTS] }
    }
}

impl Tails {
    /// The tokens of `tail`, which has at most [`NEAR`] bytes, without the white space at its end that is no feed.
    pub(super) fn count(&mut self, counter: &dyn TokenCounter, tail: &str) -> Tokens {
        let tail = tail.trim_end_matches([' ', '\t']);
        if tail.is_empty() {
            return Tokens::ZERO;
        }
        let key = tail.bytes().fold(1u128, |key, byte| (key << 8) | u128::from(byte));
        let Some(slot) = self.slots.get_mut(place_of(key)) else { return counter.count(tail) };
        if slot.0 != key {
            *slot = (key, counter.count(tail));
        }
        slot.1
    }
}

/// Where `key` is remembered: the top bits of a product, below [`SLOTS`].
#[expect(clippy::cast_possible_truncation, reason = "both halves of the key go in, and six bits are left")]
fn place_of(key: u128) -> usize {
    let folded = (key as u64) ^ ((key >> 64) as u64);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize
}
