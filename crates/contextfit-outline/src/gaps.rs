//! What is shown of a page: its rows, with a marker for each run of omitted ones.

use contextfit_kernel::{Action, ByteRange, Piece, Tokens};

use crate::{marker::Marker, page::OutlinePage};

/// A gap is closed up unless it costs more than this many markers: slightly longer text says more than a line count.
const WORTH: usize = 2;

impl OutlinePage<'_, '_> {
    /// The action that shows the rows marked in `shown`. A gap that costs hardly more than `marker` is closed up.
    pub(crate) fn action(&self, shown: &[bool], marker: Tokens) -> Action {
        let is_shown = |row: usize| shown.get(row).copied().unwrap_or(true);
        let mut pieces = Vec::new();
        let (mut from, mut row, all) = (0, 0, self.len());
        while row < all {
            let start = row;
            while row < all && !is_shown(row) {
                row += 1;
            }
            let gap = start..row;
            if self.tokens(&gap).get() > marker.get() * WORTH {
                let before = self.range(&(from..start));
                let Marker { opener_end, text, end } = self.marker(&gap, shown, start > from);
                let source = ByteRange::new(before.start(), opener_end.unwrap_or(before.end()));
                pieces.extend(source.filter(|source| !source.is_empty()).map(Piece::Source));
                match pieces.last_mut() {
                    // After a bracket that a marker has closed.
                    Some(Piece::Marker(before)) => before.push_str(&text),
                    _ => pieces.push(Piece::Marker(text)),
                }
                from = end;
                row = end;
            }
            row += usize::from(row < all && is_shown(row));
        }
        if pieces.is_empty() {
            return Action::Keep;
        }
        if from < all {
            pieces.push(Piece::Source(self.range(&(from..all))));
        }
        Action::Cut { pieces }
    }
}
