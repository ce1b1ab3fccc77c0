//! Measuring: dividing the blocks of a context into units and counting each block once.

use contextfit_kernel::{
    Action, Block, ByteRange, Context, Framing, Hold, Measured, MeasuredBlock, Role, TextKind, TokenCounter,
    Tokens, Turn, Unit,
};
use contextfit_text::{
    GIANT_LINE, Language, Shape, are_lines_longer, begins_as_json, has_controls, kind_of_block, part_ends,
    tally, text_kind, unit_ends,
};

use crate::{conversation, forgery::fences, numbering::Numbering, remembered::Remembered, render::Page};

/// Counts every block of `context`, unit by unit, and the whole context as one text.
///
/// The text of each block is counted once. Linear in the length of the context for counters that split (see
/// [`TokenCounter::splits_at`]); for others, the whole text is counted once more.
#[must_use]
pub fn measure<'a>(context: &'a Context, counter: &'a dyn TokenCounter) -> Measured<'a> {
    measure_by(&Remembered::new(counter), context, counter, Cuts::default(), &kinds(context))
}

/// The kind of each block of `context`. The kinds of the parts of messages are determined when they are measured.
pub(crate) fn kinds(context: &Context) -> Vec<TextKind> {
    if context.layout.framing.is_some() {
        return Vec::new();
    }
    let blocks = context.blocks.iter().enumerate().collect();
    each(blocks, |_, block| kind_of_block(block)).into_iter().map(|(_, kind)| kind).collect()
}

/// The rules for dividing units that are too long to choose among.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cuts {
    /// Sentences, and lines of prose or messages, are divided if they take more than pinned blocks leave of this room.
    pub(crate) room: Tokens,
    /// Whether JSON in long lines is divided between its members, and lines of more than [`GIANT_LINE`] bytes are
    /// divided too.
    pub(crate) within_lines: bool,
    /// Whether each text of a message is one unit, which is counted but not read.
    pub(crate) only_texts: bool,
}

impl Default for Cuts {
    fn default() -> Self {
        Self { room: Tokens::MAX, within_lines: false, only_texts: false }
    }
}

/// Measures `context`, counting with `memory`. Planning and rendering use `counter`.
pub(crate) fn measure_by<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    cuts: Cuts,
    kinds: &[TextKind],
) -> Measured<'a> {
    if let Some(framing) = &context.layout.framing {
        return measure_conversation(memory, context, counter, framing, cuts);
    }
    let mut page = Page::counting(context, memory);
    let separator = page.separator_tokens();
    let omission = context.layout.omission_marker(context.blocks.len() + context.omitted);
    let omission = omission.map_or(Tokens::ZERO, |marker| counter.count(&marker) + Tokens::new(1));
    let measured = |n: usize, block: &'a Block, cuts: Cuts| {
        let header = if context.layout.headers { block.header() } else { String::new() };
        let framing = memory.counter().count(&header) + separator;
        let overhead = block.as_passage().and_then(|passage| passage.overhead).unwrap_or_default();
        let language = Language::of_block(block).map_or("text", |language| language.name);
        let kind = kinds.get(n).copied().unwrap_or(TextKind::Prose);
        let shape = Shape::of_kind(kind);
        let shape = if cuts.within_lines { within(&block.text, shape) } else { shape };
        let (mut units, parts) = cuts.without(framing + overhead).units(memory.counter(), &block.text, shape);
        if let Some(numbering) = Numbering::of(block, &context.layout) {
            add_gutters(&mut units, numbering, counter);
        }
        let kinds = vec![(ByteRange::whole(&block.text), kind)];
        let measured = MeasuredBlock::new(block, units, framing).with_overhead(overhead);
        measured.in_language(language).with_kinds(kinds).with_parts(parts)
    };
    let mut blocks = Vec::with_capacity(context.blocks.len());
    let mut fences = fences(context);
    for (n, mut measured) in pinned_first(context, cuts.without(omission), measured).into_iter().enumerate() {
        if let Some((open, close)) = fences.remove(&n) {
            let tokens = counter.count(&format!("{open}\n{close}\n"));
            measured = measured.fenced(open, close, tokens);
        }
        page.show(&measured, &Action::Keep);
        blocks.push(measured);
    }
    let (_, tokens) = page.finish(context.omitted);
    Measured::new(context, counter, blocks, tokens).with_omission(omission)
}

