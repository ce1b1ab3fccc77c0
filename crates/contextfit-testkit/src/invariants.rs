//! The invariants of a result.

use std::collections::{HashMap, HashSet};

use contextfit_kernel::{
    Action, Block, Blocker, Budget, ByteRange, CompressionResult, Context, Entry, Error, Hold, Level,
    Message, Piece, Plan, Record, Rewrite, Role, TokenCounter, Tokens, Turn, Voice,
};
use contextfit_pipeline::Pipeline;
use contextfit_text::{GIANT_LINE, Shape, is_json, part_ends, rewritten, says_the_same, unit_ends};

/// Fits `context` into `budget` tokens and checks every invariant of the outcome, success or error.
#[track_caller]
pub fn check_fit(pipeline: &Pipeline, context: &Context, budget: usize) {
    let limit = Tokens::new(budget);
    match pipeline.fit(context, &Budget::new(limit)) {
        Ok(result) => {
            check_result(context, limit, pipeline.counter(), &result);
            check_again(pipeline, context, budget, &result);
        }
        Err(error) => check_infeasible(context, limit, &error),
    }
}

/// Checks every invariant that one result by itself shows: 1 to 8 and 12.
#[track_caller]
pub fn check_result(
    context: &Context,
    limit: Tokens,
    counter: &dyn TokenCounter,
    result: &CompressionResult,
) {
    // 1: within the budget, and the figures are true.
    let counted = tokens_of(result, counter);
    assert!(counted <= limit, "{counted} tokens at a budget of {limit}");
    assert_eq!(counted, result.metrics.tokens_after, "tokens after, of {:?}", result.text);
    assert_eq!(result.metrics.blocks_before, context.blocks.len() + context.omitted);
    assert_eq!(result.tokens.len(), context.blocks.len());
    // 12: never larger than the input.
    assert!(result.metrics.tokens_after <= result.metrics.tokens_before);
    match result.plan() {
        // 2: within the budget in, the same out.
        None => {
            assert!(result.metrics.tokens_before <= limit);
            assert_eq!(format!("{:?}", result.context), format!("{context:?}"), "2: unchanged");
            assert!(result.stages.is_empty(), "a context within its budget has no stages");
        }
        Some(plan) => {
            assert!(result.metrics.tokens_before > limit, "a context within its budget was touched");
            check_plan_and_text(context, plan, result, limit, counter);
        }
    }
}

/// What a result takes: its text, or as a conversation the request and every message with its framing.
fn tokens_of(result: &CompressionResult, counter: &dyn TokenCounter) -> Tokens {
    let Some(framing) = &result.context.layout.framing else { return counter.count(&result.text) };
    let message = |message: &Message<'_>| match message {
        Message::Record(text) => framing.record + counter.count(text),
        Message::Turn(block) => {
            parts_of(block).iter().map(|part| counter.count(part)).sum::<Tokens>() + own(block)
        }
    };
    framing.request + result.context.messages().iter().map(message).sum()
}

/// What a message takes beside its text.
fn own(block: &Block) -> Tokens {
    block.as_turn().map_or(Tokens::new(1), |turn| turn.framing)
}

/// The parts of a message, as its turn says.
fn parts_of(block: &Block) -> Vec<&str> {
    match block.as_turn() {
        Some(turn) => {
            turn.ranges(&block.text).map(|range| range.of(&block.text).expect("parts are text")).collect()
        }
        None => vec![&block.text],
    }
}

