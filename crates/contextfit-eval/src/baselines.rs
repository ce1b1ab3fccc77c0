//! Simple strategies for comparison.

mod cut_outputs;
mod cuts;
mod head;
mod head_per_chunk;
mod newest;
mod okapi;
mod okapi_sentences;
mod turns;
mod whole_chunks;

use std::fmt;

use contextfit_kernel::{Error, Measured, Plan, Strategy, Tokens};

use self::cuts::Cuts;

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
    /// ADR-002 as written: the sentences of each block scored by Okapi BM25 within that block, then taken best first
    /// across all blocks until one does not fit. Scores of different blocks are not comparable.
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

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Strategy for Baseline {
    fn name(&self) -> &str {
        (*self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let mut cuts = Cuts::new(input, room);
        match self {
            Self::Head => head::choose(&mut cuts),
            Self::HeadPerChunk => head_per_chunk::choose(&mut cuts),
            Self::WholeChunksBm25 => whole_chunks::choose(&mut cuts),
            Self::OkapiSentences => okapi_sentences::choose(&mut cuts),
            Self::RecentTurns => newest::choose(&mut cuts),
            Self::TrimMessages => newest::choose_from_a_person(&mut cuts),
            Self::CutToolOutputs => cut_outputs::choose(&mut cuts),
            Self::Bm25Turns => turns::choose(&mut cuts),
        }
        Ok(cuts.plan((*self).name()))
    }
}
