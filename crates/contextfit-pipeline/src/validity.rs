//! The checks that a plan keeps the contract of a strategy.

use std::{cell::LazyCell, collections::HashMap};

use contextfit_kernel::{
    Action, Block, ByteRange, Entry, Hold, InvalidPlan, Label, Level, Measured, MeasuredBlock, Piece, Plan,
    Quote, QuoteSource, Reason, Rewrite, Role, Step, Voice,
};
use contextfit_text::{JsonKind, Speakers, begins_as_json, is_json, json_tokens, rewritten};

use crate::{
    conversation::by_part,
    departures::{Owed, dangling, is_name},
    forgery::{Grammar, check_gaps},
    told::is_told,
};

/// Checks that `plan` keeps the contract of [`Strategy`](contextfit_kernel::Strategy): it has a step for each block of
/// `input`, in order; pinned blocks are kept; shown blocks are kept or cut; cuts are at unit boundaries, with every gap
/// marked and every rewritten piece the result of its rewrite; groups stay whole. Token counts are not checked here;
/// the budget is enforced on the final text. O(n log n) in the size of the plan.
///
/// # Errors
/// [`InvalidPlan`] with the first fault found.
pub fn check_plan(input: &Measured<'_>, plan: &Plan) -> Result<(), InvalidPlan> {
    check(input, plan, None)
}

/// As [`check_plan`], for a plan as it is carried out: the record also names departures and tells what
/// the user said from what they pasted, and markers have the word that distinguishes them from lines of the text.
///
/// # Errors
/// [`InvalidPlan`] with the first fault found.
pub(crate) fn check_carried_out(input: &Measured<'_>, plan: &Plan) -> Result<(), InvalidPlan> {
    check(input, plan, Some(&Owed::by(plan, input)))?;
    if let Some(step) = dangling(plan, input).first().and_then(|at| plan.steps.get(*at)) {
        return Err(InvalidPlan::Entry(step.id.clone()));
    }
    let mut steps = plan.steps.iter().zip(&input.blocks);
    steps.try_for_each(|(step, measured)| check_gaps(measured.block(), &step.action))
}

fn check(input: &Measured<'_>, plan: &Plan, owed: Option<&Owed>) -> Result<(), InvalidPlan> {
    let (steps, blocks) = (plan.steps.len(), input.blocks.len());
    if steps != blocks {
        return Err(InvalidPlan::Steps { steps, blocks });
    }
    let talk = input.context.layout.framing.is_some();
    let mut groups: HashMap<&str, GroupState> = HashMap::new();
    let labels = Labels::of(input, talk);
    let speakers = owed.filter(|_| talk).map(|_| Speakers::of(&input.blocks));
    let grammar = Grammar::of(input.context);
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
        let summary = match (owed, &step.action) {
            (Some(owed), _) => owed.check(at, step, block)?,
            (None, Action::Render { text, .. }) => Some(text.as_str()),
            (None, _) => None,
        };
        grammar.check(block, &step.action)?;
        match &step.action {
            // An entry of a record is kept whole or dropped, except that a call may be reduced to its name.
            Action::Cut { .. } if talk && !block.level.shows_source() => {
                return Err(InvalidPlan::Level(block.id.clone()));
            }
            Action::Cut { pieces } => check_cut(measured, pieces)?,
            Action::Summarize { .. } if !talk => return Err(InvalidPlan::Entry(block.id.clone())),
            Action::Record { entries } => {
                let quoting = || entries.iter().filter(|entry| !is_name(entry));
                let is_entry =
                    |entry| block.level.shows_source() && labels.is_entry(at, measured, step, entry);
                let places: Vec<_> = quoting().map(|entry| place(block, entry)).collect();
                let ascend = places.windows(2).all(|pair| matches!(pair, [before, after] if before < after));
                let is_told =
                    || speakers.as_ref().is_none_or(|speakers| is_told(measured, entries, speakers));
                if !talk || !quoting().all(is_entry) || !ascend || quotes_twice(entries) || !is_told() {
                    return Err(InvalidPlan::Entry(block.id.clone()));
                }
            }
            // A turn is replaced only by quotes or by a declared summary.
            Action::Render { .. }
                if talk
                    && block.as_turn().is_some()
                    && !summary.is_some_and(|text| labels.is_summary(at, text)) =>
            {
                return Err(InvalidPlan::Entry(block.id.clone()));
            }
            Action::Render { level, .. } if level.shows_source() => {
                return Err(InvalidPlan::Level(block.id.clone()));
            }
            _ => {}
        }
        if let Some(group) = &block.group {
            let state = GroupState::of(&step.action, block.level, talk);
            if *groups.entry(group).or_insert(state) != state {
                return Err(InvalidPlan::Group(group.clone()));
            }
        }
    }
    Ok(())
}

