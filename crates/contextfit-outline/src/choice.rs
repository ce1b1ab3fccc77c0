//! The choice of the rows to show among all candidates.

use std::mem;

use contextfit_kernel::Tokens;
use contextfit_packing::Selection;
use contextfit_text::float;

use crate::{
    shelf::Shelf,
    stretches::{Divided, Stretch, Stretches},
    units::Candidate,
};

/// The percentage of the room for signatures, which point to other files: less with fewer files, none with one.
const SIGNATURES: usize = 10;

/// A leading comment is shown with its body if it takes at most one in this many tokens of the room; of a longer one,
/// the best paragraphs in as much.
const COMMENT: usize = 8;

/// The number of units that are shown in part because there is no room for all of them: the best ones at once, others
/// in the room that is left at the end.
const NEVER_SKIPPED: usize = 3;

/// The most of the room left, in percent, for part of a function, and for part of a type.
const PART: (usize, usize) = (50, 15);

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
/// most of the room, then the signatures of the next best. Of the best candidates that do not fit, the best stretches are
/// shown; the others are skipped.
pub(crate) fn choose<'s>(
    shelf: &'s Shelf,
    n: usize,
    ranking: &Ranking,
    stretches: &dyn Fn(&Candidate, Divided) -> Stretches,
    room: Tokens,
) -> Selection<'s> {
    let mut choice =
        Choice { shelf, selection: shelf.select(room.get()), ranking, stretches, unfinished: Vec::new() };
    if ranking.is_map {
        choice.show_signatures(room);
        choice.show_bodies(0);
    } else {
        choice.show_changes();
        let signatures = SIGNATURES * n.saturating_sub(1) / n.max(1); // ablate: outline.signatures => 0
        choice.show_bodies(room.get() * signatures / 100);
        choice.show_signatures(room);
    }
    choice.finish();
    choice.selection
}

/// A choice being made.
struct Choice<'c, 's> {
    shelf: &'s Shelf,
    selection: Selection<'s>,
    ranking: &'c Ranking,
    stretches: &'c dyn Fn(&Candidate, Divided) -> Stretches,
    /// What is shown in part, as long as there is room for others.
    unfinished: Vec<(&'c Candidate, Divided)>,
}

impl<'c> Choice<'c, '_> {
    /// Shows bodies as long as at least `reserve` is left, each with its leading comment if that is short enough.
    fn show_bodies(&mut self, reserve: usize) {
        let room = self.selection.left();
        let (mut misses, mut divided) = (0, 0);
        let candidates = self.ranking.bodies.iter().filter_map(|&n| self.ranking.candidates.get(n));
        for (rank, candidate) in candidates.enumerate() {
            let holder = (candidate.page, candidate.holder);
            let mut open =
                |start| self.shelf.show(&mut self.selection, holder, start..candidate.rows.end, reserve);
            let with_comment = candidate.comment * COMMENT <= room; // ablate: outline.comment => false
            let in_stretches = divided < NEVER_SKIPPED; // ablate: outline.stretches => false
            misses += 1;
            if with_comment && open(candidate.rows.start) {
                misses = 0;
            } else if open(candidate.body) {
                misses = 0;
                let in_paragraphs = !with_comment; // ablate: outline.paragraphs => false
                if in_paragraphs {
                    self.show_stretches(candidate, Divided::Comment, room / COMMENT, reserve);
                    self.unfinished.push((candidate, Divided::Comment));
                }
            } else if in_stretches {
                divided += 1;
                if rank < NEVER_SKIPPED && !self.ranking.is_map {
                    let percent = if candidate.is_function { PART.0 } else { PART.1 };
                    let most = self.selection.left().saturating_sub(reserve) * percent / 100;
                    self.show_stretches(candidate, Divided::Body, most, reserve);
                }
                self.unfinished.push((candidate, Divided::Body));
            } else if misses > PATIENCE {
                break;
            }
        }
    }

    /// Shows what changed of the stretches, and then what changed outside of them, such as signatures.
    fn show_changes(&mut self) {
        let candidates = self.ranking.bodies.iter().filter_map(|&n| self.ranking.candidates.get(n));
        let mut others: Vec<(usize, Stretch)> = Vec::new();
        for candidate in candidates.filter(|candidate| candidate.is_changed) {
            for what in [Divided::Body, Divided::Comment] {
                let Stretches { changed, outside, .. } = (self.stretches)(candidate, what);
                for stretch in changed {
                    self.shelf.show(&mut self.selection, (candidate.page, stretch.holder), stretch.all(), 0);
                }
                others.extend(outside.into_iter().map(|stretch| (candidate.page, stretch)));
            }
        }
        for (page, stretch) in others {
            self.shelf.show(&mut self.selection, (page, stretch.holder), stretch.all(), 0);
        }
    }

    /// Shows the best stretches of a candidate in at most this many tokens, as long as at least `reserve` is left.
    fn show_stretches(&mut self, candidate: &Candidate, what: Divided, most: usize, reserve: usize) {
        let reserve = self.selection.left().saturating_sub(most).max(reserve);
        for stretch in (self.stretches)(candidate, what).all {
            self.shelf.show(&mut self.selection, (candidate.page, stretch.holder), stretch.all(), reserve);
        }
    }

    /// Shows more of what is shown in part in the room that is left.
    fn finish(&mut self) {
        for (candidate, what) in mem::take(&mut self.unfinished) {
            self.show_stretches(candidate, what, usize::MAX, 0);
        }
    }

    /// Shows signatures by score: the best of each file with nothing shown yet, in half of the remaining room, and then
    /// all others.
    fn show_signatures(&mut self, room: Tokens) {
        let candidates = self.ranking.ranked.iter().filter_map(|&n| self.ranking.candidates.get(n));
        let signatures = candidates.filter(|candidate| candidate.is_code);
        let signatures = signatures.filter(|candidate| candidate.part.is_some());
        let signatures = signatures.map(|candidate| (candidate.page, candidate.part));
        let signatures: Vec<(usize, Option<usize>)> = signatures.take(room.get() / TRIED).collect();
        let reserve = self.selection.left() / 2;
        for &signature in signatures.iter().filter(|_| !self.ranking.is_map) {
            if !self.selection.is_open(signature.0) {
                self.shelf.show(&mut self.selection, signature, [], reserve);
            }
        }
        for signature in signatures {
            self.shelf.show(&mut self.selection, signature, [], 0);
        }
    }
}
