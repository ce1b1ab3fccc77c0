//! The steady engine: linear-logarithmic on any text, from the vocabulary of the fast engine.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use ::tiktoken::CoreBpe;
use foldhash::fast::FixedState;
use regex::Regex;

use super::Encoding;

/// The rank of what is not a token.
const NONE: u32 = u32::MAX;
/// The rank of a pair of bytes that occurs inside a token but is not a token itself.
const INSIDE: u32 = NONE - 1;

/// The longest piece that is merged as one, in bytes: merging takes some 40 bytes of memory for each. Longer pieces, such as
/// a genome on one line, are counted in parts; that may be off by a token per seam.
const LONGEST: usize = 1 << 22;

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
    /// The engine of `encoding`, which `fast` holds the vocabulary of. Linear in its length, 20 to 50 ms. `None` if
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
        while let Some(found) = text.get(at..).and_then(|rest| self.pattern.find(rest)) {
            let mut piece = found.as_str();
            // `\s+(?!\S)`: the last blank before a word belongs to the word.
            let is_blank = piece.chars().all(|c| c.is_whitespace() && c != '\r' && c != '\n');
            if let Some((last, _)) = piece.char_indices().next_back()
                && is_blank
                && last > 0
                && at + found.end() < text.len()
            {
                piece = piece.get(..last).unwrap_or(piece);
            }
            count += self.count_piece(piece.as_bytes());
            at += piece.len();
        }
        count
    }

    /// The tokens of one of the pattern's pieces.
    fn count_piece(&self, piece: &[u8]) -> usize {
        if let Some(count) = self.count_run(piece) {
            return count;
        }
        let joined = |pair: &[u8]| self.pair(pair) != NONE;
        let merges = |part: &[u8]| part.windows(2).any(|pair| self.pair(pair) < INSIDE);
        let tokens = |part: &[u8]| if merges(part) { self.merged(part) } else { part.len() };
        let parts = piece.chunks(LONGEST).flat_map(|part| part.chunk_by(|a, b| joined(&[*a, *b])));
        parts.map(tokens).sum()
    }

    /// The tokens of a run of one byte, from the lengths of its tokens and how often each occurs in a row; `None` for
    /// other pieces, and where merges would interleave. Linear in the length of the run, for making sure that it is one.
    fn count_run(&self, run: &[u8]) -> Option<usize> {
        let first = run.first()?;
        if run.iter().any(|byte| byte != first) {
            return None;
        }
        let rank = |len: usize| run.get(..len).map_or(NONE, |bytes| self.rank(bytes));
        let mut tokens = vec![(1, run.len())];
        loop {
            tokens.retain(|&(_, count)| count > 0);
            tokens.dedup_by(|next, known| {
                next.0 == known.0 && {
                    known.1 += next.1;
                    true
                }
            });
            // Among equals first, and the leftmost: pairs within a row come before the one at its end.
            let within = |&(len, count): &(usize, usize)| if count > 1 { rank(2 * len) } else { NONE };
            let across = |n: usize| {
                tokens.get(n..n + 2).map_or(NONE, |pair| rank(pair.iter().map(|token| token.0).sum()))
            };
            let ranks = tokens
                .iter()
                .enumerate()
                .flat_map(|(n, token)| [(within(token), n, true), (across(n), n, false)]);
            let Some((lowest, n, is_within)) =
                ranks.min_by_key(|candidate| candidate.0).filter(|found| found.0 < INSIDE)
            else {
                return Some(tokens.iter().map(|token| token.1).sum());
            };
            let &(len, count) = tokens.get(n)?;
            if is_within {
                // All pairs of the row merge before anything that they give rise to, or this is not the way to count.
                let before = n.checked_sub(1).and_then(|n| tokens.get(n)).map(|token| token.0 + 2 * len);
                let after = tokens.get(n + 1).map(|token| 2 * len + token.0);
                let new = [Some(3 * len), Some(4 * len), before, after].into_iter().flatten();
                if { new }.any(|len| rank(len) < lowest) {
                    return None;
                }
                tokens.splice(n..=n, [(2 * len, count / 2), (len, count % 2)]);
            } else {
                let &(next, following) = tokens.get(n + 1)?;
                tokens.splice(n..n + 2, [(len, count - 1), (len + next, 1), (next, following - 1)]);
            }
        }
    }

    /// The number of tokens after all merges in `part`. Linear-logarithmic.
    fn merged(&self, part: &[u8]) -> usize {
        if part.len() == 2 || self.ranks.contains_key(part) {
            return 1;
        }
        let mut chain = Chain::new(part.windows(2).map(|pair| self.pair(pair)));
        let merges = |rank: &(u32, usize)| rank.0 < INSIDE;
        let mut pairs: Vec<_> = chain.ranks.iter().copied().zip(0..).filter(merges).collect();
        pairs.sort_unstable();
        // Sorting the pairs of bytes once is cheaper than passing them through the heap of longer candidates.
        let mut pairs = pairs.into_iter().peekable();
        let mut heap = BinaryHeap::new();
        let rank_of = |start: usize, end: usize| part.get(start..end).map_or(NONE, |bytes| self.rank(bytes));
        let mut count = part.len();
        loop {
            let is_longer =
                heap.peek().is_some_and(|Reverse(longer)| pairs.peek().is_none_or(|pair| longer < pair));
            let lowest = if is_longer { heap.pop().map(|Reverse(longer)| longer) } else { pairs.next() };
            let Some((rank, start)) = lowest else { return count };
            let Some((before, end, next)) = chain.merge(rank, start) else { continue };
            count -= 1;
            let after = next.map_or(NONE, |next| rank_of(start, next));
            chain.set_rank(start, after);
            heap.extend(Some((after, start)).filter(merges).map(Reverse));
            if let Some(before) = before {
                let rank = rank_of(before, end);
                chain.set_rank(before, rank);
                heap.extend(Some((rank, before)).filter(merges).map(Reverse));
            }
        }
    }

    fn rank(&self, bytes: &[u8]) -> u32 {
        match bytes.len() {
            0 | 1 => NONE,
            2 => self.pair(bytes),
            _ => self.ranks.get(bytes).copied().unwrap_or(NONE),
        }
    }

    fn pair(&self, pair: &[u8]) -> u32 {
        self.pairs.get(index(pair)).copied().unwrap_or(NONE)
    }
}

