//! Whether a plan keeps the strategy's contract.

use std::collections::HashMap;

use contextfit_kernel::{Action, InvalidPlan, Measured, MeasuredBlock, Piece, Plan};

/// Checks that `plan` is one for `input`: a step for each block in order, pinned blocks kept, cuts at unit borders with
/// every gap marked, groups whole. Linear-logarithmic in the size of the plan.
///
/// # Errors
/// [`InvalidPlan`] with the first fault found.
pub fn check_plan(input: &Measured<'_>, plan: &Plan) -> Result<(), InvalidPlan> {
    let (steps, blocks) = (plan.steps.len(), input.blocks.len());
    if steps != blocks {
        return Err(InvalidPlan::Steps { steps, blocks });
    }
    let mut groups: HashMap<&str, bool> = HashMap::new();
    for (at, (step, measured)) in plan.steps.iter().zip(&input.blocks).enumerate() {
        let block = measured.block();
        if step.id != block.id {
            return Err(InvalidPlan::Order { at, expected: block.id.clone(), found: step.id.clone() });
        }
        if block.pinned && step.action != Action::Keep {
            return Err(InvalidPlan::Pinned(block.id.clone()));
        }
        match &step.action {
            Action::Cut { pieces } => check_cut(measured, pieces)?,
            Action::Render { level, .. } if level.shows_source() => {
                return Err(InvalidPlan::Level(block.id.clone()));
            }
            _ => {}
        }
        if let Some(group) = &block.group {
            let dropped = step.action == Action::Drop;
            if *groups.entry(group).or_insert(dropped) != dropped {
                return Err(InvalidPlan::Group(group.clone()));
            }
        }
    }
    Ok(())
}

/// Checks one cut.
fn check_cut(measured: &MeasuredBlock<'_>, pieces: &[Piece]) -> Result<(), InvalidPlan> {
    let id = || measured.block().id.clone();
    let mut end = 0;
    let mut marked = false;
    for piece in pieces {
        let Piece::Source(range) = piece else {
            marked = true;
            continue;
        };
        let in_order = range.start() >= end && range.end() > range.start();
        if !in_order || !measured.is_unit_boundary(range.start()) || !measured.is_unit_boundary(range.end()) {
            return Err(InvalidPlan::Range { id: id(), start: range.start(), end: range.end() });
        }
        if range.start() > end && !marked {
            return Err(InvalidPlan::UnmarkedGap(id()));
        }
        (end, marked) = (range.end(), false);
    }
    if end < measured.block().text.len() && !marked {
        return Err(InvalidPlan::UnmarkedGap(id()));
    }
    Ok(())
}
