//! The history of feedback: where it is kept, and whether commands use what was learned from it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::ValueHint;
use contextfit::{
    feedback::{History, Rule},
    presets::CompressionOptions,
};

use crate::{
    config::{FeedbackConfig, Layers},
    console,
    error::CliError,
    folders, report,
    settings::Settings,
};

/// The name of the file in its usual folder.
const FILE: &str = "feedback.jsonl";

/// The most unreadable lines to report.
const MOST: usize = 10;

/// Whether to use what was learned, and from where.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Feedback")]
pub(crate) struct FeedbackArgs {
    /// Use the score thresholds that were learned from contextfit feedback, in metadata-only and incremental
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, num_args = 0..=1, require_equals = true, value_parser = report::file())]
    feedback: Option<Option<PathBuf>>,
}

/// Where reports are kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct HistoryArgs {
    /// File of the reports [default: feedback.jsonl in contextfit in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    history: Option<PathBuf>,
    /// Configuration file with the section `feedback`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
}

impl FeedbackConfig {
    /// The reports that it is about, in the file `named`, if one is, and how to learn thresholds of `options` from them.
    fn place(&self, named: Option<&Path>, options: &CompressionOptions) -> Result<Place, CliError> {
        let rule = self.rule(options).map_err(|error| CliError::Usage(error.to_string()))?;
        Ok(Place { file: self.file(named)?, project: self.project()?, rule })
    }

    /// The file of the reports: `named`, or that of the configuration, or the usual one.
    fn file(&self, named: Option<&Path>) -> Result<PathBuf, CliError> {
        let usual = || folders::state().map(|folder| folder.join(FILE));
        named.map(Path::to_path_buf).or_else(|| self.file.clone()).or_else(usual).ok_or_else(|| {
            let remedy = "set `feedback.file` in the configuration";
            folders::missing("file for feedback", "XDG_STATE_HOME", remedy)
        })
    }

    /// The project that reports are about: the configured one, or the current folder.
    fn project(&self) -> Result<String, CliError> {
        if let Some(project) = &self.project {
            return Ok(project.clone());
        }
        let here = env::current_dir()
            .map_err(|source| CliError::Read { path: "the current folder".into(), source })?;
        Ok(here.display().to_string())
    }
}

/// The reports of a project, and how to learn from them.
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    pub(crate) project: String,
    /// `None` if thresholds of ranks are configured.
    pub(crate) rule: Option<Rule>,
}

impl HistoryArgs {
    /// Whether any of them was given.
    pub(crate) const fn is_given(&self) -> bool {
        self.history.is_some() || self.config.is_some()
    }

    pub(crate) fn place(&self) -> Result<Place, CliError> {
        let config = Layers::read(self.config.as_deref(), Vec::new())?.config()?;
        let options = config.options();
        config.feedback.unwrap_or_default().place(self.history.as_deref(), &options)
    }
}

impl Place {
    /// Reads the history; an absent file is an empty one. Warns about each line that cannot be read.
    pub(crate) fn read(&self) -> Result<History, CliError> {
        let path = self.file.display();
        let bytes = match fs::read(&self.file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(History::default()),
            Err(source) => return Err(CliError::Read { path: path.to_string(), source }),
        };
        // A line that was cut inside a character must not cost the others.
        let (history, unread) = History::parse(&String::from_utf8_lossy(&bytes));
        for line in unread.iter().take(MOST) {
            console::warning(format!("{path}: {line}; it does not count"));
        }
        if let more @ 1.. = unread.len().saturating_sub(MOST) {
            console::warning(format!("{path}: {more} more lines do not count"));
        }
        Ok(history)
    }
}

impl Settings {
    /// These settings with what was learned, if flags or configuration say so.
    pub(crate) fn with_feedback(mut self, flags: &FeedbackArgs) -> Result<Self, CliError> {
        if flags.feedback.is_none() && !self.feedback.enabled {
            return Ok(self);
        }
        let named = flags.feedback.as_ref().and_then(Option::as_deref);
        let place = self.feedback.place(named, &self.fitter.options)?;
        match place.rule {
            Some(rule) => self.fitter.feedback = Some(Arc::new(place.read()?.state(&place.project, rule))),
            None => console::warning("feedback has no effect: thresholds of ranks are not learned"),
        }
        Ok(self)
    }
}
