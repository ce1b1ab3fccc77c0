//! Configuration files: writing, checking, describing and reading them.

mod diagnose;
mod format;
mod locate;
mod shape;

use std::{fs, path::Path, path::PathBuf};

use clap::{Subcommand, ValueHint};

pub(crate) use self::shape::Config;
use self::{diagnose::diagnose, format::Format};
use crate::{console, error::CliError, output::Output, problem::Severity, report, summary::counted};

/// The file to write or check if none is given.
const FILE: &str = "contextfit.toml";

/// The output of `config init`: every key with its default, with comments.
const TEMPLATE: &str = include_str!("config/template.toml");

/// The subcommands of `config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Write a commented configuration file
    #[command(
        after_help = "Example:\n  contextfit config init && contextfit files src --config contextfit.toml"
    )]
    Init {
        /// The file to write, in TOML
        #[arg(default_value = FILE, value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
    /// Report every problem in a configuration file
    #[command(after_help = "\
Example:
  contextfit config check kb.config.json

Reads TOML, YAML and JSON, including kb.config.json files. Exit code 1 if there are problems.")]
    Check {
        /// The file to check
        #[arg(default_value = FILE, value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Print the JSON schema of configuration files
    #[command(after_help = "Example:\n  contextfit config schema > contextfit.schema.json")]
    Schema,
}

pub(crate) fn run(command: &ConfigCommand) -> Result<(), CliError> {
    match command {
        ConfigCommand::Init { file, force } => init(file, *force),
        ConfigCommand::Check { file } => check(file),
        ConfigCommand::Schema => {
            let mut output = Output::open();
            output.line(&serde_json::to_string_pretty(&shape::schema()).map_err(CliError::Json)?)?;
            output.finish()
        }
    }
}

/// Reads the configuration at `path`. Warns on standard error about settings that this build does not support.
///
/// # Errors
/// [`CliError::Config`] with every problem found.
pub(crate) fn load(path: &Path) -> Result<Config, CliError> {
    let found = diagnose(Format::of(path)?, &read(path)?);
    let (problems, warnings): (Vec<_>, Vec<_>) =
        found.problems.into_iter().partition(|problem| problem.severity == Severity::Error);
    if !problems.is_empty() {
        return Err(CliError::Config { path: path.display().to_string(), problems });
    }
    for warning in warnings {
        console::warning(format!("{}: {warning}", path.display()));
    }
    Ok(found.config)
}

fn init(file: &Path, force: bool) -> Result<(), CliError> {
    if !matches!(Format::of(file), Ok(Format::Toml)) {
        let name = file.display();
        return Err(CliError::Usage(format!(
            "{name}: config init writes TOML; use a file name that ends in .toml"
        )));
    }
    if force {
        report::write(file, TEMPLATE.as_bytes())?;
    } else {
        report::write_new(file, TEMPLATE.as_bytes())?;
    }
    console::note(format!("wrote {}; use it with --config {0}", file.display()));
    Ok(())
}

fn check(file: &Path) -> Result<(), CliError> {
    let problems = diagnose(Format::of(file)?, &read(file)?).problems;
    for problem in &problems {
        match problem.severity {
            Severity::Error => console::problem(format!("{}: {problem}", file.display())),
            Severity::Warning => console::warning(format!("{}: {problem}", file.display())),
        }
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if errors > 0 {
        let found = counted(errors, "problem", "problems");
        return Err(CliError::Failed(format!("{} has {found}", file.display())));
    }
    console::note(format!("{}: no problems", file.display()));
    Ok(())
}

fn read(path: &Path) -> Result<String, CliError> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).map_err(|source| CliError::Read { path: name(), source })?;
    String::from_utf8(bytes)
        .map_err(|error| CliError::NotUtf8 { path: name(), valid_up_to: error.utf8_error().valid_up_to() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) -> Config {
        let found = diagnose(Format::Toml, text);
        assert_eq!(found.problems, [], "{text}");
        found.config
    }

    #[test]
    fn the_template_changes_nothing() {
        assert_eq!(check(TEMPLATE), Config::default());
    }

    /// With every commented-out line enabled, the template matches the defaults.
    #[test]
    fn the_template_names_the_defaults() {
        let text: String = TEMPLATE
            .lines()
            .map(|line| line.strip_prefix("#: ").unwrap_or(line))
            .flat_map(|line| [line, "\n"])
            .collect();
        let config = check(&text);
        let usual = in_force();
        let (found, expect) = (serde_json::to_value(&config).unwrap(), serde_json::to_value(&usual).unwrap());
        check_keys("", &found, &expect);
    }

    /// The settings in effect without a configuration file.
    fn in_force() -> Config {
        let mut compression = contextfit_presets::CompressionOptions::on();
        compression.llm.max_tokens = Some(crate::llm::MAX_TOKENS);
        Config {
            strategy: Some(contextfit_presets::CompressionStrategy::default()),
            chat: Some(contextfit_presets::CompressionStrategy::default()),
            tokenizer: Some(crate::settings::DEFAULT_TOKENIZER.into()),
            reserve: Some(0),
            compression: Some(compression),
            bm25: Some(contextfit_bm25::SentenceOptions::default()),
            feedback: Some(crate::learned::FeedbackConfig::default()),
            llm: Some(crate::llm::LlmConfig::usual()),
            // The address is that of a Qdrant server, for configurations that use one.
            cache: Some(contextfit_cache::CacheConfig { url: None, ..crate::llm::cache(&Config::default()) }),
            ..Config::default()
        }
    }

    /// Every key is present with its value; a key without a default has an example.
    #[track_caller]
    fn check_keys(path: &str, found: &serde_json::Value, expect: &serde_json::Value) {
        let Some(keys) = expect.as_object() else {
            return assert_eq!(found, expect, "{path} of the template");
        };
        for (key, expect) in keys {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            if expect.is_null() {
                assert!(TEMPLATE.contains(&format!("\n# {key} = ")), "{path} has no example in the template");
                assert!(found[key].is_null(), "{path} has no value in force");
            } else {
                check_keys(&path, &found[key], expect);
            }
        }
    }
}
