//! `feedback show`: the learned thresholds and weights.

use comfy_table::{Cell, CellAlignment, Table};
use contextfit::feedback::{Learned, Scope, State};
use serde::Serialize;

use crate::{console, error::CliError, explain::STYLE, history::HistoryArgs, output};

/// The flags of `show`.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    history: HistoryArgs,
}

/// What was learned, as JSON.
#[derive(Serialize)]
struct Shown<'a> {
    file: String,
    #[serde(flatten)]
    state: &'a State,
}

pub(super) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let place = args.history.place()?;
    let Some(rule) = place.rule else {
        return Err(CliError::Usage(
            "thresholds of ranks are not learned; set `compression.metadataOnly.scoreMode` to another mode"
                .into(),
        ));
    };
    let state = place.read()?.state(&place.project, rule);
    if args.json {
        return output::json(&Shown { file: place.file.display().to_string(), state: &state });
    }
    if state.scopes().is_empty() {
        console::note(format!("nothing learned for {} in {}", place.project, place.file.display()));
        return Ok(());
    }
    output::line(&table(&state))?;
    let (lowest, highest) = rule.bounds();
    console::note(format!(
        "{} thresholds of {}, from {} within {lowest} to {highest}, for a miss rate of {}",
        rule.scale(),
        place.project,
        rule.start(),
        rule.miss_rate()
    ));
    Ok(())
}

fn table(state: &State) -> String {
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let mut table = Table::new();
    table.load_style(STYLE);
    let figures = ["threshold", "misses", "worth", "used", "restored", "failed"];
    let heads = figures.into_iter().map(|head| right(head.into()));
    table.set_header([Cell::new("scope")].into_iter().chain(heads));
    for (scope, learned) in state.scopes() {
        table.add_row(row(scope, learned).into_iter().enumerate().map(|(n, text)| match n {
            0 => Cell::new(text),
            _ => right(text),
        }));
    }
    table.trim_fmt()
}

fn row(scope: &Scope, Learned { threshold, worth, reports, .. }: &Learned) -> [String; 7] {
    [
        scope.to_string(),
        format!("{:.3}", threshold.value),
        format!("{} of {}", threshold.misses, threshold.trials),
        format!("{:.3}", worth.value),
        reports.used.to_string(),
        reports.restored.to_string(),
        reports.failed.to_string(),
    ]
}
