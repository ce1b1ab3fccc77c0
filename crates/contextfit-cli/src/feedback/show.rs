//! `feedback show`: the learned thresholds and weights.

use comfy_table::Cell;
use contextfit::feedback::{Learned, State};
use serde::Serialize;

use crate::{
    console,
    error::CliError,
    history::HistoryArgs,
    output,
    tables::{headed, right},
};

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
    let figures = ["threshold", "misses", "worth", "used", "restored", "failed"].map(right);
    let mut table = headed([Cell::new("scope")].into_iter().chain(figures));
    for (scope, Learned { threshold, worth, reports, .. }) in state.scopes() {
        table.add_row([
            Cell::new(scope),
            right(format!("{:.3}", threshold.value)),
            right(format!("{} of {}", threshold.misses, threshold.trials)),
            right(format!("{:.3}", worth.value)),
            right(reports.used),
            right(reports.restored),
            right(reports.failed),
        ]);
    }
    table.trim_fmt()
}
