//! Shows required blocks in the room that a plan leaves.

use std::ops::Range;

use contextfit_kernel::{
    Action, Hold, Measured, MeasuredBlock, Piece, Plan, Reason, Role, Step, Tokens, Turn,
};

use crate::{Language, gap_marker};

/// Cuts every [shown](Hold::Shown) block that `plan` drops or replaces, and keeps its first units in the part of `room`
/// that the other steps leave. Messages of the user come before other blocks; if no room is left, only markers remain.
/// If even these take the plan over the room, passages that are free are dropped, the last ones first. Linear in the size
/// of the context.
pub fn keep_shown(plan: &mut Plan, input: &Measured<'_>, room: Tokens) {
    let is_lost = |action: &Action| !matches!(action, Action::Keep | Action::Cut { .. });
    let steps = plan.steps.iter().zip(input.context.holds()).zip(&input.blocks).enumerate();
    let lost = steps.filter(|(_, ((step, hold), _))| *hold == Hold::Shown && is_lost(&step.action));
    let mut lost: Vec<(usize, &MeasuredBlock<'_>)> = lost.map(|(n, (_, block))| (n, block)).collect();
    if lost.is_empty() {
        return;
    }
    lost.sort_by_key(|(_, block)| block.block().as_turn().is_none_or(|turn| turn.role != Role::User));
    let smallest: Vec<Tokens> =
        lost.iter().map(|(n, block)| show(plan, *n, block, Tokens::ZERO, input)).collect();
    let request = input.context.layout.framing.as_ref().map_or(Tokens::ZERO, |framing| framing.request);
    let mut left = room.saturating_sub(request + input.record + input.omission + taken(plan, input));
    for ((n, block), smallest) in lost.into_iter().zip(smallest) {
        if left > Tokens::ZERO {
            let taken = show(plan, n, block, smallest + left, input);
            left = (left + smallest).saturating_sub(taken);
        }
    }
    // In a conversation, entries of a record take less than the sum of their steps.
    if input.context.layout.framing.is_none() {
        drop_free(plan, input, room);
    }
}

/// Drops free groups, from the last on, while `plan` takes more than `room`.
fn drop_free(plan: &mut Plan, input: &Measured<'_>, room: Tokens) {
    let omits = input.context.omitted > 0 || plan.steps.iter().any(|step| step.action == Action::Drop);
    let mut over = taken(plan, input) + if omits { input.omission } else { Tokens::ZERO };
    over = over.saturating_sub(room);
    let holds = input.context.holds();
    let is_free = |n: &usize| holds.get(*n) == Some(&Hold::Free);
    for members in input.context.groups().into_iter().rev().filter(|members| members.iter().all(is_free)) {
        if over == Tokens::ZERO {
            break;
        }
        for n in members {
            let (Some(block), Some(step)) = (input.blocks.get(n), plan.steps.get_mut(n)) else { continue };
            let needed = block.cost(&Action::Keep, input.counter);
            over = over.saturating_sub(cost(block, step, input));
            (step.action, step.reason) = (Action::Drop, Reason::NoRoom { needed });
            step.tokens = Some(Tokens::ZERO);
        }
    }
}

/// The tokens of all steps.
fn taken(plan: &Plan, input: &Measured<'_>) -> Tokens {
    let steps = input.blocks.iter().zip(&plan.steps);
    steps.map(|(block, step)| cost(block, step, input)).sum()
}

fn cost(block: &MeasuredBlock<'_>, step: &Step, input: &Measured<'_>) -> Tokens {
    step.tokens.unwrap_or_else(|| block.cost(&step.action, input.counter))
}

/// Shows the first units of `block`, which is at index `n`, within `room` tokens; returns the tokens it takes.
fn show(plan: &mut Plan, n: usize, block: &MeasuredBlock<'_>, room: Tokens, input: &Measured<'_>) -> Tokens {
    let (action, kept) = head(block, room, input);
    let (of, tokens) = (block.units().len(), block.cost(&action, input.counter));
    if let Some(step) = plan.steps.get_mut(n) {
        step.reason = if kept == of { Reason::Shown } else { Reason::NoRoomWhole { kept, of } };
        (step.action, step.tokens) = (action, Some(tokens));
    }
    tokens
}

/// The first units of each part of `block` within `room` tokens, with a marker for the others, and the number of units
/// shown. It is the whole block if that fits or if cutting it saves nothing.
fn head(block: &MeasuredBlock<'_>, room: Tokens, input: &Measured<'_>) -> (Action, usize) {
    let whole = (Action::Keep, block.units().len());
    let cost = block.framing() + block.tokens();
    if cost <= room || !block.block().level.shows_source() {
        return whole;
    }
    let language = Language::of_measured(block);
    let parts = parts(block);
    let marker = |from: usize, to: usize| gap_marker(block, language, from, to);
    let markers: Tokens = parts.iter().map(|part| input.counter.count(&marker(part.start, part.end))).sum();
    let mut left = room.saturating_sub(block.framing() + markers);
    let (mut pieces, mut kept) = (Vec::with_capacity(parts.len() * 2), 0);
    for Range { start, end } in parts {
        let through = block.tokens_through(start) + left;
        let fit = block.units().partition_point(|unit| unit.tokens_through <= through).clamp(start, end);
        let until = if left > Tokens::ZERO { fit } else { start };
        left = left.saturating_sub(block.tokens_between(start, until));
        kept += until - start;
        pieces.extend((start < until).then(|| Piece::Source(block.range(start, until))));
        pieces.extend((until < end).then(|| Piece::Marker(marker(until, end))));
    }
    let cut = Action::Cut { pieces };
    if block.cost(&cut, input.counter) < cost { (cut, kept) } else { whole }
}

/// The units of each part of `block` that has text.
fn parts(block: &MeasuredBlock<'_>) -> Vec<Range<usize>> {
    let text = &block.block().text;
    let plain = Turn::new(Role::User);
    let ranges = block.block().as_turn().unwrap_or(&plain).ranges(text).filter(|range| !range.is_empty());
    ranges.map(|range| block.units_before(range.start())..block.units_before(range.end())).collect()
}
