//! Plans: what happens to each block, as data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ByteRange, Entry, Level, QuoteSource, Tokens};

/// What happens to every block of a context: one step per block, in the context's order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The strategy that made the plan.
    pub strategy: String,
    /// One step per block, in order.
    pub steps: Vec<Step>,
}

/// What happens to one block, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The block's id.
    pub id: String,
    /// The action.
    pub action: Action,
    /// The reason for the action.
    pub reason: Reason,
    /// The tokens of the block under this action, if the strategy has computed them: they need not be counted again. In
    /// the plan of a result, every step has them.
    pub tokens: Option<Tokens>,
}

impl Step {
    /// Creates a step for the block called `id`.
    #[must_use]
    pub fn new(id: impl Into<String>, action: Action, reason: Reason) -> Self {
        Self { id: id.into(), action, reason, tokens: None }
    }

    /// Sets the [cost](crate::MeasuredBlock::cost) of the step.
    #[must_use]
    pub fn with_tokens(mut self, tokens: Tokens) -> Self {
        self.tokens = Some(tokens);
        self
    }
}

/// What happens to a block. Exhaustive on purpose: an executor must handle every case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Shown unchanged.
    Keep,
    /// Shown in part: ascending ranges of the source, verbatim or losslessly rewritten, with a marker for every gap.
    Cut {
        /// The parts of the new text, in order.
        pieces: Vec<Piece>,
    },
    /// Replaced by entries of the record that covers earlier turns of a conversation: whole units of the turn under
    /// labels. Only turns can be quoted.
    Record {
        /// The entries, in the order in which their quotes appear in the turn.
        entries: Vec<Entry>,
    },
    /// Replaced by a short text generated from the block's metadata; never used for a turn of a conversation.
    Render {
        /// [`Level::Gist`] or [`Level::Reference`].
        level: Level,
        /// The replacement text.
        text: String,
    },
    /// Summarized by a model, together with the neighbouring steps that have this action. Without a model or a usable
    /// answer, the strategy plans again without the summary, and blocks that still have this action are dropped.
    /// Entries of the record between two such steps are kept.
    ///
    /// A summary is an entry of the record. It belongs to the last of the blocks that it covers, and the others are
    /// dropped. The executor replaces this action with [`Action::Render`] or [`Action::Drop`], so that the plan in a
    /// [`Stage`](crate::Stage) describes the final text.
    Summarize {
        /// The block's share of the tokens that the summary may take.
        room: Tokens,
    },
    /// Left out.
    Drop,
}

impl Action {
    /// The level of the block after the action, if it was at level `before`; `None` if it is dropped.
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

    /// The ranges of `text`, the block's own, that it shows, verbatim or rewritten without loss.
    #[must_use]
    pub fn shown(&self, text: &str) -> Vec<ByteRange> {
        match self {
            Self::Keep if text.is_empty() => Vec::new(),
            Self::Keep => vec![ByteRange::whole(text)],
            Self::Cut { pieces } => pieces.iter().filter_map(Piece::range).collect(),
            Self::Record { entries } => {
                let quotes = entries.iter().flat_map(|entry| entry.lines.iter().flatten());
                let own = quotes.filter(|quote| quote.source == QuoteSource::Text);
                own.map(|quote| quote.range).collect()
            }
            Self::Render { .. } | Self::Summarize { .. } | Self::Drop => Vec::new(),
        }
    }

    /// The action as one word: `keep`, `cut`, `record`, `render`, `summarize` or `drop`.
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
#[non_exhaustive]
pub enum Piece {
    /// Bytes of the block's text, verbatim. They start at a unit boundary. They
    /// [end](crate::MeasuredBlock::is_unit_end) at one, or before the line feeds that end a unit if a marker follows on
    /// the same line.
    Source(ByteRange),
    /// A marker that says what is missing.
    Marker(String),
    /// Bytes of the block's text in an equivalent form: `text` is exactly the result of applying `rewrite` to them.
    /// They start and end like a source range, within one part of a message.
    Rewritten {
        /// The bytes that the text represents.
        range: ByteRange,
        /// The text shown.
        text: String,
        /// The rewrite applied.
        rewrite: Rewrite,
    },
}

impl Piece {
    /// The text of the piece, given the block's text as `source`.
    #[must_use]
    pub fn text<'a>(&'a self, source: &'a str) -> &'a str {
        match self {
            Self::Source(range) => range.of(source).unwrap_or_default(),
            Self::Marker(text) | Self::Rewritten { text, .. } => text,
        }
    }

    /// The byte range of the block's text that the piece shows, verbatim or rewritten; `None` for a marker.
    #[must_use]
    pub const fn range(&self) -> Option<ByteRange> {
        match self {
            Self::Source(range) | Self::Rewritten { range, .. } => Some(*range),
            Self::Marker(_) => None,
        }
    }
}

/// The lossless ways to shorten a text. Implemented in `contextfit-text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Rewrite {
    /// Each line as a terminal shows it in the end: without escape sequences and overwritten text.
    Terminal,
    /// JSON, or a range of it between two tokens, without the white space between tokens; the tokens are kept byte for
    /// byte.
    JsonBlanks,
    /// A run of identical lines, or of identical groups of lines, shown once with its count: `text [x12]`.
    Repeats,
}

