//! `feedback`: reports which blocks were needed, and shows what was learned from that.

mod append;
mod reported;
mod show;

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use clap::{Subcommand, ValueHint};
use contextfit::feedback::{Event, Reset, Scope, Subject};

use self::reported::Reported;
use crate::{
    console,
    error::CliError,
    history::{HistoryArgs, Place},
    summary::counted,
};

/// The subcommands of `feedback`.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  contextfit search request.json --budget 1200 --report result.json > answer.json
  contextfit feedback used result.json --block c1 --block c4
  contextfit feedback restored result.json --block c7
  contextfit feedback show
  contextfit search request.json --budget 1200 --feedback > answer.json

For each scope, by default the first folder of a path, reports move the score below which blocks are shown by their \
metadata, and the weight of their relevance. What nobody reports changes nothing.")]
pub(crate) enum FeedbackCommand {
    /// Report blocks that an answer used
    #[command(after_help = "Example:\n  contextfit feedback used result.json --block src/cart.rs")]
    Used(ReportArgs),
    /// Report blocks of which more was wanted than was shown: restored, read or requested again
    #[command(after_help = "\
Example:
  contextfit feedback restored result.json --block src/cart.rs

contextfit restore HANDLE --report result.json does both.")]
    Restored(ReportArgs),
    /// Report blocks for lack of which an answer failed
    #[command(after_help = "\
Example:
  contextfit feedback failed result.json --block src/cart.rs

A failed answer alone does not say what it lacked, so the blocks must be named.")]
    Failed(ReportArgs),
    /// Print the learned thresholds and weights
    #[command(
        after_help = "Examples:\n  contextfit feedback show\n  contextfit feedback show --json | jq .scopes"
    )]
    Show(show::ShowArgs),
    /// Forget what was learned
    #[command(after_help = "\
Examples:
  contextfit feedback reset --scope src
  contextfit feedback reset

Adds a line that says so: earlier reports stay in the file and no longer count. To erase them, delete the file.")]
    Reset(ResetArgs),
}

/// The flags of `used`, `restored` and `failed`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The report of the run, as written by --report of files or search; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    report: PathBuf,
    /// Id of a block in the report; may be repeated
    #[arg(long, required = true, value_name = "ID")]
    block: Vec<String>,
    /// Folder or other beginning of paths that learns from it [default: the first folder of the block's path]
    #[arg(long, value_name = "PREFIX")]
    scope: Option<String>,
    #[command(flatten)]
    history: HistoryArgs,
}

/// The flags of `reset`.
#[derive(Debug, clap::Args)]
pub(crate) struct ResetArgs {
    /// Forget only what was learned for this beginning of paths, and for longer ones
    #[arg(long, value_name = "PREFIX")]
    scope: Option<String>,
    #[command(flatten)]
    history: HistoryArgs,
}

pub(crate) fn run(command: &FeedbackCommand) -> Result<(), CliError> {
    match command {
        FeedbackCommand::Used(args) => report(args, Event::Used),
        FeedbackCommand::Restored(args) => report(args, Event::Restored),
        FeedbackCommand::Failed(args) => report(args, Event::Failed),
        FeedbackCommand::Show(args) => show::run(args),
        FeedbackCommand::Reset(args) => reset(args),
    }
}

/// Records that `event` happened to the blocks that `handle` restores.
///
/// # Errors
/// [`CliError::Failed`] if no block of the report has it.
pub(crate) fn record_handle(
    report: &Path,
    handle: &str,
    event: fn(Subject) -> Event,
    history: &HistoryArgs,
) -> Result<(), CliError> {
    let place = history.place()?;
    let reported = Reported::read(report)?;
    let ids = reported.with_handle(handle);
    if ids.is_empty() {
        return Err(CliError::Failed(format!(
            "{}: no block has the handle {handle}, so nothing was recorded",
            report.display()
        )));
    }
    let subjects: Result<Vec<Subject>, CliError> =
        ids.iter().map(|id| reported.subject(id, &place.project, None)).collect();
    record(subjects?, event, &place)
}

fn report(args: &ReportArgs, event: fn(Subject) -> Event) -> Result<(), CliError> {
    let place = args.history.place()?;
    let reported = Reported::read(&args.report)?;
    let scope = args.scope.as_deref().map(Scope::new);
    let subject = |id: &String| reported.subject(id, &place.project, scope.as_ref());
    // Before anything is written, so that a wrong id records nothing.
    let subjects: Result<Vec<Subject>, CliError> = args.block.iter().map(subject).collect();
    record(subjects?, event, &place)
}

/// Appends the events and says what follows from them.
fn record(subjects: Vec<Subject>, event: fn(Subject) -> Event, place: &Place) -> Result<(), CliError> {
    let scopes: HashSet<Scope> = subjects.iter().map(|subject| subject.scope.clone()).collect();
    let unscored = subjects.iter().filter(|subject| subject.score.is_none());
    let unscored: Vec<String> = unscored.map(|subject| subject.block.clone()).collect();
    let events: Vec<Event> = subjects.into_iter().map(event).collect();
    append::append(&place.file, &events)?;
    console::note(format!(
        "recorded {} in {}",
        counted(events.len(), "report", "reports"),
        place.file.display()
    ));
    if !unscored.is_empty() {
        let blocks = unscored.join(", ");
        console::note(format!("no threshold learns from {blocks}: without a score from 0 to 1"));
    }
    let Some(rule) = place.rule else { return Ok(()) };
    let state = place.read()?.state(&place.project, rule);
    for (scope, learned) in state.scopes().iter().filter(|(scope, _)| scopes.contains(*scope)) {
        let all = usize::try_from(learned.reports.all()).unwrap_or(usize::MAX);
        let (threshold, worth) = (learned.threshold.value, learned.worth.value);
        let reports = counted(all, "report", "reports");
        console::note(format!("{scope}: threshold {threshold:.2}, worth {worth:.2}, from {reports}"));
    }
    Ok(())
}

fn reset(args: &ResetArgs) -> Result<(), CliError> {
    let place = args.history.place()?;
    let scope = Scope::new(args.scope.as_deref().unwrap_or_default());
    let known = match place.rule {
        Some(rule) => {
            place.read()?.state(&place.project, rule).scopes().keys().any(|known| scope.includes(known))
        }
        None => true,
    };
    if !known {
        console::note(format!("nothing was learned for {scope}"));
        return Ok(());
    }
    let reset = Reset { project: place.project.clone(), scope: scope.clone() };
    append::append(&place.file, &[Event::Reset(reset)])?;
    console::note(format!("forgot what was learned for {scope}"));
    Ok(())
}
