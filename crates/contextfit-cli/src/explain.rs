//! The table that says what became of each block.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use contextfit_bm25::{Explanation, SentenceSelection};
use contextfit_formats::AnswerBlock;
use contextfit_kernel::{Action, ByteRange, CompressionStrategy, Piece, one_line};
use contextfit_pipeline::measure;
use serde::Serialize;

use crate::{console, fit::Done, summary::grouped};

/// Rows for blocks that are shown, at most: more than anyone reads.
const SHOWN: usize = 200;
/// Rows for blocks that are dropped, at most.
const DROPPED: usize = 20;

/// A line under the header, and no others.
pub(crate) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Sentences whose scores are explained, at most: in a report, and on standard error.
const EXPLAINED: usize = 500;
const TOLD: usize = 3;

/// A sentence that was kept, and why.
#[derive(Serialize)]
pub(crate) struct Sentence<'a> {
    id: &'a str,
    range: ByteRange,
    why: Explanation,
}

/// Prints the table on standard error, and below it why the best sentences are the best.
pub(crate) fn print<A: Serialize>(done: &Done<'_, A>) {
    console::note(table(done.blocks));
    for Sentence { id, range, why } in sentences(done).into_iter().take(TOLD) {
        console::note(format!("\n{id}, bytes {} to {}\n{}", range.start(), range.end(), told(&why)));
    }
}

/// The sentences kept because of their words, the best first, with their scores as trees.
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

/// The tree without the parts that add nothing.
fn told(why: &Explanation) -> String {
    let mut why = why.clone();
    why.parts.retain(|part| part.value > 0.0);
    why.to_string().trim_end().to_owned()
}

/// The table, and how many blocks it leaves out.
fn table(blocks: &[AnswerBlock]) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).use_stderr().set_content_arrangement(ContentArrangement::Dynamic);
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    table.set_header(vec![
        Cell::new("block"),
        right("level".into()),
        right("tokens".into()),
        Cell::new("reason"),
    ]);
    let (mut shown, mut dropped) = (0, 0);
    for block in blocks {
        let (rows, most) = if block.level.is_some() { (&mut shown, SHOWN) } else { (&mut dropped, DROPPED) };
        *rows += 1;
        if *rows <= most {
            let tokens = right(grouped(block.tokens.get()));
            table.add_row(vec![
                Cell::new(one_line(&block.id)),
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
    if let more @ 1.. = dropped.saturating_sub(DROPPED) {
        text.push_str(&format!("\n... and {} more dropped", grouped(more)));
    }
    text
}

/// The level in digits, a dash for a dropped block.
fn level(block: &AnswerBlock) -> String {
    block.level.map_or_else(|| "-".into(), |level| u8::from(level).to_string())
}
