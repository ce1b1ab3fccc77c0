//! Plans: what happens to each block, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ByteRange, Entry, Level, Tokens};

/// What happens to every block of a context: one step a block, in the context's order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The strategy that made the plan.
    pub strategy: String,
    /// One step for each block, in order.
    pub steps: Vec<Step>,
}

/// What happens to one block, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The block's id.
    pub id: String,
    /// What happens to it.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// What the block costs so, if the strategy has reckoned it: then nobody has to count it again.
    pub tokens: Option<Tokens>,
}

impl Step {
    /// A step for the block called `id`.
    #[must_use]
    pub fn new(id: impl Into<String>, action: Action, reason: Reason) -> Self {
        Self { id: id.into(), action, reason, tokens: None }
    }

    /// The same step with its [cost](crate::MeasuredBlock::cost).
    #[must_use]
    pub fn with_tokens(mut self, tokens: Tokens) -> Self {
        self.tokens = Some(tokens);
        self
    }
}

/// What can happen to a block. Closed on purpose: an executor handles every case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Shown as it is.
    Keep,
    /// Shown in part: ranges of the source in ascending order, verbatim or rewritten without loss, a marker for every gap.
    Cut {
        /// The parts of the new text, in order.
        pieces: Vec<Piece>,
    },
    /// Replaced by entries of the record, which stands for turns of a conversation: whole units of the turn under declared
    /// labels. Only turns are quoted.
    Record {
        /// The entries, in the order in which the turn has what they quote.
        entries: Vec<Entry>,
    },
    /// Replaced by a short text made from what is known of the block; never a turn of a conversation.
    Render {
        /// [`Level::Gist`] or [`Level::Reference`].
        level: Level,
        /// The text in its place.
        text: String,
    },
    /// Told by a model in a summary, together with the steps of this action around it; where there is no model, or its answer
    /// will not do, shown by `fallback`. What the record quotes between two such steps stays as it is.
    ///
    /// A summary is an entry of the record, with the last of the blocks that it is of; the others are left out then. Whoever
    /// carries a plan out puts [`Action::Render`], [`Action::Record`] or [`Action::Drop`] in the place of this action, so that
    /// the plan in a [`Stage`](crate::Stage) shows what was shown.
    Summarize {
        /// The block's share of what the summary may take.
        room: Tokens,
        /// The entries in the block's place when there is no summary; without any the block is left out then.
        fallback: Vec<Entry>,
    },
    /// Left out.
    Drop,
}

impl Action {
    /// The level that a block of level `before` stands at afterwards; `None` when it is dropped.
    #[must_use]
    pub fn level(&self, before: Level) -> Option<Level> {
        match self {
            Self::Keep => Some(before),
            Self::Cut { .. } => Some(before.min(Level::Extract)),
            Self::Render { level, .. } => Some(before.min(*level)),
            Self::Record { .. } | Self::Summarize { .. } => Some(before.min(Level::Gist)),
            Self::Drop => None,
        }
    }

    /// The action in one word: `keep`, `cut`, `record`, `render`, `summarize` or `drop`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Cut { .. } => "cut",
            Self::Record { .. } => "record",
            Self::Render { .. } => "render",
            Self::Summarize { .. } => "summarize",
            Self::Drop => "drop",
        }
    }
}

/// A part of a cut block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Piece {
    /// Bytes of the block's text, verbatim. Starts at a unit border, and [ends](crate::MeasuredBlock::is_unit_end) at one
    /// or, with a marker behind it, before the line feed that ends a unit: the line is whole, and the marker on it.
    Source(ByteRange),
    /// A declared marker that says what is missing here.
    Marker(String),
    /// Bytes of the block's text in another form that says the same: `text` is exactly what `rewrite` makes of them. Starts and
    /// ends as a source range does, in one part of a message.
    Rewritten {
        /// The bytes that it shows.
        range: ByteRange,
        /// What is shown.
        text: String,
        /// What was done to them.
        rewrite: Rewrite,
    },
}

impl Piece {
    /// The text of the piece, of a block with the text `source`.
    #[must_use]
    pub fn text<'a>(&'a self, source: &'a str) -> &'a str {
        match self {
            Self::Source(range) => range.of(source).unwrap_or_default(),
            Self::Marker(text) | Self::Rewritten { text, .. } => text,
        }
    }

    /// The bytes of the block's text that the piece shows, verbatim or rewritten; none of a marker.
    #[must_use]
    pub const fn range(&self) -> Option<ByteRange> {
        match self {
            Self::Source(range) | Self::Rewritten { range, .. } => Some(*range),
            Self::Marker(_) => None,
        }
    }
}

