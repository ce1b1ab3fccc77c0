//! The table of `--explain`: the outcome for each block.

use std::collections::HashMap;

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use contextfit_bm25::{Explanation, SentenceSelection};
use contextfit_formats::AnswerBlock;
use contextfit_kernel::{Action, ByteRange, NoSummary, Piece, SummarySource, one_line};
use contextfit_outline::Outlining;
use contextfit_pipeline::measure;
use contextfit_presets::CompressionStrategy;
use serde::Serialize;

use crate::{
    console,
    fit::Done,
    learned,
    summary::{self, grouped},
};

/// The most rows for shown blocks: more than anyone reads.
const SHOWN: usize = 200;
/// The most rows for dropped blocks; if there are more, they are only counted.
const DROPPED: usize = 20;

/// A line under the header and no other lines.
pub(crate) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// The most sentences to explain: in a report, and on standard error.
const EXPLAINED: usize = 500;
const TOLD: usize = 3;

/// A sentence that was kept, and why.
#[derive(Serialize)]
pub(crate) struct Sentence<'a> {
    id: &'a str,
    range: ByteRange,
    why: Explanation,
}

/// The most units of an outline to explain: in a report, and on standard error.
const RANKED: usize = 100;
const BEST: usize = 10;

/// The number of parts to show of a score.
const PARTS: usize = 4;

/// A function, type or passage, and why it ranks where it does.
#[derive(Serialize)]
pub(crate) struct Unit<'a> {
    id: &'a str,
    range: ByteRange,
    /// Its first line in its file.
    line: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    score: f64,
    /// The parts of the score, the largest first.
    why: Vec<(&'static str, f64)>,
}

/// The best units of a context that was outlined, best first; empty if another strategy was used.
pub(crate) fn units<'a, A>(done: &Done<'a, A>) -> Vec<Unit<'a>> {
    let is_outline =
        done.result.plan().is_some_and(|plan| plan.strategy == CompressionStrategy::Outline.name());
    if !is_outline {
        return Vec::new();
    }
    let measured = measure(done.input, &done.settings.counting.counter);
    let mut units = Outlining::new().units(&measured);
    units.sort_by(|a, b| b.ranked.score.total_cmp(&a.ranked.score));
    let units = units.into_iter().take(RANKED).filter_map(|unit| {
        let block = done.input.blocks.get(unit.block)?;
        let line =
            block.first_line().unwrap_or(1) + block.text.get(..unit.range.start())?.matches('\n').count();
        let mut why: Vec<(&str, f64)> = unit.ranked.parts().filter(|(_, value)| *value != 0.0).collect();
        why.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
        Some(Unit { id: &block.id, range: unit.range, line, name: unit.name, score: unit.ranked.score, why })
    });
    units.collect()
}

/// Prints the table to standard error, then the scores of the best units or sentences.
pub(crate) fn print<A: Serialize>(done: &Done<'_, A>) {
    console::note(table(done.blocks, &summary::turns(done.input)));
    for learned in learned::applied(done) {
        console::note(learned);
    }
    for line in summaries(done) {
        console::note(line);
    }
    for Unit { id, line, name, score, why, .. } in units(done).into_iter().take(BEST) {
        let parts: Vec<String> =
            why.iter().take(PARTS).map(|(part, value)| format!("{part} {value:+.2}")).collect();
        console::note(format!("{score:6.2}  {id}:{line} {name}  ({})", parts.join(", ")));
    }
    for Sentence { id, range, why } in sentences(done).into_iter().take(TOLD) {
        console::note(format!("\n{id}, bytes {} to {}\n{}", range.start(), range.end(), told(&why)));
    }
}

/// A line for each summary that the model failed to give, with the reason.
fn summaries<A>(done: &Done<'_, A>) -> Vec<String> {
    let id = |at: usize| done.input.blocks.get(at).map_or("", |block| block.id.as_str());
    let summaries = done.result.stages.iter().flat_map(|stage| &stage.summaries);
    let told = summaries.filter_map(|summary| match &summary.source {
        SummarySource::Fallback(why) if *why != NoSummary::NotAsked => {
            let (first, last) = (id(summary.from), id(summary.to.saturating_sub(1)));
            let place = if first == last { first.to_owned() } else { format!("{first} to {last}") };
            Some(format!("{}: not summarized by the model: {}", one_line(&place), one_line(&why.to_string())))
        }
        _ => None,
    });
    told.collect()
}

/// The sentences kept because of their words, best first, with their scores as trees.
pub(crate) fn sentences<'a, A>(done: &Done<'a, A>) -> Vec<Sentence<'a>> {
    let Some(plan) = done.result.plan().filter(|plan| plan.strategy == CompressionStrategy::Bm25.name())
    else {
        return Vec::new();
    };
    let measured = measure(done.input, &done.settings.counting.counter);
    let mut units = Vec::new();
    for ((n, block), step) in measured.blocks.iter().enumerate().zip(&plan.steps) {
        let Action::Cut { pieces } = &step.action else { continue };
        for piece in pieces {
            let Piece::Source(range) = piece else { continue };
            let kept = block.units_before(range.start())..block.units_before(range.end());
            units.extend(kept.map(|unit| (n, unit)));
        }
    }
    units.truncate(EXPLAINED);
    let strategy = SentenceSelection::new(done.settings.sentences.clone());
    let explained = strategy.explain_all(&measured, &units).into_iter().zip(units);
    let mut sentences: Vec<Sentence<'a>> = explained
        .filter_map(|(why, (n, unit))| {
            let range = measured.blocks.get(n)?.range(unit, unit + 1);
            Some(Sentence { id: &done.input.blocks.get(n)?.id, range, why: why? })
        })
        .collect();
    sentences.sort_by(|a, b| b.why.value.total_cmp(&a.why.value));
    sentences
}

/// The tree without parts that add nothing.
fn told(why: &Explanation) -> String {
    let mut why = why.clone();
    why.parts.retain(|part| part.value > 0.0);
    why.to_string().trim_end().to_owned()
}

/// The table, followed by the number of blocks that it leaves out. `names` has what to call a block besides its id.
fn table(blocks: &[AnswerBlock], names: &HashMap<&str, String>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).use_stderr().set_content_arrangement(ContentArrangement::Dynamic);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    table.set_header(vec![
        Cell::new("block"),
        right("level".into()),
        right("tokens".into()),
        Cell::new("reason"),
    ]);
    let dropped = blocks.iter().filter(|block| block.level.is_none()).count();
    let mut shown = 0;
    for block in blocks {
        shown += usize::from(block.level.is_some());
        if if block.level.is_some() { shown <= SHOWN } else { dropped <= DROPPED } {
            let tokens = right(grouped(block.tokens.get()));
            table.add_row(vec![
                Cell::new(one_line(names.get(block.id.as_str()).unwrap_or(&block.id))),
                right(level(block)),
                tokens,
                Cell::new(&block.reason),
            ]);
        }
    }
    let mut text = table.to_string();
    if let more @ 1.. = shown.saturating_sub(SHOWN) {
        text.push_str(&format!("\n... and {} more shown", grouped(more)));
    }
    if dropped > DROPPED {
        text.push_str(&format!("\n... and {} dropped", grouped(dropped)));
    }
    text
}

/// The level in digits, a dash for a dropped block.
fn level(block: &AnswerBlock) -> String {
    block.level.map_or_else(|| "-".into(), |level| u8::from(level).to_string())
}
