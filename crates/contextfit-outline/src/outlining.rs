//! The strategy that shows code as an outline.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Action, Error, Measured, Plan, Reason, Scorer, Step, Strategy, Tokens};

use crate::{
    ItemKind,
    candidates::{Candidate, candidates, weights},
    page::Page,
    selection::{Costs, Selection},
};

/// Shows code as an outline.
#[derive(Clone)]
pub struct Outlining {
    scorer: Arc<dyn Scorer>,
}

impl Outlining {
    /// The strategy; `scorer` says what is relevant to the query.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { scorer }
    }
}

impl fmt::Debug for Outlining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlining").finish_non_exhaustive()
    }
}

impl Strategy for Outlining {
    fn name(&self) -> &str {
        "outline"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let keep = input.context.must_keep();
        let kept: Tokens = input
            .blocks
            .iter()
            .zip(&keep)
            .filter(|(_, keep)| **keep)
            .map(|(block, _)| block.framing() + block.tokens())
            .sum();
        let reserve = if input.blocks.len() > 1 || input.context.omitted > 0 { input.omission } else { Tokens::ZERO };
        let room = room.saturating_sub(kept + reserve);
        let pages: Vec<Page<'_, '_>> = input.blocks.iter().map(Page::new).collect();
        let costs: Vec<Costs> = pages
            .iter()
            .map(|page| {
                let framing = page.block.framing().get();
                let loose: Tokens = page.loose.iter().map(|rows| page.tokens(rows)).sum();
                let marker = input.counter.count(&page.usual_marker()).get();
                Costs { framing, marker, entry: framing + loose.get() }
            })
            .collect();
        let mut ranked = candidates(&pages, input.context, self.scorer.as_ref());
        ranked.retain(|candidate| !keep.get(candidate.page).copied().unwrap_or_default());
        let mut room = room;
        let target = room;
        let mut best: Option<Vec<Action>> = None;
        for _ in 0..4 {
            let selection = select(&pages, &costs, &ranked, room);
            let actions: Vec<Action> = pages
                .iter()
                .zip(&costs)
                .enumerate()
                .map(|(n, (page, costs))| match selection.shown(n) {
                    _ if keep.get(n).copied().unwrap_or_default() => Action::Keep,
                    Some(shown) => page.action(shown, Tokens::new(costs.marker)),
                    None => Action::Drop,
                })
                .collect();
            let actual: Tokens = pages
                .iter()
                .zip(&actions)
                .zip(&keep)
                .filter(|(_, keep)| !**keep)
                .map(|((page, action), _)| exact(page, action, input))
                .sum();
            if actual <= target {
                best = Some(actions);
                break;
            }
            room = room.saturating_sub(actual.saturating_sub(target));
            best = Some(actions);
        }
        let actions = best.unwrap_or_default();
        let steps = pages.iter().zip(actions).zip(&keep).map(|((page, action), keep)| {
            let needed = page.block.cost(&Action::Keep, input.counter);
            let reason = match &action {
                _ if *keep => Reason::Pinned,
                Action::Drop => Reason::NoRoom { needed },
                Action::Cut { .. } => Reason::NoRoomWhole { kept: 0, of: page.block.units().len() },
                _ => Reason::Fits,
            };
            Step::new(&page.block.block().id, action, reason)
        });
        Ok(Plan { strategy: self.name().into(), steps: steps.collect() })
    }
}

/// What a block costs so, its text counted as it will stand.
fn exact(page: &Page<'_, '_>, action: &Action, input: &Measured<'_>) -> Tokens {
    let Action::Cut { pieces } = action else { return page.block.cost(action, input.counter) };
    let text: String = pieces
        .iter()
        .map(|piece| match piece {
            contextfit_kernel::Piece::Source(range) => range.of(&page.block.block().text).unwrap_or_default(),
            contextfit_kernel::Piece::Marker(marker) => marker.as_str(),
        })
        .collect();
    page.block.framing() + input.counter.count(&text)
}

/// Chooses what is shown.
fn select<'p, 'a, 'b>(
    pages: &'p [Page<'a, 'b>],
    costs: &'p [Costs],
    candidates: &[Candidate],
    room: Tokens,
) -> Selection<'p, 'a, 'b> {
    let w = weights();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let relevance = |n: usize| candidates.get(n).map_or(0.0, |candidate| candidate.relevance);
    order.sort_by(|&a, &b| relevance(b).total_cmp(&relevance(a)).then(a.cmp(&b)));
    let ranked: Vec<&Candidate> = order.iter().filter_map(|&n| candidates.get(n)).collect();
    let mut selection = Selection::new(pages, costs, room);
    let definitions = || ranked.iter().filter(|candidate| candidate.kind.defines());
    // Signatures first.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "x")]
    let keep = room.get() - (room.get() as f64 * w.share) as usize;
    for candidate in definitions() {
        if selection.left() <= keep {
            break;
        }
        selection.show(candidate.page, candidate.part);
    }
    // Whole bodies.
    for candidate in definitions().filter(|candidate| candidate.kind == ItemKind::Function || !candidate.holds) {
        selection.open(candidate.page, Some(candidate.part));
    }
    // All other signatures.
    for candidate in definitions() {
        selection.show(candidate.page, candidate.part);
    }
    // And whatever still fits.
    for candidate in &ranked {
        if candidate.kind == ItemKind::Comment && !selection.is_visible(candidate.page, candidate.part) {}
        selection.open(candidate.page, Some(candidate.part));
    }
    selection
}
