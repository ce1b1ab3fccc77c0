//! What of all candidates is shown.

use contextfit_kernel::{Scorer, Tokens};
use contextfit_packing::Mode;

use crate::{
    candidates::Candidate,
    filling::{fill, filling},
    page::Page,
    selection::{Costs, Selection},
};

/// The best body may take this share of the room that signatures have,
const SHARE: f64 = 0.88;

/// and the more the less of them there is room for: by this power of how often they would fill it.
const CROWDED: f64 = 0.25;

/// And the less the more rivals it has, by this power of their number. A body counts as a rival by the power [`RIVAL`] of its
/// relevance in shares of the best of all, which counts as one; [`UNCONTESTED`] rivals are as none. Where the best of all is
/// no body and no body comes near it, bodies may take up to so many times as much: no other is meant either.
const CONTESTED: f64 = 0.6;
const RIVAL: f64 = 12.0;
const UNCONTESTED: f64 = 1.2;
const MOST_LEAD: f64 = 3.0;

/// When the most relevant of all is too long for the room, it is opened in part,
/// within this share of the room.
const PART: usize = 8;

/// From the cheapest signatures to the next class of them: one in so many tokens falls by this factor,
const STEP: f64 = 0.8;

/// so many times: beyond, a signature costs thousands of tokens.
const STEPS: usize = 60;

/// What does not change from one choice to the next.
pub(crate) struct Ranking {
    /// The candidates, the most relevant first.
    ranked: Vec<Candidate>,
    /// Those that are worth opening, in the order in which they fill what room is left.
    filling: Vec<usize>,
    /// What all signatures cost.
    signatures: usize,
    /// How far the best stands out from all bodies: one where it has hardly a rival.
    lead: f64,
    /// How bodies are packed into what is left.
    mode: Mode,
}

impl Ranking {
    /// Linear-logarithmic in the number of candidates, linear in their rows.
    pub(crate) fn new(
        pages: &[Page<'_, '_>],
        costs: &[Costs],
        candidates: Vec<Candidate>,
        mode: Mode,
    ) -> Self {
        let mut ranked = candidates;
        ranked.sort_by(|a, b| {
            b.relevance.total_cmp(&a.relevance).then((a.page, a.part).cmp(&(b.page, b.part)))
        });
        let signatures = price_of_signatures(pages, costs, &ranked);
        let lead = lead(&ranked);
        let filling = filling(&ranked);
        Self { ranked, filling, signatures, lead, mode }
    }
}

/// Chooses what is shown of `pages` in `room`: the bodies that answer the query, then signatures, the
/// cheapest first, then as many more bodies as the packer finds room for, then all else, each time skipping what does not fit.
///
/// Bodies have what signatures leave of the room. To take of their room too, a body must be the more relevant the more of it
/// would be gone: half as relevant as the best when that is half of the most that the best may take. That is the less the more
/// others are nearly as relevant: then it is likely that another one is meant.
///
/// Linear-logarithmic in the number of candidates, linear in their rows.
pub(crate) fn choose<'p, 'a, 'b>(
    pages: &'p [Page<'a, 'b>],
    costs: &'p [Costs],
    Ranking { ranked, filling, signatures: all, lead, mode }: &Ranking,
    room: Tokens,
    focus: Option<(&str, &dyn Scorer)>,
) -> Selection<'p, 'a, 'b> {
    let best = ranked.first().map_or(0.0, |first| first.relevance);
    let mut selection = Selection::new(pages, costs, room);

    let signatures = room.get().min(*all);
    let most = SHARE * float(signatures) * (float(*all) / float(signatures)).powf(CROWDED) * lead;
    let mut too_long = None;
    for candidate in ranked.iter().filter(|candidate| candidate.opens && best > 0.0) {
        let spent = room.get() - selection.left() + candidate.tokens;
        let taken = (spent + signatures).saturating_sub(room.get());
        if candidate.relevance * most >= best * float(taken) {
            open_body(&mut selection, candidate);
        }
        if candidate.relevance >= best && candidate.tokens > room.get() {
            too_long = Some(candidate);
        }
    }
    if let Some(candidate) = too_long {
        let kept = selection.left().saturating_sub(room.get() / PART);
        open_partly(&mut selection, pages, candidate, kept, focus);
    }
    show_signatures(&mut selection, ranked);
    let filling: Vec<&Candidate> = filling.iter().filter_map(|&n| ranked.get(n)).collect();
    fill(&mut selection, &filling, best, *mode);
    for candidate in ranked {
        selection.open(candidate.page, candidate.part, 0);
    }
    selection
}

