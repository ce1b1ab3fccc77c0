//! The stretches of a unit that is too long to be shown whole.

use std::{iter, mem, ops::Range};

use crate::{
    ItemKind,
    page::{OutlinePage, PagePart},
    ranking::Ranker,
    units::Candidate,
};

/// A stretch is complete from this many rows on, and never longer than this unless it cannot be divided.
const ROWS: (usize, usize) = (8, 25);

/// The advantage of the first stretch, which says what the unit is for, as a share of the best score.
const FIRST: f64 = 0.3;

/// Rows that are shown or left out together: consecutive statements of one part, or a paragraph of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// The part that must be shown with it.
    pub(crate) holder: Option<usize>,
    pub(crate) rows: Range<usize>,
    /// The rows that delimit the comment of which it is a paragraph.
    pub(crate) delimiters: Option<(usize, usize)>,
}

impl Stretch {
    const fn of(holder: Option<usize>, rows: Range<usize>) -> Self {
        Self { holder, rows, delimiters: None }
    }

    /// All its rows.
    pub(crate) fn all(&self) -> impl Iterator<Item = usize> {
        self.rows.clone().chain(self.delimiters.into_iter().flat_map(|(first, last)| [first, last]))
    }
}

/// The stretches of a candidate, each list by relevance to the query.
#[derive(Debug, Default)]
pub(crate) struct Stretches {
    pub(crate) all: Vec<Stretch>,
    /// What changed of each.
    pub(crate) changed: Vec<Stretch>,
    /// What changed and is in none of them.
    pub(crate) outside: Vec<Stretch>,
}

/// The part of a candidate that is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Divided {
    /// All of it, if it is a whole part.
    Body,
    /// The comment before it.
    Comment,
}

/// The stretches of a candidate. Linear in its length, linearithmic in their number.
pub(crate) fn stretches(
    page: &OutlinePage<'_, '_>,
    candidate: &Candidate,
    what: Divided,
    ranker: &Ranker,
) -> Stretches {
    let found = match (what, candidate.part) {
        (Divided::Body, Some(part)) => divided(page, part),
        (Divided::Body, None) => of_passage(page, candidate),
        (Divided::Comment, part) => paragraphs(page, part, candidate.rows.start..candidate.body),
    };
    let all = by_relevance(page, found, ranker);
    let changed = all.iter().filter_map(|stretch| {
        let rows = page.changed(&stretch.rows)?;
        Some(Stretch { rows, ..stretch.clone() })
    });
    let changed: Vec<Stretch> = changed.collect();
    let rows = match what {
        Divided::Body => candidate.body..candidate.rows.end,
        Divided::Comment => candidate.rows.start..candidate.body,
    };
    let mut found: Vec<&Range<usize>> = all.iter().map(|stretch| &stretch.rows).collect();
    found.sort_unstable_by_key(|rows| rows.start);
    let is_inside = |run: &Range<usize>| {
        let before = found.partition_point(|rows| rows.start <= run.start).checked_sub(1);
        before.and_then(|n| found.get(n)).is_some_and(|rows| run.end <= rows.end)
    };
    let outside = page.changed_runs(&rows).filter(|run| !is_inside(run));
    let outside = outside.map(|run| Stretch::of(candidate.part.or(candidate.holder), run)).collect();
    Stretches { changed, outside, all }
}

/// The stretches of a passage, in order: runs of whole items of code, or of rows.
fn of_passage(page: &OutlinePage<'_, '_>, candidate: &Candidate) -> Vec<Stretch> {
    let Candidate { holder, rows, .. } = candidate;
    let places = holder.and_then(|holder| page.parts.get(holder)).map_or(&page.top, |part| &part.parts);
    let items = page.inner(places).iter().filter_map(|&n| page.parts.get(n)).map(|part| part.rows.clone());
    let items = items.filter(|item| rows.start <= item.start && item.end <= rows.end);
    let pieces: Vec<Range<usize>> =
        if candidate.is_code { items.collect() } else { rows.clone().map(|row| row..row + 1).collect() };
    let mut found: Vec<Stretch> = Vec::new();
    for piece in pieces {
        match found.last_mut() {
            Some(last) if last.rows.end == piece.start && last.rows.len() < ROWS.0 => {
                last.rows.end = piece.end;
            }
            _ => found.push(Stretch::of(*holder, piece)),
        }
    }
    found
}

