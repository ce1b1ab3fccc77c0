//! `eval --learn`: the threshold learned from simulated feedback, against the best fixed one.

use comfy_table::{Cell, CellAlignment, Table};
use contextfit_eval::{Convergence, Dataset, Threshold, converge, plot_convergence};
use contextfit_feedback::Rule;
use contextfit_presets::CompressionOptions;

use super::EvalArgs;
use crate::{
    error::CliError,
    explain::STYLE,
    output::Output,
    report,
    summary::{grouped, percent},
};

/// Learns from the labels of each data set, and prints a table.
pub(super) fn run(args: &EvalArgs, datasets: &[Dataset]) -> Result<(), CliError> {
    let start = CompressionOptions::on().metadata_only.score_threshold;
    let learned = |dataset: &Dataset| {
        converge(dataset, start, Rule::MISS_RATE).ok_or_else(|| {
            let name = &dataset.name;
            CliError::Usage(format!(
                "{name} has no labels on passages; --learn needs data sets of question answering"
            ))
        })
    };
    let all: Vec<Convergence> = datasets.iter().map(learned).collect::<Result<_, _>>()?;
    if let Some(path) = &args.json {
        let mut text = serde_json::to_vec_pretty(&all).map_err(CliError::Json)?;
        text.push(b'\n');
        report::write(path, &text)?;
    }
    if let Some(path) = &args.plot {
        report::write(path, plot_convergence(&all).as_bytes())?;
    }
    let mut output = Output::open();
    output.line(&table(&all))?;
    output.finish()
}

fn table(all: &[Convergence]) -> String {
    let mut table = Table::new();
    table.load_style(STYLE);
    let right = |text: &str| Cell::new(text).set_alignment(CellAlignment::Right);
    let figures = ["score", "needed", "of them hidden", "all hidden"];
    let names = [Cell::new("data set"), Cell::new("threshold")];
    table.set_header(names.into_iter().chain(figures.map(right)));
    for one in all {
        let rows = [
            ("at the start", one.start),
            ("learned", one.learned),
            ("learned, half of the misses reported", one.half_reported),
            ("best fixed", one.best),
        ];
        for (name, Threshold { value, misses, hidden, .. }) in rows {
            let figures = [format!("{value:.3}"), grouped(one.needed), percent(misses), percent(hidden)];
            let names = [Cell::new(&one.dataset), Cell::new(name)];
            table.add_row(names.into_iter().chain(figures.iter().map(|figure| right(figure))));
        }
    }
    table.trim_fmt()
}
