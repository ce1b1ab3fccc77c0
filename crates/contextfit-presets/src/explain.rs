//! Why a result shows what it shows: the scores of units and sentences, and what was learned from feedback.

use std::{collections::BTreeMap, fmt};

use contextfit_bm25::{Explanation, SentenceSelection};
#[cfg(feature = "code")]
use contextfit_kernel::Block;
use contextfit_kernel::{Action, ByteRange, CompressionResult, Context, Piece, Tokens};
#[cfg(feature = "code")]
use contextfit_outline::Outlining;
use contextfit_pipeline::measure;
use contextfit_truncation::feedback::{Learned, Scope};
use serde::Serialize;

use crate::{CompressionStrategy, Fitter};

/// The most sentences to explain: more than anyone reads.
const MOST_SENTENCES: usize = 500;

/// A sentence that was kept because of its words, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExplainedSentence<'a> {
    /// The id of its block.
    pub id: &'a str,
    /// Its bytes.
    pub range: ByteRange,
    /// Its score, as a tree.
    pub why: Explanation,
}

/// A function, type or passage, and why it ranks where it does.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ExplainedUnit<'a> {
    /// The id of its block.
    pub id: &'a str,
    /// Its bytes.
    pub range: ByteRange,
    /// The number of its first line in its file, from 1.
    pub line: usize,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its place among all units, from 1.
    pub rank: usize,
    /// Its tokens as part of its file.
    pub tokens: Tokens,
    /// How much of it the result shows.
    pub shown: UnitShown,
    /// Its score.
    pub score: f64,
    /// The parts of the score, the largest first.
    pub why: Vec<(&'static str, f64)>,
}

/// How much of a unit a result shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum UnitShown {
    /// All of it.
    Whole,
    /// Some of its lines, such as its signature.
    Part,
    /// Nothing.
    No,
}

/// What was learned for a scope from feedback, and applied to some blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AppliedFeedback {
    /// The scope.
    pub scope: Scope,
    /// The score below which blocks are shown by their metadata.
    pub threshold: f64,
    /// The factor of the relevance of its blocks.
    pub worth: f64,
    /// The number of reports that both were learned from.
    pub reports: u32,
    /// The number of blocks in the scope.
    pub blocks: usize,
}

impl fmt::Display for AppliedFeedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scope, threshold, worth, reports, .. } = self;
        let noun = if *reports == 1 { "report" } else { "reports" };
        write!(f, "threshold {threshold:.2} and worth {worth:.2} learned from {reports} {noun} for {scope}")
    }
}

/// How much of `range` of `block` is shown by `action`.
#[cfg(feature = "code")]
fn shown(action: &Action, block: &Block, range: ByteRange) -> UnitShown {
    let visible = |range: ByteRange| {
        let text = range.of(&block.text).unwrap_or_default();
        text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count()
    };
    let common = |piece: ByteRange| {
        ByteRange::new(piece.start().max(range.start()), piece.end().min(range.end())).map_or(0, visible)
    };
    let bytes: usize = match action {
        Action::Keep => return UnitShown::Whole,
        Action::Cut { pieces } => pieces.iter().filter_map(Piece::range).map(common).sum(),
        _ => 0,
    };
    match bytes {
        0 => UnitShown::No,
        bytes if bytes == visible(range) => UnitShown::Whole,
        _ => UnitShown::Part,
    }
}

