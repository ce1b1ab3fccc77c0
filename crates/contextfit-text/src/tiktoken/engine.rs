//! Counting a text: piece by piece, most of which are tokens.

use std::cell::RefCell;

use super::{
    Encoding, hash, merge, scan,
    tables::{self, Vocabulary, short_key},
};

/// Pieces that were merged before, each at a place that its hash gives it: 31 bytes padded with 0xFF, and their number
/// of tokens in the last byte, which is never 0. Names and foreign words recur, and merging them takes the most time.
#[derive(Default)]
struct Memo(Vec<[u64; 4]>);

/// How many pieces a memo has room for: 256 KiB.
const MEMO: usize = 1 << 13;
/// The longest piece in a memo, in bytes.
const LONGEST_MEMO_PIECE_BYTES: usize = 31;
/// All bytes but the last.
const PIECE: u64 = u64::MAX >> 8;

thread_local! {
    static MEMOS: RefCell<[Memo; 2]> = RefCell::default();
}

/// The tokens of `text` in `encoding`. Linear in its length, but for pieces that are no words.
pub(super) fn count(encoding: Encoding, text: &str) -> usize {
    let with = |[first, second]: &mut [Memo; 2]| match encoding {
        Encoding::O200kBase => count_with::<true>(&tables::O200K, text.as_bytes(), first),
        Encoding::Cl100kBase => count_with::<false>(&tables::CL100K, text.as_bytes(), second),
    };
    // A thread that ends may count once more after its memos are gone.
    MEMOS.try_with(|memos| with(&mut memos.borrow_mut())).unwrap_or_else(|_| with(&mut Default::default()))
}

/// [`count`] in `o200k_base` or in `cl100k_base`. The pattern is a constant, as a function would be called for each piece.
#[inline(always)]
fn count_with<const O200K: bool>(tables: &Vocabulary, text: &[u8], memo: &mut Memo) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        let end = if O200K { scan::o200k(text, at) } else { scan::cl100k(text, at) };
        let rest = text.get(at..).unwrap_or_default();
        let len = end - at;
        count += if tables.has(rest, len) { 1 } else { memo.merged(tables, rest, len) };
        at = end;
    }
    count
}

impl Memo {
    /// The tokens of the first `len` bytes of `text`, which are not one.
    fn merged(&mut self, tables: &Vocabulary, text: &[u8], len: usize) -> usize {
        if len <= 2 {
            return len;
        }
        if len > LONGEST_MEMO_PIECE_BYTES {
            return merge::count(tables, text, len);
        }
        if self.0.is_empty() {
            // Zeroed pages cost nothing until they are used.
            self.0 = vec![[0; 4]; MEMO];
        }
        let part = |n: usize| match text.get(8 * n..) {
            Some(rest) if len > 8 * n => short_key(rest, (len - 8 * n).min(8)),
            _ => u64::MAX,
        };
        let [a, b, c, d] = [part(0), part(1), part(2), part(3) & PIECE];
        let hash = hash::mid(u128::from(a ^ c) << 64 | u128::from(b ^ d.rotate_left(32)));
        let Some(known) = self.0.get_mut(hash as usize & (MEMO - 1)) else {
            return merge::count(tables, text, len);
        };
        let [first, second, third, last] = *known;
        if last >> 56 != 0 && [first, second, third, last & PIECE] == [a, b, c, d] {
            return (last >> 56) as usize;
        }
        let count = merge::count(tables, text, len);
        *known = [a, b, c, d | (count as u64) << 56];
        count
    }
}