/// The units of a message, the ranges of those that were divided, and the kind of each part. Parts are counted
/// separately, so their counts can be added. The separator between two parts is not in the message: it is a unit
/// without tokens.
fn message_units(
    counter: &dyn TokenCounter,
    text: &str,
    turn: &Turn,
    cuts: Cuts,
) -> (Vec<Unit>, Vec<ByteRange>, Vec<(ByteRange, TextKind)>) {
    let mut units: Vec<Unit> = Vec::new();
    let (mut divided, mut kinds) = (Vec::new(), Vec::new());
    let mut before = Tokens::ZERO;
    let end = |units: &[Unit]| units.last().map_or(0, |unit| unit.end);
    for range in turn.ranges(text) {
        if let Some(last) = units.last_mut() {
            last.splits = true;
        }
        if range.start() > end(&units) {
            units.push(Unit { end: range.start(), tokens_through: before, splits: true });
        }
        let part = range.of(text).unwrap_or_default();
        let (inner, long) = if cuts.only_texts {
            let end = Some(part.len()).filter(|end| *end > 0);
            (tally(counter, part, end.as_slice()), Vec::new())
        } else {
            let kind = text_kind(part);
            kinds.push((range, kind));
            cuts.units(counter, part, within(part, Shape::of_kind(kind)))
        };
        let at = range.start();
        units.extend(inner.into_iter().map(|unit| Unit {
            end: at + unit.end,
            tokens_through: before + unit.tokens_through,
            splits: unit.splits,
        }));
        divided
            .extend(long.into_iter().filter_map(|long| ByteRange::new(at + long.start(), at + long.end())));
        before = units.last().map_or(Tokens::ZERO, |unit| unit.tokens_through);
    }
    if end(&units) < text.len() {
        units.push(Unit { end: text.len(), tokens_through: before, splits: true });
    }
    (units, divided, kinds)
}

/// The length in bytes above which lines of data are too coarse as units.
const LONG_DATA_LINE_BYTES: usize = 120;

/// The shape of `text` for division within lines, given its `shape` as lines: data in long lines, such as JSON after
/// the headers of a response, has the shape of JSON. Lines that a terminal overwrites are shorter than they look.
fn within(text: &str, shape: Shape) -> Shape {
    let is_data = shape == Shape::Code && are_lines_longer(text, LONG_DATA_LINE_BYTES) && !has_controls(text);
    if is_data { Shape::Json } else { shape }
}

impl Cuts {
    /// The rules for blocks that are shown in addition to something that takes `tokens`.
    const fn without(self, tokens: Tokens) -> Self {
        Self { room: self.room.saturating_sub(tokens), ..self }
    }

    /// The units of `text`, and the ranges of those that were divided; if there are any, the text is counted once more.
    /// Lines of source code and values of JSON are never divided.
    pub(crate) fn units(
        self,
        counter: &dyn TokenCounter,
        text: &str,
        shape: Shape,
    ) -> (Vec<Unit>, Vec<ByteRange>) {
        let units = tally(counter, text, &unit_ends(text, shape));
        let mut before = (0, Tokens::ZERO);
        let long = units.iter().filter_map(|unit| {
            let (start, tokens) = std::mem::replace(&mut before, (unit.end, unit.tokens_through));
            let is_giant = self.within_lines && shape == Shape::Json && unit.end - start > GIANT_LINE;
            let is_long = unit.tokens_through.saturating_sub(tokens) > self.room && shape != Shape::Code;
            ByteRange::new(start, unit.end).filter(|_| is_giant || is_long)
        });
        let long: Vec<ByteRange> = long.collect();
        if long.is_empty() || shape == Shape::Json && begins_as_json(text) {
            return (units, Vec::new());
        }
        let parts = |range: &ByteRange| part_ends(range.of(text).unwrap_or_default());
        let divided: Vec<ByteRange> = long.into_iter().filter(|range| parts(range).len() > 1).collect();
        let mut ends: Vec<usize> = units.iter().map(|unit| unit.end).collect();
        for range in &divided {
            ends.extend(parts(range).into_iter().map(|end| range.start() + end));
        }
        ends.sort_unstable();
        ends.dedup();
        (tally(counter, text, &ends), divided)
    }
}

/// Counts the messages of a conversation.
fn measure_conversation<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    framing: &Framing,
    cuts: Cuts,
) -> Measured<'a> {
    let plain = Turn::new(Role::User);
    let measured = |_, block: &'a Block, cuts: Cuts| {
        let (turn, framing) = (block.as_turn().unwrap_or(&plain), conversation::framing(block));
        let (units, parts, kinds) = message_units(memory.counter(), &block.text, turn, cuts.without(framing));
        MeasuredBlock::new(block, units, framing).with_kinds(kinds).with_parts(parts)
    };
    let turns = context.numbers().last().copied().unwrap_or_default().saturating_add(context.omitted);
    let record = framing.bare_record(turns, counter);
    let blocks = pinned_first(context, cuts.without(framing.request + record), measured);
    let shown = blocks.iter().filter(|block| block.block().level.shows_source());
    let tokens = shown.map(|block| block.framing() + block.tokens());
    let (_, tokens) = conversation::lay_out(context, framing, counter, tokens);
    Measured::new(context, counter, blocks, tokens).with_record(record)
}

