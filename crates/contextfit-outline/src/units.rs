//! The units of a page, which are ranked and shown individually.

use contextfit_kernel::Values;
use std::{iter::successors, ops::Range};

use crate::ranking::{Document, DocumentUnit, UnitKind};
use contextfit_text::Shape;

use crate::{
    ItemKind,
    page::{OutlinePage, PagePart},
};

/// The maximum number of lines in a passage, unless it is a single statement or paragraph.
const LONGEST_PASSAGE_LINES: usize = 50;

/// The maximum lines of a function that is a unit although it contains definitions; in a longer one, these are.
const LONGEST_FUNCTION_LINES: usize = 150;

/// The depth from which items are not examined individually, because each level reads its lines again.
const DEEPEST_ITEM: usize = 24;

/// Rows that are shown or left out by their own score.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) page: usize,
    /// The part that it is, if it is a whole part.
    pub(crate) part: Option<usize>,
    /// The part that must be shown with it: the part that it is, or the one that contains the passage.
    pub(crate) holder: Option<usize>,
    /// Its rows, including those of its comment.
    pub(crate) rows: Range<usize>,
    /// The row after its leading comment.
    pub(crate) body: usize,
    pub(crate) tokens: usize,
    /// The tokens of its leading comment.
    pub(crate) comment: usize,
    /// Whether it has a signature rather than a heading.
    pub(crate) is_code: bool,
    pub(crate) is_function: bool,
    /// Whether any of its rows changed.
    pub(crate) is_changed: bool,
    pub(crate) score: f64,
}

/// The role of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is a unit.
    Unit,
    /// Its contents are divided into units.
    Holder,
    /// It is part of a passage.
    Text,
    /// It is part of a unit or of a passage.
    Inside,
}

/// The candidates of page `n`, in order. Linear in its rows.
pub(crate) fn candidates(n: usize, page: &OutlinePage<'_, '_>) -> Vec<Candidate> {
    let roles = roles(page);
    // For each row, the innermost part that is not inside a unit or passage.
    let mut owners: Vec<Option<usize>> = vec![None; page.len()];
    for (at, part) in page.parts.iter().enumerate().filter(|(at, _)| roles.get(*at) != Some(&Role::Inside)) {
        owners.get_mut(part.rows.clone()).unwrap_or_default().fill(Some(at));
    }
    let is_code = page.shape() == Shape::Code;
    let mut found = Vec::new();
    let mut push = |part: Option<usize>, holder: Option<usize>, rows: Range<usize>| {
        if page.text(&rows).contains(char::is_alphanumeric) {
            let tokens = page.tokens(&rows).get();
            let body = part.map_or(rows.start, |part| page.behind_comment(part));
            let comment = page.tokens(&(rows.start..body)).get();
            let is_function = part
                .and_then(|part| page.parts.get(part))
                .is_some_and(|part| part.kind == ItemKind::Function);
            let is_changed = page.changed(&rows).is_some();
            found.push(Candidate {
                page: n,
                part,
                holder,
                rows,
                body,
                tokens,
                comment,
                is_code,
                is_function,
                is_changed,
                score: 0.0,
            });
        }
    };
    let role = |owner: Option<usize>| owner.and_then(|owner| roles.get(owner)).copied();
    // The open passage: the part that contains it, and its rows.
    let mut open: Option<(Option<usize>, Range<usize>)> = None;
    let mut row = 0;
    while let Some(&owner) = owners.get(row) {
        let part = owner.and_then(|owner| page.parts.get(owner));
        let (holder, end) = match (role(owner), part) {
            (Some(Role::Unit), Some(part)) => {
                if let Some((holder, rows)) = open.take() {
                    push(None, holder, rows);
                }
                push(owner, owner, part.rows.clone());
                row = part.rows.end.max(row + 1);
                continue;
            }
            (Some(Role::Text), Some(part)) => (part.parent, part.rows.end.max(row + 1)),
            _ => (owner, row + 1),
        };
        match &mut open {
            Some((known, rows))
                if *known == holder
                    && page.lines(&(rows.start..end)) <= LONGEST_PASSAGE_LINES
                    && (is_code || !is_underlined(page, row)) =>
            {
                rows.end = end;
            }
            _ => {
                if let Some((holder, rows)) = open.replace((holder, row..end)) {
                    push(None, holder, rows);
                }
            }
        }
        row = end;
    }
    if let Some((holder, rows)) = open {
        push(None, holder, rows);
    }
    found
}