/// The tokens of a piece while they merge: at first one per byte, each named by its first byte.
struct Chain {
    /// Where each token ends.
    ends: Vec<usize>,
    /// Where the token before each starts.
    previous: Vec<usize>,
    /// The rank of each token merged with its successor; `NONE` for what starts no token any more.
    ranks: Vec<u32>,
}

impl Chain {
    /// A token per byte; `ranks` are those of each pair of them.
    fn new(ranks: impl Iterator<Item = u32>) -> Self {
        let mut ranks: Vec<u32> = ranks.collect();
        ranks.push(NONE);
        let len = ranks.len();
        Self { ends: (1..=len).collect(), previous: (0..len).map(|at| at.wrapping_sub(1)).collect(), ranks }
    }

    /// Merges the token at `start` with its successor, unless their rank is no longer `rank`. Returns the start of the
    /// token before them, their end, and the end of the token after them.
    fn merge(&mut self, rank: u32, start: usize) -> Option<(Option<usize>, usize, Option<usize>)> {
        if *self.ranks.get(start)? != rank {
            return None;
        }
        let middle = *self.ends.get(start)?;
        let end = *self.ends.get(middle)?;
        *self.ends.get_mut(start)? = end;
        self.set_rank(middle, NONE);
        if let Some(before) = self.previous.get_mut(end) {
            *before = start;
        }
        let before = self.previous.get(start).copied().filter(|&before| before < start);
        Some((before, end, self.ends.get(end).copied()))
    }

    fn set_rank(&mut self, start: usize, rank: u32) {
        if let Some(known) = self.ranks.get_mut(start) {
            *known = rank;
        }
    }
}

/// The published pattern of `encoding` (OpenAI, `tiktoken_ext/openai_public.py`), without its look-ahead, which
/// [`Steady::count`] applies. Anchored: pieces cover a text without gaps, and a search for the start of one would be a
/// hundred times as slow in text of many scripts.
const fn pattern(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::O200kBase => concat!(
            r"\A(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+)",
        ),
        Encoding::Cl100kBase => concat!(
            r"\A(?:(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}",
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+)",
        ),
    }
}

/// The index of two bytes in a table of all pairs.
fn index(pair: &[u8]) -> usize {
    pair.iter().fold(0, |index, byte| index << 8 | usize::from(*byte))
}
