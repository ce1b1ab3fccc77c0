//! The table that says what became of each block.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use contextfit_formats::{AnswerBlock, SearchAnswer};

use crate::{console, summary::grouped};

/// Rows for blocks that are shown, at most: more than anyone reads.
const SHOWN: usize = 200;
/// Rows for blocks that are dropped, at most.
const DROPPED: usize = 20;

/// A line under the header, and no others.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Prints the table on standard error.
pub(crate) fn print(answer: &SearchAnswer) {
    console::note(table(answer));
}

/// The table, and how many blocks it leaves out.
fn table(answer: &SearchAnswer) -> String {
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
    for block in &answer.blocks {
        let (rows, most) = if block.level.is_some() { (&mut shown, SHOWN) } else { (&mut dropped, DROPPED) };
        *rows += 1;
        if *rows <= most {
            let tokens = right(grouped(block.tokens.get()));
            table.add_row(vec![Cell::new(&block.id), right(level(block)), tokens, Cell::new(&block.reason)]);
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