/// Whether a row of prose is a heading that the next row underlines.
fn is_underlined(page: &OutlinePage<'_, '_>, row: usize) -> bool {
    let below = page.text(&(row + 1..row + 2)).trim();
    below.len() >= 3 && (below.bytes().all(|byte| byte == b'=') || below.bytes().all(|byte| byte == b'-'))
}

/// The role of each part of a page. Linear: parents come before their children.
fn roles(page: &OutlinePage<'_, '_>) -> Vec<Role> {
    let mut holds = vec![false; page.parts.len()];
    for (at, part) in page.parts.iter().enumerate().rev() {
        let any = part.kind.defines() || holds.at(at);
        if let Some(above) = part.parent.and_then(|parent| holds.get_mut(parent)) {
            *above |= any;
        }
    }
    let prose = page.shape() == Shape::Prose;
    let mut roles: Vec<(Role, usize)> = Vec::with_capacity(page.parts.len());
    for (part, holds) in page.parts.iter().zip(holds) {
        let above = part.parent.and_then(|parent| roles.get(parent)).copied();
        let depth = above.map_or(0, |(_, depth)| depth + 1);
        let long = |most: usize| page.lines(&part.rows) > most;
        let role = match above {
            Some((Role::Unit | Role::Text | Role::Inside, _)) => Role::Inside,
            _ if depth >= DEEPEST_ITEM && part.kind.defines() => Role::Unit,
            _ if depth >= DEEPEST_ITEM => Role::Text,
            _ if part.kind == ItemKind::Function && !(holds && long(LONGEST_FUNCTION_LINES)) => Role::Unit,
            _ if holds => Role::Holder,
            _ if part.kind == ItemKind::Type && !(prose && long(LONGEST_PASSAGE_LINES)) => Role::Unit,
            _ if long(LONGEST_PASSAGE_LINES) && !part.parts.is_empty() => Role::Holder,
            _ => Role::Text,
        };
        roles.push((role, depth));
    }
    roles.into_iter().map(|(role, _)| role).collect()
}

/// A page as a document to rank.
pub(crate) fn document<'a>(page: &OutlinePage<'a, '_>, candidates: &[Candidate]) -> Document<'a> {
    let block = page.block.block();
    let passage = block.as_passage();
    let path =
        passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref())).unwrap_or_default();
    let units = candidates.iter().map(|candidate| unit(page, candidate)).collect();
    Document { path, text: &block.text, score: passage.and_then(|passage| passage.score), units }
}

fn unit<'a>(page: &OutlinePage<'a, '_>, candidate: &Candidate) -> DocumentUnit<'a> {
    let part = candidate.part.and_then(|part| page.parts.get(part));
    let above = |part: &PagePart| part.parent.and_then(|parent| page.parts.get(parent));
    let holder = match part {
        Some(part) => above(part),
        None => candidate.holder.and_then(|holder| page.parts.get(holder)),
    };
    let holders: Vec<&str> =
        successors(holder, |holder| above(holder)).map(|holder| page.name(holder)).collect();
    let code = page.shape() == Shape::Code;
    DocumentUnit {
        range: page.range(&candidate.rows),
        kind: match part {
            Some(part) if part.kind == ItemKind::Function => UnitKind::Function,
            Some(_) if code => UnitKind::Type,
            None if holder.is_some_and(|holder| holder.kind == ItemKind::Function) => UnitKind::Function,
            _ => UnitKind::Passage,
        },
        name: part.map_or("", |part| page.name(part)),
        holders: holders.join(" "),
        is_changed: candidate.is_changed,
    }
}
