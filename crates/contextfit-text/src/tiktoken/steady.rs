//! The steady engine: linear-logarithmic on any text, from the vocabulary of the fast engine.

use std::{cmp::Reverse, collections::BinaryHeap, collections::HashMap};

use ::tiktoken::CoreBpe;
use foldhash::fast::FixedState;
use regex::Regex;

use super::Encoding;

/// The rank of what is not a token.
const NONE: u32 = u32::MAX;
/// The rank of a pair of bytes that occurs inside a token but is not a token itself.
const INSIDE: u32 = NONE - 1;

/// Counts by the published algorithm of byte-pair encoding: of all adjacent tokens that can merge, the pair with the
/// lowest rank merges first, the leftmost of equals.
///
/// Two adjacent bytes that occur together in no token are never merged across, and no merging starts in bytes of which
/// no two form a token. In text that no token was made for, both rules avoid most of the work.
pub(super) struct Steady {
    pattern: Regex,
    /// The rank of every token of three bytes or more.
    ranks: HashMap<Box<[u8]>, u32, FixedState>,
    /// The rank of the bytes `a` and `b` is at `256 a + b`.
    pairs: Vec<u32>,
}

impl Steady {
    /// The engine of `encoding`, which `fast` holds the vocabulary of. Linear in its length, about 30 ms. `None` if
    /// the pattern does not compile.
    pub(super) fn new(encoding: Encoding, fast: &CoreBpe) -> Option<Self> {
        let mut ranks = HashMap::with_capacity_and_hasher(fast.vocab_size(), FixedState::default());
        let mut pairs = vec![NONE; 1 << 16];
        let tokens =
            (0..).map(|rank| (rank, fast.decode(&[rank]))).take_while(|(_, token)| !token.is_empty());
        for (rank, token) in tokens {
            for pair in token.windows(2) {
                if let Some(known) = pairs.get_mut(index(pair)) {
                    *known = if token.len() == 2 { rank } else { INSIDE.min(*known) };
                }
            }
            if token.len() > 2 {
                ranks.insert(token.into(), rank);
            }
        }
        Some(Self { pattern: Regex::new(pattern(encoding)).ok()?, ranks, pairs })
    }

    /// The tokens of `text`.
    pub(super) fn count(&self, text: &str) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(found) = self.pattern.find_at(text, at) {
            let mut piece = found.as_str();
            // `\s+(?!\S)`: the last blank before a word belongs to the word.
            let is_blank = !piece.contains(['\r', '\n']) && piece.chars().all(char::is_whitespace);
            if let Some((last, _)) = piece.char_indices().next_back()
                && is_blank
                && last > 0
                && found.end() < text.len()
            {
                piece = piece.get(..last).unwrap_or(piece);
            }
            count += self.count_piece(piece.as_bytes());
            at = found.start() + piece.len();
        }
        count
    }

    /// The tokens of one of the pattern's pieces.
    fn count_piece(&self, piece: &[u8]) -> usize {
        let joined = |pair: &[u8]| self.pair(pair) != NONE;
        let merges = |part: &[u8]| part.windows(2).any(|pair| self.pair(pair) < INSIDE);
        let tokens = |part: &[u8]| if merges(part) { self.merged(part) } else { part.len() };
        piece.chunk_by(|a, b| joined(&[*a, *b])).map(tokens).sum()
    }

    /// The number of tokens after all merges in `part`. Linear-logarithmic.
    fn merged(&self, part: &[u8]) -> usize {
        if part.len() == 2 || self.ranks.contains_key(part) {
            return 1;
        }
        let len = part.len();
        // Where the token that starts at a byte ends, and where the token before it starts.
        let mut ends: Vec<usize> = (1..=len).collect();
        let mut previous: Vec<usize> = (0..len).map(|at| at.saturating_sub(1)).collect();
        let mut heap: BinaryHeap<Reverse<(u32, usize, usize)>> = BinaryHeap::with_capacity(len);
        let candidate = |start: usize, end: usize| {
            let rank = self.rank(part.get(start..end)?);
            (rank < INSIDE).then_some(Reverse((rank, start, end)))
        };
        heap.extend((0..len.saturating_sub(1)).filter_map(|at| candidate(at, at + 2)));
        let mut count = len;
        while let Some(Reverse((_, start, end))) = heap.pop() {
            // Stale unless two whole tokens still lie between `start` and `end`.
            let Some(&middle) = ends.get(start) else { continue };
            if middle >= end || ends.get(middle) != Some(&end) {
                continue;
            }
            count -= 1;
            if let Some(first) = ends.get_mut(start) {
                *first = end;
            }
            // The second token starts nowhere any more.
            if let Some(second) = ends.get_mut(middle) {
                *second = usize::MAX;
            }
            if let Some(before) = previous.get_mut(end) {
                *before = start;
            }
            if let Some(&next) = ends.get(end) {
                heap.extend(candidate(start, next));
            }
            if let Some(&before) = previous.get(start)
                && before < start
            {
                heap.extend(candidate(before, end));
            }
        }
        count
    }

    fn rank(&self, bytes: &[u8]) -> u32 {
        match bytes.len() {
            2 => self.pair(bytes),
            _ => self.ranks.get(bytes).copied().unwrap_or(NONE),
        }
    }

    fn pair(&self, pair: &[u8]) -> u32 {
        self.pairs.get(index(pair)).copied().unwrap_or(NONE)
    }
}

/// The published pattern of `encoding` (OpenAI, `tiktoken_ext/openai_public.py`), without its look-ahead, which
/// [`Steady::count`] applies.
const fn pattern(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::O200kBase => concat!(
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+",
        ),
        Encoding::Cl100kBase => concat!(
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+",
        ),
    }
}

/// The index of two bytes in a table of all pairs.
fn index(pair: &[u8]) -> usize {
    pair.iter().fold(0, |index, byte| index << 8 | usize::from(*byte))
}
