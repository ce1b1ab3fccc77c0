//! What limits a unit from afar: warnings, footnotes, and what says whether the text still holds.

use std::collections::BTreeMap;

use super::{Reader, looks::note_mark};
use crate::{anaphora::FAR, validity::states_validity};

/// Whether a text still holds is said within this many units.
const STATUS: usize = 12;

/// The most footnotes that are looked for.
const NOTES: usize = 64;

impl Reader<'_> {
    /// A warning also limits what the sentences after it say, up to the end of its passage.
    pub(super) fn warn(&mut self) {
        let passages = &self.needs.passages;
        let mut limited = Vec::new();
        for warning in std::mem::take(&mut self.warnings) {
            let next = passages.partition_point(|(start, _)| *start <= warning);
            let end = passages.get(next).map_or(self.units.len(), |(start, _)| *start);
            limited.extend((warning + 1..end.min(warning + 1 + FAR)).map(|unit| (unit, warning)));
        }
        // A stable sort: what limits a sentence by its own words comes first.
        self.needs.limited.extend(limited);
        self.needs.limited.sort_by_key(|(unit, _)| *unit);
        self.needs.limited.dedup_by_key(|(unit, _)| *unit);
    }

    /// A footnote limits what the units with its mark say.
    pub(super) fn footnotes(&mut self) {
        let notes = self.units.iter().enumerate().filter_map(|(n, unit)| Some((note_mark(unit)?, n)));
        let notes: BTreeMap<&str, usize> = notes.take(NOTES).collect();
        if notes.is_empty() {
            return;
        }
        let marked = self.units.iter().enumerate().flat_map(|(n, unit)| {
            let marks = notes.iter().filter(move |(mark, note)| **note != n && unit.contains(**mark));
            marks.map(move |(_, note)| (n, *note))
        });
        self.needs.limited.extend(marked);
        self.needs.limited.sort_by_key(|(unit, _)| *unit);
    }

    /// Finds what says near the start whether the text still holds.
    pub(super) fn status(&mut self) {
        self.needs.status = (0..self.units.len().min(STATUS)).find(|&n| states_validity(self.unit(n)));
    }
}