/// Ways to write a text shorter without losing anything. `contextfit-text` carries them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Rewrite {
    /// What a terminal shows at last of each line: escape sequences are gone, what was written over is gone.
    Terminal,
    /// JSON, or a part of it between two tokens, without the white space between its tokens; every token is the same, byte for byte.
    JsonBlanks,
    /// JSON without blanks, its records with the same keys as tables of columns and rows.
    JsonRecords,
    /// A run of identical lines, or of identical groups of lines, shown once, with their number: `text [x12]`.
    Repeats,
    /// Lines that begin with the same folder, under a line with its name.
    Folders,
}

/// Why a block is shown as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Reason {
    /// The caller pinned it, or something of its group.
    Pinned,
    /// It, or something of its group, must be shown.
    Shown,
    /// The whole context is within the budget.
    WithinBudget,
    /// Whole, and there was room for it.
    Fits,
    /// Longer than the configured length; so many units of it were kept.
    TooLong {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// Valued below the threshold.
    BelowThreshold {
        /// Its value: a score, a normalised score, a rank, as the threshold counts.
        value: f64,
        /// The threshold.
        threshold: f64,
    },
    /// Not among the best so many.
    BeyondRank {
        /// Its rank, from 1.
        rank: f64,
        /// The last rank that is shown with its text.
        last: f64,
    },
    /// Shortened because there was no room for more; so many units of it were kept.
    NoRoomWhole {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// The sentences that answer the query best were kept.
    Relevant {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
        /// The score of the best of them.
        score: f64,
    },
    /// No word of the query occurs anywhere: kept by position, or by what is used most.
    Unmatched {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// Nothing of it scores high enough.
    Irrelevant {
        /// The score of its best sentence.
        best: f64,
        /// The score that is asked for.
        least: f64,
    },
    /// One of the newest turns.
    Recent,
    /// A turn that the record quotes.
    Quoted {
        /// Sentences, lines, calls and members quoted.
        units: usize,
    },
    /// Not shown with its text because there was no room for it.
    NoRoom {
        /// Tokens that it would have needed whole.
        needed: Tokens,
    },
    /// A summary by a model tells it, together with other blocks.
    Summarized {
        /// Blocks that the summary is of.
        of: usize,
    },
    /// An entry of an earlier record, kept as it is.
    Recorded,
    /// It says again what a later block says, which is kept.
    SaidAgain {
        /// The later block's id.
        by: String,
    },
    /// Anything a strategy outside this workspace wants to say.
    Other(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned => f.write_str("pinned"),
            Self::Shown => f.write_str("always shown"),
            Self::WithinBudget => f.write_str("within the budget"),
            Self::Fits => f.write_str("fits whole"),
            Self::TooLong { kept, of } => write!(f, "too long: kept {kept} of {of}"),
            Self::BelowThreshold { value, threshold } => write!(f, "{value:.4} is below {threshold:.4}"),
            Self::BeyondRank { rank, last } => write!(f, "rank {rank} is beyond {last}"),
            Self::NoRoomWhole { kept, of } => write!(f, "no room for all: kept {kept} of {of}"),
            Self::Relevant { kept, of, score } => write!(f, "kept the best {kept} of {of}, up to {score:.2}"),
            Self::Unmatched { kept: 0, .. } => f.write_str("no word of the query occurs"),
            Self::Unmatched { kept, of } => {
                write!(f, "no word of the query occurs: kept {kept} of {of}")
            }
            Self::Irrelevant { best, least } => {
                write!(f, "at best {best:.2} relevant, {least:.2} is asked for")
            }
            Self::Recent => f.write_str("among the newest"),
            Self::Quoted { units: 1 } => f.write_str("1 unit of it is quoted"),
            Self::Quoted { units } => write!(f, "{units} units of it are quoted"),
            Self::NoRoom { needed } => write!(f, "no room for its {needed} tokens"),
            Self::Summarized { of } => write!(f, "in a summary of {of}"),
            Self::Recorded => f.write_str("an entry of an earlier record"),
            Self::SaidAgain { by } => write!(f, "said again by {by}"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(piece: &Piece, expect: &str, shown: &str) {
        let json = serde_json::to_string(piece).unwrap();
        assert_eq!(json, expect);
        assert_eq!(serde_json::from_str::<Piece>(&json).unwrap(), *piece);
        assert_eq!(piece.text("{\"a\": 1}"), shown);
    }

    #[test]
    fn pieces() {
        let range = ByteRange::new(0, 8).unwrap();
        check(&Piece::Source(range), r#"{"source":[0,8]}"#, "{\"a\": 1}");
        check(&Piece::Marker("...".into()), r#"{"marker":"..."}"#, "...");
        check(
            &Piece::Rewritten { range, text: "{\"a\":1}".into(), rewrite: Rewrite::JsonBlanks },
            r#"{"rewritten":{"range":[0,8],"text":"{\"a\":1}","rewrite":"jsonBlanks"}}"#,
            "{\"a\":1}",
        );
    }
}
