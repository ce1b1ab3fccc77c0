//! An item: a question, the input that can answer it, and how a result is judged.

use std::ops::Range;

use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use contextfit_text::float;
use serde::Serialize;

use crate::{Base, Input};

/// One question of a data set.
pub struct Item {
    /// Its id in the data set, unique.
    pub id: String,
    /// The input, with the question.
    pub input: Input,
    /// What must survive.
    pub gold: Box<dyn Gold>,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("id", &self.id).field("input", &self.input).finish_non_exhaustive()
    }
}

/// The labels of one item: with [`Item`], the extension point for new kinds of data sets.
pub trait Gold: Send + Sync {
    /// The size of which budgets are shares, in the tokens of `counter`: the texts of all blocks, if labels do not say
    /// otherwise.
    fn base(&self, context: &Context, counter: &dyn TokenCounter) -> Base {
        let shared = context.blocks.iter().map(|block| counter.count(&block.text)).sum();
        Base { fixed: Tokens::ZERO, shared }
    }

    /// Judges how much of the evidence `result` kept; nothing if there is no result, as when nothing fits. `context` is
    /// the item's own. Evidence measured in tokens is counted by `counter`.
    fn judge(
        &self,
        context: &Context,
        result: Option<&CompressionResult>,
        counter: &dyn TokenCounter,
    ) -> Kept;

    /// The ids of the blocks that hold evidence, from which feedback is simulated; none if labels are not blocks.
    fn blocks(&self) -> &[String] {
        &[]
    }

    /// Whether any of `lines` of the block called `id`, from 1, is needed: the target for fitting rankings. False if
    /// labels are not lines.
    fn needs(&self, id: &str, lines: Range<usize>) -> bool {
        let _ = (id, lines);
        false
    }

    /// The facts that `text`, an output, states: the target for fitting what is shown of outputs. Empty if labels are not
    /// facts.
    fn places(&self, text: &str) -> Vec<Places> {
        let _ = text;
        Vec::new()
    }
}

/// Where a text states a fact: the bytes that state it, once for each place.
pub type Places = Vec<Vec<Range<usize>>>;

/// How much of the evidence was kept.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// Whether all of the evidence was kept.
    pub all: bool,
    /// The fraction of the evidence, from 0 to 1.
    pub fraction: f64,
    /// Whether an answer occurs, if the data set has answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<bool>,
    /// The fraction of functions shown whole, if the data set has repositories and the item has functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<f64>,
    /// The fraction of the declarations' first lines, if the data set has declarations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<f64>,
    /// The fraction of files with a line shown, if the data set has repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<f64>,
    /// The share of the context's tokens spent on those files, if the data set has repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold_share: Option<f64>,
    /// Whether a provider would refuse the output but not the input, if the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<bool>,
    /// The fraction of the evidence, not counting what appears only in fragments, if the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_units: Option<f64>,
    /// The fraction of the user's earlier sentences, if the data set has sessions and there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_words: Option<f64>,
    /// The text that replaces omitted messages, if the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

impl Kept {
    /// `kept` of `all` pieces of evidence.
    pub(crate) fn of(kept: usize, all: usize) -> Self {
        Self { all: kept == all, fraction: fraction(kept, all), ..Self::default() }
    }
}

/// The size of the text that replaces omitted messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Its tokens, counted line by line.
    pub tokens: Tokens,
    /// Tokens of lines that are neither runs of whole lines and sentences, nor calls, nor values with their key.
    pub fragments: Tokens,
}

/// `part` of `whole`; 1 if `whole` is zero.
pub(crate) fn fraction(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { ratio(part, whole) }
}

/// `part` of `whole`; 0 if `whole` is zero.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    float(part) / float(whole.max(1))
}