/// The state that the members of a group must have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupState {
    /// Shown.
    Shown,
    /// Left out; in a conversation also quoted in the record, because a result cannot be a message if its call is not.
    Hidden,
}

impl GroupState {
    fn of(action: &Action, level: Level, talk: bool) -> Self {
        match action.level(level) {
            Some(level) if !talk || level.shows_source() => Self::Shown,
            _ => Self::Hidden,
        }
    }
}

/// Whether two quotes of `entries` overlap.
fn quotes_twice(entries: &[Entry]) -> bool {
    let quotes = entries.iter().flat_map(|entry| entry.lines.iter().flatten());
    let mut places: Vec<_> =
        quotes.map(|quote| (quote.source, quote.range.start(), quote.range.end())).collect();
    places.sort_unstable();
    let overlap = |pair: &[(QuoteSource, usize, usize)]| match pair {
        [(before, _, end), (source, start, _)] => before == source && start < end,
        _ => false,
    };
    places.windows(2).any(overlap)
}

/// The place of an entry among those of its turn, each of which has one: by parts, in each of them what was said before
/// what was pasted, and then by calls.
fn place(block: &Block, entry: &Entry) -> (bool, usize, bool) {
    let first = entry.lines.iter().flatten().next();
    let part = |quote: &Quote| block.as_turn()?.text_around(&block.text, quote.range);
    match first.map(|quote| quote.source) {
        Some(QuoteSource::Arguments(n)) => (true, n, false),
        _ => {
            let start = first.and_then(part).map_or(0, |(part, _)| part.start());
            (false, start, entry.label.voice == Voice::Pasted)
        }
    }
}

/// Whether the quotes of `entry` ascend in `text`, and those that share a line are members of one object: no bracket
/// between them closes one that was opened before.
fn is_in_order(entry: &Entry, text: &str) -> bool {
    let ascend = |pair: (&Quote, &Quote)| pair.0.range.end() <= pair.1.range.start();
    let are_members = |pair: &[Quote]| {
        let [before, after] = pair else { return true };
        let between = text.get(before.range.end()..after.range.start()).unwrap_or_default();
        let mut depth = Some(0_usize);
        for token in json_tokens(between).filter(|token| token.kind == JsonKind::Sign) {
            depth = match token.text {
                "{" | "[" => depth.map(|depth| depth + 1),
                "}" | "]" => depth.and_then(|depth| depth.checked_sub(1)),
                _ => depth,
            };
        }
        depth == Some(0) && between.trim_start().starts_with(',') && !before.escaped && !after.escaped
    };
    let quotes = || entry.lines.iter().flatten();
    quotes().zip(quotes().skip(1)).all(ascend)
        && entry.lines.iter().all(|line| line.windows(2).all(are_members))
}

/// The facts of a conversation that the labels of entries must agree with.
struct Labels<'a> {
    input: &'a Measured<'a>,
    /// The number of each block.
    numbers: Vec<usize>,
    /// For each call, by block and position: how often the same call was made up to and including it.
    times: HashMap<(usize, usize), usize>,
}

