//! Which bodies fill the room that signatures leave.

use contextfit_packing::{Choice, Items, Mode, Packer};

use crate::{
    candidates::Candidate,
    choice::{float, open_body},
    selection::Selection,
};

/// How likely a body is the one that is asked for grows by this power of e with its relevance in shares of the best: fitted to
/// 1,539 commits of 20 repositories, none of which quality is measured on.
const LIKELY: f64 = 4.0;

/// By this power of its tokens a body that only fills what is left is worth less.
const DENSE: f64 = 0.3;

/// Partial packings that are looked at for the best way to fill what is left: a fraction of what parsing takes.
const EFFORT: usize = 1 << 12;

/// The candidates that are worth opening, those first that are the likeliest for what they cost.
pub(crate) fn filling(ranked: &[Candidate]) -> Vec<usize> {
    let best = ranked.first().map_or(0.0, |first| first.relevance);
    let density = |it: &Candidate| worth(it, best, it.tokens) / float(it.tokens);
    let opens = ranked.iter().enumerate().filter(|(_, candidate)| candidate.opens);
    let mut filling: Vec<(usize, f64)> = opens.map(|(n, candidate)| (n, density(candidate))).collect();
    filling.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    filling.into_iter().map(|(n, _)| n).collect()
}

/// What a body is worth of which so many tokens are to be shown yet.
fn worth(candidate: &Candidate, best: f64, tokens: usize) -> f64 {
    let relevance = candidate.relevance / best.max(f64::MIN_POSITIVE);
    (LIKELY * (relevance - 1.0)).exp() * float(tokens).powf(1.0 - DENSE)
}

/// Opens those bodies that are worth most together in the room that is left.
pub(crate) fn fill(selection: &mut Selection<'_, '_, '_>, filling: &[&Candidate], best: f64, mode: Mode) {
    let mut bodies = Items::new();
    for candidate in filling {
        let seen = candidate.part.is_some_and(|part| selection.is_visible(candidate.page, part));
        let tokens = candidate.tokens.saturating_sub(if seen { candidate.own } else { 0 });
        let waits = tokens <= selection.left() && !selection.is_open(candidate.page, candidate.part);
        bodies.push(waits.then(|| Choice::new(tokens, worth(candidate, best, tokens))));
    }
    let packed = Packer::new(&bodies, mode).with_effort(EFFORT).pack(selection.left());
    let chosen = packed.into_iter().flat_map(|packing| packing.chosen);
    for (candidate, _) in filling.iter().zip(chosen).filter(|(_, choice)| choice.is_some()) {
        open_body(selection, candidate);
    }
    // Where one body is inside of another, or two share a gap, room comes back.
    for candidate in filling {
        open_body(selection, candidate);
    }
}
