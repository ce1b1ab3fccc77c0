//! Joins chunks of one document that overlap or touch.

use contextfit_kernel::Values;
use std::collections::{HashMap, HashSet};

use crate::SearchChunk;

/// The minimum number of bytes in common that count as an overlap.
const OVERLAP: usize = 24;

/// The maximum number of chunks with the same beginning, and of positions in a chunk where another might begin, that
/// are considered, so that repetitive texts take no longer than others.
const CANDIDATES: usize = 8;
const ATTEMPTS: usize = 64;

/// A text made of several chunks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) text: String,
    /// The indices of the chunks, and the position in the text at which each begins.
    pub(crate) members: Vec<(usize, usize)>,
}

/// The chunk that continues another.
#[derive(Clone, Copy)]
struct Next {
    chunk: usize,
    /// The position in the first chunk at which the second begins; the length of the first if they touch.
    at: usize,
}

/// Joins `chunks` of one document if the end of one is the beginning of another, if one is within another, or if one
/// follows another by line numbers. Linear in the length of their texts.
pub(crate) fn join(chunks: &[SearchChunk]) -> Vec<Joined> {
    let Links { within, next } = Links::of(chunks);
    let follows: HashSet<usize> = next.iter().flatten().map(|next| next.chunk).collect();
    let mut read = vec![false; chunks.len()];
    let mut joined = Vec::new();
    let firsts = (0..chunks.len()).filter(|n| !follows.contains(n));
    // In a cycle of chunks that follow one another, there is no first one.
    for first in firsts.chain(0..chunks.len()).filter(|n| within.get(*n).is_some_and(Option::is_none)) {
        let (mut text, mut members, mut at) = (String::new(), Vec::new(), 0);
        let mut chunk = Some(first);
        while let Some(n) = chunk.filter(|n| read.get(*n) == Some(&false)) {
            if at == text.len() && !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
                at += 1;
            }
            let own = chunks.get(n).map_or("", |chunk| chunk.text.as_str());
            text.push_str(own.get(text.len() - at..).unwrap_or_default());
            members.push((n, at));
            read.set(n, true);
            let following = next.at(n);
            at += following.map_or(0, |next| next.at);
            chunk = following.map(|next| next.chunk);
        }
        joined.extend((!members.is_empty()).then_some(Joined { text, members }));
    }
    add_inner(&mut joined, &within);
    joined
}

/// Adds the chunks that are within others, which may themselves be within others.
fn add_inner(joined: &mut [Joined], within: &[Option<Next>]) {
    let members = joined
        .iter()
        .enumerate()
        .flat_map(|(n, joined)| joined.members.iter().map(move |&(chunk, start)| (chunk, (n, start))));
    let places: HashMap<usize, (usize, usize)> = members.collect();
    for chunk in 0..within.len() {
        let (mut outer, mut at) = (chunk, 0);
        // A chunk can be within a longer one, or within an equal one before it.
        while let Some(Some(next)) = within.get(outer) {
            (outer, at) = (next.chunk, at + next.at);
        }
        if let Some((n, start)) = places.get(&outer).filter(|_| outer != chunk) {
            joined.change(*n, |joined| joined.members.push((chunk, start + at)));
        }
    }
    joined.iter_mut().for_each(|joined| joined.members.sort_by_key(|&(chunk, start)| (start, chunk)));
}

/// The relations between the chunks of a document.
struct Links {
    /// For each chunk, the chunk that contains it.
    within: Vec<Option<Next>>,
    /// For each chunk that is not within another, the one that continues it and does not continue an earlier one.
    next: Vec<Option<Next>>,
}

impl Links {
    fn of(chunks: &[SearchChunk]) -> Self {
        let mut links = Self { within: vec![None; chunks.len()], next: vec![None; chunks.len()] };
        if chunks.len() < 2 {
            return links;
        }
        let beginnings = Beginnings::of(chunks);
        let mut going_on = Vec::with_capacity(chunks.len());
        for (n, chunk) in chunks.iter().enumerate() {
            let mut candidates = Vec::new();
            for found in beginnings.within(n, chunk) {
                let Some(other) = chunks.get(found.chunk) else { continue };
                let rest = chunk.text.get(found.at..).unwrap_or_default();
                let is_inner = other.text.len() < chunk.text.len() || n < found.chunk;
                if rest.starts_with(&other.text) && is_inner {
                    let place = links.within.get_mut(found.chunk).filter(|place| place.is_none());
                    place.into_iter().for_each(|place| *place = Some(Next { chunk: n, at: found.at }));
                } else if found.at > 0 && other.text.starts_with(rest) && may_follow(chunk, other) {
                    candidates.push(found);
                }
            }
            going_on.push(candidates);
        }
        let lines = (0..).zip(chunks).filter_map(|(n, chunk)| Some((chunk.start_line?, n)));
        let lines: HashMap<usize, usize> = lines.collect();
        let mut follows = HashSet::new();
        for ((n, chunk), mut candidates) in chunks.iter().enumerate().zip(going_on) {
            let is_outer = |n: usize| links.within.get(n).is_some_and(Option::is_none);
            candidates.extend(touching(chunk, &lines));
            let free = |next: &Next| is_outer(n) && is_outer(next.chunk) && !follows.contains(&next.chunk);
            let found = candidates.into_iter().find(free);
            follows.extend(found.map(|next| next.chunk));
            links.next.set(n, found);
        }
        links
    }
}

