//! The command line and its commands.

use clap::{Parser, Subcommand};

#[cfg(feature = "mcp")]
use crate::mcp::McpArgs;
#[cfg(feature = "serve")]
use crate::serve::ServeArgs;
use crate::{
    chat::ChatArgs, config::ConfigCommand, count::CountArgs, diff::DiffArgs, eval::EvalArgs,
    evaluation::ReportArgs, excerpt::ExcerptArgs, feedback::FeedbackCommand, files::FilesArgs,
    hook::HookCommand, memory::MemoryArgs, models::ModelsArgs, restore::RestoreArgs, run::RunArgs,
    search::SearchArgs, verify::VerifyArgs,
};

/// Fit what you want to tell a language model into a token budget
#[derive(Debug, Parser)]
#[command(
    name = "contextfit",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  contextfit files src --query \"how are tokens counted\" --budget 2000
  retrieve | contextfit search --model gpt-4o > prompt.json
  cargo test 2>&1 | contextfit excerpt --budget 2000
  contextfit run -- cargo test
  contextfit count README.md
  contextfit config init

Exit codes: 0 done, 1 cannot fit or a check failed, 2 wrong usage or input"
)]
pub(crate) struct Args {
    /// The command to run
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Log level on standard error: off, error, warn, info, debug or trace; CONTEXTFIT_LOG sets it too [default: warn]
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Logging")]
    pub(crate) log: Option<String>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fit files and folders into one context
    Files(FilesArgs),
    /// Fit retrieved chunks into one context
    Search(SearchArgs),
    /// Cut the output of a tool down to what matters
    Excerpt(ExcerptArgs),
    /// Shorten a conversation to fit a budget
    Chat(ChatArgs),
    /// Fit memories into one context, each at one of four levels
    Memory(MemoryArgs),
    /// Count tokens
    Count(CountArgs),
    /// Print the original text for a handle
    Restore(RestoreArgs),
    /// Run a command, and print what matters of its output
    Run(RunArgs),
    /// Shorten the output of an agent's tools before it is read, by the agent's hooks
    #[command(subcommand)]
    Hook(HookCommand),
    /// Answer an agent over the Model Context Protocol: code for questions, originals for handles
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// Answer requests over HTTP, and shorten the messages of gateways
    #[cfg(feature = "serve")]
    Serve(ServeArgs),
    /// Check a report again, from the originals in it
    Verify(VerifyArgs),
    /// Say what a result lost, by name, or show it as a page
    Report(ReportArgs),
    /// Compare two results of the same input, block by block
    Diff(DiffArgs),
    /// Report which blocks were needed, and show what was learned from it
    #[command(subcommand)]
    Feedback(FeedbackCommand),
    /// Measure how much evidence survives in labelled data sets, against baselines
    Eval(EvalArgs),
    /// List the models that --model knows
    Models(ModelsArgs),
    /// Write, check and describe configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print shell completions
    #[command(
        after_help = "Example:\n  contextfit completions bash > ~/.local/share/bash-completion/completions/contextfit"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of contextfit or of one command
    #[command(after_help = "Example:\n  contextfit man files | man -l -")]
    Man {
        /// The command, such as `files` or `config check`
        command: Vec<String>,
    },
}
