//! Rows chosen within a room.

use std::ops::Range;

use crate::ledger::{Holder, Ledger, Need, Node, Relation};

/// A step may exceed the room by this many markers, in the hope of getting them back, before it is given up.
const HOPE: usize = 32;

/// What rows are taken with. What a holder needs is never left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// Everything that they need.
    All,
    /// What they and those around them need all of, but not one of several.
    Each,
    /// What they need all of themselves, but not what that needs.
    Direct,
    /// Only their holders.
    Nothing,
}

/// A choice of rows that fits a room, with what they need, their holders and the markers in the gaps between them.
///
/// A holder of which anything is shown costs its opening, the rows shown, and one marker for each run of rows between
/// or beside these; one that is not shown costs its stand-in if another one of its group is. So a row between two gaps
/// costs one more marker, and a row that closes a gap saves one.
///
/// ```
/// use contextfit_packing::{Holder, Ledger, Need, Node, Relation, Selection, With};
///
/// let mut ledger = Ledger::default();
/// ledger.hold(Holder { marker: 4, ..Holder::default() }, [(10, 0.0); 5]);
/// let relation = Relation::from_iter([(Node::Row(3), Need::All(0..1))]);
/// let mut selection = Selection::new(&ledger, &relation, 30);
/// assert!(selection.take([Node::Row(3)], With::All, 0));
/// assert_eq!((selection.left(), selection.runs(0)), (2, vec![0..1, 3..4]));
/// assert!(!selection.take([Node::Row(1)], With::All, 0));
/// ```
#[derive(Debug, Clone)]
pub struct Selection<'l> {
    ledger: &'l Ledger,
    relation: &'l Relation,
    taken: Vec<bool>,
    open: Vec<bool>,
    /// The number of open holders of each group.
    opened: Vec<usize>,
    left: usize,
    /// No more rows than this are taken with those asked for.
    most: usize,
    /// The last step: its cost, what closed gaps and stand-ins save, its rows and its holders.
    debt: usize,
    credit: usize,
    rows: Vec<usize>,
    holders: Vec<usize>,
    wanted: Vec<Node>,
}

