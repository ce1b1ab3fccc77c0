//! The hierarchical strategy: every turn at the level that it is worth.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Error, Measured, Plan, Planner, Reason, Role, Scorer, Strategy, Tokens};
use serde::{Deserialize, Serialize};

use crate::{
    draft::{Draft, Form, outputs},
    instructions::{Instruction, standing_instructions},
    lines::{self, Worth},
    outputs::shorten,
    relevance::{exact, relevance},
};

/// What the room is spent on. Shares are of what pinned turns leave, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct HierarchicalOptions {
    /// The share for the newest turns, whole, where no query says what is asked.
    pub recent: f64,
    /// The share for the turns that have most to do with the query, whole. Talk without outputs of tools gets all of it.
    pub relevant: f64,
    /// The share for the turns that have most to do with what the user said last, whole, in talk without outputs of tools
    /// where there is no query.
    pub answering: f64,
    /// The most that standing instructions take; three tenths of that where a query or outputs of tools need the room too.
    pub instructions: f64,
    /// How likely a standing instruction must be to go on to hold, or how strong its cues, which must be 0.2 stronger; with a query
    /// their cues alone tell, and must be 0.3 stronger.
    pub least_strength: f64,
    /// The most that sentences with weaker cues take, out of what standing instructions may take and leave. Nothing where a
    /// query or outputs of tools need the room too.
    pub faint: f64,
    /// What a place in a line is given for.
    pub worth: Worth,
}

impl Default for HierarchicalOptions {
    fn default() -> Self {
        Self {
            recent: 0.3,
            relevant: 0.8,
            answering: 0.4,
            instructions: 0.9,
            least_strength: 0.5,
            faint: 0.53,
            worth: Worth::default(),
        }
    }
}

/// What is left of the share of instructions where a query or outputs of tools need the room too.
const SHARED: f64 = 0.3;

/// A turn whose instruction was replaced is not shown whole if that was as strong as this, weaker ones being mostly talk, and
/// made up so large a share of the turn.
const STALE: f64 = 0.7;
const STALE_SHARE: f64 = 0.5;

/// How much stronger cues must be where a query says what the room is for.
const ASKED: f64 = 0.3;

/// What is by so much stronger than it must be comes first whatever is likely.
const SURELY: f64 = 0.2;

/// How often the turns that are shown are chosen anew, each time leaving more room for instructions that found none.
const ATTEMPTS: usize = 3;

/// Scores every turn by recency, role, density and what it has to do with the request, and shows each as its score and the
/// room allow (seed 003): whole, as a line that carries the sentences and values most likely to be needed again, or not at
/// all.
///
/// Standing instructions come first: where their turns are not shown whole, lines carry them verbatim. With a query the
/// turns that have most to do with it follow, without one the newest. Lines take what is left: each value once, where it
/// stood last. Linear-logarithmic in the length of the conversation.
#[derive(Clone)]
pub struct HierarchicalCompressor {
    options: HierarchicalOptions,
    scorer: Arc<dyn Scorer>,
}

impl HierarchicalCompressor {
    /// The strategy with its usual options; `scorer` says what turns have to do with the request.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { options: HierarchicalOptions::default(), scorer }
    }

    /// The same strategy with other options.
    #[must_use]
    pub const fn with_options(mut self, options: HierarchicalOptions) -> Self {
        self.options = options;
        self
    }
}

impl fmt::Debug for HierarchicalCompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HierarchicalCompressor").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Strategy for HierarchicalCompressor {
    fn name(&self) -> &str {
        "hierarchical"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        Ok(self.plan_on(&Reading::new(input, &*self.scorer), room))
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let reading = Reading::new(input, &*self.scorer);
        Box::new(move |room| Ok(self.plan_on(&reading, room)))
    }
}

impl HierarchicalCompressor {
    fn plan_on(&self, reading: &Reading<'_>, room: Tokens) -> Plan {
        let options = &self.options;
        let empty = Draft::new(reading.input, room);
        let talk = !reading.outputs.contains(&true);
        let part = if reading.asked || !talk { SHARED } else { 1.0 };
        let most = share(empty.left, options.instructions * part);
        let pledged = self.pledged(&empty, reading, most);
        let mut pledge = lines::cost_of(&empty, &pledged).min(most);
        let mut attempts = 1;
        loop {
            let mut draft = empty.clone();
            let free = draft.left.saturating_sub(pledge);
            if reading.asked {
                let relevant = if talk { free } else { share(free, options.relevant) };
                keep_relevant(&mut draft, reading, relevant);
            } else {
                draft.keep_newest(share(free, options.recent), usize::MAX, &Reason::Recent);
                let answering = if talk { share(free, options.answering) } else { Tokens::ZERO };
                keep_relevant(&mut draft, reading, answering);
            }
            let missing = lines::fill(&mut draft, &options.worth, reading, &pledged, most);
            if missing == Tokens::ZERO || attempts == ATTEMPTS {
                show_more(&mut draft, reading);
                return draft.finish("hierarchical");
            }
            // What is shown parts the lines into more ledgers than were paid for.
            pledge = (pledge + missing).min(empty.left);
            attempts += 1;
        }
    }

