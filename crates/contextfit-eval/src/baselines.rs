//! Simple strategies for comparison.

mod cuts;
mod okapi;

use contextfit_bm25::Bm25;
use contextfit_kernel::{Error, Measured, MeasuredBlock, Plan, Role, Scorer, Strategy, Tokens, Values};

use self::cuts::{Cuts, whole};

/// A simple strategy for comparison.
///
/// Each keeps the contract of every strategy: whole sentences and lines, gaps marked, pinned blocks kept, blocks that
/// must be shown not lost, groups together. Beyond that it does nothing clever. O(n log n) in the number of units,
/// linear in the length of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// Blocks in the given order, whole, until one does not fit; of that one the first units, of the rest nothing. Like
    /// a caller who cuts the prompt at the limit, but at the end of a sentence or line.
    Head,
    /// The first units of every block, an equal share of the room each; unused room goes to the blocks after it. A
    /// block of which not even one unit fits is dropped.
    HeadPerChunk,
    /// Whole blocks, best first by BM25 of header and text against the query, skipping those that do not fit. Like a
    /// reranker.
    WholeChunksBm25,
    /// Sentence selection as first decided (ADR 0010): the sentences of each block scored by Okapi BM25 within that
    /// block, then taken best first across all blocks until one does not fit. Scores of different blocks are not
    /// comparable.
    OkapiSentences,
    /// The newest messages, whole, until one does not fit. Like a caller who forgets the oldest.
    RecentTurns,
    /// The newest messages that fit, whole, starting with a user message: `trim_messages` of LangChain with the
    /// strategy `last`, `include_system` and `start_on="human"`, as described in its reference (python.langchain.com,
    /// "How to trim messages").
    TrimMessages,
    /// All messages, with every tool output cut to its first N tokens, for the largest N that fits; the newest messages
    /// if no N fits. Like coding agents that limit the length of outputs.
    CutToolOutputs,
    /// Whole turns, best first by BM25 against the question plus half of the better neighbour's score, skipping those
    /// that do not fit.
    Bm25Turns,
}

contextfit_kernel::names!(
    Baseline, "baseline": Head => "head", HeadPerChunk => "head-per-chunk", WholeChunksBm25 => "whole-chunks-bm25", OkapiSentences => "okapi-sentences", RecentTurns => "recent-turns", TrimMessages => "trim-messages", CutToolOutputs => "cut-tool-outputs", Bm25Turns => "bm25-turns",
);

impl Baseline {
    /// Baselines for passages and files.
    pub const PASSAGES: [Self; 4] =
        [Self::Head, Self::HeadPerChunk, Self::WholeChunksBm25, Self::OkapiSentences];

    /// Baselines for repositories: the files in path order, and the best by BM25.
    pub const REPOSITORY: [Self; 2] = [Self::Head, Self::WholeChunksBm25];

    /// Baselines for conversations between people.
    pub const TALK: [Self; 3] = [Self::RecentTurns, Self::TrimMessages, Self::Bm25Turns];

    /// Baselines for runs of agents.
    pub const AGENT: [Self; 3] = [Self::RecentTurns, Self::TrimMessages, Self::CutToolOutputs];
}

