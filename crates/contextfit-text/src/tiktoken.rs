//! Exact counts for the encodings of OpenAI's models.

mod hash;
mod merge;
mod scan;
mod seam;
mod tables;

use std::cell::RefCell;

use contextfit_kernel::{TokenCounter, Tokens};

use crate::tiktoken::tables::{Vocabulary, short_key};

/// An encoding: a vocabulary, and a pattern that divides a text into pieces to look up in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and later models.
    O200kBase,
    /// `cl100k_base`: GPT-4, GPT-3.5 and the embedding models of their time.
    Cl100kBase,
}

contextfit_kernel::names!(Encoding, "encoding": O200kBase => "o200k_base", Cl100kBase => "cl100k_base");

/// Counts the tokens of an [`Encoding`] as OpenAI's tokenizer does, with the text of special tokens as plain text.
///
/// The vocabularies are part of the program and are used in place, so nothing has to be loaded. Counting takes no lock.
/// It is linear in the length of the text, but takes `n log n` for pieces without a seam, such as random letters. A
/// single piece of more than 4 MiB, such as a genome on one line, is counted in parts.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::{TokenCounter, Tokens}; pub use ::contextfit_text as text; }
/// use contextfit::{TokenCounter, Tokens, text::Tiktoken};
///
/// let counter = Tiktoken::o200k_base();
/// assert_eq!(counter.count("The quick brown fox jumps."), Tokens::new(6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiktoken {
    encoding: Encoding,
}

impl Tiktoken {
    /// The counter of `encoding`.
    #[must_use]
    pub const fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }

    /// The counter of `o200k_base`.
    #[must_use]
    pub const fn o200k_base() -> Self {
        Self::new(Encoding::O200kBase)
    }

    /// The counter of `cl100k_base`.
    #[must_use]
    pub const fn cl100k_base() -> Self {
        Self::new(Encoding::Cl100kBase)
    }
}

impl TokenCounter for Tiktoken {
    fn name(&self) -> &str {
        self.encoding.name()
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(count(self.encoding, text))
    }

    /// Splits at places that no piece of either pattern can span, whatever else is in the text: before a space after a
    /// word, before most punctuation after a word, and at the start of a line with something visible on it, unless it
    /// begins with a slash.
    fn splits_at(&self, text: &str, at: usize) -> bool {
        seam::is_seam(text, at)
    }
}

/// Pieces that have been merged, each at the index given by its hash: 31 bytes padded with 0xFF, and the number of
/// tokens in the last byte, which is never 0. Names and foreign words recur, and merging them takes the most time.
#[derive(Default)]
struct Memo(Vec<[u64; 4]>);

/// The number of pieces in a memo: 256 KiB.
const MEMO: usize = 1 << 13;
/// The maximum length of a piece in a memo, in bytes.
const LONGEST_MEMO_PIECE_BYTES: usize = 31;
/// The mask for all bytes but the last.
const PIECE: u64 = u64::MAX >> 8;

thread_local! {
    static MEMOS: RefCell<[Memo; 2]> = RefCell::default();
}

/// The tokens of `text` in `encoding`. Linear in its length, except for pieces that are not tokens.
fn count(encoding: Encoding, text: &str) -> usize {
    let with = |[first, second]: &mut [Memo; 2]| match encoding {
        Encoding::O200kBase => count_with::<true>(&tables::O200K, text.as_bytes(), first),
        Encoding::Cl100kBase => count_with::<false>(&tables::CL100K, text.as_bytes(), second),
    };
    // A thread that is ending may count once more after its memos are gone.
    MEMOS.try_with(|memos| with(&mut memos.borrow_mut())).unwrap_or_else(|_| with(&mut Default::default()))
}

/// [`count`] in `o200k_base` or `cl100k_base`. The pattern is a constant: a function would be called for each piece.
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
    /// The tokens of the first `len` bytes of `text`, which are not a single token.
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
