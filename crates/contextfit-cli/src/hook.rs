//! `hook`: shortens what a coding agent's tools print, before the model reads it.

mod claude_code;
mod codex;
mod opencode;
mod outputs;
mod plugin;
mod settings;

use std::io::{self, Read};
#[cfg(feature = "mcp")]
use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::{Subcommand, ValueEnum};
use contextfit::presets::SHORT_OUTPUT_CHARS;
use serde_json::Value;

use crate::{error::CliError, output};

/// The subcommands of `hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Answer an event of Claude Code, from standard input: what the installed hook runs
    #[command(after_help = "\
Example:
  contextfit hook claude-code < event.json

Prints nothing where nothing changes, and exits with 0 whatever happens: the agent goes on as if there were no hook. \
docs/agents.md says what is shortened, and what never is.")]
    ClaudeCode,
    /// Answer an event of Codex, from standard input: what the installed hook runs
    #[command(after_help = "\
Example:
  contextfit hook codex < event.json

Prints nothing where nothing changes, and exits with 0 whatever happens.")]
    Codex,
    /// Answer an event of OpenCode, from standard input: what the installed plugin runs
    #[command(after_help = "\
Example:
  contextfit hook opencode < event.json

Prints nothing where nothing changes, and exits with 0 whatever happens.")]
    Opencode,
    /// Add the hook to the settings of an agent
    #[command(after_help = "\
Examples:
  contextfit hook install claude-code --dry-run
  contextfit hook install claude-code --project
  contextfit hook install opencode

Everything else in the settings stays as it is, byte for byte. For OpenCode, a file is added to its plugins.")]
    Install(SettingsArgs),
    /// Remove the hook from the settings of an agent
    #[command(after_help = "Example:\n  contextfit hook uninstall claude-code")]
    Uninstall(SettingsArgs),
}

/// Which settings to change.
#[derive(Debug, clap::Args)]
pub(crate) struct SettingsArgs {
    /// The agent
    agent: Agent,
    /// The settings of the project in the working directory, instead of the user's
    #[arg(long)]
    project: bool,
    /// Only print what would change
    #[arg(long)]
    dry_run: bool,
}

/// The hook of Claude Code whose answers replace outputs. Failing commands do not come to it.
const EVENT: &str = "PostToolUse";

/// The agents whose hooks can replace the output of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    /// Claude Code, by its hook PostToolUse
    ClaudeCode,
    /// Codex, by its hook PostToolUse: the exit code of a command is lost where its output is replaced
    Codex,
    /// OpenCode, by a plugin
    Opencode,
}

pub(crate) fn run(command: &HookCommand) -> Result<(), CliError> {
    let answered = match command {
        HookCommand::ClaudeCode => answer(claude_code::answer),
        HookCommand::Codex => answer(codex::answer),
        HookCommand::Opencode => answer(opencode::answer),
        HookCommand::Install(args) if args.agent == Agent::Opencode => {
            return plugin::change(args, Some(plugin::PLUGIN));
        }
        HookCommand::Install(args) => return settings::install(args),
        HookCommand::Uninstall(args) if args.agent == Agent::Opencode => return plugin::change(args, None),
        HookCommand::Uninstall(args) => return settings::uninstall(args),
    };
    // Nothing that goes wrong is the agent's concern, and an exit code of 2 would be an order to it.
    let _ = answered;
    Ok(())
}

/// Prints what `answers` says to the event on standard input, if something changes.
fn answer(answers: impl Fn(&[u8]) -> Option<Value>) -> Result<(), CliError> {
    let mut event = Vec::new();
    // An event is longer than the output in it.
    if io::stdin().lock().read_to_end(&mut event).is_err() || event.len() <= SHORT_OUTPUT_CHARS {
        return Ok(());
    }
    if let Some(answer) = answers(&event) {
        output::json(&answer)?;
    }
    Ok(())
}

/// Whether `path` is where an agent saves outputs: in a folder of a session of Claude Code, or in that of OpenCode.
#[cfg(feature = "mcp")]
pub(crate) fn is_output_of_an_agent(path: &Path) -> bool {
    let is = |found: Option<PathBuf>, expect: &Path| {
        found.and_then(|found| fs::canonicalize(found).ok()).is_some_and(|found| found == expect)
    };
    let Some(folder) = path.parent() else { return false };
    let of_session = folder.ends_with("tool-results")
        && folder
            .ancestors()
            .any(|above| is(settings::folder_of_claude_code().map(|own| own.join("projects")), above));
    of_session || is(opencode::folder(), folder)
}
