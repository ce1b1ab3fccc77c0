//! Byte-pair merging of pieces that are not tokens.
//!
//! This is the published algorithm: of all adjacent tokens that can merge, the pair with the lowest rank merges first,
//! and of equals the leftmost. Two adjacent bytes that occur together in no token are never merged.

use contextfit_kernel::Values;
use std::{cmp::Reverse, collections::BinaryHeap};

use super::tables::{INSIDE, NONE, Vocabulary};

/// The maximum length, in bytes, of a piece in which all pairs are searched for each merge.
const SMALL_BYTES: usize = 128;

/// The maximum length, in bytes, of a piece that is merged at once: merging takes some 30 bytes of memory per byte. A
/// longer piece, such as a genome on one line, is counted in parts, which may be off by a token per seam.
const LONGEST_PIECE_BYTES: usize = 1 << 22;

/// The tokens of the first `len` bytes of `text`. Linearithmic.
#[inline]
pub(super) fn count(tables: &Vocabulary, text: &[u8], len: usize) -> usize {
    match len {
        0..=16 => small::<16>(tables, text, len),
        17..=32 => small::<32>(tables, text, len),
        33..=64 => small::<64>(tables, text, len),
        65..=SMALL_BYTES => small::<SMALL_BYTES>(tables, text, len),
        _ => large(tables, text.get(..len).unwrap_or(text)),
    }
}

/// An array whose length is a power of two. Indices wrap around.
struct Ring<T, const N: usize>([T; N]);

impl<T: Copy + Default, const N: usize> Ring<T, N> {
    #[inline(always)]
    fn get(&self, at: usize) -> T {
        self.0.at(at & (N - 1))
    }

    #[inline(always)]
    fn set(&mut self, at: usize, value: T) {
        self.0.set(at & (N - 1), value);
    }
}

/// [`count`] for `len` up to `N`, a power of two up to 128. Each token is identified by its start.
fn small<const N: usize>(tables: &Vocabulary, text: &[u8], len: usize) -> usize {
    const NOTHING: i32 = i32::MAX;
    // The rank of a token with its successor, and below it the position: the minimum is the leftmost of the lowest.
    let keyed = |rank: u32, at: usize| if rank < INSIDE { (rank << 8) as i32 | at as i32 } else { NOTHING };
    let mut ranks = Ring([NOTHING; N]);
    let (mut next, mut previous) = (Ring([0_u8; N]), Ring([0_u8; N]));
    for (at, &[a, b]) in text.get(..len).unwrap_or(text).array_windows().enumerate() {
        ranks.set(at, keyed(tables.pair(a, b), at));
    }
    for at in 0..N {
        next.set(at, at as u8 + 1);
        previous.set(at, (at as u8).wrapping_sub(1));
    }
    let rank_of =
        |start: usize, end: usize| text.get(start..).map_or(NONE, |rest| tables.rank(rest, end - start));
    let mut count = len;
    loop {
        let lowest = ranks.0.iter().copied().fold(NOTHING, i32::min);
        if lowest == NOTHING {
            return count;
        }
        count -= 1;
        let at = lowest as usize & 0xFF;
        let middle = usize::from(next.get(at));
        let end = usize::from(next.get(middle));
        next.set(at, end as u8);
        ranks.set(middle, NOTHING);
        ranks.set(at, NOTHING);
        if end < len {
            previous.set(end, at as u8);
            ranks.set(at, keyed(rank_of(at, usize::from(next.get(end))), at));
        }
        if at > 0 {
            let before = usize::from(previous.get(at));
            ranks.set(before, keyed(rank_of(before, end), before));
        }
    }
}

#[cold]
fn large(tables: &Vocabulary, piece: &[u8]) -> usize {
    if let Some(count) = run(tables, piece) {
        return count;
    }
    let joined = |a: &u8, b: &u8| tables.pair(*a, *b) != NONE;
    let parts = piece.chunks(LONGEST_PIECE_BYTES).flat_map(|part| part.chunk_by(joined));
    parts
        .map(
            |part| {
                if part.len() > SMALL_BYTES { merged(tables, part) } else { count(tables, part, part.len()) }
            },
        )
        .sum()
}

