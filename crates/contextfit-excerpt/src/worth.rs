//! The scores of rows: the scale, and the sheet with the score of each row.

use contextfit_kernel::Values;
use contextfit_packing::{Need, Node, Relation};
use contextfit_text::Needs;
use foldhash::{HashMap, HashMapExt};

use crate::{
    evidence::{Feature, Notes, RowFeatures},
    rows::Rows,
};

/// Headers of tables, files and hunks. They come before everything else.
pub(crate) const HEAD: f32 = 1000.0;
/// The rows closest to the query.
pub(crate) const FOCUS: f32 = 40.0;
/// Errors.
pub(crate) const ERROR: f32 = 24.0;
/// Totals, declarations.
pub(crate) const TOTAL: f32 = 12.0;
/// Warnings, frames of the application, changed lines.
pub(crate) const NOTABLE: f32 = 8.0;
/// The ends of a text.
pub(crate) const END: f32 = 6.0;
/// Everything else.
pub(crate) const PLAIN: f32 = 1.0;

/// The usual length of a message, in tokens.
pub(crate) const MESSAGE: f32 = 24.0;

/// The score of each row, and the rows that it is shown with.
pub(crate) struct Sheet {
    /// How close each row is to the query, from 0 to 1; empty without a query.
    focus: Vec<f32>,
    /// The share of the focus that adjacent rows get. Rows at distance two get its square.
    spread: f32,
    worth: Vec<f32>,
    under: Vec<Option<usize>>,
    /// For some rows, another that they are shown with: the headline for the location of an error.
    with: HashMap<usize, usize>,
    /// Rows, each with one that it is never shown without: what announces a list, for its items.
    heads: Vec<(usize, usize)>,
    /// The features of each row; of none until the first is noted.
    notes: Notes,
    /// For rows that report an error, what an error is worth, however long the text is.
    alarms: HashMap<usize, f32>,
}

/// The score of a row without content.
const HOLLOW: f32 = -1.0;

impl Sheet {
    /// A sheet with all scores zero, apart from the `focus` on units. Adjacent rows get the share `spread` of it.
    pub(crate) fn new(rows: &Rows<'_, '_>, focus: &[f64], spread: f32) -> Self {
        let focus = closeness(rows, focus);
        Self {
            focus,
            spread,
            worth: vec![0.0; rows.len()],
            under: vec![None; rows.len()],
            with: HashMap::new(),
            heads: Vec::new(),
            notes: Notes::new(0),
            alarms: HashMap::new(),
        }
    }

    /// Itself, and keeps the values of the features that are noted.
    pub(crate) fn writing_down(mut self) -> Self {
        self.notes = Notes::new(self.worth.len()).writing_down();
        self
    }

    /// Adds the `value` of a feature of row `n`.
    pub(crate) fn note(&mut self, n: usize, feature: Feature, value: f32) {
        if self.notes.is_empty() {
            self.notes = Notes::new(self.worth.len());
        }
        self.notes.note(n, feature, value);
    }

    /// Notes that row `n` reports an error, like `before` rows before it.
    pub(crate) fn alarm(&mut self, n: usize, before: u32) {
        self.alarms.insert(n, ERROR / (1.0 + before as f32));
    }

    /// The score of row `n`, which for an error does not depend on how many other rows there are.
    pub(crate) fn worth_by_itself(&self, n: usize) -> f32 {
        self.alarms.get(&n).copied().unwrap_or(0.0).max(self.worth(n))
    }

    /// Adds to the score of each row what its features say. With a query, they count for less than the answer.
    pub(crate) fn weigh(&mut self) {
        let scores = self.notes.scores(!self.focus.is_empty());
        for (worth, score) in self.worth.iter_mut().zip(scores).filter(|(worth, _)| **worth >= 0.0) {
            *worth += score;
        }
    }

    /// The features of the rows, if they were written down.
    pub(crate) fn features(&self, rows: &Rows<'_, '_>) -> Vec<RowFeatures> {
        let of = |n: usize| RowFeatures {
            range: rows.range(&(n..n + 1)),
            focus: self.focus(n),
            values: self.notes.values(n).filter(|_| !self.is_hollow(n)),
        };
        (0..rows.len()).map(of).collect()
    }

    /// How close row `n` is to the query, from 0 to 1.
    pub(crate) fn focus(&self, n: usize) -> f32 {
        self.focus.at(n)
    }