impl Fitter {
    /// The units of `input`, best first; empty if `result` was not made by the strategy `outline`. Linear in the length
    /// of the text, which is parsed again.
    #[cfg(feature = "code")]
    #[must_use]
    pub fn explain_units<'a>(
        &self,
        input: &'a Context,
        result: &CompressionResult,
    ) -> Vec<ExplainedUnit<'a>> {
        let Some(plan) = result.plan().filter(|_| is_by(result, CompressionStrategy::Outline)) else {
            return Vec::new();
        };
        let measured = measure(input, self.counter());
        // Units are in the order of the text: lines are counted from one to the next.
        let (mut of_block, mut at, mut line) = (usize::MAX, 0, 0);
        let units = Outlining::new().units(&measured).into_iter().filter_map(|unit| {
            let (block, in_block) = (input.blocks.get(unit.block)?, measured.blocks.get(unit.block)?);
            if of_block != unit.block {
                (of_block, at, line) = (unit.block, 0, block.first_line().unwrap_or(1));
            }
            let (start, end) = (unit.range.start(), unit.range.end());
            line += block.text.get(at..start)?.matches('\n').count();
            at = start;
            let mut why: Vec<(&str, f64)> = unit.ranked.parts().filter(|(_, value)| *value != 0.0).collect();
            why.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
            Some(ExplainedUnit {
                id: &block.id,
                range: unit.range,
                line,
                name: unit.name,
                rank: 0,
                tokens: in_block.tokens_between(in_block.units_before(start), in_block.units_before(end)),
                shown: shown(&plan.steps.get(unit.block)?.action, block, unit.range),
                score: unit.ranked.score,
                why,
            })
        });
        let mut units: Vec<ExplainedUnit<'_>> = units.collect();
        units.sort_by(|a, b| b.score.total_cmp(&a.score));
        units.iter_mut().zip(1..).for_each(|(unit, rank)| unit.rank = rank);
        units
    }

    /// Nothing: this build lacks the strategy `outline`.
    #[cfg(not(feature = "code"))]
    #[must_use]
    pub fn explain_units<'a>(&self, _: &'a Context, _: &CompressionResult) -> Vec<ExplainedUnit<'a>> {
        Vec::new()
    }

    /// The sentences kept because of their words, best first, at most 500, with their scores; empty if `result` was not
    /// made by the strategy `bm25`.
    #[must_use]
    pub fn explain_sentences<'a>(
        &self,
        input: &'a Context,
        result: &CompressionResult,
    ) -> Vec<ExplainedSentence<'a>> {
        let Some(plan) = result.plan().filter(|_| is_by(result, CompressionStrategy::Bm25)) else {
            return Vec::new();
        };
        let measured = measure(input, self.counter());
        let mut units = Vec::new();
        for ((n, block), step) in measured.blocks.iter().enumerate().zip(&plan.steps) {
            let Action::Cut { pieces } = &step.action else { continue };
            for piece in pieces {
                let Piece::Source(range) = piece else { continue };
                let kept = block.units_before(range.start())..block.units_before(range.end());
                units.extend(kept.map(|unit| (n, unit)));
            }
        }
        units.truncate(MOST_SENTENCES);
        let strategy = SentenceSelection::new(self.sentences.clone());
        let explained = strategy.explain_all(&measured, &units).into_iter().zip(units);
        let mut sentences: Vec<ExplainedSentence<'a>> = explained
            .filter_map(|(why, (n, unit))| {
                let range = measured.blocks.get(n)?.range(unit, unit + 1);
                Some(ExplainedSentence { id: &input.blocks.get(n)?.id, range, why: why? })
            })
            .collect();
        sentences.sort_by(|a, b| b.why.value.total_cmp(&a.why.value));
        sentences
    }

    /// What was learned from feedback and applied to the blocks of `input`; empty if the strategy of `result` compares no
    /// scores with a threshold.
    #[must_use]
    pub fn applied_feedback(&self, input: &Context, result: &CompressionResult) -> Vec<AppliedFeedback> {
        let compares = [CompressionStrategy::MetadataOnly, CompressionStrategy::Incremental];
        let is_applied = compares.into_iter().any(|strategy| is_by(result, strategy));
        let Some(state) = self.feedback.as_ref().filter(|_| is_applied) else { return Vec::new() };
        let mut found: BTreeMap<&Scope, (&Learned, usize)> = BTreeMap::new();
        for (scope, of_scope) in input.blocks.iter().filter_map(|block| state.of_block(block)) {
            found.entry(scope).or_insert((of_scope, 0)).1 += 1;
        }
        let applied = |(scope, (learned, blocks)): (&Scope, (&Learned, usize))| AppliedFeedback {
            scope: scope.clone(),
            threshold: learned.threshold.value,
            worth: learned.worth.value,
            reports: learned.reports.all(),
            blocks,
        };
        found.into_iter().map(applied).collect()
    }
}

/// Whether `strategy` made `result`.
fn is_by(result: &CompressionResult, strategy: CompressionStrategy) -> bool {
    result.plan().is_some_and(|plan| plan.strategy == strategy.name())
}
