//! Counting a context, each block once.

use contextfit_kernel::{
    Action, Block, BlockKind, Context, Framing, Measured, MeasuredBlock, Role, TokenCounter, Tokens, Turn,
};
use contextfit_text::{Language, Shape, tally, unit_ends};

use crate::{conversation, remembered::Remembered, render::Page};

/// Counts every block of `context`, unit by unit, and the whole as one text.
///
/// Each block's text is counted once; linear in the length of the context for counters that split (see
/// [`TokenCounter::splits_at`]), and with those that do not, the whole is counted once more.
#[must_use]
pub fn measure<'a>(context: &'a Context, counter: &'a dyn TokenCounter) -> Measured<'a> {
    measure_by(&Remembered::new(counter), context, counter)
}

/// The same, counting by `memory`; `counter` is the one that is planned and rendered with.
pub(crate) fn measure_by<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
) -> Measured<'a> {
    if let Some(framing) = &context.layout.framing {
        return measure_conversation(memory, context, counter, framing);
    }
    let mut page = Page::new(context, memory);
    let mut blocks = Vec::with_capacity(context.blocks.len());
    for block in &context.blocks {
        let units = tally(memory.counter(), &block.text, &unit_ends(&block.text, shape_of(block)));
        let header = if context.layout.headers { block.header() } else { String::new() };
        let framing = memory.counter().count(&header) + page.separator_tokens();
        let measured = MeasuredBlock::new(block, units, framing);
        page.show_under(&header, &measured, &Action::Keep);
        blocks.push(measured);
    }
    let (_, tokens) = page.finish(context.omitted);
    let omission = context.layout.omission_marker(context.blocks.len() + context.omitted);
    let omission = omission.map_or(Tokens::ZERO, |marker| counter.count(&marker) + Tokens::new(1));
    Measured { context, counter, blocks, tokens, omission, ledger: Tokens::ZERO }
}

/// Counts the messages of a conversation.
fn measure_conversation<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    framing: &Framing,
) -> Measured<'a> {
    let plain = Turn::new(Role::User);
    let measured = |block: &'a Block| {
        let units =
            conversation::units(memory.counter(), &block.text, block.as_turn().unwrap_or(&plain), framing);
        MeasuredBlock::new(block, units, conversation::framing(block))
    };
    let blocks: Vec<_> = context.blocks.iter().map(measured).collect();
    let shown = blocks.iter().filter(|block| block.block().level.shows_source());
    let tokens = shown.map(|block| block.framing() + block.tokens());
    let (_, tokens) = conversation::lay_out(context, framing, counter, tokens);
    let ledger = conversation::ledger(framing, counter);
    let omission = context.layout.omission_marker(context.blocks.len() + context.omitted);
    let omission = omission.map_or(Tokens::ZERO, |marker| counter.count(&marker) + Tokens::new(1));
    Measured { context, counter, blocks, tokens, omission, ledger }
}

/// Whether a block is cut at lines or may be cut at sentences: by its language, else by the look of its text.
fn shape_of(block: &Block) -> Shape {
    let known = match &block.kind {
        BlockKind::Passage(passage) => passage
            .language
            .as_deref()
            .and_then(Language::named)
            .or_else(|| passage.path.as_deref().and_then(Language::of_path)),
        _ => None,
    };
    known.map_or_else(|| Shape::of_text(&block.text), |language| language.shape)
}