impl<'a> Labels<'a> {
    fn of(input: &'a Measured<'a>, talk: bool) -> Self {
        let numbers = if talk { input.context.numbers() } else { Vec::new() };
        let mut made: HashMap<(&str, &str), usize> = HashMap::new();
        let turns =
            input.blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.block().as_turn()?)));
        let calls =
            turns.flat_map(|(at, turn)| turn.calls.iter().enumerate().map(move |(n, call)| ((at, n), call)));
        let times = calls.map(|(place, call)| {
            let times = made.entry((&call.name, call.arguments.trim())).or_default();
            *times += 1;
            (place, *times)
        });
        Self { input, numbers, times: times.collect() }
    }

    /// Whether `text` is an entry with a summary by a model that ends with the turn at `at`.
    fn is_summary(&self, at: usize, text: &str) -> bool {
        let label = Label::parse(text).map(|(label, _)| label);
        label.is_some_and(|label| {
            Some(&label.number) == self.numbers.get(at) && matches!(label.voice, Voice::Summary { .. })
        })
    }

    /// Whether `entry` belongs to the block at `at`: its label is that of the quoted text, and each quote is a run of
    /// whole units of one part or one call.
    fn is_entry(&self, at: usize, measured: &MeasuredBlock<'_>, step: &Step, entry: &Entry) -> bool {
        let block = measured.block();
        let Some((turn, number)) = block.as_turn().zip(self.numbers.get(at).copied()) else { return false };
        let quotes = || entry.lines.iter().flatten();
        // Of the first quote; all others must be of the same text.
        let text = || quotes().next().and_then(|quote| quote.around(block)?.of(quote.source.of(block)?));
        let is_json = LazyCell::new(|| text().is_some_and(begins_as_json));
        if entry.label.number != number || !quotes().all(|quote| is_whole(measured, quote, &is_json)) {
            return false;
        }
        if let Voice::Again { role, at: later } = entry.label.voice {
            return role == turn.role
                && entry.label.times == 1
                && quotes().next().is_none()
                && self.repeats(number, later, step);
        }
        // Without quotes, an entry only names who said something.
        let Some(first) = quotes().next() else {
            return entry.label == Label::new(number, Voice::Said { role: turn.role, name: None });
        };
        let part = |quote: &Quote| turn.text_around(&block.text, quote.range);
        let text = first.source.of(block).unwrap_or_default();
        let is_one_text = is_in_order(entry, text)
            && quotes().all(|quote| quote.source == first.source)
            && (first.source != QuoteSource::Text || quotes().all(|quote| part(quote) == part(first)));
        let said = || {
            let name = turn.name_for(&block.text, first.range).map(str::to_owned);
            Label::new(number, Voice::Said { role: turn.role, name })
        };
        let is_own = match (&entry.label.voice, first.source) {
            (Voice::Said { .. }, QuoteSource::Text) => entry.label == said(),
            (Voice::Pasted, QuoteSource::Text) => {
                turn.role == Role::User
                    && part(first).is_some_and(|(_, tool)| tool.is_none())
                    && entry.label.times == 1
            }
            (Voice::Called { .. }, QuoteSource::Arguments(n)) => {
                let call = turn
                    .calls
                    .get(n)
                    .map(|call| Label::new(number, Voice::Called { tool: call.name.clone() }));
                let times = [Some(1), self.times.get(&(at, n)).copied()];
                call.is_some_and(|call| call.voice == entry.label.voice)
                    && times.contains(&Some(entry.label.times))
            }
            _ => false,
        };
        is_own && is_one_text
    }

    /// Whether turn `later` comes after turn `number`, and is the one that the reason of `step` names, if it names one.
    fn repeats(&self, number: usize, later: usize, step: &Step) -> bool {
        let mut blocks = self.numbers.iter().zip(&self.input.blocks);
        later > number
            && blocks.any(|(number, block)| match &step.reason {
                Reason::SaidAgain { by } => *number == later && block.block().id == *by,
                _ => *number == later,
            })
    }
}

