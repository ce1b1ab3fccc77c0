//! The invariants of a result, and of the entries in its records.

use std::collections::{HashMap, HashSet};

use contextfit_kernel::{
    Action, Block, Blocker, Budget, ByteRange, CompressionResult, Context, Entry, Error, Hold, Label, Level,
    Message, Piece, Plan, Quote, QuoteSource, Record, Rewrite, Role, TokenCounter, Tokens, Turn, Voice,
    in_part,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::{GIANT_LINE, Shape, is_json, part_ends, rewritten, says_the_same, unit_ends};

/// Fits `context` into `budget` tokens and checks every invariant of the outcome, success or error.
#[track_caller]
pub fn check_fit(pipeline: &Pipeline, context: &Context, budget: usize) {
    fitted(pipeline, context, budget);
}

/// As [`check_fit`], and returns the result.
#[track_caller]
pub(crate) fn fitted(pipeline: &Pipeline, context: &Context, budget: usize) -> Option<CompressionResult> {
    let limit = Tokens::new(budget);
    match pipeline.fit(context, &Budget::new(limit)) {
        Ok(result) => {
            check_result(context, limit, pipeline.counter(), &result);
            check_again(pipeline, context, budget, &result);
            Some(result)
        }
        Err(error) => {
            check_infeasible(context, limit, &error);
            None
        }
    }
}

/// Checks the invariants that a single result shows: 1 to 8 and 12.
#[track_caller]
pub fn check_result(
    context: &Context,
    limit: Tokens,
    counter: &dyn TokenCounter,
    result: &CompressionResult,
) {
    // 1: within the budget, and the figures are correct.
    let counted = tokens_of(result, counter);
    assert!(counted <= limit, "1: {counted} tokens at a budget of {limit}");
    assert_eq!(counted, result.metrics.tokens_after, "1: tokens of {:?}", result.text);
    assert_eq!(result.metrics.blocks_before, context.blocks.len() + context.omitted);
    assert_eq!(result.tokens.len(), context.blocks.len());
    // 12: never larger than the input.
    assert!(result.metrics.tokens_after <= result.metrics.tokens_before);
    match result.plan() {
        // 2: a context within the budget is returned unchanged.
        None => {
            assert!(result.metrics.tokens_before <= limit);
            assert_eq!(format!("{:?}", result.context), format!("{context:?}"), "2: unchanged");
            assert!(result.stages.is_empty(), "a context within its budget has no stages");
        }
        Some(plan) => {
            assert!(result.metrics.tokens_before > limit, "a context within its budget was changed");
            check_plan_and_text(context, plan, result, limit, counter);
        }
    }
}

/// The tokens of a result: its text and what the application adds around its blocks, or for a conversation the request
/// and every message with its framing.
fn tokens_of(result: &CompressionResult, counter: &dyn TokenCounter) -> Tokens {
    let Some(framing) = &result.context.layout.framing else {
        let overhead = result.context.blocks.iter().filter_map(|block| block.as_passage()?.overhead);
        return counter.count(&result.text) + overhead.sum();
    };
    let message = |message: &Message<'_>| match message {
        Message::Record(text) => framing.record + counter.count(text),
        Message::Turn(block) => {
            parts_of(block).iter().map(|part| counter.count(part)).sum::<Tokens>() + own(block)
        }
    };
    framing.request + result.context.messages().iter().map(message).sum()
}

/// The framing of a message, besides its text.
fn own(block: &Block) -> Tokens {
    block.as_turn().map_or(Tokens::new(1), |turn| turn.framing)
}

/// The ranges of the parts of a message, according to its turn.
fn ranges_of(block: &Block) -> Vec<ByteRange> {
    match block.as_turn() {
        Some(turn) => turn.ranges(&block.text).collect(),
        None => vec![ByteRange::whole(&block.text)],
    }
}

/// The parts of a message.
fn parts_of(block: &Block) -> Vec<&str> {
    ranges_of(block).into_iter().map(|range| range.of(&block.text).expect("parts are text")).collect()
}