impl<'l> Selection<'l> {
    /// An empty selection. Linear.
    #[must_use]
    pub fn new(ledger: &'l Ledger, relation: &'l Relation, room: usize) -> Self {
        Self {
            ledger,
            relation,
            taken: vec![false; ledger.len()],
            open: vec![false; ledger.holders.len()],
            opened: vec![0; ledger.stand_ins.len()],
            left: room,
            most: usize::MAX / 2,
            debt: 0,
            credit: 0,
            rows: Vec::new(),
            holders: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// Takes nothing that needs more than `most` other rows, and one for each holder that it opens.
    #[must_use]
    pub const fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// The room left.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.left
    }

    /// Changes the room left.
    pub const fn set_left(&mut self, left: usize) {
        self.left = left;
    }

    /// The rows that the last step took, or would have taken.
    #[must_use]
    pub fn last(&self) -> &[usize] {
        &self.rows
    }

    /// The cost of the last step, apart from what it saved.
    #[must_use]
    pub const fn debt(&self) -> usize {
        self.debt
    }

    /// Whether `row` is taken.
    #[must_use]
    pub fn is_taken(&self, row: usize) -> bool {
        self.taken.get(row) == Some(&true)
    }

    /// Whether anything of holder `n` is shown.
    #[must_use]
    pub fn is_open(&self, n: usize) -> bool {
        self.open.get(n) == Some(&true)
    }

    /// Whether any holder of the group of holder `n` is shown.
    #[must_use]
    pub fn group_is_open(&self, n: usize) -> bool {
        let opened = self.ledger.group(n).and_then(|group| self.opened.get(group));
        opened.is_some_and(|opened| *opened > 0)
    }

    /// Which rows of holder `n` are taken.
    #[must_use]
    pub fn shown(&self, n: usize) -> &[bool] {
        self.taken.get(self.ledger.rows(n)).unwrap_or_default()
    }

    /// Takes what is `asked` for with what it needs, all or none: none if that would leave less than `reserve`. Returns
    /// whether all of it is taken now.
    ///
    /// Linear in the rows taken or given up and in what they need; a step that costs more than there is
    /// room for, by far, is given up early.
    pub fn take(&mut self, asked: impl IntoIterator<Item = Node>, with: With, reserve: usize) -> bool {
        (self.debt, self.credit) = (0, 0);
        self.rows.clear();
        self.holders.clear();
        self.wanted.clear();
        self.wanted.extend(asked);
        let (mut asked, mut is_close) = (self.wanted.len(), true);
        let (most, hope) = (asked + self.most, HOPE * self.ledger.longest_marker());
        while let Some(node) = self.wanted.pop().filter(|_| is_close) {
            let is_asked = self.wanted.len() < asked;
            asked = asked.min(self.wanted.len());
            let follows = match node {
                Node::Holder(n) => self.open(n),
                Node::Row(row) => {
                    self.add(row)
                        && (matches!(with, With::All | With::Each) || with == With::Direct && is_asked)
                }
            };
            if follows {
                self.want_needs(node, with);
            }
            is_close =
                self.debt <= self.left + self.credit + hope && self.rows.len() <= most + self.holders.len();
        }
        let left =
            (self.left + self.credit).checked_sub(self.debt).filter(|left| is_close && *left >= reserve);
        match left {
            Some(left) => self.left = left,
            None => self.clear(),
        }
        left.is_some()
    }

    /// Undoes the last step, which was taken.
    pub fn give_back(&mut self) {
        self.left = (self.left + self.debt).saturating_sub(self.credit);
        self.clear();
    }

    /// Marks what the last step took as not taken.
    fn clear(&mut self) {
        for &row in &self.rows {
            self.taken.get_mut(row).into_iter().for_each(|taken| *taken = false);
        }
        for &n in &self.holders {
            self.open.get_mut(n).into_iter().for_each(|open| *open = false);
            let opened = self.ledger.group(n).and_then(|group| self.opened.get_mut(group));
            opened.into_iter().for_each(|opened| *opened -= 1);
        }
    }

    /// Takes `row` unless it is taken, at the cost of its markers.
    fn add(&mut self, row: usize) -> bool {
        let owner = self.ledger.owner(row);
        let Some((holder, rows)) = self.ledger.holders.get(owner) else { return false };
        let Some(taken) = self.taken.get_mut(row).filter(|taken| !**taken) else { return false };
        *taken = true;
        self.rows.push(row);
        self.debt += self.ledger.cost(&(row..row + 1));
        match (row == rows.start || self.is_taken(row - 1), row + 1 == rows.end || self.is_taken(row + 1)) {
            (true, true) => self.credit += holder.marker,
            (false, false) => self.debt += holder.marker,
            _ => {}
        }
        if !self.is_open(owner) {
            self.wanted.push(Node::Holder(owner));
        }
        if holder.between > 0 {
            for (between, other) in [(row.wrapping_sub(1), row.wrapping_sub(2)), (row + 1, row + 2)] {
                let is_between = rows.contains(&other) && self.is_taken(other) && !self.is_taken(between);
                if is_between && self.ledger.cost(&(between..between + 1)) <= holder.between {
                    self.wanted.push(Node::Row(between));
                }
            }
        }
        true
    }

    /// Opens holder `n` unless it is open, with a marker for its rows.
    fn open(&mut self, n: usize) -> bool {
        let Some(((holder, rows), open)) = self.ledger.holders.get(n).zip(self.open.get_mut(n)) else {
            return false;
        };
        if *open {
            return false;
        }
        *open = true;
        self.holders.push(n);
        self.debt += holder.opening + if rows.is_empty() { 0 } else { holder.marker };
        if let Some(group) = holder.group
            && let Some((opened, all)) = self.opened.get_mut(group).zip(self.ledger.stand_ins.get(group))
        {
            self.debt += if *opened == 0 { *all } else { 0 };
            self.credit += holder.stand_in;
            *opened += 1;
        }
        true
    }

    /// Adds what `node` needs to what is wanted.
    fn want_needs(&mut self, node: Node, with: With) {
        for need in self.relation.of(node) {
            match need {
                Need::All(rows) => self.wanted.extend(rows.clone().map(Node::Row)),
                Need::Holder(n) => self.wanted.push(Node::Holder(*n)),
                Need::One(_) if with != With::All && matches!(node, Node::Row(_)) => {}
                Need::One(rows) => {
                    // Those just taken are looked at first, because the rows can be all of a holder.
                    let is_wanted = |node: &Node| matches!(node, Node::Row(row) if rows.contains(row));
                    let is_met = self.rows.iter().any(|row| rows.contains(row))
                        || self.wanted.iter().any(is_wanted)
                        || rows.clone().any(|row| self.is_taken(row));
                    let best = self.ledger.best(rows.clone()).filter(|_| !is_met);
                    self.wanted.extend(best.map(Node::Row));
                }
            }
        }
    }

    /// The runs of rows to show of holder `n`, in order, counted from its first row. A gap that costs no more than its
    /// marker is shown too, if everything in it has what it needs. Linear in the rows.
    #[must_use]
    pub fn runs(&self, n: usize) -> Vec<Range<usize>> {
        let Some((holder, rows)) = self.ledger.holders.get(n) else { return Vec::new() };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for row in rows.clone().filter(|&row| self.is_taken(row)) {
            match runs.last_mut() {
                Some(run) if self.is_filled(run.end..row, holder) => run.end = row + 1,
                None if self.is_filled(rows.start..row, holder) => runs.push(rows.start..row + 1),
                _ => runs.push(row..row + 1),
            }
        }
        if let Some(last) = runs.last_mut().filter(|last| self.is_filled(last.end..rows.end, holder)) {
            last.end = rows.end;
        }
        runs.into_iter().map(|run| run.start - rows.start..run.end - rows.start).collect()
    }

    /// Whether `gap` costs no more than its marker, and everything in it has what it needs.
    fn is_filled(&self, gap: Range<usize>, holder: &Holder) -> bool {
        let is_shown = |row: usize| gap.contains(&row) || self.taken.get(row).copied().unwrap_or(true);
        let is_met = |need: &Need| match need {
            Need::All(rows) => rows.clone().all(is_shown),
            Need::One(rows) => rows.clone().any(is_shown),
            Need::Holder(n) => self.is_open(*n),
        };
        self.ledger.cost(&gap) <= holder.marker
            && gap.clone().all(|row| self.relation.of(Node::Row(row)).iter().all(is_met))
    }
}
