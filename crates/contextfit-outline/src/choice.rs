//! The choice of the rows to show among all candidates.

use contextfit_kernel::Tokens;
use contextfit_packing::Selection;
use contextfit_text::float;

use crate::{shelf::Shelf, units::Candidate};

/// The percentage of the room for signatures, which point to other files: less with fewer files, none with one.
const SIGNATURES: usize = 15;

/// A leading comment is shown with its body if it takes at most one in this many tokens of the room.
const COMMENT: usize = 8;

/// The power of a body's tokens by which its probability is divided; scores are logarithms.
const COST: f64 = 0.2;

/// After more than this many consecutive bodies that do not fit, the rest are not tried.
const PATIENCE: usize = 40;

/// One signature is tried per this many tokens of the room. More would be shown just for being short.
const TRIED: usize = 20;

/// Candidates, in the orders in which they are tried.
pub(crate) struct Ranking {
    candidates: Vec<Candidate>,
    /// The indices of the candidates, by score.
    ranked: Vec<usize>,
    /// The indices of the candidates, by score and cost.
    bodies: Vec<usize>,
    /// Whether there is no query; signatures then come first.
    is_map: bool,
}

impl Ranking {
    /// A ranking of `candidates`. Linearithmic in their number.
    pub(crate) fn new(candidates: Vec<Candidate>, is_map: bool) -> Self {
        let ranked = order(&candidates, |candidate| candidate.score);
        let bodies = order(&candidates, |candidate| candidate.score - cost(candidate));
        Self { candidates, ranked, bodies, is_map }
    }
}

/// The amount by which a body's tokens lower its score.
fn cost(candidate: &Candidate) -> f64 {
    // ablate: outline.cost => 0.0
    COST * float(candidate.tokens.max(1)).ln()
}

/// The indices of candidates by a value, highest first.
fn order(candidates: &[Candidate], value: impl Fn(&Candidate) -> f64) -> Vec<usize> {
    let mut order: Vec<(usize, f64)> = candidates.iter().map(value).enumerate().collect();
    order.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    order.into_iter().map(|(n, _)| n).collect()
}

/// Chooses the rows of `n` pages to show in `room`: first whole bodies by score, each under its enclosing lines, in
/// most of the room, then the signatures of the next best. Candidates that do not fit are skipped.
pub(crate) fn choose<'s>(shelf: &'s Shelf, n: usize, ranking: &Ranking, room: Tokens) -> Selection<'s> {
    let mut selection = shelf.select(room.get());
    if ranking.is_map {
        show_signatures(shelf, &mut selection, ranking, room);
        show_bodies(shelf, &mut selection, ranking, 0);
    } else {
        let signatures = SIGNATURES * n.saturating_sub(1) / n.max(1); // ablate: outline.signatures => 0
        show_bodies(shelf, &mut selection, ranking, room.get() * signatures / 100);
        show_signatures(shelf, &mut selection, ranking, room);
    }
    selection
}

/// Shows bodies as long as at least `reserve` is left, each with its leading comment if that is short enough.
fn show_bodies(shelf: &Shelf, selection: &mut Selection<'_>, ranking: &Ranking, reserve: usize) {
    let room = selection.left();
    let mut misses = 0;
    for candidate in ranking.bodies.iter().filter_map(|&n| ranking.candidates.get(n)) {
        let holder = (candidate.page, candidate.holder);
        let mut open = |start| shelf.show(selection, holder, &(start..candidate.rows.end), reserve);
        let with_comment = candidate.comment * COMMENT <= room; // ablate: outline.comment => false
        if with_comment && open(candidate.rows.start) || open(candidate.body) {
            misses = 0;
        } else {
            misses += 1;
            if misses > PATIENCE {
                break;
            }
        }
    }
}

/// Shows signatures by score: the best of each file with nothing shown yet, in half of the remaining room, and then all
/// others.
fn show_signatures(shelf: &Shelf, selection: &mut Selection<'_>, ranking: &Ranking, room: Tokens) {
    let candidates = ranking.ranked.iter().filter_map(|&n| ranking.candidates.get(n));
    let signatures = candidates.filter(|candidate| candidate.is_code);
    let signatures = signatures.filter(|candidate| candidate.part.is_some());
    let signatures = signatures.map(|candidate| (candidate.page, candidate.part));
    let signatures: Vec<(usize, Option<usize>)> = signatures.take(room.get() / TRIED).collect();
    let reserve = selection.left() / 2;
    for &signature in signatures.iter().filter(|_| !ranking.is_map) {
        if !selection.is_open(signature.0) {
            shelf.show(selection, signature, &(0..0), reserve);
        }
    }
    for signature in signatures {
        shelf.show(selection, signature, &(0..0), 0);
    }
}