/// An error must be the typed one, and true: the smallest result really is larger than the budget.
#[track_caller]
fn check_infeasible(context: &Context, limit: Tokens, error: &Error) {
    let Error::Infeasible { needed, available, blockers } = error else {
        panic!("not typed as infeasible: {error}")
    };
    assert!(needed > available && *available == limit, "{needed} needed, {available} available of {limit}");
    let named = |blocker: &Blocker| (blocker.id.clone(), blocker.hold);
    let mut found: Vec<(String, Hold)> = blockers.iter().map(named).collect();
    let blocks = context.blocks.iter().map(|block| block.id.clone()).zip(context.holds());
    let mut held: Vec<(String, Hold)> = blocks.filter(|(_, hold)| *hold != Hold::Free).collect();
    found.sort();
    held.sort();
    assert_eq!(found, held, "the blockers are the blocks that are held");
    assert!(blockers.is_sorted_by_key(|blocker| std::cmp::Reverse(blocker.tokens)), "the largest first");
}

/// 3 to 8: pins, groups, order, whole units, entries, nothing invented.
#[track_caller]
fn check_plan_and_text(
    context: &Context,
    plan: &Plan,
    result: &CompressionResult,
    room: Tokens,
    counter: &dyn TokenCounter,
) {
    assert_eq!(plan.steps.len(), context.blocks.len(), "one step a block");
    let mut shown = result.context.blocks.iter();
    let talk = context.layout.framing.is_some();
    let mut groups: HashMap<&str, Standing> = HashMap::new();
    let mut place = 0;
    let numbers = context.numbers();
    let steps = context.blocks.iter().zip(&plan.steps).zip(context.holds()).zip(&numbers);
    for (((block, step), hold), &number) in steps {
        assert_eq!(step.id, block.id, "5: order");
        match hold {
            Hold::Free => {}
            Hold::Shown => {
                let is_shown = matches!(step.action, Action::Keep | Action::Cut { .. });
                assert!(is_shown, "3: {:?}, which must be shown, was lost", block.id);
            }
            Hold::Pinned => assert_eq!(step.action, Action::Keep, "3: pinned {:?} was touched", block.id),
        }
        if let Some(group) = &block.group {
            let standing = Standing::of(step.action.level(block.level), talk);
            assert_eq!(*groups.entry(group).or_insert(standing), standing, "4: group {group:?} is torn");
        }
        if step.action == Action::Drop {
            continue;
        }
        let after = shown.next().expect("a block that is shown is in the result");
        assert_eq!(after.id, block.id, "5: order");
        assert_eq!(Some(after.level), step.action.level(block.level));
        match &step.action {
            Action::Keep => assert_eq!(after.text, block.text, "kept blocks are byte for byte the same"),
            Action::Cut { pieces } => check_cut(block, pieces, &after.text, room, counter),
            Action::Render { level, text } => {
                assert!(*level < Level::Extract);
                assert_eq!(text, &after.text);
            }
            Action::Record { entries } => {
                check_entries(block, number, entries);
                let shown: Vec<String> = entries.iter().map(|entry| entry.text(block)).collect();
                assert_eq!(shown.join("\n"), after.text, "8: the entries are what is shown");
            }
            Action::Summarize { .. } => panic!("7: the plan does not say what is shown of {:?}", block.id),
            Action::Drop => {}
        }
        // 8: the text holds every shown block, in order.
        let found = result.text[place..]
            .find(&after.text)
            .unwrap_or_else(|| panic!("{:?} is not in the text", after.id));
        place += found + after.text.len();
    }
    assert!(shown.next().is_none(), "the result has blocks that no step shows");
    if talk {
        return check_records(context, result);
    }
    let dropped = context.blocks.len() - result.context.blocks.len();
    assert_eq!(result.context.omitted, context.omitted + dropped, "8: dropped blocks are counted");
    if let Some(marker) = context.layout.omission_marker(result.context.omitted) {
        assert!(result.text.ends_with(&marker), "8: dropped blocks are marked");
    }
}

