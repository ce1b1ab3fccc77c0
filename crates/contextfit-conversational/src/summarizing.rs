//! The summarizing strategy: the newest turns, and a summary of those before.

use contextfit_kernel::{
    Action, Error, Level, Measured, MeasuredBlock, Plan, Planner, Reason, Scorer, Strategy, Tokens,
};
use contextfit_text::{float, share_of};
use serde::{Deserialize, Serialize};

use crate::{
    HierarchicalOptions,
    draft::{Draft, Form},
    held::start,
    reading::Reading,
    record::RecordDraft,
};

/// No summary is made in less room than this.
const LEAST_ROOM: usize = 24;

/// How the room is spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SummarizingOptions {
    /// The most exchanges to keep whole in addition to pinned ones; as many as fit if absent.
    pub exchanges: Option<usize>,
    /// The share, from 0 to 1, of the room left by pinned turns that the record with all its summaries gets.
    pub record: f64,
    /// Turns that take less than this together are quoted: calling a model would cost more than it saves.
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

/// Keeps pinned exchanges and the newest ones whole and has those before summarized, as in MoFA.
///
/// A summary is an entry of the record, next to the user's words, which no model rewrites. When it is read again, it
/// stays as it is and is never sent to a model again. Only newer turns are summarized, so the tokens spent on summaries
/// are linear in the length of the conversation. If the entries take more than their share, the older ones are left
/// out.
///
/// The strategy only plans; [`Action::Summarize`] has the pipeline call a model, with entries as the fallback.
/// Linearithmic in the length of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SummarizingCompressor {
    options: SummarizingOptions,
}

impl SummarizingCompressor {
    /// The strategy with its default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
        Box::new(move |room| Ok(self.plan_on(&reading, room)))
    }
}

impl SummarizingCompressor {
    fn plan_on(&self, reading: &Reading<'_>, room: Tokens) -> Plan {
        let options = &self.options;
        let mut draft = start(reading.input, room, &reading.said);
        let most = share_of(draft.left, options.record);
        let recent = draft.left.saturating_sub(most);
        draft.keep_newest(recent, options.exchanges.unwrap_or(usize::MAX), &Reason::Recent);
        let left = draft.left;
        draft.left = left.min(most);
        let mut record = RecordDraft::new(&draft, reading);
        options.turns.quote_first(&mut draft, &mut record, reading);
        // Anything quoted by now stays verbatim; the rest of the room is for a model's summary.
        let quoted: Vec<bool> = (0..draft.exchanges.len()).map(|n| record.quotes(n)).collect();
        let fresh = draft.left;
        record.fill(&mut draft, true);
        record.write(&mut draft);
        self.summarize(&mut draft, &quoted, fresh);
        draft.finish("summarize")
    }

    /// Has everything neither shown nor `quoted` summarized in `room`, if there is enough of both.
    fn summarize(&self, draft: &mut Draft<'_>, quoted: &[bool], room: Tokens) {
        let mut wanted = vec![false; draft.input.blocks.len()];
        for (n, exchange) in draft.exchanges.iter().enumerate() {
            let is_told = !draft.is_shown(n) && quoted.get(n) == Some(&false);
            for &at in exchange.members.iter().filter(|_| is_told) {
                let is_entry = draft.block(at).is_some_and(|block| block.level < Level::Extract);
                wanted.get_mut(at).into_iter().for_each(|wanted| *wanted = !is_entry);
            }
        }
        let blocks = draft.input.blocks.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
        let tokens: Tokens = blocks.map(|(block, _)| block.tokens()).sum();
        if room.get() < LEAST_ROOM || tokens < self.options.min_tokens {
            return;
        }
        let rooms = rooms(draft, &wanted, room);
        for n in 0..draft.exchanges.len() {
            let members = draft.exchanges.get(n).map(|exchange| exchange.members.clone()).unwrap_or_default();
            if !members.iter().any(|&at| wanted.get(at) == Some(&true)) {
                continue;
            }
            let Some(Form::As(forms)) = draft.form(n).cloned() else { continue };
            let summarized = members.iter().zip(forms).map(|(&at, (action, reason))| {
                let fallback = match action {
                    Action::Record { entries } => entries,
                    _ => Vec::new(),
                };
                (Action::Summarize { room: rooms.get(at).copied().unwrap_or_default(), fallback }, reason)
            });
            let summarized = summarized.collect();
            draft.set(n, Form::As(summarized));
        }
    }
}

/// The share of `room` for each `wanted` block, in proportion to its tokens; together they make up all of it.
fn rooms(draft: &Draft<'_>, wanted: &[bool], room: Tokens) -> Vec<Tokens> {
    let cost = |(block, wanted): (&MeasuredBlock<'_>, &bool)| match wanted {
        true => block.tokens() + Tokens::new(1),
        false => Tokens::ZERO,
    };
    let costs: Vec<Tokens> = draft.input.blocks.iter().zip(wanted).map(cost).collect();
    let all = float(costs.iter().copied().sum::<Tokens>().get().max(1));
    let (mut through, mut given) = (Tokens::ZERO, Tokens::ZERO);
    let part = |cost: &Tokens| {
        through += *cost;
        let until = share_of(room, float(through.get()) / all);
        let own = until.saturating_sub(given);
        given += own;
        own
    };
    costs.iter().map(part).collect()
}

/// Rates nothing as relevant: summaries do not depend on the request.
struct Nothing;

impl Scorer for Nothing {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        vec![0.0; texts.len()]
    }
}
