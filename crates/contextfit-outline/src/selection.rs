//! The rows shown of each block, and their cost.

use std::{mem, ops::Range};

use contextfit_kernel::Tokens;

use crate::page::Page;

/// A change may exceed the room by this many markers, in the hope of getting them back, before it is rejected.
const HOPE: usize = 32;

/// The cost of a block beyond its rows, in tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs {
    /// The header and separator.
    pub(crate) framing: usize,
    /// One marker.
    pub(crate) marker: usize,
    /// The stand-in for the block if others of its group are shown and it is not.
    pub(crate) stand_in: usize,
    /// Its group, by number.
    pub(crate) group: Option<usize>,
}

/// A choice of rows that fits a room, including markers and headers.
///
/// The visible rows always form a valid text: a part is shown with its parents and with the parts it requires.
pub(crate) struct Selection<'p, 'a, 'b> {
    pages: &'p [Page<'a, 'b>],
    costs: &'p [Costs],
    states: Vec<State>,
    /// For each group, the cost of the stand-ins for all its blocks and the number of its blocks that are shown.
    groups: Vec<(usize, usize)>,
    left: usize,
    /// The previous change, kept to reuse its allocations.
    spare: Change,
}

/// The visible parts of a block.
struct State {
    rows: Vec<bool>,
    /// For each part, whether its own rows are shown.
    parts: Vec<bool>,
    begun: bool,
}

/// The rows just shown, and their price.
#[derive(Default)]
struct Change {
    page: usize,
    rows: Vec<usize>,
    parts: Vec<usize>,
    /// Parts that must be shown too.
    wanted: Vec<usize>,
    begins: bool,
    price: isize,
    /// Once the price exceeds this, no more rows are examined.
    most: isize,
}

impl<'p, 'a, 'b> Selection<'p, 'a, 'b> {
    /// An empty selection.
    pub(crate) fn new(pages: &'p [Page<'a, 'b>], costs: &'p [Costs], room: Tokens) -> Self {
        let state = |page: &Page<'_, '_>| State {
            rows: vec![false; page.len()],
            parts: vec![false; page.parts.len()],
            begun: false,
        };
        let mut groups =
            vec![(0, 0); costs.iter().filter_map(|costs| costs.group).max().map_or(0, |last| last + 1)];
        for costs in costs {
            if let Some(group) = costs.group.and_then(|group| groups.get_mut(group)) {
                group.0 += costs.stand_in;
            }
        }
        let states = pages.iter().map(state).collect();
        Self { pages, costs, states, groups, left: room.get(), spare: Change::default() }
    }

    /// The remaining room.
    pub(crate) const fn left(&self) -> usize {
        self.left
    }

    /// The rows of page `n` that are shown; `None` if none are.
    pub(crate) fn shown(&self, n: usize) -> Option<&[bool]> {
        self.states.get(n).filter(|state| state.begun).map(|state| state.rows.as_slice())
    }

    /// Whether anything in the group of page `n` is shown.
    pub(crate) fn group_is_shown(&self, n: usize) -> bool {
        let group = self.costs.get(n).and_then(|costs| self.groups.get(costs.group?));
        group.is_some_and(|(_, shown)| *shown > 0)
    }

    /// Whether a part's own rows are shown.
    pub(crate) fn is_visible(&self, page: usize, part: usize) -> bool {
        self.states.get(page).and_then(|state| state.parts.get(part)).copied().unwrap_or_default()
    }

    /// Shows the own rows of `part` and everything required with them, if that leaves at least `reserve`.
    pub(crate) fn show(&mut self, page: usize, part: usize, reserve: usize) -> bool {
        let change = self.apply(page, Some(part), None);
        self.settle(change, reserve)
    }

    /// Shows `rows`, which belong to `part` or lie in it, and everything required with them, if that leaves at least
    /// `reserve`.
    pub(crate) fn open(
        &mut self,
        page: usize,
        part: Option<usize>,
        rows: Range<usize>,
        reserve: usize,
    ) -> bool {
        let change = self.apply(page, part, Some(rows));
        self.settle(change, reserve)
    }

    /// Keeps an affordable change and reverts any other.
    fn settle(&mut self, change: Option<Change>, reserve: usize) -> bool {
        let Some(change) = change else { return false };
        match self.left.checked_add_signed(-change.price) {
            Some(left) if left >= reserve => {
                self.left = left;
                self.spare = change;
                true
            }
            _ => {
                self.undo(change);
                false
            }
        }
    }

