//! Whether a plan keeps the strategy's contract.

use std::collections::HashMap;

use contextfit_kernel::{Action, ByteRange, Hold, InvalidPlan, Level, Measured, MeasuredBlock, Piece, Plan};

use crate::conversation::by_part;

/// Checks that `plan` is one for `input`: a step for each block in order, pinned blocks kept, shown ones kept or
/// cut, cuts at unit borders with every gap marked, groups whole. Linear-logarithmic in the size of the plan.
///
/// # Errors
/// [`InvalidPlan`] with the first fault found.
pub fn check_plan(input: &Measured<'_>, plan: &Plan) -> Result<(), InvalidPlan> {
    let (steps, blocks) = (plan.steps.len(), input.blocks.len());
    if steps != blocks {
        return Err(InvalidPlan::Steps { steps, blocks });
    }
    let talk = input.context.layout.framing.is_some();
    let mut groups: HashMap<&str, Standing> = HashMap::new();
    let steps = plan.steps.iter().zip(&input.blocks).zip(input.context.holds());
    for (at, ((step, measured), hold)) in steps.enumerate() {
        let block = measured.block();
        if step.id != block.id {
            return Err(InvalidPlan::Order { at, expected: block.id.clone(), found: step.id.clone() });
        }
        match (hold, &step.action) {
            (_, Action::Keep) | (Hold::Free, _) | (Hold::Shown, Action::Cut { .. }) => {}
            (Hold::Shown, _) => return Err(InvalidPlan::Shown(block.id.clone())),
            (Hold::Pinned, _) => return Err(InvalidPlan::Pinned(block.id.clone())),
        }
        match &step.action {
            Action::Cut { pieces } => check_cut(measured, pieces)?,
            Action::Render { level, .. } if level.shows_source() => {
                return Err(InvalidPlan::Level(block.id.clone()));
            }
            _ => {}
        }
        if let Some(group) = &block.group {
            let standing = Standing::of(&step.action, block.level, talk);
            if *groups.entry(group).or_insert(standing) != standing {
                return Err(InvalidPlan::Group(group.clone()));
            }
        }
    }
    Ok(())
}

/// What the members of a group share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Shown.
    Shown,
    /// Shown as a line of a ledger: the result of a tool call cannot stand alone when its call does so.
    Line,
    /// Left out.
    Dropped,
}

impl Standing {
    /// How a block of `level` stands after `action`; there are lines in a talk only.
    fn of(action: &Action, level: Level, talk: bool) -> Self {
        match action.level(level) {
            None => Self::Dropped,
            Some(level) if talk && !level.shows_source() => Self::Line,
            Some(_) => Self::Shown,
        }
    }
}

/// Checks one cut, each part of a message by itself.
fn check_cut(measured: &MeasuredBlock<'_>, pieces: &[Piece]) -> Result<(), InvalidPlan> {
    let block = measured.block();
    match block.as_turn().filter(|turn| !turn.parts.is_empty()) {
        None => check_part(measured, pieces, ByteRange::whole(&block.text)),
        Some(turn) => by_part(turn, &block.text, pieces)
            .iter()
            .zip(turn.ranges(&block.text))
            .try_for_each(|(pieces, range)| check_part(measured, pieces, range)),
    }
}

/// Checks what is left of `part`.
fn check_part(measured: &MeasuredBlock<'_>, pieces: &[Piece], part: ByteRange) -> Result<(), InvalidPlan> {
    let id = || measured.block().id.clone();
    let mut end = part.start();
    let mut marked = false;
    for piece in pieces {
        let Piece::Source(range) = piece else {
            marked = true;
            continue;
        };
        let in_order = range.start() >= end && range.end() > range.start();
        if !in_order || !measured.is_unit_boundary(range.start()) || !measured.is_unit_end(range.end()) {
            return Err(InvalidPlan::Range { id: id(), start: range.start(), end: range.end() });
        }
        if range.start() > end && !marked {
            return Err(InvalidPlan::UnmarkedGap(id()));
        }
        (end, marked) = (range.end(), false);
    }
    if end < part.end() && !marked {
        return Err(InvalidPlan::UnmarkedGap(id()));
    }
    Ok(())
}