/// Whether a quote is a run of whole units: sentences and lines as measured, members and elements of JSON, a line of a
/// string, or all of the arguments of a call. The text of the quote `is_json`, perhaps cut off.
fn is_whole(
    measured: &MeasuredBlock<'_>,
    quote: &Quote,
    is_json: &LazyCell<bool, impl FnOnce() -> bool>,
) -> bool {
    let block: &Block = measured.block();
    let Some(text) = quote.source.of(block) else { return false };
    let (start, end) = (quote.range.start(), quote.range.end());
    let Some(part) = quote.around(block) else { return false };
    let Some((before, after)) = text.get(part.start()..start).zip(text.get(end..part.end())) else {
        return false;
    };
    // A call may have no arguments.
    if quote.range.is_empty() {
        return text.is_empty() && matches!(quote.source, QuoteSource::Arguments(_));
    }
    let is_value = || {
        let (before, after) = (before.trim_end(), after.trim_start());
        (before.is_empty() || before.ends_with(['{', '[', ',']))
            && (after.is_empty() || after.starts_with(['}', ']', ',']))
    };
    // The string may be cut off at the end of the part.
    let is_line = || {
        (before.ends_with('"') || before.ends_with("\\n"))
            && (after.is_empty()
                || after.starts_with('"')
                || after.starts_with("\\n")
                || after.starts_with("\\r\\n"))
    };
    match quote.source {
        _ if quote.escaped => is_line() && **is_json,
        QuoteSource::Text => {
            let blank = |range: Option<&str>| range.is_some_and(|text| text.trim().is_empty());
            let first = measured.units_before(start);
            let last = measured.units_before(end);
            let starts = blank(text.get(measured.start_of(first)..start));
            let ends = measured.is_unit_end(end) || blank(text.get(end..measured.start_of(last + 1)));
            let is_bare = text.get(start..end).is_some_and(|quoted| quoted.trim() == quoted);
            is_bare && (starts && ends || is_value() && **is_json)
        }
        QuoteSource::Arguments(_) => is_value(),
        QuoteSource::Attachments { .. } => false,
    }
}

/// Checks the pieces of a cut block, each part of a message separately.
fn check_cut(measured: &MeasuredBlock<'_>, pieces: &[Piece]) -> Result<(), InvalidPlan> {
    let block = measured.block();
    match block.as_turn().filter(|turn| !turn.parts.is_empty()) {
        None => check_part(measured, pieces, ByteRange::whole(&block.text)),
        Some(turn) => {
            check_order(block, pieces)?;
            by_part(turn, &block.text, pieces)
                .iter()
                .zip(turn.ranges(&block.text))
                .try_for_each(|(pieces, range)| check_part(measured, pieces, range))
        }
    }
}