    /// Shows the own rows of `part`, everything required with them, and `rows`. `None` if the block does not fit at
    /// all.
    fn apply(&mut self, page: usize, part: Option<usize>, rows: Option<Range<usize>>) -> Option<Change> {
        let (source, costs, state) =
            (self.pages.get(page)?, self.costs.get(page)?, self.states.get_mut(page)?);
        let most = signed(self.left + HOPE * costs.marker);
        if !state.begun && self.left < costs.framing + source.loose_tokens {
            return None;
        }
        // No row of a hidden part is shown: all of them are in one gap, so at most its marker can be recovered.
        let hidden = part.and_then(|n| state.parts.get(n)).is_some_and(|visible| state.begun && !visible);
        let affordable = |rows: &Range<usize>| source.tokens(rows).get() <= self.left + 2 * costs.marker;
        if hidden && !rows.as_ref().is_none_or(affordable) {
            return None;
        }
        let mut change = Change { page, begins: !state.begun, price: 0, most, ..mem::take(&mut self.spare) };
        change.rows.clear();
        change.parts.clear();
        change.wanted.clear();
        if change.begins {
            state.begun = true;
            change.price += signed(costs.framing + if source.len() > 0 { costs.marker } else { 0 });
            if let Some((all, shown)) = costs.group.and_then(|group| self.groups.get_mut(group)) {
                change.price += if *shown == 0 { signed(*all) } else { 0 } - signed(costs.stand_in);
                *shown += 1;
            }
            state.reveal(source, costs, source.loose.iter().cloned(), &mut change);
            change.wanted.extend(&source.required);
        }
        state.reveal_parts(source, costs, part, &mut change);
        if let Some(rows) = rows {
            state.reveal_rows(source, costs, &rows, &mut change);
        }
        if change.price > most {
            self.undo(change);
            return None;
        }
        Some(change)
    }

    /// Reverts a change.
    fn undo(&mut self, change: Change) {
        let Some(state) = self.states.get_mut(change.page) else { return };
        for (flags, changed) in [(&mut state.rows, &change.rows), (&mut state.parts, &change.parts)] {
            for &n in changed {
                if let Some(flag) = flags.get_mut(n) {
                    *flag = false;
                }
            }
        }
        if change.begins {
            state.begun = false;
            let group = self.costs.get(change.page).and_then(|costs| self.groups.get_mut(costs.group?));
            if let Some((_, shown)) = group {
                *shown -= 1;
            }
        }
        self.spare = change;
    }
}

impl State {
    /// Shows `part` with the hidden parts around it, the parts that `change` wants, and everything that these require.
    fn reveal_parts(&mut self, page: &Page<'_, '_>, costs: &Costs, part: Option<usize>, change: &mut Change) {
        let mut above = part;
        while let Some(n) = above.filter(|&n| !self.parts.get(n).copied().unwrap_or(true)) {
            change.wanted.push(n);
            above = page.parts.get(n).and_then(|part| part.parent);
        }
        while let Some(n) = change.wanted.pop() {
            match self.parts.get_mut(n) {
                Some(visible) if !*visible => *visible = true,
                _ => continue,
            }
            change.parts.push(n);
            self.reveal(page, costs, page.context_rows(n).into_iter(), change);
            let required = |n: &&usize| page.parts.get(**n).is_some_and(|part| part.required);
            let inner = page.parts.get(n).map_or([].as_slice(), |part| page.inner(&part.parts));
            change.wanted.extend(inner.iter().filter(required));
        }
    }

    /// Shows all of `rows`, and with them the parts that begin there.
    fn reveal_rows(&mut self, page: &Page<'_, '_>, costs: &Costs, rows: &Range<usize>, change: &mut Change) {
        self.reveal(page, costs, [rows.clone()].into_iter(), change);
        let first = page.parts.partition_point(|inner| inner.rows.start < rows.start);
        let inside = page.parts.iter().enumerate().skip(first);
        for (n, _) in
            inside.take_while(|(_, inner)| inner.rows.start < rows.end && change.price <= change.most)
        {
            if let Some(visible) = self.parts.get_mut(n).filter(|visible| !**visible) {
                *visible = true;
                change.parts.push(n);
            }
        }
    }

    /// Shows those of `rows` that are hidden. A row between two gaps costs one more marker; a row that closes a gap
    /// saves one.
    fn reveal(
        &mut self,
        page: &Page<'_, '_>,
        costs: &Costs,
        rows: impl Iterator<Item = Range<usize>>,
        change: &mut Change,
    ) {
        for row in rows.flatten() {
            if change.price > change.most {
                return;
            }
            let Some(shown) = self.rows.get_mut(row).filter(|shown| !**shown) else { continue };
            *shown = true;
            change.rows.push(row);
            change.price += signed(page.tokens(&(row..row + 1)).get());
            let before = row.checked_sub(1).is_some_and(|row| !self.is_shown(row));
            match (before, !self.is_shown(row + 1)) {
                (false, false) => change.price -= signed(costs.marker),
                (true, true) => change.price += signed(costs.marker),
                _ => {}
            }
        }
    }

    /// Whether a row is shown; there is no gap beyond the ends.
    fn is_shown(&self, row: usize) -> bool {
        self.rows.get(row).copied().unwrap_or(true)
    }
}

/// A signed number of tokens.
fn signed(tokens: usize) -> isize {
    isize::try_from(tokens).unwrap_or(isize::MAX / 4)
}
