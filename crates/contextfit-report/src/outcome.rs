//! What happened to a block.

use contextfit_kernel::{Action, Label, Level, MeasuredBlock, Reason, Step, TokenCounter, Tokens, Voice};
use serde::{Deserialize, Serialize};

/// What happened to a block, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Fate {
    /// Shown whole.
    Kept,
    /// Shown in part, with markers for the gaps.
    Cut,
    /// Quoted in the record of earlier turns.
    Quoted,
    /// Covered by a model's summary.
    Summarized,
    /// Shown by its metadata only.
    Described,
    /// Left out.
    Dropped,
}

contextfit_kernel::names!(
    Fate, "fate": Kept => "kept", Cut => "cut", Quoted => "quoted", Summarized => "summarized",
    Described => "described", Dropped => "dropped",
);

impl Fate {
    /// The fate by `step`; without one, a block is kept.
    pub(crate) fn of(step: Option<&Step>) -> Self {
        let Some(step) = step else { return Self::Kept };
        let is_summarized = matches!(step.reason, Reason::Summarized { .. });
        match &step.action {
            Action::Keep => Self::Kept,
            Action::Cut { .. } => Self::Cut,
            Action::Record { .. } => Self::Quoted,
            Action::Summarize { .. } => Self::Summarized,
            Action::Render { text, .. } if is_summarized || is_summary(text) => Self::Summarized,
            Action::Drop if is_summarized => Self::Summarized,
            Action::Render { .. } => Self::Described,
            Action::Drop => Self::Dropped,
        }
    }
}

/// Whether `text` is an entry with a model's summary.
fn is_summary(text: &str) -> bool {
    Label::parse(text).is_some_and(|(label, _)| matches!(label.voice, Voice::Summary { .. }))
}

/// The outcome for one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BlockOutcome {
    /// The block's id.
    pub id: String,
    /// What happened to it.
    pub fate: Fate,
    /// The level it is shown at; `None` if it is dropped.
    pub level: Option<Level>,
    /// Its tokens in the input, including its share of headers.
    pub tokens_before: Tokens,
    /// Its tokens in the output.
    pub tokens_after: Tokens,
    /// The score that decided, if the reason names one; else that of the retriever, or the one that
    /// [`Compression::with_scores`](crate::Compression::with_scores) sets.
    pub score: Option<f64>,
    /// Why.
    pub reason: String,
}

impl BlockOutcome {
    pub(crate) fn of(measured: &MeasuredBlock<'_>, step: Option<&Step>, counter: &dyn TokenCounter) -> Self {
        let block = measured.block();
        let (action, reason) =
            step.map_or((&Action::Keep, &Reason::WithinBudget), |step| (&step.action, &step.reason));
        let planned = step.and_then(|step| step.tokens);
        Self {
            id: block.id.clone(),
            fate: Fate::of(step),
            level: action.level(block.level),
            tokens_before: measured.cost(&Action::Keep, counter),
            tokens_after: planned.unwrap_or_else(|| measured.cost(action, counter)),
            score: score(reason).or_else(|| block.as_passage()?.score),
            reason: reason.to_string(),
        }
    }
}

/// The score that `reason` names.
const fn score(reason: &Reason) -> Option<f64> {
    match reason {
        Reason::BelowThreshold { value, .. } | Reason::BelowLearned { value, .. } => Some(*value),
        Reason::Relevant { score, .. } => Some(*score),
        Reason::Irrelevant { best, .. } => Some(*best),
        _ => None,
    }
}
