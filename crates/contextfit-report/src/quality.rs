//! The evaluation of one compression.

use std::collections::HashSet;

use contextfit_kernel::{Action, ByteRange, MeasuredBlock, PartedText, Piece, Question, Scorer, Tokens};
use contextfit_text::float;
use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use crate::{
    compression::Compression,
    losses::{Losses, folded},
    outcome::Fate,
};

/// How good one compression is, without labels: what it lost, what its output is made of, and whether that is valid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Quality {
    /// Tokens of the input.
    pub tokens_before: Tokens,
    /// Tokens of the output.
    pub tokens_after: Tokens,
    /// Tokens available.
    pub available: Tokens,
    /// What was lost, by name.
    pub lost: Losses,
    /// What the output is made of.
    pub output: Output,
    /// How much of the dropped text the output says elsewhere.
    pub repetition: Repetition,
    /// The calls of a conversation; `None` for other contexts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Transcript>,
    /// Why the plan is not valid for the input, if it is not: a group divided, a block touched that must not be, a cut
    /// within a unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// The mean score, over parts of the input, of the part of the output nearest to each, by an embedding model; `None`
    /// without one. Comparable between outputs of the same input and model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearness: Option<f64>,
}

/// What an output is made of, in bytes. Headers and separators are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Output {
    /// Whole units of the input: lines, sentences, rows.
    pub whole: usize,
    /// Parts of sentences and lines that are too long to show whole.
    pub parts: usize,
    /// Lossless rewrites of whole units.
    pub rewritten: usize,
    /// Summaries by a model.
    pub summaries: usize,
    /// Metadata that replaces a text.
    pub descriptions: usize,
    /// Markers in gaps.
    pub markers: usize,
}

impl Output {
    /// The share of the output, markers aside, that is whole units, rewritten or not: from 0 to 1; 1 if it is empty.
    #[must_use]
    pub fn share_whole(&self) -> f64 {
        let whole = self.whole + self.rewritten;
        share(whole, whole + self.parts + self.summaries + self.descriptions).unwrap_or(1.0)
    }
}

/// Dropped text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Repetition {
    /// Units of the input that are not shown.
    pub dropped: usize,
    /// Those of them that are shown elsewhere in the same words.
    pub said_again: usize,
}

impl Repetition {
    /// The share of the dropped text that is said again, from 0 to 1; `None` if nothing was dropped.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        share(self.said_again, self.dropped)
    }
}

/// The calls in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Transcript {
    /// Tool calls in the input.
    pub calls_before: usize,
    /// Tool calls that are still messages.
    pub calls_after: usize,
    /// Whether calls and results are still paired: the messages of each group are all kept or none is.
    pub paired: bool,
}

impl Quality {
    /// Evaluates `compression` without a model. Linear in the length of the input, apart from sorting lost names.
    #[must_use]
    pub fn of(compression: &Compression<'_>) -> Self {
        let measured = &compression.measured;
        Self {
            tokens_before: measured.tokens + compression.input().omitted_tokens,
            tokens_after: compression.tokens,
            available: compression.budget.available(),
            lost: Losses::of(compression).named(),
            output: output(compression),
            repetition: repetition(compression),
            transcript: compression.input().layout.framing.as_ref().map(|_| transcript(compression)),
            fault: compression.fault().map(ToString::to_string),
            nearness: None,
        }
    }

    /// Adds the nearness by `scorer`, that of an embedding model. It is asked about at most 64 parts of the input.
    #[must_use]
    pub fn with_nearness(mut self, compression: &Compression<'_>, scorer: &dyn Scorer) -> Self {
        self.nearness = nearness(compression, scorer);
        self
    }
}

fn share(part: usize, of: usize) -> Option<f64> {
    (of > 0).then(|| float(part) / float(of))
}

fn output(compression: &Compression<'_>) -> Output {
    let mut output = Output::default();
    for (n, block) in compression.measured.blocks.iter().enumerate() {
        let step = compression.step(n);
        match step.map_or(&Action::Keep, |step| &step.action) {
            Action::Keep => output.whole += block.block().text.len(),
            Action::Cut { pieces } => pieces.iter().for_each(|piece| match piece {
                Piece::Source(range) if is_whole(block, *range) => output.whole += range.len(),
                Piece::Source(range) => output.parts += range.len(),
                Piece::Rewritten { text, .. } => output.rewritten += text.len(),
                marker => output.markers += marker.text("").len(),
            }),
            // A valid record quotes whole units only.
            Action::Record { entries } => {
                let quotes = entries.iter().flat_map(|entry| entry.lines.iter().flatten());
                output.whole += quotes.map(|quote| quote.range.len()).sum::<usize>();
            }
            Action::Render { text, .. } if Fate::of(step) == Fate::Summarized => {
                output.summaries += text.len();
            }
            Action::Render { text, .. } => output.descriptions += text.len(),
            Action::Summarize { .. } | Action::Drop => {}
        }
    }
    output
}

