//! The summarizing strategy: the newest turns, and a summary of those before.

use contextfit_kernel::{
    Action, Error, Essential, Measured, MeasuredBlock, Plan, Planner, Reason, Scorer, Strategy, Tokens,
};
use foldhash::{HashSet, HashSetExt};
use serde::{Deserialize, Serialize};

use crate::{
    anchors,
    draft::{Draft, Form},
    hierarchical::{Reading, share},
    instructions::Instruction,
    lines::{self, Worth, in_one_line},
    relevance::exact,
    values::{Kind, values},
};

/// The most identifiers of a turn that a summary is held to.
const IDENTIFIERS: usize = 16;

/// A summary in less room than this is none.
const LEAST_ROOM: usize = 24;

/// What the room is spent on. Shares are from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SummarizingOptions {
    /// The most exchanges to keep whole beside those that are pinned; as many as fit when absent.
    pub exchanges: Option<usize>,
    /// The share of what pinned turns leave that all summaries take together, at the most.
    pub summaries: f64,
    /// The share of that for a new summary.
    pub fresh: f64,
    /// A stretch of turns that takes less is shown by lines: to ask a model would cost more than it saves.
    pub least: Tokens,
    /// The share of a new summary's room for standing instructions, where there is no model.
    pub instructions: f64,
    /// How strong the cues of a standing instruction must be.
    pub least_strength: f64,
    /// What a place in a line is given for, where there is no model.
    pub worth: Worth,
}

impl Default for SummarizingOptions {
    fn default() -> Self {
        Self {
            exchanges: None,
            summaries: 0.4,
            fresh: 0.25,
            least: Tokens::new(100),
            instructions: 0.5,
            least_strength: 0.5,
            worth: Worth::default(),
        }
    }
}

/// Keeps what is pinned and the newest exchanges whole, and has those before summarized (seed 003).
///
/// Summaries are *anchored*: one that an earlier compression made stays as it is, is never sent to a model again, and only
/// what came since is summarized, behind it. So a conversation costs as many summarizing tokens as it is long. When the
/// summaries together exceed their share, the older ones are shortened to the lines that matter most, without a model.
///
/// The strategy plans; [`Action::Summarize`] has the pipeline ask a model, with standing instructions and identifiers that
/// must not be lost, and lines that carry what matters most for the case that there is none. Linear-logarithmic in the length
/// of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SummarizingCompressor {
    options: SummarizingOptions,
}

impl SummarizingCompressor {
    /// The strategy with its usual options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same strategy with other options.
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
        Ok(self.plan_on(&Reading::new(input, &Nothing), room))
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let reading = Reading::new(input, &Nothing);
        Box::new(move |room| Ok(self.plan_on(&reading, room)))
    }
}

impl SummarizingCompressor {
    fn plan_on(&self, reading: &Reading<'_>, room: Tokens) -> Plan {
        let options = &self.options;
        let mut draft = Draft::new(reading.input, room);
        let summaries = share(draft.left, options.summaries);
        let fresh = share(summaries, options.fresh);
        anchors::hold(&mut draft, reading, summaries.saturating_sub(fresh));
        let recent = draft.left.saturating_sub(fresh);
        draft.keep_newest(recent, options.exchanges.unwrap_or(usize::MAX), &Reason::Recent);

        let told: Vec<usize> = (0..draft.exchanges.len()).filter(|&n| draft.is_open(n)).collect();
        draft.left = draft.left.min(fresh);
        let room = draft.left;
        let most = share(room, options.instructions);
        let strong = |found: &&Instruction| found.strength >= options.least_strength && found.stands();
        let pledged = lines::within(&draft, reading.instructions.iter().filter(strong), most);
        lines::fill(&mut draft, &options.worth, reading, &pledged, most);
        self.summarize(&mut draft, reading, &pledged, &told, room);
        draft.finish("summarize")
    }