    /// Whether there is a query that matches anything.
    pub(crate) const fn has_focus(&self) -> bool {
        !self.focus.is_empty()
    }

    /// Raises the score of row `n` to at least `worth`.
    pub(crate) fn raise(&mut self, n: usize, worth: f32) {
        self.worth.change(n, |now| *now = now.max(worth));
    }

    /// Passes the score of the heading `row` to `first`, the first row below it. A heading on its own is useless.
    pub(crate) fn stand_for(&mut self, row: usize, first: usize) {
        let worth = self.worth.at(row) + FOCUS * self.focus(row) / 2.0;
        self.raise(first, worth);
        self.set_hollow(row);
    }

    /// Adds `worth` to the score of row `n`, unless the row has no content.
    pub(crate) fn lift(&mut self, n: usize, worth: f32) {
        self.worth.get_mut(n).filter(|now| **now >= 0.0).into_iter().for_each(|now| *now += worth);
    }

    /// Marks row `n` as having no content: it is blank or draws a line. It is shown only if that takes no more tokens
    /// than a marker.
    pub(crate) fn set_hollow(&mut self, n: usize) {
        self.worth.set(n, HOLLOW);
    }

    /// Whether row `n` has no content.
    pub(crate) fn is_hollow(&self, n: usize) -> bool {
        self.worth.get(n).is_some_and(|worth| *worth < 0.0)
    }

    /// Shows row `n` only with the earlier row `head`.
    pub(crate) fn put_under(&mut self, n: usize, head: Option<usize>) {
        if let (Some(under), Some(head)) = (self.under.get_mut(n), head.filter(|&head| head < n)) {
            *under = Some(head);
        }
    }

    /// Shows row `n` only with row `other`. Only the first call for a row counts.
    pub(crate) fn put_with(&mut self, n: usize, other: usize) {
        self.with.entry(n).or_insert(other);
    }

    /// Shows the rows of each unit only with the heads of the unit.
    pub(crate) fn put_under_heads(&mut self, rows: &Rows<'_, '_>, needs: &Needs) {
        for n in 0..rows.len() {
            let heads = rows.units_of(n).flat_map(|unit| needs.heads_of(unit));
            let heads = heads.filter_map(|unit| rows.row_of(unit)).filter(|&head| head != n);
            self.heads.extend(heads.map(|head| (n, head)));
        }
    }

    /// Whether row `n` is never shown without another.
    pub(crate) fn has_head(&self, n: usize) -> bool {
        let first = self.heads.partition_point(|(row, _)| *row < n);
        self.heads.get(first).is_some_and(|(row, _)| *row == n)
    }

    /// The rows that each row is shown with: its heads, the one it is under, and the one it was put with.
    pub(crate) fn relation(&self) -> Relation {
        let under = self.under.iter().enumerate().filter_map(|(n, head)| Some((n, (*head)?)));
        let with = self.with.iter().map(|(&n, &other)| (n, other));
        under
            .chain(with)
            .chain(self.heads.iter().copied())
            .map(|(n, other)| (Node::Row(n), Need::All(other..other + 1)))
            .collect()
    }

    /// The score of row `n`, including the focus on it and near it.
    pub(crate) fn worth(&self, n: usize) -> f32 {
        let near = |n: Option<usize>| n.map_or(0.0, |n| self.focus(n));
        let beside = near(n.checked_sub(1)).max(near(Some(n + 1))) * self.spread;
        let beyond = near(n.checked_sub(2)).max(near(Some(n + 2))) * self.spread.powi(2);
        self.worth.at(n) + FOCUS * self.focus(n).max(beside).max(beyond)
    }
}

/// The score of a row at this distance from the nearer end of its text.
pub(crate) fn end(distance: usize) -> f32 {
    PLAIN + (END - PLAIN) * 2.0 / (2.0 + distance as f32)
}

/// The focus of each row, the highest of its units, from 0 to 1; empty if all are zero.
fn closeness(rows: &Rows<'_, '_>, focus: &[f64]) -> Vec<f32> {
    let clean = |score: &f64| if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 };
    if focus.iter().all(|score| clean(score) <= 0.0) {
        return Vec::new();
    }
    let of_row = |n: usize| {
        let units = focus.get(rows.first_unit(n)..rows.first_unit(n + 1).min(focus.len()));
        units.unwrap_or_default().iter().map(clean).fold(0.0, f64::max) as f32
    };
    (0..rows.len()).map(of_row).collect()
}
