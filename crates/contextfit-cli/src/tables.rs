//! Tables for people.

use comfy_table::{Cell, CellAlignment, LineStyle, Row, Table, TableStyle};

/// A table with a line under its `header` and no other lines.
pub(crate) fn headed(header: impl Into<Row>) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(header);
    table
}

/// A cell with its text at the right, as figures have it.
pub(crate) fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}