    /// The instructions that come before everything else, in order: the strong ones, and of the others the strongest as far
    /// as their share of `most` goes.
    fn pledged(&self, draft: &Draft<'_>, reading: &Reading<'_>, most: Tokens) -> Vec<Instruction> {
        let least = self.options.least_strength;
        let is_strong = |found: &&Instruction| match reading.asked {
            true => found.strength >= least + ASKED,
            false => found.likelihood >= least || found.strength >= least + SURELY,
        };
        let standing = reading.instructions.iter().filter(|found| found.stands());
        let (strong, faint): (Vec<&Instruction>, Vec<&Instruction>) = standing.partition(is_strong);
        let mut pledged = lines::within(draft, strong.into_iter(), most);
        if reading.asked || reading.outputs.contains(&true) {
            return pledged;
        }
        let mut left =
            most.saturating_sub(lines::cost_of(draft, &pledged)).min(share(most, self.options.faint));
        let mut faint: Vec<(f64, Tokens, &Instruction)> = faint
            .into_iter()
            .map(|found| {
                let cost = lines::cost(draft, found);
                (lines::claim(found.rank(), cost), cost, found)
            })
            .collect();
        faint.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, cost, found) in faint {
            if let Some(rest) = left.checked_sub(cost) {
                left = rest;
                pledged.push(found.clone());
            }
        }
        pledged.sort_by_key(|found| (found.block, found.range.start()));
        pledged
    }
}

/// What does not depend on the room.
pub(crate) struct Reading<'a> {
    pub(crate) input: &'a Measured<'a>,
    /// Whether there is a query.
    pub(crate) asked: bool,
    /// For each block its relevance to the request; the best has 1.
    pub(crate) relevance: Vec<f64>,
    /// For each block whether a tool or a machine said it.
    pub(crate) outputs: Vec<bool>,
    pub(crate) instructions: Vec<Instruction>,
    /// For each block whether it holds an instruction that a later one replaces.
    stale: Vec<bool>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(input: &'a Measured<'a>, scorer: &dyn Scorer) -> Self {
        let outputs = outputs(input);
        let query = input.context.query.as_deref().filter(|query| !query.trim().is_empty());
        let request = query.or_else(|| last_said(input, &outputs));
        let silent = |at: usize| {
            let block = input.blocks.get(at).map(contextfit_kernel::MeasuredBlock::block);
            block.and_then(|block| block.as_turn()).is_some_and(|turn| turn.role.instructs())
        };
        let mut relevance =
            request.map_or_else(Vec::new, |request| relevance(input, request, scorer, &silent));
        let best = relevance.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        relevance.iter_mut().for_each(|score| *score /= best);
        let instructions = standing_instructions(input);
        let mut stale = vec![false; input.blocks.len()];
        let most_of_turn = |found: &Instruction| {
            let turn = input.blocks.get(found.block).map_or(0, |block| block.block().text.len());
            exact(found.range.end() - found.range.start()) >= STALE_SHARE * exact(turn)
        };
        let replaced = |found: &&Instruction| {
            !found.stands() && found.strength.max(found.likelihood) >= STALE && most_of_turn(found)
        };
        for found in instructions.iter().filter(replaced) {
            stale.get_mut(found.block).into_iter().for_each(|stale| *stale = true);
        }
        Self { input, asked: query.is_some(), relevance, outputs, instructions, stale }
    }
}

/// What the user said last.
fn last_said<'a>(input: &Measured<'a>, outputs: &[bool]) -> Option<&'a str> {
    let mut said = input.blocks.iter().zip(outputs).rev().filter(|(_, output)| !**output);
    let is_users =
        |block: &contextfit_kernel::Block| block.as_turn().is_some_and(|turn| turn.role == Role::User);
    said.find(|(block, _)| is_users(block.block())).map(|(block, _)| block.block().text.as_str())
}

/// Spends what is left: the newest exchanges whole in place of their lines. One without lines has its outputs cut where it
/// is too long; where there are lines, a cut would lose values that they carry.
fn show_more(draft: &mut Draft<'_>, reading: &Reading<'_>) {
    for n in (0..draft.exchanges.len()).rev() {
        if draft.is_shown(n) {
            continue;
        }
        // A ledger that it stands in may become two.
        let room = draft.room_for(n).saturating_sub(draft.input.ledger);
        let cost = draft.cost(n);
        if cost <= room {
            draft.replace(n, Form::Kept(Reason::Recent), cost + draft.input.ledger);
        } else if let Some((forms, cost)) =
            shorten(draft, &reading.outputs, n, room).filter(|_| draft.is_open(n))
        {
            draft.replace(n, Form::As(forms), cost + draft.input.ledger);
        }
    }
}

/// Keeps the exchanges that have most to do with the request and fit into `room`.
pub(crate) fn keep_relevant(draft: &mut Draft<'_>, reading: &Reading<'_>, mut room: Tokens) {
    let score = |n: usize| {
        let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        members.filter_map(|&at| reading.relevance.get(at)).copied().fold(0.0, f64::max)
    };
    let mut order: Vec<(usize, f64)> =
        (0..draft.exchanges.len()).map(|n| (n, score(n))).filter(|(_, score)| *score > 0.0).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (n, score) in order {
        let mut members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        if members.any(|&at| reading.stale.get(at) == Some(&true)) {
            continue;
        }
        if let Some(cost) = draft.keep(n, room, Reason::Relevant { kept: 1, of: 1, score }) {
            room = room.saturating_sub(cost);
        }
    }
}

/// So much of `tokens`; what is no number counts as nothing.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the tokens")]
pub(crate) fn share(tokens: Tokens, share: f64) -> Tokens {
    Tokens::new((exact(tokens.get()) * share.clamp(0.0, 1.0)) as usize).min(tokens)
}