impl Strategy for Baseline {
    fn name(&self) -> &str {
        (*self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let mut cuts = Cuts::new(input, room);
        match self {
            Self::Head => head(&mut cuts),
            Self::HeadPerChunk => head_per_chunk(&mut cuts),
            Self::WholeChunksBm25 => whole_chunks(&mut cuts),
            Self::OkapiSentences => okapi::okapi_sentences(&mut cuts),
            Self::RecentTurns => newest(&mut cuts),
            Self::TrimMessages => newest_from_a_person(&mut cuts),
            Self::CutToolOutputs => cut_outputs(&mut cuts),
            Self::Bm25Turns => turns(&mut cuts),
        }
        Ok(cuts.plan((*self).name()))
    }
}

/// Keeps blocks until one does not fit, and the start of that one.
fn head(cuts: &mut Cuts<'_, '_>) {
    for (n, block) in cuts.open() {
        if cuts.keep_whole(n, block) {
            continue;
        }
        if let kept @ 1.. = cuts.head_within(block, cuts.left) {
            cuts.keep(n, 0..kept);
        }
        return;
    }
}

/// Keeps the start of every block, within an equal share of the room left by the blocks before it.
fn head_per_chunk(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    for (done, (n, block)) in blocks.iter().enumerate() {
        let share = Tokens::new(cuts.left.get() / (blocks.len() - done));
        if whole(block) <= share {
            cuts.keep_whole(*n, block);
        } else if let kept @ 1.. = cuts.head_within(block, share) {
            cuts.keep(*n, 0..kept);
            let cost = block.framing() + block.tokens_through(kept) + cuts.marker_cost(block);
            cuts.left = cuts.left.saturating_sub(cost);
        }
    }
}

/// Keeps the newest messages until one does not fit.
fn newest(cuts: &mut Cuts<'_, '_>) {
    let from = start_within(cuts);
    keep_from(cuts, from);
}

/// Keeps the newest messages that fit, starting with a user message.
fn newest_from_a_person(cuts: &mut Cuts<'_, '_>) {
    let start = start_within(cuts);
    let is_users = |n: &usize| {
        let block = cuts.input().blocks.get(*n).map(MeasuredBlock::block);
        block.and_then(|block| block.as_turn()).is_some_and(|turn| turn.role == Role::User)
    };
    let all = cuts.input().blocks.len();
    let from = (start..all).find(is_users).unwrap_or(all);
    keep_from(cuts, from);
}

/// The first message of the longest tail that fits; the room for what must be kept is already deducted.
fn start_within(cuts: &Cuts<'_, '_>) -> usize {
    let mut left = cuts.left;
    let mut start = cuts.input().blocks.len();
    for (n, block) in cuts.open().into_iter().rev() {
        let Some(rest) = left.checked_sub(whole(block)) else { return start };
        (left, start) = (rest, n);
    }
    0
}

fn keep_from(cuts: &mut Cuts<'_, '_>, from: usize) {
    for (n, block) in cuts.open().into_iter().filter(|(n, _)| *n >= from) {
        cuts.keep_whole(n, block);
    }
}

/// Keeps whole blocks, best first by BM25, skipping those that do not fit.
fn whole_chunks(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    let texts: Vec<String> =
        blocks.iter().map(|(_, block)| block.block().header() + &block.block().text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut ranked: Vec<_> = blocks.iter().zip(Bm25::default().score(cuts.query(), &texts)).collect();
    // A stable sort keeps ties in the given order.
    ranked.sort_by(|(_, score), (_, other)| other.total_cmp(score));
    for ((n, block), _) in ranked {
        cuts.keep_whole(*n, block);
    }
}

/// The share of its better neighbour's score that a turn gains.
const NEIGHBOUR_SHARE: f64 = 0.5;

/// Keeps whole turns by their score and their better neighbour's, best first, skipping those that do not fit.
fn turns(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    let texts: Vec<&str> = blocks.iter().map(|(_, block)| block.block().text.as_str()).collect();
    let scores = Bm25::default().score(cuts.query(), &texts);
    let score = |at: Option<usize>| at.and_then(|at| scores.get(at)).copied().unwrap_or_default();
    let spread =
        |at: usize| score(Some(at)) + NEIGHBOUR_SHARE * score(at.checked_sub(1)).max(score(Some(at + 1)));
    let mut ranked: Vec<(usize, f64)> = (0..blocks.len()).map(|at| (at, spread(at))).collect();
    // A stable sort keeps ties in the given order.
    ranked.sort_by(|(_, score), (_, other)| other.total_cmp(score));
    for (n, block) in ranked.into_iter().filter_map(|(at, _)| blocks.get(at)) {
        cuts.keep_whole(*n, block);
    }
}

/// Cuts every output to its first N tokens, for the largest N with which all messages fit; if there is none, keeps the
/// newest messages.
fn cut_outputs(cuts: &mut Cuts<'_, '_>) {
    let outputs = outputs(cuts);
    let blocks = cuts.open();
    let shown = |cuts: &Cuts<'_, '_>, n: usize, block: &MeasuredBlock<'_>, most: Tokens| {
        let long = outputs.at(n) && block.tokens() > most;
        if long { cuts.head_within(block, block.framing() + most) } else { block.units().len() }
    };
    let fits = |most: usize| {
        let cost = |(n, block): &(usize, &MeasuredBlock<'_>)| {
            let units = shown(cuts, *n, block, Tokens::new(most));
            if units == block.units().len() {
                return whole(block);
            }
            block.framing() + block.tokens_through(units) + cuts.marker_cost(block)
        };
        blocks.iter().map(cost).sum::<Tokens>() <= cuts.left
    };
    if !fits(0) {
        return newest(cuts);
    }
    let longest = blocks.iter().map(|(_, block)| block.tokens().get()).max().unwrap_or_default();
    // The largest that fits is in `fitting..over`.
    let (mut fitting, mut over) = (0, longest.saturating_add(1));
    while over - fitting > 1 {
        let middle = fitting.midpoint(over);
        *(if fits(middle) { &mut fitting } else { &mut over }) = middle;
    }
    for (n, block) in &blocks {
        let units = shown(cuts, *n, block, Tokens::new(fitting));
        cuts.keep(*n, 0..units);
    }
}

/// For each message, whether it is a tool output in one part. In a run whose agent has no tool messages, user messages
/// after the first are outputs: what its commands print.
fn outputs(cuts: &Cuts<'_, '_>) -> Vec<bool> {
    let turns = || cuts.input().blocks.iter().map(|block| block.block().as_turn());
    let has = |role: Role| turns().flatten().any(|turn| turn.role == role);
    let role = if has(Role::Tool) { Role::Tool } else { Role::User };
    let mut seen = 0;
    let is_output = |turn: Option<&contextfit_kernel::Turn>| {
        let Some(turn) = turn.filter(|turn| turn.role == role) else { return false };
        seen += 1;
        (role == Role::Tool || seen > 1) && turn.parts.len() < 2
    };
    turns().map(is_output).collect()
}
