//! The units that a baseline keeps of each block, and the resulting plan.

use std::{collections::HashSet, ops::Range};

use contextfit_kernel::{Action, Hold, Measured, MeasuredBlock, Piece, Plan, Reason, Step, Tokens, Values};
use contextfit_text::keep_shown;

/// The units to keep of each block, in ascending order; `None` drops the block.
pub(super) struct Cuts<'a, 'b> {
    input: &'b Measured<'a>,
    /// Blocks kept whole whatever the baseline does.
    must_keep: Vec<bool>,
    units: Vec<Option<Vec<usize>>>,
    room: Tokens,
    /// The remaining room.
    pub(super) left: Tokens,
}

impl<'a, 'b> Cuts<'a, 'b> {
    /// Keeps pinned blocks, and as much as fits of those that must be shown; drops the rest. What remains of `room` is
    /// reduced by the line about omitted blocks.
    pub(super) fn new(input: &'b Measured<'a>, room: Tokens) -> Self {
        let request = input.context.layout.framing.as_ref().map_or(Tokens::ZERO, |framing| framing.request);
        let holds = input.context.holds();
        let pinned = input.blocks.iter().zip(&holds).filter(|(_, hold)| **hold == Hold::Pinned);
        let pinned: Tokens = pinned.map(|(block, _)| whole(block)).sum();
        let mut left = room.saturating_sub(request + input.omission + input.record + pinned);
        let mut keep =
            |(block, hold): (&MeasuredBlock<'_>, Hold)| match (hold, left.checked_sub(whole(block))) {
                (Hold::Shown, Some(rest)) => {
                    left = rest;
                    true
                }
                _ => hold == Hold::Pinned,
            };
        let must_keep = input.blocks.iter().zip(holds).map(&mut keep).collect();
        Self { input, must_keep, units: vec![None; input.blocks.len()], room, left }
    }

    /// The blocks to decide on, with their indices, in order.
    pub(super) fn open(&self) -> Vec<(usize, &'b MeasuredBlock<'a>)> {
        let blocks = self.input.blocks.iter().enumerate().zip(&self.must_keep);
        blocks.filter(|(_, keep)| !**keep).map(|(block, _)| block).collect()
    }

    /// Keeps `units` of block `n`.
    pub(super) fn keep(&mut self, n: usize, units: impl IntoIterator<Item = usize>) {
        self.units.set(n, Some(units.into_iter().collect()));
    }

    /// Keeps block `n` whole if there is room for it, and says whether it does.
    pub(super) fn keep_whole(&mut self, n: usize, block: &MeasuredBlock<'_>) -> bool {
        let Some(left) = self.left.checked_sub(whole(block)) else { return false };
        self.left = left;
        self.keep(n, 0..block.units().len());
        true
    }

    /// The context with the costs of its blocks.
    pub(super) const fn input(&self) -> &'b Measured<'a> {
        self.input
    }

    /// The question; empty if there is none.
    pub(super) fn query(&self) -> &'b str {
        self.input.context.query.as_deref().unwrap_or_default()
    }

    /// The most that a marker in `block` costs.
    pub(super) fn marker_cost(&self, block: &MeasuredBlock<'_>) -> Tokens {
        self.input.counter.count(&format!(" [... {} sentences]\n", block.units().len()))
    }

    /// How many of the first units of `block` fit into `room`, including header and marker; never all of them, since a
    /// block that fits whole needs no marker. Logarithmic time.
    pub(super) fn head_within(&self, block: &MeasuredBlock<'_>, room: Tokens) -> usize {
        let units = block.units();
        let Some(text) = room.checked_sub(block.framing() + self.marker_cost(block)) else { return 0 };
        units.partition_point(|unit| unit.tokens_through <= text).min(units.len().saturating_sub(1))
    }

    /// The plan. If one block of a group is dropped, the whole group is, unless it must be shown.
    pub(super) fn plan(self, strategy: &str) -> Plan {
        let blocks = || self.input.blocks.iter().zip(self.units.iter().zip(&self.must_keep));
        let dropped = blocks().filter(|(_, (units, keep))| units.is_none() && !**keep);
        let torn: HashSet<&str> = dropped.filter_map(|(block, _)| block.block().group.as_deref()).collect();
        let step = |(block, (units, keep)): (&MeasuredBlock<'a>, (&Option<Vec<usize>>, &bool))| {
            let together = block.block().group.as_deref().is_none_or(|group| !torn.contains(group));
            let (action, reason) = match units {
                _ if *keep => (Action::Keep, Reason::Pinned),
                Some(units) if together => cut(block, units),
                _ => (Action::Drop, Reason::NoRoom { needed: whole(block) }),
            };
            Step::new(&block.block().id, action, reason)
        };
        let mut plan = Plan { strategy: strategy.into(), steps: blocks().map(step).collect() };
        keep_shown(&mut plan, self.input, self.room);
        plan
    }
}

/// The cost of `block` as a whole.
pub(super) fn whole(block: &MeasuredBlock<'_>) -> Tokens {
    block.framing() + block.tokens()
}

/// The action for a block of which `units` are kept.
fn cut(block: &MeasuredBlock<'_>, units: &[usize]) -> (Action, Reason) {
    let (kept, of) = (units.len(), block.units().len());
    if kept == of {
        return (Action::Keep, Reason::Fits);
    }
    let mut pieces = Vec::new();
    let mut end = 0;
    for run in units.chunk_by(|unit, next| unit + 1 == *next) {
        let (Some(from), Some(last)) = (run.first(), run.last()) else { continue };
        pieces.extend(marker(block, end..*from).map(Piece::Marker));
        pieces.push(Piece::Source(block.range(*from, last + 1)));
        end = last + 1;
    }
    pieces.extend(marker(block, end..of).map(Piece::Marker));
    (Action::Cut { pieces }, Reason::NoRoomWhole { kept, of })
}

/// The marker for missing units; `None` if there are none.
fn marker(block: &MeasuredBlock<'_>, missing: Range<usize>) -> Option<String> {
    if missing.is_empty() {
        return None;
    }
    let gap = block.text(missing.start, missing.end);
    let starts_line = missing.start == 0 || block.text(missing.start - 1, missing.start).ends_with('\n');
    let ends_line = gap.ends_with('\n') || missing.end == block.units().len();
    let (n, noun) = match starts_line && ends_line {
        true => (gap.lines().count(), "line"),
        false => (missing.len(), "sentence"),
    };
    let plural = if n == 1 { "" } else { "s" };
    let space = if starts_line { "" } else { " " };
    let feed = if gap.ends_with('\n') { "\n" } else { "" };
    Some(format!("{space}[... {n} {noun}{plural}]{feed}"))
}