/// How far the best of all stands out from the bodies of its page.
fn lead(ranked: &[Candidate]) -> f64 {
    let Some(best) = ranked.first().filter(|best| best.relevance > 0.0) else { return 1.0 };
    let bodies = ranked.iter().filter(|candidate| candidate.opens && candidate.page == best.page);
    let rivals: f64 = bodies.map(|candidate| (candidate.relevance / best.relevance).powf(RIVAL)).sum();
    (UNCONTESTED / rivals).powf(CONTESTED).min(MOST_LEAD)
}

/// What all signatures cost, those of a page as much less as the best of the page is less relevant than the best of all.
fn price_of_signatures(pages: &[Page<'_, '_>], costs: &[Costs], ranked: &[Candidate]) -> usize {
    let mut all = Selection::new(pages, costs, Tokens::new(usize::MAX / 8));
    let best = ranked.first().map_or(0.0, |first| first.relevance);
    let mut prices: Vec<(usize, f64)> = vec![(0, 1.0); pages.len()];
    for candidate in ranked.iter().rev() {
        let Some((price, share)) = prices.get_mut(candidate.page) else { continue };
        if best > 0.0 {
            *share = candidate.relevance / best;
        }
        if let Some(part) = candidate.part.filter(|_| candidate.kind.defines()) {
            let before = all.left();
            all.show(candidate.page, part, 0);
            *price = (*price + before).saturating_sub(all.left());
        }
    }
    prices.into_iter().map(|(price, share)| part_of(price, share)).sum()
}

/// So large a share of a number of tokens.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "shares of what a number of tokens holds are not less than none"
)]
fn part_of(tokens: usize, share: f64) -> usize {
    (float(tokens) * share) as usize
}

/// Opens a candidate without the comments before it.
pub(crate) fn open_body(selection: &mut Selection<'_, '_, '_>, candidate: &Candidate) -> bool {
    match candidate.part {
        Some(part) => selection.open_body(candidate.page, part, 0),
        None => selection.open(candidate.page, None, 0),
    }
}

/// A definition whose signature is not shown yet.
struct Waiting {
    page: usize,
    part: usize,
    /// How cheap it can be at most: markers come on top of its own rows.
    most: f64,
    /// How much had been shown when its price was asked last, and the price.
    price: Option<(usize, isize)>,
}

/// Shows signatures, the cheapest first: what each costs beside what is shown already.
fn show_signatures(selection: &mut Selection<'_, '_, '_>, ranked: &[Candidate]) {
    let defines = ranked.iter().filter(|candidate| candidate.kind.defines());
    let waiting = |candidate: &Candidate| {
        let (page, part) = (candidate.page, candidate.part?);
        Some(Waiting { page, part, most: 1.0 / float(candidate.own), price: None })
    };
    let mut waiting: Vec<Waiting> = defines.filter_map(waiting).collect();
    let mut least = 1.0;
    for _ in 0..STEPS {
        waiting.retain_mut(|&mut Waiting { page, part, most, price: ref mut known }| {
            if most < least {
                return true;
            }
            let unchanged = known.filter(|(shows, _)| *shows == selection.shows());
            if unchanged.is_none() && selection.is_visible(page, part) {
                return false;
            }
            let price = unchanged.map(|(_, price)| price).or_else(|| selection.price(page, part));
            let Some(price) = price else { return false };
            let dense = 1.0 / float(usize::try_from(price).unwrap_or_default()) >= least;
            if dense {
                selection.show(page, part, 0);
            }
            *known = Some((selection.shows(), price));
            !dense
        });
        least *= STEP;
    }
}

/// Opens those statements of a long body that answer the query, each with what it stands in.
fn open_partly(
    selection: &mut Selection<'_, '_, '_>,
    pages: &[Page<'_, '_>],
    candidate: &Candidate,
    reserve: usize,
    focus: Option<(&str, &dyn Scorer)>,
) {
    let (Some(page), Some(whole), Some((query, scorer))) = (pages.get(candidate.page), candidate.part, focus)
    else {
        return;
    };
    let Some(rows) = page.parts.get(whole).map(|part| part.rows.clone()) else { return };
    let inside = page.parts.iter().enumerate().skip(whole + 1);
    let leaves: Vec<usize> = inside
        .take_while(|(_, part)| part.rows.start < rows.end)
        .filter(|(_, part)| part.parts.is_empty())
        .map(|(n, _)| n)
        .collect();
    let text = |n: &usize| page.parts.get(*n).map_or("", |part| page.text(&part.rows));
    let scores = scorer.score(query, &leaves.iter().map(text).collect::<Vec<_>>());
    let mut wanted: Vec<(usize, f64)> =
        leaves.into_iter().zip(scores).filter(|(_, score)| *score > 0.0).collect();
    wanted.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    for (part, _) in wanted {
        selection.open(candidate.page, Some(part), reserve);
    }
}

/// A number of tokens, one at least.
#[expect(clippy::cast_precision_loss, reason = "numbers of tokens stay far below 2^53")]
pub(crate) fn float(tokens: usize) -> f64 {
    tokens.max(1) as f64
}
