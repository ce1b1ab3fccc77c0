//! The choice of what to show among all candidates.

use std::{collections::HashSet, ops::Range};

use contextfit_kernel::{Scorer, Tokens};
use contextfit_ranking::Bm25;
use contextfit_text::{Shape, float};

use crate::{
    page::Page,
    selection::{Costs, Selection},
    units::Candidate,
};

/// The share of the room for signatures, which point to other files, in percent: less with fewer files, none with one.
const SIGNATURES: usize = 15;

/// A leading comment is shown with a body if it takes at most one in this many tokens of the room.
const COMMENT: usize = 8;

/// A body's tokens count against it, raised to this power.
const COST: f64 = 0.2;

/// After this many consecutive bodies that do not fit, the rest are not tried.
const PATIENCE: usize = 40;

/// At most this many of the best are shown in part if they do not fit whole.
const LONG: usize = 3;

/// Each takes at most one in this many tokens of the remaining room.
const PART: usize = 3;

/// One signature is tried for every this many tokens of the room; beyond that, signatures would be shown just for being
/// short.
const TRIED: usize = 20;

/// A body of at most this many lines may occur twice.
const SHORT: usize = 3;

/// Candidates in the orders in which they are tried.
pub(crate) struct Ranking {
    candidates: Vec<Candidate>,
    /// By score.
    ranked: Vec<usize>,
    /// By score and cost.
    bodies: Vec<usize>,
    /// Whether there is no query: signatures then come first.
    is_map: bool,
}

impl Ranking {
    /// Linearithmic in the number of candidates.
    pub(crate) fn new(candidates: Vec<Candidate>, is_map: bool) -> Self {
        let ranked = order(&candidates, |candidate| candidate.score);
        let bodies =
            order(&candidates, |candidate| candidate.score - COST * float(candidate.tokens.max(1)).ln());
        Self { candidates, ranked, bodies, is_map }
    }
}

/// The indices of candidates by a value, highest first.
fn order(candidates: &[Candidate], value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
    let mut order: Vec<(usize, f64)> = candidates.iter().map(value).enumerate().collect();
    order.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    order.into_iter().map(|(n, _)| n).collect()
}

/// Chooses the rows of `pages` to show in `room`: whole bodies by score in most of the room, each under its enclosing
/// lines, then the signatures of the next best. Candidates that do not fit are skipped.
pub(crate) fn choose<'p, 'a, 'b>(
    pages: &'p [Page<'a, 'b>],
    costs: &'p [Costs],
    ranking: &Ranking,
    room: Tokens,
    query: &str,
) -> Selection<'p, 'a, 'b> {
    let mut selection = Selection::new(pages, costs, room);
    if ranking.is_map {
        show_signatures(&mut selection, ranking, room);
        show_bodies(&mut selection, ranking, pages, 0, query);
    } else {
        let signatures = SIGNATURES * pages.len().saturating_sub(1) / pages.len().max(1);
        show_bodies(&mut selection, ranking, pages, room.get() * signatures / 100, query);
        show_signatures(&mut selection, ranking, room);
    }
    selection
}

fn show_bodies(
    selection: &mut Selection<'_, '_, '_>,
    ranking: &Ranking,
    pages: &[Page<'_, '_>],
    reserve: usize,
    query: &str,
) {
    let room = selection.left();
    let mut seen: HashSet<String> = HashSet::new();
    let mut misses = 0;
    for (n, &at) in ranking.bodies.iter().enumerate() {
        if misses > PATIENCE {
            break;
        }
        let Some(candidate) = ranking.candidates.get(at) else { continue };
        let Some(page) = pages.get(candidate.page) else { continue };
        let is_long = page.lines(&candidate.rows) > SHORT;
        let bare = is_long.then(|| page.text(&candidate.rows).split_whitespace().collect::<String>());
        if bare.as_ref().is_some_and(|bare| seen.contains(bare)) {
            continue;
        }
        let mut open =
            |start| selection.open(candidate.page, candidate.holder, start..candidate.rows.end, reserve);
        let with_comment = candidate.comment * COMMENT <= room && open(candidate.rows.start);
        if with_comment || open(candidate.body) {
            misses = 0;
            seen.extend(bare);
        } else {
            misses += 1;
            if n == 0 || (n < LONG && candidate.tokens + reserve > room) {
                let kept = reserve.max(selection.left().saturating_sub(selection.left() / PART));
                open_partly(selection, page, candidate, kept, query);
            }
        }
    }
}