    /// Has the exchanges `told` summarized in `room`, as far as their stretches are long enough; what they are shown as so far
    /// is for the case that there is no model.
    fn summarize(
        &self,
        draft: &mut Draft<'_>,
        reading: &Reading<'_>,
        pledged: &[Instruction],
        told: &[usize],
        room: Tokens,
    ) {
        let (wanted, stretches) = self.wanted(draft, told);
        let ledgers = Tokens::new(draft.input.ledger.get().saturating_mul(stretches.saturating_sub(1)));
        let room = room.saturating_sub(ledgers);
        if room.get() < LEAST_ROOM {
            return;
        }
        let rooms = rooms(draft, &wanted, room);
        let is_wanted = |at: usize| wanted.get(at) == Some(&true);
        for &n in told {
            let members = draft.exchanges.get(n).map(|exchange| exchange.members.clone()).unwrap_or_default();
            if !members.iter().all(|&at| is_wanted(at)) {
                continue;
            }
            let needed = draft.cost(n);
            let before = match draft.form(n) {
                Some(Form::As(forms)) => forms.clone(),
                _ => vec![(Action::Drop, Reason::NoRoom { needed }); members.len()],
            };
            let form = members.iter().zip(before).map(|(&at, (action, reason))| {
                let fallback = match action {
                    Action::Render { text, .. } => Some(text),
                    _ => None,
                };
                let room = rooms.get(at).copied().unwrap_or_default();
                (Action::Summarize { room, fallback, essentials: essentials(reading, pledged, at) }, reason)
            });
            let form = form.collect();
            draft.set(n, Form::As(form));
        }
    }

    /// For each block whether it stands in a stretch that is long enough, and how many stretches those are.
    fn wanted(&self, draft: &Draft<'_>, told: &[usize]) -> (Vec<bool>, usize) {
        let mut wanted = vec![false; draft.input.blocks.len()];
        let mark = |n: usize, is_wanted: bool, wanted: &mut Vec<bool>| {
            for &at in draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members) {
                wanted.get_mut(at).into_iter().for_each(|wanted| *wanted = is_wanted);
            }
        };
        told.iter().for_each(|&n| mark(n, true, &mut wanted));
        let mut from = 0;
        let mut long = vec![false; wanted.len()];
        for run in wanted.chunk_by(|a, b| a == b) {
            let blocks = draft.input.blocks.get(from..from + run.len()).unwrap_or_default();
            let tokens: Tokens = blocks.iter().map(MeasuredBlock::tokens).sum();
            let is_long = run.first() == Some(&true) && tokens >= self.options.least;
            long.get_mut(from..from + run.len()).into_iter().for_each(|long| long.fill(is_long));
            from += run.len();
        }
        // An exchange is told as a whole or not at all.
        for &n in told {
            let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
            if members.clone().any(|&at| long.get(at) == Some(&false)) {
                mark(n, false, &mut long);
            }
        }
        let stretches = long.chunk_by(|a, b| a == b).filter(|run| run.first() == Some(&true)).count();
        (long, stretches)
    }
}

/// For each of the blocks that are `wanted` its share of `room`, by what it takes; together they are all of it.
fn rooms(draft: &Draft<'_>, wanted: &[bool], room: Tokens) -> Vec<Tokens> {
    let cost = |(block, wanted): (&MeasuredBlock<'_>, &bool)| match wanted {
        true => block.tokens() + Tokens::new(1),
        false => Tokens::ZERO,
    };
    let costs: Vec<Tokens> = draft.input.blocks.iter().zip(wanted).map(cost).collect();
    let all = exact(costs.iter().copied().sum::<Tokens>().get().max(1));
    let (mut through, mut given) = (Tokens::ZERO, Tokens::ZERO);
    let part = |cost: &Tokens| {
        through += *cost;
        let until = share(room, exact(through.get()) / all);
        let own = until.saturating_sub(given);
        given += own;
        own
    };
    costs.iter().map(part).collect()
}

/// What a summary must not lose of block `at`: its standing instructions, and the identifiers that were said in it.
fn essentials(reading: &Reading<'_>, pledged: &[Instruction], at: usize) -> Vec<Essential> {
    let Some(measured) = reading.input.blocks.get(at) else { return Vec::new() };
    let block = measured.block();
    let name = block.as_turn().and_then(|turn| turn.name.as_deref());
    // In the order of their blocks.
    let first = pledged.partition_point(|found| found.block < at);
    let mine = pledged.iter().skip(first).take_while(|found| found.block == at);
    let line = |found: &Instruction| {
        let who =
            name.map_or_else(|| found.role.name().to_owned(), |name| [found.role.name(), " ", name].concat());
        Essential::Line([&who, ": ", &in_one_line(found.text(reading.input))].concat())
    };
    let mut essentials: Vec<Essential> = mine.map(line).collect();
    if reading.outputs.get(at) == Some(&false) {
        let mut seen = HashSet::new();
        let found = values(&block.text).into_iter().filter(|value| value.kind == Kind::Identifier);
        let texts = found.filter_map(|value| value.range.of(&block.text)).filter(|text| seen.insert(*text));
        essentials.extend(texts.take(IDENTIFIERS).map(|text| Essential::Value(text.to_owned())));
    }
    essentials
}

/// Finds nothing relevant: what is summarized does not depend on the request.
struct Nothing;

impl Scorer for Nothing {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        vec![0.0; texts.len()]
    }
}
