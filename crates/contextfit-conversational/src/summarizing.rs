//! The summarizing strategy: the newest turns, and a summary of those before them.

use std::sync::Arc;

use contextfit_kernel::{
    Action, Error, Level, Measured, Plan, Planner, Reason, Scorer, Strategy, Tokens, Values,
};
use contextfit_text::{float, share_of};
use serde::{Deserialize, Serialize};

use crate::{
    HierarchicalOptions,
    draft::{Draft, Exchange, ExchangeForm},
    outputs::start,
    reading::Reading,
    record::RecordDraft,
};

/// The minimum room for a summary.
const SHORTEST_SUMMARY_TOKENS: usize = 24;

/// How the room is spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SummarizingOptions {
    /// The maximum number of exchanges to keep whole in addition to pinned ones; as many as fit if absent.
    pub exchanges: Option<usize>,
    /// The share, from 0 to 1, of the room left by pinned turns that goes to the record with all its summaries.
    pub record: f64,
    /// Turns that together have fewer tokens than this are quoted: calling a model would cost more than it saves.
    pub min_tokens: Tokens,
    /// The share of the record's room for the user's words, and how turns are quoted without a model.
    pub turns: HierarchicalOptions,
}

impl Default for SummarizingOptions {
    fn default() -> Self {
        Self {
            exchanges: None,
            record: 0.4,
            min_tokens: Tokens::new(100),
            turns: HierarchicalOptions::default(),
        }
    }
}

/// Keeps pinned exchanges and the newest ones whole and has those before them summarized, as in MoFA.
///
/// A summary is an entry of the record, next to the user's words, which no model rewrites. When a later call reads it
/// again, it is kept unchanged and never sent to a model again. Only newer turns are summarized, so the tokens spent on
/// summaries are linear in the length of the conversation. If the entries take more than their share, the oldest are
/// left out.
///
/// The strategy only plans; [`Action::Summarize`] has the pipeline call a model. If the model gives no summary of a
/// turn, units of the turn are quoted in the room of the summary. If it gives none at all, the plan is that of
/// [`HierarchicalCompressor`](crate::HierarchicalCompressor). Linearithmic in the length of the conversation.
#[derive(Debug, Clone)]
pub struct SummarizingCompressor {
    options: SummarizingOptions,
    scorer: Arc<dyn Scorer>,
}

impl Default for SummarizingCompressor {
    fn default() -> Self {
        Self { options: SummarizingOptions::default(), scorer: Arc::new(Nothing) }
    }
}

impl SummarizingCompressor {
    /// The strategy with its default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the scorer that rates the relevance of turns to the request. It is used only if no model gives a summary.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = scorer;
        self
    }

    /// Sets the options.
    #[must_use]
    pub const fn with_options(mut self, options: SummarizingOptions) -> Self {
        self.options = options;
        self
    }
}

impl Strategy for SummarizingCompressor {
    fn name(&self) -> &str {
        "summarize"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let reading = Reading::new(input, &Nothing, &self.options.turns.worth);
        Box::new(move |room| Ok(self.plan_on(&reading, room, &[])))
    }

    fn planner_without<'a>(&'a self, input: &'a Measured<'a>, unanswered: &[bool]) -> Planner<'a> {
        let (turns, unanswered) = (&self.options.turns, unanswered.to_vec());
        if !unanswered.contains(&false) {
            let reading = Reading::new(input, &*self.scorer, &turns.worth);
            return turns.planner_on(reading, self.name());
        }
        let reading = Reading::new(input, &Nothing, &turns.worth);
        Box::new(move |room| Ok(self.plan_on(&reading, room, &unanswered)))
    }
}

impl SummarizingCompressor {
    fn plan_on(&self, reading: &Reading<'_>, room: Tokens, unanswered: &[bool]) -> Plan {
        let options = &self.options;
        let mut draft = start(reading.input, room, &reading.speakers);
        let most = share_of(draft.left, options.record);
        let recent = draft.left.saturating_sub(most);
        draft.keep_newest(recent, options.exchanges.unwrap_or(usize::MAX));
        let left = draft.left;
        draft.left = left.min(most);
        let mut record = RecordDraft::new(&draft, reading);
        // What the assistant reported is in the model's summaries.
        let turns = HierarchicalOptions { reports: 0.0, ..options.turns };
        turns.quote_first(&mut draft, &mut record, reading);
        // Everything quoted by now stays verbatim; the rest of the room is for summaries of everything else.
        let rooms = self.rooms(&draft, &record);
        let is_asked = |exchange: &Exchange| {
            let is_asked =
                |&at: &usize| rooms.get(at).is_some_and(Option::is_some) && unanswered.get(at) != Some(&true);
            exchange.members.iter().any(is_asked)
        };
        let asked: Vec<bool> = draft.exchanges.iter().map(is_asked).collect();
        let asked = (0..asked.len()).filter(|&n| asked.at(n));
        for n in asked.clone() {
            let own = members(&draft, n).filter_map(|at| rooms.at(at)).sum();
            draft.spend(n, own);
            record.leave_out(n);
        }
        record.fill(&mut draft, true);
        record.write(&mut draft);
        for n in asked {
            let summarized = members(&draft, n).map(|at| {
                let room = rooms.at(at).unwrap_or_default();
                let needed = draft.cost(n);
                (Action::Summarize { room }, Reason::NoRoom { needed })
            });
            let summarized = ExchangeForm::As(summarized.collect());
            draft.set(n, summarized);
        }
        draft.finish(self.name())
    }

    /// The room for a summary of each block that is neither shown nor quoted: a share of the remaining room, in
    /// proportion to its tokens; `None` for all blocks if there is too little room or too little to summarize.
    fn rooms(&self, draft: &Draft<'_>, record: &RecordDraft<'_, '_>) -> Vec<Option<Tokens>> {
        let blocks = &draft.input.blocks;
        let mut costs: Vec<Option<Tokens>> = vec![None; blocks.len()];
        for n in (0..draft.exchanges.len()).filter(|&n| !draft.is_shown(n) && !record.quotes(n)) {
            for at in members(draft, n) {
                // An entry of an earlier record is kept or dropped whole.
                let block = blocks.get(at).filter(|block| block.block().level >= Level::Extract);
                let cost = block.map(|block| block.tokens() + Tokens::new(1));
                costs.set(at, cost);
            }
        }
        let tokens: Tokens = costs.iter().flatten().copied().sum();
        let n_blocks = costs.iter().flatten().count();
        if draft.left.get() < SHORTEST_SUMMARY_TOKENS
            || tokens < self.options.min_tokens + Tokens::new(n_blocks)
        {
            return vec![None; blocks.len()];
        }
        let (all, mut through, mut given) = (float(tokens.get().max(1)), Tokens::ZERO, Tokens::ZERO);
        let part = |cost: &Option<Tokens>| {
            through += (*cost)?;
            let until = share_of(draft.left, float(through.get()) / all);
            let own = until.saturating_sub(given);
            given += own;
            Some(own)
        };
        costs.iter().map(part).collect()
    }
}

/// The blocks of exchange `n`.
fn members<'d>(draft: &'d Draft<'_>, n: usize) -> impl Iterator<Item = usize> + 'd {
    draft.exchanges.get(n).into_iter().flat_map(|exchange| exchange.members.iter().copied())
}

/// Rates nothing as relevant: summaries do not depend on the request.
struct Nothing;

impl Scorer for Nothing {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        vec![0.0; texts.len()]
    }
}