/// Shows signatures by score: in half of the remaining room the best of each file with nothing shown yet, then all
/// others.
fn show_signatures(selection: &mut Selection<'_, '_, '_>, ranking: &Ranking, room: Tokens) {
    let candidates = ranking.ranked.iter().filter_map(|&n| ranking.candidates.get(n));
    let signatures = candidates.filter(|candidate| candidate.is_code);
    let signatures = signatures.filter_map(|candidate| Some((candidate.page, candidate.part?)));
    let signatures: Vec<(usize, usize)> = signatures.take(room.get() / TRIED).collect();
    let reserve = selection.left() / 2;
    for &(page, part) in signatures.iter().filter(|_| !ranking.is_map) {
        if selection.shown(page).is_none() {
            selection.show(page, part, reserve);
        }
    }
    for (page, part) in signatures {
        if !selection.is_visible(page, part) {
            selection.show(page, part, 0);
        }
    }
}

/// Shows the first and last line of a candidate that is too long, and the statements in it that answer the query, each
/// with its enclosing lines.
fn open_partly(
    selection: &mut Selection<'_, '_, '_>,
    page: &Page<'_, '_>,
    candidate: &Candidate,
    reserve: usize,
    query: &str,
) {
    if let Some(part) = candidate.part.filter(|_| candidate.is_code)
        && !selection.is_visible(candidate.page, part)
        && !selection.show(candidate.page, part, reserve)
    {
        return;
    }
    let statements = statements(page, &candidate.rows);
    let text = |statement: &Statement| match statement {
        Statement::Whole(_, rows) => page.text(rows).to_owned(),
        Statement::Head(part) => page.own_rows(*part).map(|rows| page.text(&rows)).collect(),
    };
    let texts: Vec<String> = statements.iter().map(text).collect();
    let scores = Bm25::default().score(query, &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let mut wanted: Vec<(usize, f64)> =
        scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
    wanted.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    let last = statements.len().checked_sub(1).filter(|_| candidate.part.is_some() && candidate.is_code);
    for statement in last.into_iter().chain(wanted.into_iter().map(|(statement, _)| statement)) {
        match statements.get(statement) {
            Some(Statement::Whole(holder, rows)) => {
                selection.open(candidate.page, *holder, rows.clone(), reserve);
            }
            Some(Statement::Head(part)) => {
                selection.show(candidate.page, *part, reserve);
            }
            None => {}
        }
    }
}

/// A part of a body that is shown or not individually.
enum Statement {
    /// Rows, and the part that they are or are in.
    Whole(Option<usize>, Range<usize>),
    /// A part's own rows: the condition of a loop or a branch.
    Head(usize),
}

/// The statements in these rows; for undivided prose, each row.
fn statements(page: &Page<'_, '_>, rows: &Range<usize>) -> Vec<Statement> {
    let first = page.parts.partition_point(|part| part.rows.start < rows.start);
    let inside = page.parts.iter().enumerate().skip(first).take_while(|(_, part)| part.rows.start < rows.end);
    let inside = inside.filter(|(_, part)| part.rows.end <= rows.end && part.rows.len() < rows.len());
    let statements: Vec<Statement> = inside
        .map(|(n, part)| match part.parts.is_empty() {
            true => Statement::Whole(Some(n), part.rows.clone()),
            false => Statement::Head(n),
        })
        .collect();
    if statements.len() > 1 || page.shape() == Shape::Code {
        return statements;
    }
    let holder =
        page.parts.iter().rposition(|part| part.rows.start <= rows.start && part.rows.end >= rows.end);
    rows.clone().map(|row| Statement::Whole(holder, row..row + 1)).collect()
}
