//! The levels of every memory, and which was chosen.

use std::{path::Path, time::Duration};

use comfy_table::{Cell, ContentArrangement};
use contextfit::{
    formats::MemoryAnswer,
    kernel::{Budget, MemoryRecord, Tokens, one_line},
    memory::{CompressedMemory, MemoryBatch},
    presets::{Counting, Estimate, Estimated, FittedMemories, MemoryStrategy},
};
use serde::Serialize;

use super::result::Ladder;
use crate::{
    error::CliError,
    own, report,
    summary::{estimated_part, grouped},
    tables::{headed, right},
};

/// The most rows: more than anyone reads.
const ROWS: usize = 200;

/// The answer to print.
pub(super) fn estimated<'f>(
    fitted: &'f FittedMemories,
    counting: &Counting,
) -> Estimated<'f, MemoryAnswer<CompressedMemory>> {
    counting.estimated(&fitted.answer, fitted.batch.tokens_before, fitted.batch.tokens)
}

/// The tokens of each memory at every level, the chosen level, and the reason.
pub(super) fn table(batch: &MemoryBatch) -> String {
    let asked = batch.shown.iter().any(|shown| shown.relevance.is_some());
    let names =
        ["level", "tokens", "at 0", "at 1", "at 2", "at 3", if asked { "relevance" } else { "worth" }];
    let names = names.into_iter().map(right);
    let mut table = headed([Cell::new("memory")].into_iter().chain(names).chain([Cell::new("reason")]));
    table.use_stderr().set_content_arrangement(ContentArrangement::Dynamic);
    for shown in batch.shown.iter().take(ROWS) {
        let level = shown.level.map_or_else(|| "-".into(), |level| u8::from(level).to_string());
        let mut row =
            vec![Cell::new(one_line(&shown.id)), right(level), right(grouped(shown.tokens().get()))];
        row.extend(shown.ladder.map(|tokens| right(grouped(tokens.get()))));
        row.push(right(format!("{:.2}", shown.relevance.unwrap_or(shown.worth))));
        row.push(Cell::new(shown.reason.to_string()));
        table.add_row(row);
    }
    let mut text = table.to_string();
    if let more @ 1.. = batch.shown.len().saturating_sub(ROWS) {
        text.push_str(&format!("\n... and {} more", grouped(more)));
    }
    text
}

/// One line: the memories kept at each level, their tokens, their value and the time taken.
pub(super) fn summary(fitted: &FittedMemories, counting: &Counting, time: Duration) -> String {
    let batch = &fitted.batch;
    let estimated = estimated_part(counting, batch.tokens);
    let [references, gists, extracts, whole] = batch.distribution().map(grouped);
    let again = match batch.tokens_not_resent {
        Tokens::ZERO => String::new(),
        tokens => format!(" · {} tokens not sent again", grouped(tokens.get())),
    };
    let named = batch.shown.iter().filter(|shown| shown.is_below_its_least).count();
    let named =
        if named == 0 { String::new() } else { format!(" · {} critical by name only", grouped(named)) };
    let unmatched = match batch.unmatched.join(", ") {
        words if words.is_empty() => words,
        words => format!(" · in no memory: {words}"),
    };
    format!(
        "kept {} of {} memories ({whole} whole, {extracts} at level 2, {gists} at 1, {references} at 0){named} · {} of {} tokens \
         ({}){estimated}{again}{unmatched} · value {:.2}, at most {:.2} · input {} tokens · {:.2} s",
        grouped(batch.memories.len()),
        grouped(batch.shown.len()),
        grouped(batch.tokens.get()),
        grouped(fitted.budget.available().get()),
        counting.tokenizer(),
        batch.value,
        batch.bound,
        grouped(batch.tokens_before.get()),
        time.as_secs_f64(),
    )
}

/// The full result: the answer, the settings that produced it, and the levels of every memory.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    /// Comes first, so that the file is recognised by its first bytes.
    contextfit: &'static str,
    version: &'static str,
    tokenizer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    budget: Budget,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimate>,
    query: Option<&'a str>,
    strategy: &'static str,
    #[serde(flatten)]
    answer: &'a MemoryAnswer<CompressedMemory>,
    ladders: Vec<Ladder<'a>>,
    /// The originals, from which `verify` makes the context again.
    input: &'a [MemoryRecord],
}

/// Writes the report to `path`.
pub(super) fn report(fitted: &FittedMemories, counting: &Counting, path: &Path) -> Result<(), CliError> {
    let report = Report {
        contextfit: own::REPORT,
        version: env!("CARGO_PKG_VERSION"),
        tokenizer: counting.tokenizer(),
        model: counting.model.map(|model| model.name),
        budget: fitted.budget,
        estimate: estimated(fitted, counting).estimate,
        query: fitted.query.as_deref(),
        strategy: match fitted.strategy {
            MemoryStrategy::Greedy => "greedy",
            _ => "optimal",
        },
        answer: &fitted.answer,
        ladders: super::result::ladders(&fitted.batch, &fitted.sent),
        input: &fitted.memories,
    };
    report::write_json(path, &report)
}