/// 7: every entry says whose it is, and quotes whole units of its turn.
#[track_caller]
fn check_entries(block: &Block, number: usize, entries: &[Entry]) {
    let turn = block.as_turn().expect("only turns are quoted");
    assert!(block.level.shows_source(), "7: an entry of an earlier record is quoted again");
    for Entry { label, lines } in entries {
        assert_eq!(label.number, number, "7: the number of its turn");
        match &label.voice {
            Voice::Said { role, .. } | Voice::Again { role, .. } => {
                assert_eq!(*role, turn.role, "7: who says it");
            }
            Voice::Pasted => assert_eq!(turn.role, Role::User, "7: who pasted it"),
            Voice::Called { .. } => assert!(!turn.calls.is_empty(), "7: nothing is called"),
            Voice::Summary { .. } => panic!("7: a summary is no entry of a turn"),
        }
        for quote in lines.iter().flatten() {
            let source = quote.source.of(block).expect("7: there is such a text");
            let text = quote.range.of(source).expect("7: a quote of whole characters");
            assert!(!text.trim().is_empty(), "7: an empty quote");
            let before = source[..quote.range.start()].trim_end();
            let after = source[quote.range.end()..].trim_start();
            let in_json = before.is_empty() && after.is_empty()
                || (before.ends_with(['{', '[', ',', ':', '"']) || before.ends_with("\\n"))
                    && (after.is_empty() || after.starts_with(['}', ']', ',', '"', '\\']));
            assert!(
                in_json || is_whole(source, turn, quote.range),
                "7: {text:?} is no run of whole units of {source:?}"
            );
        }
    }
}

/// Whether `range` begins where a line or a sentence of `source` does and ends where one ends, white space aside.
fn is_whole(source: &str, turn: &Turn, range: ByteRange) -> bool {
    let mut borders: Vec<usize> = vec![0];
    for part in turn.ranges(source) {
        let text = part.of(source).expect("parts are text");
        for shape in [Shape::Code, Shape::Prose, Shape::Json] {
            borders.extend(unit_ends(text, shape).into_iter().map(|end| part.start() + end));
        }
        borders.push(part.start());
    }
    let blank = |from: usize, to: usize| source[from..to].trim().is_empty();
    let starts = borders.iter().any(|&at| at <= range.start() && blank(at, range.start()));
    let ends = borders
        .iter()
        .any(|&at| if at < range.end() { blank(at, range.end()) } else { blank(range.end(), at) });
    starts && ends
}

/// 7: what stands for turns is a record that says which turns it stands for, and nothing in it passes for an entry that is none.
#[track_caller]
fn check_records(context: &Context, result: &CompressionResult) {
    let numbers: HashSet<usize> = context.numbers().into_iter().collect();
    let mut left_out = 0;
    for message in result.context.messages() {
        let Message::Record(text) = message else { continue };
        let record = Record::parse(&text).unwrap_or_else(|| panic!("7: {text:?} is no record"));
        assert_eq!(record.to_string(), text, "7: read and written again");
        left_out += record.left_out;
        for (label, entry) in &record.entries {
            assert!(numbers.contains(&label.number), "7: {entry:?} is of no turn");
        }
    }
    let quoted: usize = result.context.blocks.iter().filter(|block| block.level < Level::Extract).count();
    if numbers.len() == context.blocks.len() && quoted == 0 {
        assert_eq!(left_out, result.context.omitted, "8: what is left out is counted");
    }
}

/// What the members of a group share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Shown,
    /// Quoted or left out: a result without its call cannot be a message.
    Hidden,
}

impl Standing {
    fn of(level: Option<Level>, talk: bool) -> Self {
        match level {
            Some(level) if !talk || level.shows_source() => Self::Shown,
            _ => Self::Hidden,
        }
    }
}

