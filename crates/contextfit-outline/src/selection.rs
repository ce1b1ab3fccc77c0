//! Which rows of which blocks are shown, and what that costs.

use std::ops::Range;

use contextfit_kernel::Tokens;

use crate::page::Page;

/// A choice of rows within a room, markers and headers paid for.
pub(crate) struct Selection<'p, 'a, 'b> {
    pages: &'p [Page<'a, 'b>],
    costs: &'p [Costs],
    shown: Vec<Vec<bool>>,
    /// For each part whether its own rows are shown.
    visible: Vec<Vec<bool>>,
    begun: Vec<bool>,
    left: usize,
}

/// What a block costs beyond its rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    /// Header and separator.
    pub(crate) framing: usize,
    /// Header, separator and what is shown whenever anything is.
    pub(crate) entry: usize,
    /// One marker.
    pub(crate) marker: usize,
}

impl<'p, 'a, 'b> Selection<'p, 'a, 'b> {
    /// Nothing shown yet.
    pub(crate) fn new(pages: &'p [Page<'a, 'b>], costs: &'p [Costs], room: Tokens) -> Self {
        Self {
            pages,
            costs,
            shown: pages.iter().map(|page| vec![false; page.len()]).collect(),
            visible: pages.iter().map(|page| vec![false; page.parts.len()]).collect(),
            begun: vec![false; pages.len()],
            left: room.get(),
        }
    }

    /// The room left.
    pub(crate) const fn left(&self) -> usize {
        self.left
    }

    /// The rows of page `n` that are shown; `None` when none are.
    pub(crate) fn shown(&self, n: usize) -> Option<&[bool]> {
        self.begun.get(n).copied().unwrap_or_default().then(|| self.shown.get(n).map(Vec::as_slice))?
    }

    /// Whether the own rows of a part are shown.
    pub(crate) fn is_visible(&self, page: usize, part: usize) -> bool {
        self.visible.get(page).and_then(|parts| parts.get(part)).copied().unwrap_or_default()
    }

    /// Whether all rows of a part are shown.
    pub(crate) fn is_whole(&self, page: usize, part: usize) -> bool {
        let rows = self.pages.get(page).and_then(|page| page.parts.get(part)).map(|part| part.rows.clone());
        let shown = rows.and_then(|rows| self.shown.get(page)?.get(rows));
        shown.is_some_and(|rows| rows.iter().all(|shown| *shown))
    }

    /// Shows the own rows of `part` and whatever must be shown with them, all or nothing.
    pub(crate) fn show(&mut self, page: usize, part: usize) -> bool {
        let mut new = Vec::new();
        let Some(mut rows) = self.reveal(page, Some(part), &mut new) else { return false };
        rows.sort_unstable_by_key(|rows| rows.start);
        self.commit(page, &rows, &new)
    }

    /// Shows all of `part`, or of the whole block, and whatever must be shown with it, all or nothing.
    pub(crate) fn open(&mut self, page: usize, part: Option<usize>) -> bool {
        let Some(source) = self.pages.get(page) else { return false };
        let whole = part.and_then(|part| source.parts.get(part));
        let inside = whole.map_or(0..source.len(), |whole| whole.rows.clone());
        let mut new = Vec::new();
        let Some(mut rows) = self.reveal(page, whole.and_then(|whole| whole.parent), &mut new) else { return false };
        rows.push(inside.clone());
        rows.sort_unstable_by_key(|rows| rows.start);
        let done = self.commit(page, &rows, &new);
        if done && let Some(visible) = self.visible.get_mut(page) {
            // Everything inside is visible now; parts stand behind what they are part of.
            let parts = visible.iter_mut().zip(&source.parts).skip(part.unwrap_or_default());
            for (visible, _) in parts.take_while(|(_, part)| part.rows.start < inside.end) {
                *visible = true;
            }
        }
        done
    }

    /// The rows that show `part`, what it is part of, and what those must show; `new` takes the parts that become
    /// visible. `None` when there is no room for the block at all.
    fn reveal(&mut self, page: usize, part: Option<usize>, new: &mut Vec<usize>) -> Option<Vec<Range<usize>>> {
        let source = self.pages.get(page)?;
        let visible = self.visible.get_mut(page)?;
        let (mut rows, mut wanted) = (Vec::new(), Vec::new());
        if !*self.begun.get(page)? {
            if self.left < self.costs.get(page)?.entry {
                return None;
            }
            rows.extend(source.loose.iter().cloned());
            wanted.extend(&source.required);
        }
        let mut above = part;
        while let Some(n) = above.filter(|&n| !visible.get(n).copied().unwrap_or(true)) {
            wanted.push(n);
            above = source.parts.get(n).and_then(|part| part.parent);
        }
        while let Some(n) = wanted.pop() {
            match visible.get_mut(n) {
                Some(visible) if !*visible => *visible = true,
                _ => continue,
            }
            new.push(n);
            rows.extend(source.own_rows(n));
            let required = |n: &&usize| source.parts.get(**n).is_some_and(|part| part.required);
            wanted.extend(source.parts.get(n).into_iter().flat_map(|part| part.parts.iter().filter(required)));
        }
        Some(rows)
    }

    /// Shows rows if there is room for them; else `new` are invisible again.
    fn commit(&mut self, page: usize, rows: &[Range<usize>], new: &[usize]) -> bool {
        let done = self.take(page, rows);
        if !done && let Some(visible) = self.visible.get_mut(page) {
            for &n in new {
                if let Some(visible) = visible.get_mut(n) {
                    *visible = false;
                }
            }
        }
        done
    }

    /// Shows those of `rows` that are not shown, all or none.
    fn take(&mut self, page: usize, rows: &[Range<usize>]) -> bool {
        let (Some(source), Some(costs)) = (self.pages.get(page), self.costs.get(page)) else { return false };
        let (Some(shown), Some(begun)) = (self.shown.get_mut(page), self.begun.get_mut(page)) else { return false };
        let (mut debt, mut credit) = (0, 0);
        if !*begun {
            debt += costs.framing + costs.marker;
        }
        let mut new = Vec::new();
        for row in rows.iter().cloned().flatten() {
            let is_shown = |row: usize| shown.get(row).copied().unwrap_or(true);
            if is_shown(row) {
                continue;
            }
            let (before, after) = (is_shown(row.wrapping_sub(1)), is_shown(row + 1));
            debt += source.tokens(&(row..row + 1)).get();
            match (before, after) {
                (true, true) => credit += costs.marker,
                (false, false) => debt += costs.marker,
                _ => {}
            }
            if let Some(shown) = shown.get_mut(row) {
                *shown = true;
                new.push(row);
            }
        }
        if let Some(left) = (self.left + credit).checked_sub(debt) {
            self.left = left;
            *begun = true;
            return true;
        }
        for row in new {
            if let Some(shown) = shown.get_mut(row) {
                *shown = false;
            }
        }
        false
    }
}
