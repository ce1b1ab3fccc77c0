//! The blocks of a report, and what a threshold was compared with.

use std::path::Path;

use contextfit::{
    caches::Digest,
    feedback::{Scope, Score, Subject, within},
    formats::AnswerBlock,
    kernel::{Block, Context, Level},
    presets::CompressionOptions,
};
use serde::Deserialize;

use crate::{error::CliError, input};

/// The most ids to list in an error.
const LISTED: usize = 10;

/// The parts of a report that feedback is about.
#[derive(Deserialize)]
struct Report {
    options: CompressionOptions,
    blocks: Vec<AnswerBlock>,
    input: Context,
}

/// A report of `files` or `search`.
pub(super) struct Reported {
    name: String,
    report: Report,
    /// For each block of the input, its score.
    scores: Vec<Option<Score>>,
}

impl Reported {
    /// Reads the report at `path`.
    ///
    /// # Errors
    /// [`CliError::Input`] if it is not a report, or the report of a conversation.
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let name = input::name(path);
        let report: Report = serde_json::from_str(&input::read(path)?).map_err(|error| {
            CliError::Input(format!(
                "{name}: {error}; expected a file that --report of files or search wrote"
            ))
        })?;
        if report.input.layout.framing.is_some() {
            return Err(CliError::Input(format!(
                "{name}: expected a report of files or search, found one of a conversation"
            )));
        }
        let scores = scores(&report);
        Ok(Self { name, report, scores })
    }

    /// The block called `id`, for a history of `project`. `scope` learns from it, or else the usual scope.
    ///
    /// # Errors
    /// [`CliError::Usage`] if there is no such block, or it is not in `scope`.
    pub(super) fn subject(
        &self,
        id: &str,
        project: &str,
        scope: Option<&Scope>,
    ) -> Result<Subject, CliError> {
        let answer =
            self.report.blocks.iter().find(|block| block.id == id).ok_or_else(|| self.unknown(id))?;
        let (score, block) = self.source(id).unzip();
        let path = block.and_then(|block| block.as_passage()?.path.as_deref()).unwrap_or(id);
        let subject = Subject::new(project, id, answer.level).from_path(path).with_score(score.flatten());
        match scope {
            Some(scope) if !scope.contains(within(project, path)) => Err(CliError::Usage(format!(
                "{path} is not in {scope}; --scope takes a beginning of the block's path"
            ))),
            Some(scope) => Ok(subject.in_scope(scope.clone())),
            None => Ok(subject),
        }
    }

    /// The ids of the blocks whose original `handle` names, except those that were shown whole.
    pub(super) fn with_handle(&self, handle: &str) -> Vec<String> {
        let handle = handle.to_ascii_lowercase();
        let is_named = |block: &Block| Digest::of(block.text.as_bytes()).to_string().starts_with(&handle);
        let named: Vec<&Block> = self.report.input.blocks.iter().filter(|block| is_named(block)).collect();
        let is_meant = |answer: &&AnswerBlock| {
            let own = answer.original.as_ref().is_some_and(|original| original.starts_with(&handle));
            answer.level != Some(Level::Full)
                && (own || named.iter().any(|block| is_part(&answer.id, &block.id)))
        };
        self.report.blocks.iter().filter(is_meant).map(|answer| answer.id.clone()).collect()
    }

    /// The block of the input that chunk `id` is, or is a part of, with its score.
    fn source(&self, id: &str) -> Option<(Option<Score>, &Block)> {
        let blocks = || self.scores.iter().copied().zip(&self.report.input.blocks);
        blocks()
            .find(|(_, block)| block.id == id)
            .or_else(|| blocks().find(|(_, block)| is_part(id, &block.id)))
    }

    fn unknown(&self, id: &str) -> CliError {
        let blocks = &self.report.blocks;
        let mut known: Vec<&str> = blocks.iter().take(LISTED).map(|block| block.id.as_str()).collect();
        if blocks.len() > LISTED {
            known.push("...");
        }
        CliError::Usage(format!("{} has no block {id:?}; it has {}", self.name, known.join(", ")))
    }
}

/// For each block of the input, the value that the threshold was compared with.
fn scores(report: &Report) -> Vec<Option<Score>> {
    let metadata = &report.options.metadata_only;
    let given = report.input.blocks.iter().map(|block| block.as_passage()?.score);
    let given: Vec<Option<f64>> = given.collect();
    let compared = metadata.score_mode.compared(&given, metadata.score_threshold);
    let scale = metadata.score_mode.scale();
    compared.into_iter().map(|value| Score::new(scale?, value?)).collect()
}

/// Whether the block called `block` consists of chunk `id`, or of several among which it is: joined chunks are called
/// `c1+c2`.
fn is_part(id: &str, block: &str) -> bool {
    block == id || format!("+{block}+").contains(&format!("+{id}+"))
}