/// Checks that ranges ascend. The division into parts relies on it.
fn check_order(block: &Block, pieces: &[Piece]) -> Result<(), InvalidPlan> {
    let mut end = 0;
    for range in pieces.iter().filter_map(Piece::range) {
        if range.start() < end || range.is_empty() {
            return Err(InvalidPlan::Range { id: block.id.clone(), start: range.start(), end: range.end() });
        }
        end = range.end();
    }
    Ok(())
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

    /// Neither does what was said share a byte with what was pasted, though each is in order.
    #[test]
    fn no_byte_is_quoted_twice() {
        let entry = |voice: Voice, start: usize, end: usize| {
            let quote = Quote::new(QuoteSource::Text, ByteRange::new(start, end).unwrap());
            Entry { label: Label::new(1, voice), lines: vec![vec![quote]] }
        };
        let said = || Voice::Said { role: Role::User, name: None };
        assert!(quotes_twice(&[entry(said(), 0, 9), entry(Voice::Pasted, 4, 12)]));
        assert!(!quotes_twice(&[entry(said(), 4, 12), entry(Voice::Pasted, 0, 4)]));
    }

    #[track_caller]
    fn check_order_of(text: &str, lines: &[&[&str]], expect: bool) {
        let quote = |part: &&str| {
            let start = text.find(part).unwrap();
            Quote::new(QuoteSource::Text, ByteRange::new(start, start + part.len()).unwrap())
        };
        let lines = lines.iter().map(|line| line.iter().map(quote).collect()).collect();
        let entry = Entry { label: Label::new(1, Voice::Pasted), lines };
        assert_eq!(is_in_order(&entry, text), expect, "{:?}", entry.lines);
    }

    #[test]
    fn quotes_are_in_order_and_share_a_line_only_in_an_object() {
        let prose = "Stop it. Then go. Deploy.";
        check_order_of(prose, &[&["Stop it."], &["Deploy."]], true);
        check_order_of(prose, &[&["Deploy."], &["Stop it."]], false);
        check_order_of(prose, &[&["Stop it.", "Deploy."]], false);
        let json = r#"[{"id":7,"run":{"ok":false},"code":1},{"id":19,"code":0}]"#;
        check_order_of(json, &[&[r#""id":7"#, r#""code":1"#]], true);
        check_order_of(json, &[&[r#""id":7"#, r#""ok":false"#]], false);
        check_order_of(json, &[&[r#""id":7"#, r#""code":0"#]], false);
        check_order_of(json, &[&[r#""code":1"#, r#""code":0"#]], false);
        check_order_of(json, &[&[r#""id":7"#], &[r#""id":19"#, r#""code":0"#]], true);
    }

    #[test]
    fn no_quote_is_a_part_of_a_sentence_or_a_bare_value() {
        let check = |text: &str, quoted: &str, expect: bool| {
            let block = Block::turn("0", Turn::new(Role::User), text);
            let ends = contextfit_text::unit_ends(text, contextfit_text::Shape::Prose).into_iter();
            let units = ends.map(|end| contextfit_kernel::Unit {
                end,
                tokens_through: contextfit_kernel::Tokens::ZERO,
                splits: false,
            });
            let measured = MeasuredBlock::new(&block, units.collect(), contextfit_kernel::Tokens::ZERO);
            let start = text.find(quoted).unwrap();
            let quote = Quote::new(QuoteSource::Text, ByteRange::new(start, start + quoted.len()).unwrap());
            let is_json = LazyCell::new(|| begins_as_json(text));
            assert_eq!(is_whole(&measured, &quote, &is_json), expect, "{quoted:?} of {text:?}");
        };
        check("Go. Delete it. Stop.", "Delete it.", true);
        check("Never ever, delete it, please.", "delete it", false);
        check("Never do this: delete it.", "delete it.", false);
        check("Never [delete it]", "delete it", false);
        check("Delete it, if I say so.", "Delete it", false);
        let json = r#"{"fee": -12.5, "run": {"ok": false}}"#;
        check(json, r#""fee": -12.5"#, true);
        check(json, r#""ok": false"#, true);
        check(json, "-12.5", false);
    }

    /// Some tools have no arguments, and some models then send an empty text.
    #[test]
    fn all_of_no_arguments() {
        let check = |arguments: &str, source, expect| {
            let turn = Turn::new(Role::Assistant).with_calls(vec![ToolCall::new("look_up", arguments)]);
            let block = Block::turn("0", turn, "");
            let measured = MeasuredBlock::new(&block, Vec::new(), contextfit_kernel::Tokens::ZERO);
            assert_eq!(
                is_whole(&measured, &Quote::new(source, ByteRange::whole("")), &LazyCell::new(|| false)),
                expect,
                "{arguments:?}"
            );
        };
        check("", QuoteSource::Arguments(0), true);
        check("{}", QuoteSource::Arguments(0), false);
        check("", QuoteSource::Text, false);
    }
}
