//! The hierarchical strategy.

use std::sync::Arc;

use contextfit_kernel::{Error, Measured, Plan, Reason, Scorer, Strategy, Tokens};

use crate::{
    draft::{Draft, is_output},
    lines::{self, Worth},
    relevance::{exact, relevance},
};

/// Trial.
#[derive(Clone, Default)]
pub struct HierarchicalCompressor {
    /// w
    pub worth: Worth,
    /// share of the room for the newest
    pub recent: f64,
    /// share for relevant
    pub relevant: f64,
    /// scorer
    pub scorer: Option<Arc<dyn Scorer>>,
}

impl Strategy for HierarchicalCompressor {
    fn name(&self) -> &str {
        "hierarchical"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let mut draft = Draft::new(input, room);
        let query = input.context.query.as_deref();
        let share = |of: Tokens, share: f64| Tokens::new((exact(of.get()) * share) as usize);
        let newest = |draft: &mut Draft<'_>, mut room: Tokens| {
            for n in (0..draft.exchanges.len()).rev() {
                if !draft.is_open(n) {
                    continue;
                }
                match draft.keep(n, room, Reason::Fits) {
                    Some(cost) => room = room.saturating_sub(cost),
                    None => break,
                }
            }
        };
        let mut interest = vec![0.0; input.blocks.len()];
        if let (Some(query), Some(scorer)) = (query, &self.scorer) {
            let silent = |at: usize| {
                draft.block(at).is_none_or(|block| block.as_turn().is_some_and(|turn| turn.role.instructs()))
            };
            interest = relevance(input, query, scorer, &silent);
            let outputs = input.blocks.iter().any(|b| is_output(b.block(), false));
            let room = share(draft.left, if outputs { self.relevant } else { 1.0 });
            let worth = |n: usize| {
                draft
                    .exchanges
                    .get(n)
                    .into_iter()
                    .flat_map(|e| &e.members)
                    .filter_map(|&at| interest.get(at))
                    .copied()
                    .fold(0.0, f64::max)
            };
            let mut order: Vec<(usize, f64)> =
                (0..draft.exchanges.len()).map(|n| (n, worth(n))).filter(|x| x.1 > 0.0).collect();
            order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let mut room = room;
            for (n, score) in order {
                if let Some(cost) = draft.keep(n, room, Reason::Relevant { kept: 1, of: 1, score }) {
                    room = room.saturating_sub(cost);
                }
            }
            let best = interest.iter().copied().fold(0.0, f64::max);
            interest.iter_mut().for_each(|i| *i /= if best > 0.0 { best } else { 1.0 });
        } else {
            let room = share(draft.left, self.recent);
            newest(&mut draft, room);
        }
        lines::fill(&mut draft, &self.worth, &|at| interest.get(at).copied().unwrap_or_default());
        let left = draft.left;
        newest(&mut draft, left);
        Ok(draft.finish(self.name()))
    }
}
