//! `diff`: compares two files of `--report`, block by block.

use std::{collections::HashMap, path::PathBuf};

use clap::ValueHint;
use comfy_table::{Cell, ContentArrangement, Table};
use contextfit::{
    kernel::one_line,
    report::{Comparison, Fate, Side},
    text::float,
};

use crate::{
    console,
    error::CliError,
    evaluation::losses,
    output,
    result::Report,
    summary::{counted, grouped, percent, turns},
    tables::{headed, right},
};

/// The most rows: more than anyone reads.
const ROWS: usize = 200;

/// The most names to print of each kind.
const NAMES: usize = 8;

/// The flags of `diff`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit files src -q \"how are tokens counted\" -b 4000 --report a.json > a.txt
  contextfit files src -q \"how are tokens counted\" -b 4000 --strategy bm25 --report b.json > b.txt
  contextfit diff a.json b.json
  contextfit diff a.json b.json --json | jq '.blocks[] | select(.b.fate == \"dropped\") | .a.id'

Compares what two strategies, budgets or configurations make of the same input: each block that they show differently, the \
totals, and the names that only one of them lost. Exit code 0 whether or not they differ; 2 if the inputs do.")]
pub(crate) struct DiffArgs {
    /// The first result, as written by --report
    #[arg(value_hint = ValueHint::FilePath)]
    a: PathBuf,
    /// The second result; - is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    b: PathBuf,
    /// Print JSON, with every block that differs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &DiffArgs) -> Result<(), CliError> {
    let (a, b) = (Report::read(&args.a)?, Report::read(&args.b)?);
    if a.tokenizer != b.tokenizer {
        console::warning(format!(
            "A is counted by {}, B by {}: tokens are not comparable",
            a.tokenizer, b.tokenizer
        ));
    }
    let (counter_a, counter_b) = (a.counter()?, b.counter()?);
    let (in_a, in_b) = (a.compression(&args.a, &*counter_a)?, b.compression(&args.b, &*counter_b)?);
    let comparison = Comparison::of(&in_a, &in_b).map_err(|different| {
        CliError::Input(format!("{different}; compare two results of the same files, chunks or messages"))
    })?;
    if !comparison.same_query {
        console::note("note: the queries differ");
    }
    if args.json { output::json(&comparison) } else { output::line(&told(&comparison, &turns(&a.input))) }
}

/// The comparison for people.
fn told(comparison: &Comparison, turns: &HashMap<&str, String>) -> String {
    let Comparison { a, b, same_blocks, blocks, source, lost_in_a, lost_in_b, .. } = comparison;
    let mut text = format!("A  {}\nB  {}\n", side(a), side(b));
    let all = source.both + source.only_a + source.only_b;
    if all > 0 {
        let share = |bytes: usize| percent(float(bytes) / float(all));
        text.push_str(&format!(
            "of the input's text that either shows, both show {}, only A {}, only B {}\n",
            share(source.both),
            share(source.only_a),
            share(source.only_b)
        ));
    }
    if blocks.is_empty() {
        text.push_str("\nboth show every block in the same way");
        return text;
    }
    text.push_str(&format!("\n{}\n", table(comparison, turns)));
    if let more @ 1.. = blocks.len().saturating_sub(ROWS) {
        text.push_str(&format!("... and {} more; --json has all of them\n", grouped(more)));
    }
    text.push_str(&format!(
        "{} shown in the same way by both\n",
        counted(*same_blocks, "block is", "blocks are")
    ));
    for (name, lost) in [("A", lost_in_a), ("B", lost_in_b)] {
        let lost = lost.each().filter(|(_, loss)| loss.total > 0);
        text.push_str(&losses(&format!("only {name} lost"), lost, NAMES, turns));
    }
    text.trim_end().to_owned()
}

fn side(side: &Side) -> String {
    let fates = side.blocks.iter().map(|(fate, n)| format!("{} {}", grouped(*n), fate.name()));
    format!(
        "{}: {} of {} tokens; {}",
        side.strategy.as_deref().unwrap_or("whole"),
        grouped(side.tokens.get()),
        grouped(side.available.get()),
        fates.collect::<Vec<_>>().join(", ")
    )
}

fn table(comparison: &Comparison, turns: &HashMap<&str, String>) -> Table {
    let of_each = ["A", "B"].map(|name| [Cell::new(name), right("tokens"), Cell::new("reason")]);
    let mut table = headed([Cell::new("block")].into_iter().chain(of_each.into_iter().flatten()));
    table.set_content_arrangement(ContentArrangement::Dynamic);
    for difference in comparison.blocks.iter().take(ROWS) {
        let mut row =
            vec![Cell::new(one_line(turns.get(difference.a.id.as_str()).unwrap_or(&difference.a.id)))];
        for outcome in [&difference.a, &difference.b] {
            let tokens = Some(grouped(outcome.tokens_after.get())).filter(|_| outcome.fate != Fate::Dropped);
            row.extend([
                Cell::new(outcome.fate.name()),
                right(tokens.unwrap_or_default()),
                Cell::new(one_line(&outcome.reason)),
            ]);
        }
        table.add_row(row);
    }
    table
}
