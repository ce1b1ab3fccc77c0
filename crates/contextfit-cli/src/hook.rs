//! `hook`: shortens what a coding agent's tools print, before the model reads it.

mod claude_code;
mod settings;

use std::io::{self, Read};

use clap::{Subcommand, ValueEnum};

use crate::{error::CliError, output::Output, shortened::SHORT_CHARS};

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
    /// Add the hook to the settings of an agent
    #[command(after_help = "\
Examples:
  contextfit hook install claude-code --dry-run
  contextfit hook install claude-code --project

Everything else in the file stays as it is, byte for byte.")]
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
}

pub(crate) fn run(command: &HookCommand) -> Result<(), CliError> {
    match command {
        HookCommand::ClaudeCode => {
            // Nothing that goes wrong is the agent's concern, and an exit code of 2 would be an order to it.
            let _ = answer();
            Ok(())
        }
        HookCommand::Install(args) => settings::install(args),
        HookCommand::Uninstall(args) => settings::uninstall(args),
    }
}

/// Prints the answer to the event on standard input, if something changes.
fn answer() -> Result<(), CliError> {
    let mut event = Vec::new();
    // An event is longer than the output in it.
    if io::stdin().lock().read_to_end(&mut event).is_err() || event.len() <= SHORT_CHARS {
        return Ok(());
    }
    if let Some(answer) = claude_code::answer(&event) {
        let mut output = Output::open();
        output.json(&answer)?;
        output.finish()?;
    }
    Ok(())
}