/// The tokens of a run of one byte, from the lengths of its tokens and how many of each are in a row; `None` for other
/// pieces, and if merges would interleave. Linear in the length of the run, only to check that it is one.
fn run(tables: &Vocabulary, run: &[u8]) -> Option<usize> {
    let first = run.first()?;
    if run.iter().any(|byte| byte != first) {
        return None;
    }
    let rank = |len: usize| if len <= run.len() { tables.rank(run, len) } else { NONE };
    let mut tokens = vec![(1, run.len())];
    loop {
        tokens.retain(|&(_, count)| count > 0);
        tokens.dedup_by(|next, known| {
            next.0 == known.0 && {
                known.1 += next.1;
                true
            }
        });
        // Of equals, the first and leftmost: pairs within a row come before the one at its end.
        let within = |&(len, count): &(usize, usize)| if count > 1 { rank(2 * len) } else { NONE };
        let across =
            |n: usize| tokens.get(n..n + 2).map_or(NONE, |pair| rank(pair.iter().map(|token| token.0).sum()));
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
            // This counting is valid only if all pairs of the row merge before any pair that these merges create.
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

/// The number of tokens after all merges in `part`. Linearithmic.
fn merged(tables: &Vocabulary, part: &[u8]) -> usize {
    // A candidate: the rank, and in the lower half the start of the first of the two tokens.
    let keyed = |rank: u32, start: u32| (rank < INSIDE).then_some(u64::from(rank) << 32 | u64::from(start));
    let rank_of = |start: u32, end: u32| {
        part.get(start as usize..).map_or(NONE, |rest| tables.rank(rest, (end - start) as usize))
    };
    let mut chain = Chain::new(part.array_windows().map(|&[a, b]| tables.pair(a, b)));
    // Sorting the pairs of bytes once is cheaper than passing them through the heap of longer candidates.
    let mut pairs: Vec<u64> = chain.ranks.iter().zip(0..).filter_map(|(rank, at)| keyed(*rank, at)).collect();
    pairs.sort_unstable();
    let mut pairs = pairs.into_iter().peekable();
    let mut heap = BinaryHeap::new();
    let mut count = part.len();
    loop {
        let is_longer =
            heap.peek().is_some_and(|Reverse(longer)| pairs.peek().is_none_or(|pair| longer < pair));
        let lowest = if is_longer { heap.pop().map(|Reverse(longer)| longer) } else { pairs.next() };
        let Some(lowest) = lowest else { return count };
        let (rank, start) = ((lowest >> 32) as u32, lowest as u32);
        let Some((before, end, next)) = chain.merge(rank, start) else { continue };
        count -= 1;
        let after = next.map_or(NONE, |next| rank_of(start, next));
        chain.set_rank(start, after);
        heap.extend(keyed(after, start).map(Reverse));
        if let Some(before) = before {
            let rank = rank_of(before, end);
            chain.set_rank(before, rank);
            heap.extend(keyed(rank, before).map(Reverse));
        }
    }
}

/// The tokens of a piece during merging: at first one per byte, each identified by its first byte.
struct Chain {
    /// The end of each token.
    ends: Vec<u32>,
    /// The start of the token before each token.
    previous: Vec<u32>,
    /// The rank of each token merged with its successor; `NONE` for a byte at which no token starts any more.
    ranks: Vec<u32>,
}

impl Chain {
    /// One token per byte; `ranks` are those of the pairs of adjacent bytes.
    fn new(ranks: impl Iterator<Item = u32>) -> Self {
        let ranks: Vec<u32> = ranks.chain([NONE]).collect();
        let len = ranks.len() as u32;
        Self { ends: (1..=len).collect(), previous: (0..len).map(|at| at.wrapping_sub(1)).collect(), ranks }
    }

    /// Merges the token at `start` with its successor, unless their rank is no longer `rank`. Returns the start of the
    /// previous token, the end of the merged one, and the end of the next.
    #[inline]
    fn merge(&mut self, rank: u32, start: u32) -> Option<(Option<u32>, u32, Option<u32>)> {
        if *self.ranks.get(start as usize)? != rank {
            return None;
        }
        let middle = *self.ends.get(start as usize)?;
        let end = *self.ends.get(middle as usize)?;
        *self.ends.get_mut(start as usize)? = end;
        self.set_rank(middle, NONE);
        self.previous.set(end as usize, start);
        let before = self.previous.get(start as usize).copied().filter(|&before| before < start);
        Some((before, end, self.ends.get(end as usize).copied()))
    }

    #[inline]
    fn set_rank(&mut self, start: u32, rank: u32) {
        self.ranks.set(start as usize, rank);
    }
}
