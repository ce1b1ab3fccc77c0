//! The costs of rows and their holders, and the relation of what needs what.

use std::ops::Range;

/// A row, or a holder of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// A row by its number; rows are numbered through all holders.
    Row(usize),
    /// A holder by its number.
    Holder(usize),
}

/// Other nodes that a node must be shown with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// All of these rows.
    All(Range<usize>),
    /// At least one of these rows. If none is taken, it is the most valuable one, of equal ones the first.
    One(Range<usize>),
    /// A holder, with or without rows of it.
    Holder(usize),
}

/// The needs of all nodes: the other nodes that each must be shown with. A row always needs its holder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relation {
    needs: Vec<Need>,
    /// The ends of the needs of each row, then of each holder, in the list of all needs.
    rows: Vec<usize>,
    holders: Vec<usize>,
}

impl FromIterator<(Node, Need)> for Relation {
    /// O(n log n) in the number of needs, or linear if they are in order; and linear in the highest number of a node.
    fn from_iter<T: IntoIterator<Item = (Node, Need)>>(needs: T) -> Self {
        let mut sorted: Vec<(Node, Need)> = needs.into_iter().collect();
        sorted.sort_by_key(|(node, _)| *node);
        let mut relation = Self::default();
        for (node, need) in sorted {
            let (ends, n) = match node {
                Node::Row(n) => (&mut relation.rows, n),
                Node::Holder(n) => (&mut relation.holders, n),
            };
            ends.resize(n + 1, relation.needs.len());
            relation.needs.push(need);
            ends.last_mut().into_iter().for_each(|end| *end += 1);
        }
        relation
    }
}

impl Relation {
    /// The needs of `node`.
    pub(crate) fn of(&self, node: Node) -> &[Need] {
        let (ends, n, first) = match node {
            Node::Row(n) => (&self.rows, n, 0),
            Node::Holder(n) => (&self.holders, n, self.rows.last().copied().unwrap_or(0)),
        };
        let start = n.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(first);
        ends.get(n).and_then(|&end| self.needs.get(start..end)).unwrap_or_default()
    }
}

/// The costs of a holder in addition to its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holder {
    /// The cost of showing anything of the holder, such as its header.
    pub opening: usize,
    /// The cost of the marker for a gap, which is a run of rows that are not shown.
    pub marker: usize,
    /// A single row between two shown rows is shown too if it costs at most this much.
    pub between: usize,
    /// The cost of the holder if it is not shown but another holder of its group is.
    pub stand_in: usize,
    /// Its group, by number.
    pub group: Option<usize>,
}

/// The holders with their rows, and the cost of each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ledger {
    pub(crate) holders: Vec<(Holder, Range<usize>)>,
    /// For each row, the cost of all rows up to and including it.
    through: Vec<usize>,
    values: Vec<f64>,
    /// The holder of each row.
    owners: Vec<u32>,
    /// For each group, the cost of the stand-ins of all its holders.
    pub(crate) stand_ins: Vec<usize>,
    longest_marker: usize,
}

impl Ledger {
    /// Adds `holder` with the costs and values of its rows, in order, and returns its number. Linear.
    pub fn hold(&mut self, holder: Holder, rows: impl IntoIterator<Item = (usize, f64)>) -> usize {
        let (n, start) = (self.holders.len(), self.values.len());
        let mut through = self.through.last().copied().unwrap_or(0);
        for (cost, value) in rows {
            through += cost;
            self.through.push(through);
            self.values.push(value);
        }
        self.owners.resize(self.values.len(), u32::try_from(n).unwrap_or(u32::MAX));
        if let Some(group) = holder.group {
            self.stand_ins.resize(self.stand_ins.len().max(group + 1), 0);
            self.stand_ins.get_mut(group).into_iter().for_each(|all| *all += holder.stand_in);
        }
        self.longest_marker = self.longest_marker.max(holder.marker);
        self.holders.push((holder, start..self.values.len()));
        n
    }

    /// The number of rows in all holders.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The rows of holder `n`.
    #[must_use]
    pub fn rows(&self, n: usize) -> Range<usize> {
        self.holders.get(n).map_or(0..0, |(_, rows)| rows.clone())
    }

    /// The holder of `row`, by number.
    pub(crate) fn owner(&self, row: usize) -> usize {
        self.owners.get(row).map_or(0, |&owner| owner as usize)
    }

    /// The group of holder `n`, by number.
    #[must_use]
    pub fn group(&self, n: usize) -> Option<usize> {
        self.holders.get(n).and_then(|(holder, _)| holder.group)
    }

    /// The highest cost of a marker.
    #[must_use]
    pub const fn longest_marker(&self) -> usize {
        self.longest_marker
    }

    /// The cost of `rows`, without holders and markers.
    #[must_use]
    pub fn cost(&self, rows: &Range<usize>) -> usize {
        let before =
            |row: usize| row.checked_sub(1).and_then(|row| self.through.get(row)).copied().unwrap_or(0);
        before(rows.end).saturating_sub(before(rows.start))
    }

    /// The most valuable of `rows`; of equal ones the first.
    #[must_use]
    pub fn best(&self, rows: Range<usize>) -> Option<usize> {
        let value = |row: usize| self.values.get(row).copied().unwrap_or(0.0);
        rows.rev().max_by(|&a, &b| value(a).total_cmp(&value(b)))
    }
}
