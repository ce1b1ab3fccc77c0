//! Reads the file of `--report` back.

use std::{path::Path, sync::Arc};

use contextfit::{
    formats::{AnswerBlock, AnswerMetrics, Place},
    kernel::{Budget, Context, Outcome, Plan, Stage, TokenCounter},
    report::Compression,
    text::counter,
};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{decode::MARK, error::CliError, input};

/// The parts of a report that say what was done, and what is claimed of it.
#[derive(Deserialize)]
pub(crate) struct Report {
    pub(crate) tokenizer: String,
    pub(crate) budget: Budget,
    pub(crate) query: Option<String>,
    pub(crate) strategy: String,
    pub(crate) blocks: Vec<AnswerBlock>,
    pub(crate) metrics: AnswerMetrics,
    #[serde(default)]
    pub(crate) source: Source,
    pub(crate) stages: Vec<Stage>,
    /// The best functions, types and passages of an outline, best first.
    #[serde(default)]
    units: Vec<Scored>,
    /// The text that was counted.
    pub(crate) text: String,
    pub(crate) input: Context,
    /// The context of passages.
    pub(crate) context: Option<String>,
    /// The request with the messages of a conversation.
    pub(crate) request: Option<Box<RawValue>>,
}

/// What the command added.
#[derive(Default, Deserialize)]
pub(crate) struct Source {
    /// `search`: the position of each retrieved chunk in the originals.
    pub(crate) chunks: Option<Vec<Place>>,
}

/// A part of the block called `id`.
#[derive(Deserialize)]
struct Scored {
    id: String,
    score: f64,
}

impl Report {
    /// Reads the report at `path`; standard input if it is `-`.
    ///
    /// # Errors
    /// [`CliError::Read`], [`CliError::NotUtf8`], or [`CliError::Input`] if it is not a report.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        Self::parse(&input::read(path)?, path)
    }

    /// Reads the report in `text`, which was read from `path`.
    ///
    /// # Errors
    /// [`CliError::Input`] if it is not a report.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self, CliError> {
        serde_json::from_str(text.trim_start_matches(MARK)).map_err(|error| {
            CliError::Input(format!(
                "{}: {error}; expected a file that --report of files, search or chat wrote",
                input::name(path)
            ))
        })
    }

    /// The counter that it was counted with.
    ///
    /// # Errors
    /// [`CliError::Counter`] if the tokenizer is unknown or its file is missing.
    pub(crate) fn counter(&self) -> Result<Arc<dyn TokenCounter>, CliError> {
        Ok(counter(&self.tokenizer)?)
    }

    /// The plan by which the text was made; `None` if the input was within the budget.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.stages.iter().rev().find(|stage| stage.outcome == Outcome::Applied)?.plan.as_ref()
    }

    /// The compression, for evaluation.
    ///
    /// # Errors
    /// [`CliError::Failed`] if its plan is not valid for its input.
    pub(crate) fn compression<'a>(
        &'a self,
        path: &Path,
        counter: &'a dyn TokenCounter,
    ) -> Result<Compression<'a>, CliError> {
        let (tokens, budget) = (self.metrics.tokens_after, &self.budget);
        let compression = Compression::new(&self.input, &self.text, tokens, budget, &self.stages, counter);
        match compression.fault() {
            Some(fault) => Err(CliError::Failed(format!(
                "{}: the plan is not valid for these originals: {fault}",
                input::name(path)
            ))),
            None => {
                // The best unit of each block is the first one; collecting keeps the last of several.
                let scores = self.units.iter().rev().map(|unit| (unit.id.clone(), unit.score));
                Ok(compression.with_scores(scores.collect()))
            }
        }
    }
}
