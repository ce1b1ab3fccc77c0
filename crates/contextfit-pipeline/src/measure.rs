//! Counting a context, each block once.

use contextfit_kernel::{
    Action, Block, ByteRange, Context, Framing, Measured, MeasuredBlock, Role, TokenCounter, Tokens, Turn,
    Unit,
};
use contextfit_text::{Language, Shape, are_lines_longer, tally, unit_ends};

use crate::{conversation, forgery::fences, numbering::Numbering, remembered::Remembered, render::Page};

/// Counts every block of `context`, unit by unit, and the whole as one text.
///
/// Each block's text is counted once; linear in the length of the context for counters that split (see
/// [`TokenCounter::splits_at`]), and with those that do not, the whole is counted once more.
#[must_use]
pub fn measure<'a>(context: &'a Context, counter: &'a dyn TokenCounter) -> Measured<'a> {
    measure_by(&Remembered::new(counter), context, counter, false)
}

/// The same, counting by `memory`; `counter` is the one that is planned and rendered with. `within_lines`: lines of code and data
/// that are too long to choose among have units in them.
pub(crate) fn measure_by<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    within_lines: bool,
) -> Measured<'a> {
    if let Some(framing) = &context.layout.framing {
        return measure_conversation(memory, context, counter, framing);
    }
    let mut page = Page::counting(context, memory);
    let separator = page.separator_tokens();
    let measured = |block: &'a Block| {
        let (language, shape) = Language::of_block(block)
            .map_or(("text", Shape::Prose), |language| (language.name, language.shape));
        let shape = match shape {
            Shape::Code if within_lines && are_lines_longer(&block.text, LONG) => Shape::Json,
            // A name that says nothing does not make sentences of lines.
            Shape::Prose if within_lines && language == "text" => Shape::of_message(&block.text),
            _ => shape,
        };
        let mut units = tally(memory.counter(), &block.text, &unit_ends(&block.text, shape));
        if let Some(numbering) = Numbering::of(block, &context.layout) {
            add_gutters(&mut units, numbering, counter);
        }
        let header = if context.layout.headers { block.header() } else { String::new() };
        let framing = memory.counter().count(&header) + separator;
        (header, MeasuredBlock::new(block, units, framing).in_language(language))
    };
    let mut blocks = Vec::with_capacity(context.blocks.len());
    let mut fences = fences(context);
    for (n, (header, mut measured)) in each(&context.blocks, measured).enumerate() {
        if let Some((open, close)) = fences.remove(&n) {
            let tokens = counter.count(&format!("{open}\n{close}\n"));
            measured = measured.fenced(open, close, tokens);
        }
        page.show_under(&header, &measured, &Action::Keep);
        blocks.push(measured);
    }
    let (_, tokens) = page.finish(context.omitted);
    let omission = context.layout.omission_marker(context.blocks.len() + context.omitted);
    let omission = omission.map_or(Tokens::ZERO, |marker| counter.count(&marker) + Tokens::new(1));
    Measured { context, counter, blocks, tokens, omission, record: Tokens::ZERO }
}

/// Lines of data with more bytes than this are no units to choose among.
const LONG: usize = 120;

/// Counts the messages of a conversation.
fn measure_conversation<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    framing: &Framing,
) -> Measured<'a> {
    let plain = Turn::new(Role::User);
    let measured = |block: &'a Block| {
        let units = conversation::units(memory.counter(), &block.text, block.as_turn().unwrap_or(&plain));
        MeasuredBlock::new(block, units, conversation::framing(block))
    };
    let blocks: Vec<_> = each(&context.blocks, measured).collect();
    let shown = blocks.iter().filter(|block| block.block().level.shows_source());
    let tokens = shown.map(|block| block.framing() + block.tokens());
    let (_, tokens) = conversation::lay_out(context, framing, counter, tokens);
    let turns = context.numbers().last().copied().unwrap_or_default().saturating_add(context.omitted);
    let record = conversation::record(framing, turns, counter);
    Measured { context, counter, blocks, tokens, omission: Tokens::ZERO, record }
}

/// What `f` makes of each of `blocks`, in their order.
#[cfg(not(feature = "parallel"))]
fn each<'a, T>(blocks: &'a [Block], f: impl Fn(&'a Block) -> T) -> impl Iterator<Item = T> {
    blocks.iter().map(f)
}

/// What `f` makes of each of `blocks`, in their order, found on all cores where it is worth a thread's while.
#[cfg(feature = "parallel")]
fn each<'a, T: Send>(
    blocks: &'a [Block],
    f: impl Fn(&'a Block) -> T + Send + Sync,
) -> impl Iterator<Item = T> {
    use rayon::prelude::*;

    const ENOUGH: usize = 64 * 1024;
    let much = blocks.iter().map(|block| block.text.len()).sum::<usize>() >= ENOUGH;
    let found: Vec<T> =
        if much { blocks.par_iter().map(f).collect() } else { blocks.iter().map(f).collect() };
    found.into_iter()
}

/// Adds to units what the numbers before their lines take.
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