/// 6 and 8: a cut is ranges of the source in order, at the borders of lines or sentences, every gap marked. Lines and sentences of more
/// than `room` tokens may be cut within.
#[track_caller]
fn check_cut(block: &Block, pieces: &[Piece], text: &str, room: Tokens, counter: &dyn TokenCounter) {
    let source = block.text.as_str();
    let (mut borders, mut parts, mut divided) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut start = 0;
    for part in parts_of(block) {
        for shape in [Shape::Code, Shape::Prose, Shape::Json] {
            let ends = unit_ends(part, shape);
            // What is longer than all the room is divided, and lines that nobody wrote; the counts of parts may be off by a token at
            // either seam.
            for (from, to) in [0].into_iter().chain(ends.iter().copied()).zip(&ends) {
                let unit = &part[from..*to];
                let is_giant = shape == Shape::Json && unit.len() > GIANT_LINE;
                if is_giant || counter.count(unit) + Tokens::new(2) > room {
                    divided.extend(part_ends(unit).into_iter().map(|end| start + from + end));
                }
            }
            borders.extend(ends.into_iter().map(|end| start + end));
        }
        start += part.len();
        parts.insert(start);
    }
    // The units are the implementation's; that no word of ASCII is divided is seen without them. Parts are texts of their own,
    // whatever they begin and end with.
    let in_word = |at: usize| {
        let (before, after) = (source.as_bytes().get(at.wrapping_sub(1)), source.as_bytes().get(at));
        before.is_some_and(u8::is_ascii_alphanumeric) && after.is_some_and(u8::is_ascii_alphanumeric)
    };
    let at_border = |at: usize| {
        at == 0 || parts.contains(&at) || divided.contains(&at) || (borders.contains(&at) && !in_word(at))
    };
    // A line is whole without its line feed, which then is part of a gap.
    let ends = |at: usize| {
        let behind = source.get(at..).unwrap_or_default();
        let feed = if behind.starts_with("\r\n") { 2 } else { usize::from(behind.starts_with('\n')) };
        at_border(at) || (feed > 0 && !source[..at].ends_with('\n') && at_border(at + feed))
    };
    let mut built = String::new();
    let (mut end, mut marked) = (0, false);
    for piece in pieces {
        built.push_str(piece.text(source));
        if let Piece::Marker(marker) = piece {
            assert!(marker.contains("..."), "{marker:?} is no marker");
            marked = true;
        }
        let Some(range) = piece.range() else { continue };
        assert!(range.start() >= end && !range.is_empty(), "6: ranges in order");
        assert!(range.start() == end || marked, "8: the gap before {} is not marked", range.start());
        assert!(at_border(range.start()) && ends(range.end()), "6: cut inside a unit");
        let of_range = range.of(source).expect("6: cut inside a character");
        if let Piece::Rewritten { text, rewrite, .. } = piece {
            let within = parts.iter().all(|&at| at <= range.start() || at >= range.end());
            assert!(within, "8: {text:?} stands for more than one part");
            assert_eq!(rewritten(*rewrite, of_range).as_ref(), Some(text), "8: what the rewrite makes");
            if *rewrite == Rewrite::JsonBlanks {
                let start = parts.iter().copied().filter(|&at| at <= range.start()).max().unwrap_or(0);
                let end = parts.iter().copied().filter(|&at| at >= range.end()).min().unwrap_or(source.len());
                assert!(
                    is_json(&source[start..end]) || is_json(of_range),
                    "8: {of_range:?} is no part of JSON"
                );
            }
            assert!(
                says_the_same(*rewrite, of_range, text),
                "8: {text:?} does not say what {of_range:?} says"
            );
        }
        (end, marked) = (range.end(), false);
    }
    assert!(end == source.len() || marked, "8: the gap at the end is not marked");
    assert_eq!(built, text, "8: the text is its pieces");
}

/// 9 and 10: the same again, and a second pass changes nothing.
#[track_caller]
fn check_again(pipeline: &Pipeline, context: &Context, budget: usize, result: &CompressionResult) {
    let budget = Budget::new(Tokens::new(budget));
    let again = pipeline.fit(context, &budget).expect("what fitted once fits again");
    // Scores may be no numbers, which never equal themselves; their print does.
    assert_eq!(format!("{result:?}"), format!("{again:?}"), "9: the same input gives the same result");
    let second = pipeline.fit(&result.context, &budget).expect("10: a result fits its own budget");
    assert_eq!(second.text, result.text, "10: a second pass changes nothing");
}