/// The chunks of a document, indexed by their first bytes.
struct Beginnings<'c> {
    chunks: HashMap<&'c [u8], Vec<usize>>,
    /// For each byte, whether a chunk begins with it.
    firsts: [bool; 256],
}

impl<'c> Beginnings<'c> {
    fn of(chunks: &'c [SearchChunk]) -> Self {
        let mut beginnings = Self { chunks: HashMap::new(), firsts: [false; 256] };
        for (n, chunk) in chunks.iter().enumerate() {
            if let Some(first) = chunk.text.as_bytes().first_chunk::<OVERLAP>() {
                let same = beginnings.chunks.entry(first).or_default();
                same.extend((same.len() < CANDIDATES).then_some(n));
                beginnings.firsts.set(usize::from(first[0]), true);
            }
        }
        beginnings
    }

    /// The positions in `chunk`, which is number `n`, at which others might begin.
    fn within(&self, n: usize, chunk: &SearchChunk) -> Vec<Next> {
        let may_begin = |window: &[u8]| {
            window.first().and_then(|first| self.firsts.get(usize::from(*first))).copied().unwrap_or_default()
        };
        let windows = chunk.text.as_bytes().windows(OVERLAP).enumerate();
        let found = windows.filter(|(_, window)| may_begin(window)).flat_map(|(at, window)| {
            let others = self.chunks.get(window).map(Vec::as_slice).unwrap_or_default();
            others.iter().filter(move |&&other| other != n).map(move |&chunk| Next { chunk, at })
        });
        found.take(ATTEMPTS).collect()
    }
}

/// Whether the line numbers, if known, allow the second chunk to begin within the first or directly after it.
fn may_follow(first: &SearchChunk, second: &SearchChunk) -> bool {
    match (first.start_line, first.end_line, second.start_line) {
        (Some(start), Some(end), Some(next)) => (start..=end.saturating_add(1)).contains(&next),
        _ => true,
    }
}

/// The chunk that begins on the line after the last line of `chunk`, if `chunk` has the text of all its lines.
fn touching(chunk: &SearchChunk, lines: &HashMap<usize, usize>) -> Option<Next> {
    let (start, end) = (chunk.start_line?, chunk.end_line?);
    let has_all = start <= end && chunk.text.lines().count() == end - start + 1;
    let next = lines.get(&end.checked_add(1)?).filter(|_| has_all)?;
    Some(Next { chunk: *next, at: chunk.text.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expect` holds the joined texts with their members.
    #[track_caller]
    fn check(chunks: &[(&str, Option<(usize, usize)>)], expect: &[(&str, &[(usize, usize)])]) {
        let chunk = |&(text, lines): &(&str, Option<(usize, usize)>)| SearchChunk {
            start_line: lines.map(|lines| lines.0),
            end_line: lines.map(|lines| lines.1),
            ..SearchChunk::new(text)
        };
        let joined = join(&chunks.iter().map(chunk).collect::<Vec<_>>());
        let joined: Vec<_> = joined.iter().map(|one| (one.text.as_str(), one.members.as_slice())).collect();
        assert_eq!(joined, expect);
    }

    const MIDDLE: &str = "the bridge was built in 1902";

    #[test]
    fn overlaps_are_shown_once() {
        let (a, b) = (format!("In town {MIDDLE}"), format!("{MIDDLE} and fell."));
        let all = format!("In town {MIDDLE} and fell.");
        check(&[(&a, None), (&b, None)], &[(&all, &[(0, 0), (1, 8)])]);
        check(&[(&b, None), (&a, None)], &[(&all, &[(1, 0), (0, 8)])]);
        check(&[(&a, None), (&all, None), (MIDDLE, None)], &[(&all, &[(0, 0), (1, 0), (2, 8)])]);
        check(&[(&a, None), (&a, None)], &[(&a, &[(0, 0), (1, 0)])]);
    }

    #[test]
    fn what_has_little_in_common_is_apart() {
        check(&[("a town", None), ("town b", None)], &[("a town", &[(0, 0)]), ("town b", &[(1, 0)])]);
        let (a, b) = (format!("In town {MIDDLE}"), format!("{MIDDLE} and fell."));
        check(&[(&a, Some((1, 1))), (&b, Some((9, 9)))], &[(&a, &[(0, 0)]), (&b, &[(1, 0)])]);
    }

    #[test]
    fn lines_that_touch() {
        let (a, b) = (("one\ntwo", Some((1, 2))), ("three\n", Some((3, 3))));
        check(&[b, a], &[("one\ntwo\nthree\n", &[(1, 0), (0, 8)])]);
        check(&[("one", Some((1, 2))), b], &[("one", &[(0, 0)]), ("three\n", &[(1, 0)])]);
    }

    #[test]
    fn circles_lose_nothing() {
        let (a, b) = (format!("{MIDDLE}{}", "x".repeat(24)), format!("{}{MIDDLE}", "x".repeat(24)));
        let all = format!("{MIDDLE}{}{MIDDLE}", "x".repeat(24));
        check(&[(&a, None), (&b, None)], &[(&all, &[(0, 0), (1, 28)])]);
    }
}
