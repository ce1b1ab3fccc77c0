//! What is measured: a question, what it may be answered from, and how a result is judged.

use std::ops::Range;

use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Serialize;

use crate::{Input, Share};

/// One question of a data set.
pub struct Item {
    /// Its name in the data set; no two are the same.
    pub id: String,
    /// What there is to choose from, with the question.
    pub input: Input,
    /// What must survive.
    pub gold: Box<dyn Gold>,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("id", &self.id).field("input", &self.input).finish_non_exhaustive()
    }
}

/// The labels of one item: with [`Item`] the seam for a new kind of data set.
pub trait Gold: Send + Sync {
    /// The size that budgets are shares of, in the tokens of `counter`.
    fn base(&self, context: &Context, counter: &dyn TokenCounter) -> Base;

    /// What `result` kept of what was needed; without one, as when nothing fits, that is nothing. `context` is the
    /// item's own. Where tokens decide how much a piece of evidence is, they are `counter`'s.
    fn judge(
        &self,
        context: &Context,
        result: Option<&CompressionResult>,
        counter: &dyn TokenCounter,
    ) -> Kept;

    /// Whether any of `lines` of the block called `id`, from 1, is needed: what rankings are fitted to. Nothing is where labels are no
    /// lines.
    fn needs(&self, id: &str, lines: Range<usize>) -> bool {
        let _ = (id, lines);
        false
    }
}

/// What a budget is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base {
    /// Tokens that every budget has room for.
    pub fixed: Tokens,
    /// Tokens that it has room for a share of.
    pub shared: Tokens,
}

impl Base {
    /// The budget for `share`.
    #[must_use]
    pub fn budget(self, share: Share) -> Tokens {
        self.fixed + share.of(self.shared)
    }
}

/// What was kept of what was needed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// All of the evidence.
    pub all: bool,
    /// The fraction of the evidence, from 0 to 1.
    pub fraction: f64,
    /// Whether an answer occurs, where the data set has answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<bool>,
    /// The fraction of the functions that are shown whole, where the data set has repositories and the item has functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<f64>,
    /// The fraction of the declarations' first lines, where the data set has declarations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<f64>,
    /// The fraction of the files of which a line is shown, where the data set has repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<f64>,
    /// The share of the context's tokens that is spent on those files, where the data set has repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold_share: Option<f64>,
    /// Whether a provider would refuse what came out, though not what went in; where the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<bool>,
    /// The fraction of the evidence without what stands in fragments alone, where the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_units: Option<f64>,
    /// The fraction of the sentences that the user said earlier, where the data set has sessions and there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_words: Option<f64>,
    /// What stands for messages that were left out, where the data set has transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

/// How much stands for messages that were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// All of its tokens, line by line.
    pub tokens: Tokens,
    /// Those of lines that are neither runs of whole lines and sentences, nor calls, nor values with their key.
    pub fragments: Tokens,
}
