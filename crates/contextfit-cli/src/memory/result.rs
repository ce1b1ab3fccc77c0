//! Reads the file of `--report` back.

use std::{borrow::Cow, path::Path};

use contextfit::{
    kernel::{Budget, Level, MemoryRecord, Tokens},
    memory::MemoryBatch,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{error::CliError, input};

/// The parts of a report of `memory` that say what was done, and what is claimed of it.
#[derive(Deserialize)]
pub(crate) struct MemoryReport {
    version: String,
    pub(crate) tokenizer: String,
    pub(crate) budget: Budget,
    pub(crate) query: Option<String>,
    pub(crate) strategy: String,
    pub(crate) context: String,
    pub(crate) memories: Value,
    pub(crate) metrics: Value,
    pub(crate) ladders: Vec<Ladder<'static>>,
    input: Option<Vec<MemoryRecord>>,
}

/// A memory's tokens at every level, from level 0 up, and the chosen level.
#[derive(Serialize, Deserialize)]
pub(crate) struct Ladder<'a> {
    pub(crate) id: Cow<'a, str>,
    pub(crate) level: Option<Level>,
    /// The level at which the conversation holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sent: Option<Level>,
    pub(crate) ladder: [Tokens; 4],
    pub(crate) worth: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) relevance: Option<f64>,
    pub(crate) reason: String,
}

/// The ladders of `batch`, given the level at which the conversation holds each memory.
pub(crate) fn ladders<'a>(batch: &'a MemoryBatch, sent: &[Option<Level>]) -> Vec<Ladder<'a>> {
    let ladder = |(shown, sent): (&'a contextfit::memory::Shown, &Option<Level>)| Ladder {
        id: Cow::from(&shown.id),
        level: shown.level,
        sent: *sent,
        ladder: shown.ladder,
        worth: shown.worth,
        relevance: shown.relevance,
        reason: shown.reason.to_string(),
    };
    batch.shown.iter().zip(sent).map(ladder).collect()
}

impl MemoryReport {
    /// Reads the report in `text`, which was read from `path`; `None` if another command wrote it.
    ///
    /// # Errors
    /// [`CliError::Input`] if it is not a report.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Option<Self>, CliError> {
        /// What no other report has.
        #[derive(Deserialize)]
        struct Mark {
            #[serde(rename = "ladders")]
            _ladders: serde::de::IgnoredAny,
        }
        if serde_json::from_str::<Mark>(text).is_err() {
            return Ok(None);
        }
        serde_json::from_str(text).map(Some).map_err(|error| {
            CliError::Input(format!("{}: {error}; expected a file that --report wrote", input::name(path)))
        })
    }

    /// The memories as they were sent.
    ///
    /// # Errors
    /// Who wrote the report without them.
    pub(crate) fn input(&self) -> Result<&[MemoryRecord], String> {
        self.input.as_deref().ok_or_else(|| {
            format!(
                "contextfit {} wrote this report without the memories (`input`), from which the context is made again; \
                 expected a report with them: write it anew with memory --report of contextfit {}",
                self.version,
                env!("CARGO_PKG_VERSION")
            )
        })
    }
}
