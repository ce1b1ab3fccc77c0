//! Whether a plan keeps the strategy's contract.

use std::{cell::LazyCell, collections::HashMap};

use contextfit_kernel::{
    Action, Block, ByteRange, Entry, Hold, InvalidPlan, Label, Level, Measured, MeasuredBlock, Piece, Plan,
    Quote, QuoteSource, Rewrite, Role, Voice,
};
use contextfit_text::{is_json, rewritten};

use crate::conversation::by_part;

/// Enforces the contract of [`Strategy`](contextfit_kernel::Strategy): a step for each block of `input`, in order;
/// pinned blocks kept; shown blocks kept or cut; cuts at unit borders, with every gap marked and every rewritten piece
/// the result of its rewrite; groups whole. Token counts are not checked: the budget is enforced on the text. O(n log
/// n) in the size of the plan.
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
    let numbers = if talk { input.context.numbers() } else { vec![0; blocks] };
    let steps = plan.steps.iter().zip(&input.blocks).zip(input.context.holds()).zip(numbers);
    for (at, (((step, measured), hold), number)) in steps.enumerate() {
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
            // An entry of a record is kept whole or dropped.
            Action::Cut { .. } if talk && !block.level.shows_source() => {
                return Err(InvalidPlan::Level(block.id.clone()));
            }
            Action::Cut { pieces } => check_cut(measured, pieces)?,
            Action::Record { entries } | Action::Summarize { fallback: entries, .. } => {
                let valid = talk && entries.iter().all(|entry| is_entry(measured, number, entry));
                if !valid || block.level < Level::Extract {
                    return Err(InvalidPlan::Entry(block.id.clone()));
                }
            }
            // A turn is represented by quotes or a declared summary.
            Action::Render { text, .. } if talk && block.as_turn().is_some() && !is_summary(text, number) => {
                return Err(InvalidPlan::Entry(block.id.clone()));
            }
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

/// The state that the members of a group share.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Shown.
    Shown,
    /// Left out; in a conversation also quoted in the record: the result of a call cannot be a message if its call is
    /// not.
    Hidden,
}

impl Standing {
    fn of(action: &Action, level: Level, talk: bool) -> Self {
        match action.level(level) {
            Some(level) if !talk || level.shows_source() => Self::Shown,
            _ => Self::Hidden,
        }
    }
}

/// Whether `text` is an entry with a model's summary that ends with turn `number`.
fn is_summary(text: &str, number: usize) -> bool {
    let label = Label::parse(text).map(|(label, _)| label);
    label.is_some_and(|label| label.number == number && matches!(label.voice, Voice::Summary { .. }))
}

/// Whether `entry` belongs to the block numbered `number`: its label says so, and each quote is a run of whole units.
fn is_entry(measured: &MeasuredBlock<'_>, number: usize, entry: &Entry) -> bool {
    let block = measured.block();
    let Some(turn) = block.as_turn() else { return false };
    let is_own = entry.label.number == number
        && match &entry.label.voice {
            Voice::Said { role, .. } | Voice::Again { role, .. } => *role == turn.role,
            Voice::Pasted => turn.role == Role::User,
            Voice::Called { .. } => !turn.calls.is_empty(),
            Voice::Summary { .. } => false,
        };
    is_own && entry.lines.iter().flatten().all(|quote| is_whole(measured, quote))
}

/// Whether a quote is a run of whole units: sentences and lines as measured, members and elements of JSON, a line of a
/// string in the arguments of a call, or all of the arguments.
fn is_whole(measured: &MeasuredBlock<'_>, quote: &Quote) -> bool {
    let block: &Block = measured.block();
    let Some(text) = quote.source.of(block) else { return false };
    let (start, end) = (quote.range.start(), quote.range.end());
    let Some((before, after)) = text.get(..start).zip(text.get(end..)) else { return false };
    // A call may have no arguments.
    if quote.range.is_empty() {
        return text.is_empty() && matches!(quote.source, QuoteSource::Arguments(_));
    }
    let is_value = || {
        let (before, after) = (before.trim_end(), after.trim_start());
        (before.is_empty() || before.ends_with(['{', '[', ',', ':']))
            && (after.is_empty() || after.starts_with(['}', ']', ',']))
    };
    let is_line = || {
        (before.ends_with('"') || before.ends_with("\\n"))
            && (after.starts_with('"') || after.starts_with("\\n") || after.starts_with("\\r\\n"))
    };
    match quote.source {
        _ if quote.escaped => is_line(),
        QuoteSource::Text => {
            let blank = |range: Option<&str>| range.is_some_and(|text| text.trim().is_empty());
            let first = measured.units_before(start);
            let last = measured.units_before(end);
            let starts = blank(text.get(measured.start_of(first)..start));
            let ends = measured.is_unit_end(end) || blank(text.get(end..measured.start_of(last + 1)));
            (starts && ends) || is_value()
        }
        QuoteSource::Arguments(_) => is_value(),
    }
}

/// Checks one cut, each part of a message separately.
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

/// Checks the pieces of `part`.
fn check_part(measured: &MeasuredBlock<'_>, pieces: &[Piece], part: ByteRange) -> Result<(), InvalidPlan> {
    let id = || measured.block().id.clone();
    let whole = part.of(&measured.block().text).unwrap_or_default();
    let is_whole_json = LazyCell::new(|| is_json(whole));
    let mut end = part.start();
    let mut marked = false;
    for piece in pieces {
        let Some(range) = piece.range() else {
            marked = true;
            continue;
        };
        let in_order = range.start() >= end && range.end() > range.start();
        if !in_order || !measured.is_unit_boundary(range.start()) || !measured.is_unit_end(range.end()) {
            return Err(InvalidPlan::Range { id: id(), start: range.start(), end: range.end() });
        }
        if let Piece::Rewritten { text, rewrite, .. } = piece {
            let source = range.of(&measured.block().text).filter(|_| range.end() <= part.end());
            let is_made = source.and_then(|source| rewritten(*rewrite, source)).as_ref() == Some(text);
            let is_of_json = || *is_whole_json || source.is_some_and(is_json);
            if !is_made || (*rewrite == Rewrite::JsonBlanks && !is_of_json()) {
                return Err(InvalidPlan::Rewritten { id: id(), start: range.start(), end: range.end() });
            }
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

#[cfg(test)]
mod tests {
    use contextfit_kernel::{ByteRange, ToolCall, Turn};

    use super::*;

    /// Some tools take no arguments, and some models then send an empty text.
    #[test]
    fn all_of_no_arguments() {
        let check = |arguments: &str, source, expect| {
            let turn = Turn::new(Role::Assistant).with_calls(vec![ToolCall::new("look_up", arguments)]);
            let block = Block::turn("0", turn, "");
            let measured = MeasuredBlock::new(&block, Vec::new(), contextfit_kernel::Tokens::ZERO);
            assert_eq!(
                is_whole(&measured, &Quote::new(source, ByteRange::whole(""))),
                expect,
                "{arguments:?}"
            );
        };
        check("", QuoteSource::Arguments(0), true);
        check("{}", QuoteSource::Arguments(0), false);
        check("", QuoteSource::Text, false);
    }
}
