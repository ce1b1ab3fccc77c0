//! Configuration files: writing, checking, describing and reading them.

mod diagnose;
mod environment;
mod find;
mod format;
mod layer;
mod layers;
mod locate;
mod origin;
mod ranges;
mod shape;
mod show;
mod trust;

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueHint};

#[cfg(feature = "serve")]
pub(crate) use self::environment::TOKEN;
#[cfg(feature = "llm")]
pub(crate) use self::shape::{CONCURRENCY, DEADLINE, MAX_TOKENS};
use self::{diagnose::diagnose, format::Format, show::ShowArgs};
pub(crate) use self::{
    layer::Layer,
    layers::Layers,
    shape::{Api, Config, FeedbackConfig, LlmConfig, key_variable},
};
use crate::{console, error::CliError, input, output, problem::Severity, report, summary::counted};

/// The file to write or check if none is given.
const FILE: &str = "contextfit.toml";

/// The output of `config init`: every key with its default, with comments.
const TEMPLATE: &str = include_str!("config/template.toml");

/// The subcommands of `config`.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Write a commented configuration file
    #[command(after_help = "Example:\n  contextfit config init && contextfit config show --origin")]
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
    /// Print the configuration in force: every key with its value, as TOML
    Show(ShowArgs),
    /// Print the JSON schema of configuration files
    #[command(after_help = "Example:\n  contextfit config schema > contextfit.schema.json")]
    Schema,
}

pub(crate) fn run(command: &ConfigCommand) -> Result<(), CliError> {
    match command {
        ConfigCommand::Init { file, force } => init(file, *force),
        ConfigCommand::Check { file } => check(file),
        ConfigCommand::Show(args) => show::run(args),
        ConfigCommand::Schema => {
            output::line(&serde_json::to_string_pretty(&shape::schema()).map_err(CliError::Json)?)
        }
    }
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
    let use_it = if file == Path::new(FILE) {
        "it applies in this folder and below".to_owned()
    } else {
        format!("use it with --config {}", file.display())
    };
    console::note(format!("wrote {}; {use_it}", file.display()));
    Ok(())
}

fn check(file: &Path) -> Result<(), CliError> {
    let problems = diagnose(Format::of(file)?, &input::read(file)?, None).problems;
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

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) -> Config {
        let found = diagnose(Format::Toml, text, None);
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
        let usual = Config::defaults();
        let (found, expect) = (serde_json::to_value(&config).unwrap(), serde_json::to_value(&usual).unwrap());
        check_keys("", &found, &expect);
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