/// An error must be the typed one, and correct: the smallest result really is larger than the budget.
#[track_caller]
fn check_infeasible(context: &Context, limit: Tokens, error: &Error) {
    let (needed, available, blockers) = match error {
        Error::Infeasible { needed, available, blockers } => (needed, available, blockers),
        Error::Plan { .. } => panic!("3 to 8: {error}"),
        _ => panic!("11: {error}"),
    };
    assert!(needed > available && *available == limit, "{needed} needed, {available} available of {limit}");
    let named = |blocker: &Blocker| (blocker.id.clone(), blocker.hold);
    let mut found: Vec<(String, Hold)> = blockers.iter().map(named).collect();
    let blocks = context.blocks.iter().map(|block| block.id.clone()).zip(context.holds());
    let mut held: Vec<(String, Hold)> = blocks.filter(|(_, hold)| *hold != Hold::Free).collect();
    found.sort();
    held.sort();
    assert_eq!(found, held, "the blockers are the held blocks");
    assert!(blockers.is_sorted_by_key(|blocker| std::cmp::Reverse(blocker.tokens)), "the largest first");
    assert!(blockers.iter().all(|blocker| blocker.tokens <= *needed), "{blockers:?} of {needed} needed");
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
    assert_eq!(plan.steps.len(), context.blocks.len(), "one step per block");
    let mut shown = result.context.blocks.iter();
    let talk = context.layout.framing.is_some();
    let mut groups: HashMap<&str, Standing> = HashMap::new();
    let mut place = 0;
    let numbers = context.numbers();
    // Where most of the room would remain, units are divided for half of it.
    let rooms = rooms(context, Tokens::new(room.get() / 2), counter);
    let steps = context.blocks.iter().zip(&plan.steps).zip(context.holds()).zip(&numbers).zip(rooms);
    for ((((block, step), hold), &number), room) in steps {
        assert_eq!(step.id, block.id, "5: order");
        check_hold(block, hold, &step.action);
        if let Some(group) = &block.group {
            let standing = Standing::of(step.action.level(block.level), talk);
            assert_eq!(*groups.entry(group).or_insert(standing), standing, "4: group {group:?} is split");
        }
        if step.action == Action::Drop {
            continue;
        }
        let after = shown.next().expect("a shown block is in the result");
        assert_eq!(after.id, block.id, "5: order");
        assert_eq!(Some(after.level), step.action.level(block.level));
        check_action(block, number, &step.action, after, room, counter);
        // 8: the text contains every shown block, in order.
        let found = result.text[place..]
            .find(&after.text)
            .unwrap_or_else(|| panic!("{:?} is not in the text", after.id));
        place += found + after.text.len();
    }
    assert!(shown.next().is_none(), "the result has blocks without a step");
    if talk {
        return check_records(context, result);
    }
    let dropped = context.blocks.len() - result.context.blocks.len();
    assert_eq!(result.context.omitted, context.omitted + dropped, "8: dropped blocks are counted");
    if let Some(marker) = context.layout.omission_marker(result.context.omitted) {
        assert!(result.text.ends_with(&marker), "8: dropped blocks are marked");
    }
}

/// The most tokens of each block's text that could be shown of it: what pinned blocks and the lines around it leave.
fn rooms(context: &Context, room: Tokens, counter: &dyn TokenCounter) -> Vec<Tokens> {
    let measured = measure(context, counter);
    let pinned = measured.blocks.iter().zip(context.holds()).filter(|(_, hold)| *hold == Hold::Pinned);
    let pinned: Tokens = pinned.map(|(block, _)| block.framing() + block.tokens()).sum();
    let request = context.layout.framing.as_ref().map_or(Tokens::ZERO, |framing| framing.request);
    let around = request + measured.record + measured.omission + pinned;
    measured.blocks.iter().map(|block| room.saturating_sub(around + block.framing())).collect()
}

/// 3: a pinned block is kept, and one that must be shown is kept or cut.
#[track_caller]
fn check_hold(block: &Block, hold: Hold, action: &Action) {
    match hold {
        Hold::Free => {}
        Hold::Shown => {
            let is_shown = matches!(action, Action::Keep | Action::Cut { .. });
            assert!(is_shown, "3: {:?}, which must be shown, was lost", block.id);
        }
        Hold::Pinned => assert_eq!(*action, Action::Keep, "3: pinned {:?} was changed", block.id),
    }
}