/// The reason for an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Reason {
    /// The caller pinned it, or a block of its group.
    Pinned,
    /// The block, or a block of its group, must be shown.
    Shown,
    /// The whole context is within the budget.
    WithinBudget,
    /// There was room for the whole block.
    Fits,
    /// Longer than the configured length; `kept` of its units were kept.
    TooLong {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// Scored below the threshold.
    BelowThreshold {
        /// The value compared with the threshold: a score, a normalised score or a rank.
        value: f64,
        /// The threshold.
        threshold: f64,
    },
    /// Scored below a threshold that was learned from reports about similar blocks.
    BelowLearned {
        /// The value compared with the threshold: a score, a normalised score or a share.
        value: f64,
        /// The threshold.
        threshold: f64,
        /// The scope of the threshold: a folder, or the whole project.
        scope: String,
        /// The number of reports.
        reports: u32,
    },
    /// Not among the best blocks.
    BeyondRank {
        /// Its rank, from 1.
        rank: f64,
        /// The last rank whose text is shown.
        last: f64,
    },
    /// Shortened because there was no room for more; `kept` of its units were kept.
    NoRoomWhole {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// The sentences most relevant to the query were kept.
    Relevant {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
        /// The score of the best sentence kept.
        score: f64,
        /// The score of the best sentence. If it is higher, there was no room for that sentence and what it needs.
        best: f64,
    },
    /// No word of the query occurs in the context; units were kept by position or by word frequency.
    Unmatched {
        /// Lines or sentences kept.
        kept: usize,
        /// Lines or sentences of the block.
        of: usize,
    },
    /// No sentence of the block scores high enough.
    Irrelevant {
        /// The score of its best sentence.
        best: f64,
        /// The lowest score that is shown.
        min_score: f64,
    },
    /// One of the newest turns.
    Recent,
    /// A turn quoted in the record.
    Quoted {
        /// Number of sentences, lines, calls and members quoted.
        units: usize,
    },
    /// Shown without its text, because there was no room for it.
    NoRoom {
        /// Tokens needed to show it whole.
        needed: Tokens,
    },
    /// There was no room for it, and an option that would allow it to be shortened is off.
    NotShortened {
        /// Tokens needed to show it whole.
        needed: Tokens,
        /// The option, as a configuration file names it: `smartTruncation.enabled`.
        option: String,
    },
    /// Covered by a model's summary, together with other blocks.
    Summarized {
        /// Number of blocks covered by the summary.
        of: usize,
    },
    /// An entry of an earlier record, kept as it is.
    Recorded,
    /// Another block, which is kept, says the same.
    SaidAgain {
        /// The other block's id.
        by: String,
    },
    /// Any other reason, for strategies outside this workspace.
    Other(String),
}

/// `value`, or 0 if it is zero to four decimals, so that `-0.0000` is not printed.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.000_05 { 0.0 } else { value }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned => f.write_str("pinned"),
            Self::Shown => f.write_str("always shown"),
            Self::WithinBudget => f.write_str("within the budget"),
            Self::Fits => f.write_str("fits whole"),
            Self::TooLong { kept, of } => write!(f, "too long: kept {kept} of {of}"),
            Self::BelowThreshold { value, threshold } => {
                write!(f, "{:.4} is below {threshold:.4}", unsigned_zero(*value))
            }
            Self::BelowLearned { value, threshold, scope, reports } => {
                let value = unsigned_zero(*value);
                let noun = if *reports == 1 { "report" } else { "reports" };
                write!(f, "{value:.4} is below {threshold:.4}, learned from {reports} {noun} for {scope}")
            }
            Self::BeyondRank { rank, last } => write!(f, "rank {rank} is beyond {last}"),
            Self::NoRoomWhole { kept, of } => write!(f, "no room for all: kept {kept} of {of}"),
            Self::Relevant { kept, of, score, best } => {
                let (score, best) = (format!("{score:.2}"), format!("{best:.2}"));
                match score == best {
                    true => write!(f, "kept the {kept} most relevant of {of}, best score {score}"),
                    false => {
                        write!(f, "kept {kept} of {of}, best score {score}; no room for the best, {best}")
                    }
                }
            }
            Self::Unmatched { kept: 0, .. } => f.write_str("no word of the query occurs"),
            Self::Unmatched { kept, of } => {
                write!(f, "no word of the query occurs: kept {kept} of {of}")
            }
            Self::Irrelevant { best, min_score } => {
                write!(f, "best relevance {best:.2} is below minimum {min_score:.2}")
            }
            Self::Recent => f.write_str("among the newest"),
            Self::Quoted { units: 1 } => f.write_str("1 unit of it is quoted"),
            Self::Quoted { units } => write!(f, "{units} units of it are quoted"),
            Self::NoRoom { needed } => write!(f, "no room for its {needed} tokens"),
            Self::NotShortened { needed, option } => {
                write!(f, "no room for its {needed} tokens, and `{option}` is false")
            }
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
