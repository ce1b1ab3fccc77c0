//! What of all candidates is shown.

use std::{collections::HashSet, ops::Range};

use contextfit_kernel::{Scorer, Tokens};
use contextfit_ranking::Bm25;
use contextfit_text::Shape;

use crate::{
    page::Page,
    selection::{Costs, Selection},
    units::Candidate,
};

/// So much of the room, in hundredths, is for signatures, the way to other files: less of it the fewer files there are, none in one.
const SIGNATURES: usize = 15;

/// A comment before a body is shown with it when it takes no more than one in so many tokens of the room.
const COMMENT: usize = 8;

/// To this power the tokens of a body count against it.
const COST: f64 = 0.2;

/// After so many bodies in a row for which there is no room, those that follow are no longer worth the look.
const PATIENCE: usize = 40;

/// So many of the best are shown in part when there is no room for all of them,
const LONG: usize = 3;

/// each within this share of the room.
const PART: usize = 3;

/// A signature is tried for each so many tokens of the room: beyond, what happens to be short would be shown for it.
const TRIED: usize = 20;

/// A body of so few lines may occur twice.
const SHORT: usize = 3;

/// Candidates in the orders in which they are tried.
pub(crate) struct Ranking {
    candidates: Vec<Candidate>,
    /// By worth.
    ranked: Vec<usize>,
    /// By worth and cost.
    bodies: Vec<usize>,
    /// Whether nothing is asked: then signatures come first.
    is_map: bool,
}

impl Ranking {
    /// Linear-logarithmic in the number of candidates.
    pub(crate) fn new(candidates: Vec<Candidate>, is_map: bool) -> Self {
        let ranked = order(&candidates, |candidate| candidate.score);
        let bodies = order(&candidates, |candidate| candidate.score - COST * float(candidate.tokens).ln());
        Self { candidates, ranked, bodies, is_map }
    }
}

/// The places of candidates by a value, the highest first.
fn order(candidates: &[Candidate], value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
    let mut order: Vec<(usize, f64)> = candidates.iter().map(value).enumerate().collect();
    order.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    order.into_iter().map(|(n, _)| n).collect()
}

/// Chooses what is shown of `pages` in `room`: whole bodies in the order of their worth in most of it, each under the lines that
/// hold it, then the signatures of the next best, each time skipping what does not fit.
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

/// Shows signatures by worth: first the best of each file of which nothing is shown yet, in half of the room that is left, then all
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

/// Shows the first and the last line of what is too long, and those statements in it that answer the query, each with what it
/// stands in.
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

/// A part of a body that is shown or not by itself.
enum Statement {
    /// Rows, and the part that they are or are in.
    Whole(Option<usize>, Range<usize>),
    /// The own rows of a part: the condition of a loop or a branch.
    Head(usize),
}

/// The statements in some rows; of prose that is not divided the rows one by one.
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

/// A number of tokens, one at least.
#[expect(clippy::cast_precision_loss, reason = "numbers of tokens stay far below 2^53")]
fn float(tokens: usize) -> f64 {
    tokens.max(1) as f64
}