/// 6 to 8: `after`, what is shown of a block, is what the action says.
#[track_caller]
fn check_action(
    block: &Block,
    number: usize,
    action: &Action,
    after: &Block,
    room: Tokens,
    counter: &dyn TokenCounter,
) {
    match action {
        // An entry of an earlier record says that another entry of its turn is gone.
        Action::Keep => assert!(
            after.text == block.text || !block.level.shows_source() && after.text == in_part(&block.text),
            "kept blocks are the same, byte for byte"
        ),
        Action::Cut { pieces } => check_cut(block, pieces, after, room, counter),
        Action::Render { level, text } => {
            assert!(*level < Level::Extract);
            assert_eq!(*text, after.text);
        }
        Action::Record { entries } => {
            check_entries(block, number, entries);
            assert_eq!(
                Entry::texts(entries, block).join("\n"),
                after.text,
                "8: exactly the entries are shown"
            );
        }
        Action::Summarize { .. } => panic!("7: the plan leaves open how {:?} is shown", block.id),
        Action::Drop => {}
    }
}

/// 7: whatever replaces turns is a record that names those turns, and nothing in it passes for an entry without being
/// one.
#[track_caller]
fn check_records(context: &Context, result: &CompressionResult) {
    let numbers: HashSet<usize> = context.numbers().into_iter().collect();
    let mut left_out = 0;
    for message in result.context.messages() {
        let Message::Record(text) = message else { continue };
        let record = Record::parse(&text).unwrap_or_else(|| panic!("7: {text:?} is not a record"));
        assert_eq!(record.to_string(), text, "7: parsed and printed again");
        left_out += record.left_out;
        for (label, entry) in &record.entries {
            assert!(numbers.contains(&label.number), "7: {entry:?} has no turn");
        }
    }
    let quoted: usize = result.context.blocks.iter().filter(|block| block.level < Level::Extract).count();
    if numbers.len() == context.blocks.len() && quoted == 0 {
        assert_eq!(left_out, result.context.omitted, "8: omitted turns are counted");
    }
}

/// The state that the members of a group share.
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

/// Where a block may be cut.
struct Borders<'a> {
    source: &'a str,
    units: HashSet<usize>,
    /// Ends of parts: separate texts, whatever they begin and end with.
    parts: HashSet<usize>,
    /// Borders within units longer than what pinned blocks leave of half the room, and within machine-made lines.
    divided: HashSet<usize>,
}

impl<'a> Borders<'a> {
    fn of(block: &'a Block, room: Tokens, counter: &dyn TokenCounter) -> Self {
        let (mut units, mut parts, mut divided) = (HashSet::new(), HashSet::new(), HashSet::new());
        for range in ranges_of(block) {
            let (start, part) = (range.start(), range.of(&block.text).expect("parts are text"));
            parts.extend([start, range.end()]);
            for shape in [Shape::Code, Shape::Prose, Shape::Json] {
                let ends = unit_ends(part, shape);
                // The counts of parts may be off by a token at either seam.
                for (from, to) in [0].into_iter().chain(ends.iter().copied()).zip(&ends) {
                    let unit = &part[from..*to];
                    let is_giant = shape == Shape::Json && unit.len() > GIANT_LINE;
                    if is_giant || counter.count(unit) + Tokens::new(2) > room {
                        divided.extend(part_ends(unit).into_iter().map(|end| start + from + end));
                    }
                }
                units.extend(ends.into_iter().map(|end| start + end));
            }
        }
        Self { source: &block.text, units, parts, divided }
    }

    /// Whether a range may begin at `at`. The units are the implementation's own; that no ASCII word is divided can be
    /// checked without them.
    fn begins(&self, at: usize) -> bool {
        let bytes = self.source.as_bytes();
        let (before, after) = (bytes.get(at.wrapping_sub(1)), bytes.get(at));
        let in_word =
            before.is_some_and(u8::is_ascii_alphanumeric) && after.is_some_and(u8::is_ascii_alphanumeric);
        at == 0
            || self.parts.contains(&at)
            || self.divided.contains(&at)
            || (self.units.contains(&at) && !in_word)
    }

    /// Whether a range may end at `at`. A line is whole without the line feeds after it, which are then part of a gap.
    fn ends(&self, at: usize) -> bool {
        let behind = self.source.get(at..).unwrap_or_default();
        let feeds = behind.len() - behind.trim_start_matches(['\r', '\n']).len();
        let mut ends = (1..=feeds).filter(|n| behind[..*n].ends_with('\n')).map(|n| at + n);
        self.begins(at) || (!self.source[..at].ends_with('\n') && ends.any(|end| self.begins(end)))
    }
}

