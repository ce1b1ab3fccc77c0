//! Plain strategies to compare with.

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

/// A plain strategy to compare with.
///
/// Each keeps the contract of every strategy: whole sentences and lines, gaps marked, pinned blocks kept, what
/// must be shown not lost, groups together. Beyond that it does what it says and nothing clever. Linear-logarithmic in the number of units, linear in
/// the length of the texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Baseline {
    /// Blocks in the order given, whole, until one does not fit: of that one the first units, of the rest nothing. What
    /// a caller does who cuts the prompt at the limit, but at the end of a sentence or line.
    Head,
    /// The first units of every block, an equal share of the room each; what a block leaves of its share goes to those
    /// after it. A block of which not one unit fits is dropped.
    HeadPerChunk,
    /// Whole blocks by BM25 of header and text for the query, the best first; one that does not fit is passed over.
    /// What a reranker does.
    WholeChunksBm25,
    /// ADR-002 (seed 002) as it is written: the sentences of each block scored by Okapi BM25 among the sentences of
    /// that block; of all of them the best first until one does not fit. Scores of different blocks do not compare.
    OkapiSentences,
    /// The newest messages, whole, until one does not fit. What a caller does who forgets the oldest.
    RecentTurns,
    /// The newest messages that fit, whole, from the first of a person's on: `trim_messages` of LangChain with the strategy
    /// `last`, `include_system` and `start_on="human"`, as its reference describes it (python.langchain.com, "How to trim
    /// messages").
    TrimMessages,
    /// All messages, every output of a tool cut to its first N tokens, N as large as lets them fit; the newest messages
    /// where no N does. What coding agents do that limit the length of an output.
    CutToolOutputs,
    /// Whole turns by BM25 for the question, a half of the better neighbour's score added to each, the best first; one that
    /// does not fit is passed over.
    Bm25Turns,
}

impl Baseline {
    /// All of them, in the order that people are shown.
    pub const ALL: [Self; 8] = [
        Self::Head,
        Self::HeadPerChunk,
        Self::WholeChunksBm25,
        Self::OkapiSentences,
        Self::RecentTurns,
        Self::TrimMessages,
        Self::CutToolOutputs,
        Self::Bm25Turns,
    ];

    /// Those for passages and files.
    pub const PASSAGES: [Self; 4] =
        [Self::Head, Self::HeadPerChunk, Self::WholeChunksBm25, Self::OkapiSentences];

    /// Those for repositories: the files in the order of their paths, and the best by BM25.
    pub const REPOSITORY: [Self; 2] = [Self::Head, Self::WholeChunksBm25];

    /// Those for talk between people.
    pub const TALK: [Self; 3] = [Self::RecentTurns, Self::TrimMessages, Self::Bm25Turns];

    /// Those for runs of agents.
    pub const AGENT: [Self; 3] = [Self::RecentTurns, Self::TrimMessages, Self::CutToolOutputs];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::HeadPerChunk => "head-per-chunk",
            Self::WholeChunksBm25 => "whole-chunks-bm25",
            Self::OkapiSentences => "okapi-sentences",
            Self::RecentTurns => "recent-turns",
            Self::TrimMessages => "trim-messages",
            Self::CutToolOutputs => "cut-tool-outputs",
            Self::Bm25Turns => "bm25-turns",
        }
    }
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
