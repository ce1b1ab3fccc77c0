//! The selection of rows within a room.

use std::ops::Range;

use crate::ledger::{Holder, Ledger, Need, Node, Relation};

/// A step is given up when it exceeds the room by the cost of this many markers; up to then, closed gaps may still
/// compensate for the excess.
const HOPE: usize = 32;

/// How much of what rows need is taken with them. The needs of holders are always taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum With {
    /// All needs, including the needs of rows that are taken as needs.
    All,
    /// As `All`, but without the [`Need::One`] of rows.
    Each,
    /// The needs of the requested rows, without [`Need::One`] and without the needs of the rows that are added.
    Direct,
    /// Only the holders.
    Nothing,
}

/// A selection of rows that fits into a room, together with the rows that they need, their holders, and the markers in
/// the gaps between them.
///
/// A holder with at least one shown row costs its opening, its shown rows, and one marker for each run of other rows. A
/// holder that is not shown costs its stand-in if another holder of its group is shown. A row in the middle of a gap
/// therefore costs one more marker, and a row that closes a gap saves one.
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
    /// The most rows that a step may take in addition to the requested ones.
    most: usize,
    /// The last step: its cost, the savings by closed gaps and stand-ins, its rows and its holders.
    debt: usize,
    credit: usize,
    rows: Vec<usize>,
    holders: Vec<usize>,
    wanted: Vec<Node>,
}

impl<'l> Selection<'l> {
    /// Creates an empty selection with this `room`. Linear.
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

    /// Limits the rows that a step may take in addition to the requested ones, to `most` and one for each holder that
    /// it opens.
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

    /// The rows that the last step took, or would have taken if it had fit.
    #[must_use]
    pub fn last(&self) -> &[usize] {
        &self.rows
    }

    /// The cost of the last step, without its savings.
    #[must_use]
    pub const fn debt(&self) -> usize {
        self.debt
    }

    /// Whether `row` is taken.
    #[must_use]
    pub fn is_taken(&self, row: usize) -> bool {
        self.taken.get(row) == Some(&true)
    }

    /// Whether holder `n` is shown.
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

    /// For each row of holder `n`, whether it is taken.
    #[must_use]
    pub fn shown(&self, n: usize) -> &[bool] {
        self.taken.get(self.ledger.rows(n)).unwrap_or_default()
    }

    /// Takes the nodes `asked` for and what they need, or nothing if less than `reserve` would be left. Returns whether
    /// all of them are taken now.
    ///
    /// Linear in the rows taken or given up and in what they need. A step that exceeds the room by far is given up
    /// early.
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

    /// Undoes the last step, which must have succeeded.
    pub fn give_back(&mut self) {
        self.left = (self.left + self.debt).saturating_sub(self.credit);
        self.clear();
    }

    /// Marks the rows and holders of the last step as not taken.
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

    /// Takes `row` unless it is already taken, and updates the cost of markers. Returns whether it was taken now.
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

    /// Opens holder `n`, with a marker for its rows, unless it is open. Returns whether it was opened now.
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

    /// Adds the needs of `node` to the nodes that this step still has to take.
    fn want_needs(&mut self, node: Node, with: With) {
        for need in self.relation.of(node) {
            match need {
                Need::All(rows) => self.wanted.extend(rows.clone().map(Node::Row)),
                Need::Holder(n) => self.wanted.push(Node::Holder(*n)),
                Need::One(_) if with != With::All && matches!(node, Node::Row(_)) => {}
                Need::One(rows) => {
                    // The rows of this step are checked first, because `rows` can be all rows of a holder.
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

    /// The runs of rows of holder `n` to show, in order, numbered from its first row. A gap that costs no more than its
    /// marker is shown too, if the needs of its rows are met. Linear in the rows.
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

    /// Whether `gap` costs no more than its marker, and the needs of its rows are met.
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