/// 6 and 8: a cut is ranges of the source in order, at the borders of lines or sentences, with every gap marked. Lines
/// and sentences of more than `room` tokens may be cut within.
#[track_caller]
fn check_cut(block: &Block, pieces: &[Piece], after: &Block, room: Tokens, counter: &dyn TokenCounter) {
    let source = block.text.as_str();
    let borders = Borders::of(block, room, counter);
    let ranges = ranges_of(block);
    // What lies between two parts is not in the message.
    let is_shown = |at: usize| ranges.iter().any(|part| (part.start()..part.end()).contains(&at));
    let mut built = String::new();
    let (mut end, mut marked) = (0, false);
    for piece in pieces {
        built.push_str(piece.text(source));
        if let Piece::Marker(marker) = piece {
            assert!(marker.contains("..."), "{marker:?} is not a marker");
            marked = true;
        }
        let Some(range) = piece.range() else { continue };
        assert!(range.start() >= end && !range.is_empty(), "6: ranges are in order");
        let is_gap = (end..range.start()).any(is_shown);
        assert!(!is_gap || marked, "8: the gap before {} is not marked", range.start());
        assert!(borders.begins(range.start()) && borders.ends(range.end()), "6: cut inside a unit");
        let of_range = range.of(source).expect("6: cut inside a character");
        if let Piece::Rewritten { text, rewrite, .. } = piece {
            check_rewritten(&borders, range, of_range, *rewrite, text);
        }
        (end, marked) = (range.end(), false);
    }
    assert!(!(end..source.len()).any(is_shown) || marked, "8: the gap at the end is not marked");
    let parts = parts_of(after);
    assert_eq!(parts.len(), ranges.len(), "8: a message keeps its parts");
    if let [part] = parts.as_slice() {
        assert_eq!(built, *part, "8: the text is its pieces");
    }
    for (part, shown) in ranges.iter().zip(parts) {
        let of_part = pieces.iter().filter_map(|piece| match piece {
            Piece::Source(range) => {
                ByteRange::new(range.start().max(part.start()), range.end().min(part.end()))?.of(source)
            }
            _ => None,
        });
        let mut rest = shown;
        for text in of_part {
            let (_, behind) = rest.split_once(text).expect("8: each part has its own text");
            rest = behind;
        }
    }
}

/// 8: `text` is the lossless rewrite of a range that lies in one part.
#[track_caller]
fn check_rewritten(borders: &Borders<'_>, range: ByteRange, of_range: &str, rewrite: Rewrite, text: &str) {
    let (source, parts) = (borders.source, &borders.parts);
    let within = parts.iter().all(|&at| at <= range.start() || at >= range.end());
    assert!(within, "8: {text:?} replaces more than one part");
    assert_eq!(rewritten(rewrite, of_range).as_deref(), Some(text), "8: the result of the rewrite");
    if rewrite == Rewrite::JsonBlanks {
        let start = parts.iter().copied().filter(|&at| at <= range.start()).max().unwrap_or(0);
        let end = parts.iter().copied().filter(|&at| at >= range.end()).min().unwrap_or(source.len());
        assert!(is_json(&source[start..end]) || is_json(of_range), "8: {of_range:?} is not a part of JSON");
    }
    assert!(says_the_same(rewrite, of_range, text), "8: {text:?} does not have the content of {of_range:?}");
}

/// 9 and 10: the same input gives the same result, and a second pass changes nothing.
#[track_caller]
fn check_again(pipeline: &Pipeline, context: &Context, budget: usize, result: &CompressionResult) {
    let budget = Budget::new(Tokens::new(budget));
    let again = pipeline.fit(context, &budget).expect("a context that fitted once fits again");
    // Scores may be NaN, which never equals itself; the printed forms do.
    assert_eq!(format!("{result:?}"), format!("{again:?}"), "9: the same input gives the same result");
    let second = pipeline.fit(&result.context, &budget).expect("10: a result fits its own budget");
    assert_eq!(second.text, result.text, "10: a second pass changes nothing");
}

