//! Chunks of one document that overlap or touch, joined.

use std::collections::{HashMap, HashSet};

use crate::Chunk;

/// Texts that have fewer bytes in common are not taken to overlap.
const OVERLAP: usize = 24;

/// So many chunks with one beginning, and so many places in a chunk where another might begin, are looked at: repetitive texts
/// cost no more time than others.
const CANDIDATES: usize = 8;
const ATTEMPTS: usize = 64;

/// A text made of chunks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) text: String,
    /// The chunks, by their places among those given, and where in the text each begins.
    pub(crate) members: Vec<(usize, usize)>,
}

/// How a chunk goes on in another.
#[derive(Clone, Copy)]
struct Next {
    chunk: usize,
    /// Where in the first the second begins; its length where they touch.
    at: usize,
}

/// `chunks` of one document, joined where the end of one is the beginning of another, where one lies within another, and where
/// by their lines one follows on another. Linear in the length of their texts.
pub(crate) fn join(chunks: &[Chunk]) -> Vec<Joined> {
    let Links { within, next } = Links::of(chunks);
    let follows: HashSet<usize> = next.iter().flatten().map(|next| next.chunk).collect();
    let mut read = vec![false; chunks.len()];
    let mut joined = Vec::new();
    let firsts = (0..chunks.len()).filter(|n| !follows.contains(n));
    // Those that follow on one another in a circle have no first.
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
            read.get_mut(n).into_iter().for_each(|read| *read = true);
            let following = next.get(n).copied().flatten();
            at += following.map_or(0, |next| next.at);
            chunk = following.map(|next| next.chunk);
        }
        joined.extend((!members.is_empty()).then_some(Joined { text, members }));
    }
    add_inner(&mut joined, &within);
    joined
}

/// Adds the chunks that lie within others, which may lie within others in turn.
fn add_inner(joined: &mut [Joined], within: &[Option<Next>]) {
    let members = joined
        .iter()
        .enumerate()
        .flat_map(|(n, joined)| joined.members.iter().map(move |&(chunk, start)| (chunk, (n, start))));
    let places: HashMap<usize, (usize, usize)> = members.collect();
    for chunk in 0..within.len() {
        let (mut outer, mut at) = (chunk, 0);
        // A chunk lies within a longer one, or within an equal one before it.
        while let Some(Some(next)) = within.get(outer) {
            (outer, at) = (next.chunk, at + next.at);
        }
        if let Some((n, start)) = places.get(&outer).filter(|_| outer != chunk) {
            joined.get_mut(*n).into_iter().for_each(|joined| joined.members.push((chunk, start + at)));
        }
    }
    joined.iter_mut().for_each(|joined| joined.members.sort_by_key(|&(chunk, start)| (start, chunk)));
}

/// How the chunks of a document lie to one another.
struct Links {
    /// For each chunk the one that it lies within.
    within: Vec<Option<Next>>,
    /// For each chunk that lies in no other the one that it goes on in, which none before it does.
    next: Vec<Option<Next>>,
}

impl Links {
    fn of(chunks: &[Chunk]) -> Self {
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
            links.next.get_mut(n).into_iter().for_each(|place| *place = found);
        }
        links
    }
}

/// The chunks of a document by their first bytes.
struct Beginnings<'c> {
    chunks: HashMap<&'c [u8], Vec<usize>>,
    /// For each byte whether a chunk begins with it.
    firsts: [bool; 256],
}

impl<'c> Beginnings<'c> {
    fn of(chunks: &'c [Chunk]) -> Self {
        let mut beginnings = Self { chunks: HashMap::new(), firsts: [false; 256] };
        for (n, chunk) in chunks.iter().enumerate() {
            if let Some(first) = chunk.text.as_bytes().first_chunk::<OVERLAP>() {
                let same = beginnings.chunks.entry(first).or_default();
                same.extend((same.len() < CANDIDATES).then_some(n));
                beginnings.firsts.get_mut(usize::from(first[0])).into_iter().for_each(|place| *place = true);
            }
        }
        beginnings
    }

    /// Where in `chunk`, which is number `n`, others might begin.
    fn within(&self, n: usize, chunk: &Chunk) -> Vec<Next> {
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

/// Whether the lines of two chunks, where they are known, allow the second to begin within the first or right after it.
fn may_follow(first: &Chunk, second: &Chunk) -> bool {
    match (first.start_line, first.end_line, second.start_line) {
        (Some(start), Some(end), Some(next)) => (start..=end.saturating_add(1)).contains(&next),
        _ => true,
    }
}

/// The chunk that begins with the line after the last of `chunk`, where its text has all of its lines.
fn touching(chunk: &Chunk, lines: &HashMap<usize, usize>) -> Option<Next> {
    let (start, end) = (chunk.start_line?, chunk.end_line?);
    let has_all = start <= end && chunk.text.lines().count() == end - start + 1;
    let next = lines.get(&end.checked_add(1)?).filter(|_| has_all)?;
    Some(Next { chunk: *next, at: chunk.text.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expect` has the joined texts with their members.
    #[track_caller]
    fn check(chunks: &[(&str, Option<(usize, usize)>)], expect: &[(&str, &[(usize, usize)])]) {
        let chunk = |&(text, lines): &(&str, Option<(usize, usize)>)| Chunk {
            start_line: lines.map(|lines| lines.0),
            end_line: lines.map(|lines| lines.1),
            ..Chunk::new(text)
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