/// The stretches with the most of the query first.
fn by_relevance(page: &OutlinePage<'_, '_>, stretches: Vec<Stretch>, ranker: &Ranker) -> Vec<Stretch> {
    let texts: Vec<&str> = stretches.iter().map(|stretch| page.text(&stretch.rows)).collect();
    let mut scores = ranker.among_themselves(&texts);
    let best = scores.iter().copied().fold(0.0, f64::max);
    scores.first_mut().into_iter().for_each(|first| *first += FIRST * best);
    let mut scored: Vec<(f64, Stretch)> = scores.into_iter().zip(stretches).collect();
    scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
    scored.into_iter().map(|(_, stretch)| stretch).collect()
}

/// The stretches of part `n`, in order: runs of its children, and the stretches of children that are too long.
pub(crate) fn divided(page: &OutlinePage<'_, '_>, n: usize) -> Vec<Stretch> {
    let mut found = Vec::new();
    // Parts to divide, with their children that are not yet in a stretch.
    let children = |n: usize| page.parts.get(n).map_or(0..0, |part| part.parts.clone());
    let mut around = vec![(n, children(n))];
    let mut open = 0..0;
    while let Some((holder, places)) = around.last_mut() {
        let holder = *holder;
        let mut close = |open: &mut Range<usize>| {
            let rows = mem::replace(open, 0..0);
            found.extend((!rows.is_empty()).then_some(Stretch::of(Some(holder), rows)));
        };
        let next = places.next().and_then(|place| page.inner(&(place..place + 1)).first());
        let Some((child, part)) = next.and_then(|&child| Some((child, page.parts.get(child)?))) else {
            close(&mut open);
            around.pop();
            continue;
        };
        if open.len() >= ROWS.0 || !open.is_empty() && part.rows.end - open.start > ROWS.1 {
            close(&mut open);
        }
        let is_comment = part.kind == ItemKind::Comment || is_docstring(page, part);
        if part.rows.len() <= ROWS.0 || part.rows.len() <= ROWS.1 && !is_comment {
            let start = if open.is_empty() { part.rows.start } else { open.start };
            open = start..part.rows.end;
            continue;
        }
        close(&mut open);
        if is_comment {
            found.extend(paragraphs(page, Some(holder), part.rows.clone()));
        } else if part.parts.is_empty() {
            open = part.rows.clone();
        } else {
            around.push((child, part.parts.clone()));
        }
    }
    found
}

/// Whether a statement is only a string of several lines, as Python's docstrings are. It is an item like any other
/// statement, because a body may consist of it alone.
fn is_docstring(page: &OutlinePage<'_, '_>, part: &PagePart) -> bool {
    let text = page.text(&part.rows).trim_ascii();
    let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| text.ends_with(quotes));
    quotes.is_some_and(|quotes| {
        text.trim_start_matches(['r', 'R', 'u', 'b', 'f']).starts_with(quotes)
            && text.matches(quotes).count() == 2
    })
}

/// The paragraphs of a comment with these rows: the runs of rows with a word in them, up to a blank line.
fn paragraphs(page: &OutlinePage<'_, '_>, holder: Option<usize>, comment: Range<usize>) -> Vec<Stretch> {
    let Some(language) = page.language.filter(|_| !comment.is_empty()) else { return Vec::new() };
    let line = |row: usize| page.text(&(row..row + 1)).trim_ascii();
    let is_of_lines = comment.clone().all(|row| line(row).starts_with(language.comment_open));
    let mut inner = comment.start + 1..comment.end.saturating_sub(1);
    let is_one = !inner.any(|row| line(row).contains("*/") || line(row).contains("/*"));
    // A marker is a comment as well, and would close one that has to be closed.
    if !language.comment_close.is_empty() || !is_of_lines && !is_one {
        return vec![Stretch::of(holder, comment)];
    }
    let delimiters = (!is_of_lines).then_some((comment.start, comment.end - 1));
    let mut found = Vec::new();
    let mut start = comment.start;
    for row in comment.clone().chain(iter::once(comment.end)) {
        let is_text = row < comment.end && line(row).contains(char::is_alphanumeric);
        let is_last = page.text(&(row..row + 1)).matches('\n').count() > 1;
        if !is_text || is_last {
            let rows = start..row + usize::from(is_text);
            found.extend((!rows.is_empty()).then_some(Stretch { holder, rows, delimiters }));
            start = row + 1;
        }
    }
    found
}