/// 7: every entry names its turn, its speaker and its tool, and quotes whole units of one part of its turn.
#[track_caller]
fn check_entries(block: &Block, number: usize, entries: &[Entry]) {
    let turn = block.as_turn().expect("only turns are quoted");
    for entry in entries {
        let Entry { label, lines } = entry;
        assert_eq!(label.number, number, "7: the number of its turn");
        let of_attachments = |quote: &Quote| matches!(quote.source, QuoteSource::Attachments { .. });
        let is_attached = matches!(label.voice, Voice::Attached { .. });
        assert!(
            lines.iter().flatten().all(|quote| of_attachments(quote) == is_attached),
            "7: a text as a picture"
        );
        let mut sources: Vec<(QuoteSource, usize)> = Vec::new();
        for quote in lines.iter().flatten() {
            let tool = check_quote(block, turn, quote, &mut sources);
            match &label.voice {
                Voice::Called { tool: called } => assert_eq!(Some(called), tool.as_ref(), "7: the tool"),
                Voice::Said { name: Some(name), .. } | Voice::Attached { name: Some(name), .. } => {
                    let names = [tool, turn.name.clone()];
                    let plain = |name: String| Label::new(1, Voice::Called { tool: name }).to_string();
                    let is_own = names.into_iter().flatten().any(|own| plain(own).ends_with(name));
                    assert!(is_own, "7: {name:?} is neither the speaker nor the tool");
                }
                _ => {}
            }
        }
        sources.dedup();
        assert!(sources.len() < 2, "7: the entry {} quotes several parts", entry.label);
        match &label.voice {
            Voice::Said { role, .. } | Voice::Attached { role, .. } | Voice::Again { role, .. } => {
                assert_eq!(*role, turn.role, "7: the speaker");
            }
            Voice::Pasted => assert_eq!(turn.role, Role::User, "7: the one who pasted it"),
            // Of an earlier entry, the name may remain.
            Voice::Called { .. } | Voice::Calls { .. } if block.level < Level::Extract => {
                assert!(lines.is_empty());
            }
            Voice::Called { .. } | Voice::Calls { .. } => {
                assert!(!turn.calls.is_empty(), "7: an entry of a call, but no call");
            }
            other => panic!("7: not an entry of a turn: {other:?}"),
        }
        let is_earlier = block.level < Level::Extract;
        assert!(!is_earlier || lines.is_empty(), "7: an entry of an earlier record is quoted again");
    }
}

/// 7: a quote is a run of whole units. Notes the part that it is from in `sources`, and returns the part's tool, or the
/// one that is called.
#[track_caller]
fn check_quote(
    block: &Block,
    turn: &Turn,
    quote: &Quote,
    sources: &mut Vec<(QuoteSource, usize)>,
) -> Option<String> {
    let (source, whole, tool) = match quote.source {
        QuoteSource::Attachments { from, .. } => {
            sources.push((QuoteSource::Text, usize::MAX));
            return turn.attachments[from].tool.clone();
        }
        QuoteSource::Arguments(n) => {
            let call = &turn.calls[n];
            (quote.source, ByteRange::whole(&call.arguments), Some(call.name.clone()))
        }
        QuoteSource::Text => {
            let (part, tool) = turn.text_around(&block.text, quote.range).expect("7: a quote is of one part");
            (quote.source, part, tool.map(str::to_owned))
        }
    };
    sources.push((source, whole.start()));
    let all = source.of(block).expect("7: the quoted text exists");
    let text = quote.range.of(all).expect("7: a quote has whole characters");
    let has_no_arguments = matches!(source, QuoteSource::Arguments(_)) && all.trim().is_empty();
    assert!(!text.trim().is_empty() || has_no_arguments, "7: an empty quote");
    let before = all[whole.start()..quote.range.start()].trim_end();
    let after = all[quote.range.end()..whole.end()].trim_start();
    let in_json = before.is_empty() && after.is_empty()
        || (before.ends_with(['{', '[', ',', ':', '"']) || before.ends_with("\\n"))
            && (after.is_empty() || after.starts_with(['}', ']', ',', '"', '\\']));
    assert!(
        in_json || is_whole(all, turn, quote.range),
        "7: {text:?} is not a run of whole units of {all:?}"
    );
    tool
}

/// Whether `range` begins and ends at the borders of lines or sentences of `source`, ignoring white space.
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