/// Whether `range` begins and ends where units do, and no unit is a part of a divided one.
fn is_whole(block: &MeasuredBlock<'_>, range: ByteRange) -> bool {
    let (start, end) = (range.start(), range.end());
    let at_units = block.is_unit_boundary(start) && block.is_unit_end(end);
    at_units && !block.divides_at(start) && !block.divides_at(end)
}

fn repetition(compression: &Compression<'_>) -> Repetition {
    let units = || {
        let blocks = compression.measured.blocks.iter().zip(&compression.shown);
        blocks.flat_map(|(block, shown)| {
            (0..block.units().len()).map(move |n| {
                let text = block.text(n, n + 1);
                // White space around a sentence belongs to it and may be left out.
                let start = block.start_of(n) + (text.len() - text.trim_start().len());
                let range = ByteRange::new(start, start + text.trim().len());
                (text, range.is_none_or(|range| shown.covers(range)))
            })
        })
    };
    let says = |text: &str| text.contains(char::is_alphanumeric).then(|| folded(text));
    let kept = units().filter(|(_, is_shown)| *is_shown).filter_map(|(text, _)| says(text));
    let kept: HashSet<String, FixedState> = kept.collect();
    let mut repetition = Repetition::default();
    for (text, _) in units().filter(|(_, is_shown)| !is_shown) {
        let Some(said) = says(text) else { continue };
        repetition.dropped += text.len();
        repetition.said_again += if kept.contains(&said) { text.len() } else { 0 };
    }
    repetition
}

fn transcript(compression: &Compression<'_>) -> Transcript {
    let calls = |n: usize| {
        let turn = compression.input().blocks.get(n).and_then(|block| block.as_turn());
        turn.map_or(0, |turn| turn.calls.len())
    };
    let all = 0..compression.input().blocks.len();
    Transcript {
        calls_before: all.clone().map(calls).sum(),
        calls_after: all.filter(|n| compression.is_shown(*n)).map(calls).sum(),
        paired: !matches!(compression.fault(), Some(contextfit_kernel::InvalidPlan::Group(_))),
    }
}

/// The most parts of the input, and of the output, that are compared. More of them would change a mean by less than
/// models differ, and take longer by their product.
const MAX_PARTS: usize = 64;

/// The fewest bytes of a part: a few sentences.
const SHORTEST_PART_BYTES: usize = 400;

/// The mean, over parts of the input, of the score of the part of the output that is nearest to each, by `scorer`;
/// `None` if either is empty. Parts are of equal length and spread evenly, at most [`MAX_PARTS`] of them.
fn nearness(compression: &Compression<'_>, scorer: &dyn Scorer) -> Option<f64> {
    let blocks = compression.input().blocks.iter();
    let texts: Vec<&str> = blocks.map(|block| block.text.as_str()).collect();
    let (source, output) = (parts(&texts), parts(&[compression.text]));
    let runs: Vec<PartedText> = (0..output.len()).map(|n| PartedText::from(n..n + 1)).collect();
    let questions: Vec<Question<'_>> = source.iter().map(|query| Question { query, texts: &runs }).collect();
    let scores = scorer.score_parts(&output, &questions);
    let nearest = scores.into_iter().filter_map(|scores| scores.into_iter().max_by(f64::total_cmp));
    let nearest: Vec<f64> = nearest.collect();
    (!nearest.is_empty()).then(|| nearest.iter().sum::<f64>() / float(nearest.len()))
}

/// At most [`MAX_PARTS`] parts of `texts`, spread evenly, each within one text and ending where a word does.
fn parts<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let size = SHORTEST_PART_BYTES.max(bytes / MAX_PARTS / 4);
    let mut all: Vec<&'a str> = Vec::new();
    for text in texts {
        let mut rest = *text;
        while !rest.trim().is_empty() {
            let at = rest.ceil_char_boundary(size.min(rest.len()));
            let end = rest
                .get(at..)
                .and_then(|after| after.find(char::is_whitespace))
                .map_or(rest.len(), |to| at + to);
            let (part, after) = rest.split_at(end);
            all.push(part.trim());
            rest = after;
        }
    }
    let step = all.len().div_ceil(MAX_PARTS).max(1);
    all.into_iter().step_by(step).collect()
}