/// Measures the blocks of `context`: first the pinned ones, which are never cut, then the others with the room that
/// remains. A sentence that fits into this room could be shown whole and is not divided.
fn pinned_first<'a>(
    context: &'a Context,
    cuts: Cuts,
    measured: impl Fn(usize, &'a Block, Cuts) -> MeasuredBlock<'a> + Sync,
) -> Vec<MeasuredBlock<'a>> {
    let held = context.blocks.iter().enumerate().zip(context.holds());
    let (pinned, others): (Vec<_>, Vec<_>) = held.partition(|(_, hold)| *hold == Hold::Pinned);
    let all = |blocks: Vec<((usize, &'a Block), Hold)>, cuts| {
        each(blocks.into_iter().map(|(block, _)| block).collect(), |n, block| measured(n, block, cuts))
    };
    let mut blocks = all(pinned, Cuts { room: Tokens::MAX, ..cuts });
    let taken = blocks.iter().map(|(_, block)| block.framing() + block.tokens()).sum();
    blocks.extend(all(others, cuts.without(taken)));
    blocks.sort_unstable_by_key(|(n, _)| *n);
    blocks.into_iter().map(|(_, block)| block).collect()
}

/// Applies `f` to each of `blocks` and its index, in order.
#[cfg(not(feature = "parallel"))]
fn each<'a, T>(blocks: Vec<(usize, &'a Block)>, f: impl Fn(usize, &'a Block) -> T) -> Vec<(usize, T)> {
    blocks.into_iter().map(|(n, block)| (n, f(n, block))).collect()
}

/// Applies `f` to each of `blocks` and its index, in order, on all cores if that pays off.
#[cfg(feature = "parallel")]
fn each<'a, T: Send>(
    blocks: Vec<(usize, &'a Block)>,
    f: impl Fn(usize, &'a Block) -> T + Sync,
) -> Vec<(usize, T)> {
    use rayon::prelude::*;

    const PARALLEL_BYTES: usize = 64 * 1024;
    let much = blocks.iter().map(|(_, block)| block.text.len()).sum::<usize>() >= PARALLEL_BYTES;
    let measured = |(n, block): (usize, &'a Block)| (n, f(n, block));
    if much {
        blocks.into_par_iter().map(measured).collect()
    } else {
        blocks.into_iter().map(measured).collect()
    }
}

/// Adds the tokens of line numbers to the units.
fn add_gutters(units: &mut [Unit], mut numbering: Numbering<'_>, counter: &dyn TokenCounter) {
    let (mut start, mut sum) = (0, Tokens::ZERO);
    for unit in units {
        let gutters =
            ByteRange::new(start, unit.end).map(|range| numbering.gutters(range)).unwrap_or_default();
        sum += counter.count(&gutters);
        unit.tokens_through += sum;
        start = unit.end;
    }
}

#[cfg(test)]
mod tests {
    use contextfit_text::CharsPer;

    use super::*;

    /// `expect` holds the bytes of each unit in `room` characters.
    #[track_caller]
    fn check(text: &str, shape: Shape, room: usize, expect: &[usize]) {
        let counter = CharsPer::new(1).unwrap();
        let (units, parts) = Cuts { room: Tokens::new(room), ..Cuts::default() }.units(&counter, text, shape);
        let starts = std::iter::once(0).chain(units.iter().map(|unit| unit.end));
        let lengths: Vec<usize> = starts.zip(&units).map(|(start, unit)| unit.end - start).collect();
        assert_eq!(lengths, expect, "{text}");
        assert_eq!(units.last().map(|unit| unit.tokens_through), Some(counter.count(text)));
        assert_eq!(parts.is_empty(), units.len() == unit_ends(text, shape).len());
    }

    #[test]
    fn what_is_longer_than_the_room_is_divided() {
        let speech = "and so we went on ".repeat(10) + "home.";
        check("One. Two.", Shape::Prose, 3, &[4, 5]);
        check(&speech, Shape::Prose, 185, &[185]);
        check(&speech, Shape::Prose, 184, &[122, 63]);
        check(&format!("{speech} Two."), Shape::Prose, 100, &[122, 63, 5]);
        check(&speech, Shape::Code, 10, &[185]);
        check(&speech, Shape::Json, 100, &[122, 63]);
        check(&format!("[\"{}\"]", "x\\\"".repeat(200)), Shape::Json, 100, &[1, 602, 1]);
    }
}
