//! Counting a context, each block once.

use contextfit_kernel::{Block, BlockKind, Context, Measured, MeasuredBlock, TokenCounter, Tokens};
use contextfit_text::{Language, Shape, tally, unit_ends};

use crate::render::render_whole;

/// Counts every block of `context`, unit by unit, and the whole as one text.
///
/// Each block's text is counted once; linear in the length of the context for counters that split (see
/// [`TokenCounter::splits_at`]), and with those that do not, the whole is counted once more.
#[must_use]
pub fn measure<'a>(context: &'a Context, counter: &'a dyn TokenCounter) -> Measured<'a> {
    let separator = counter.count(&format!("{}\n", context.layout.separator));
    let omission = context.layout.omission_marker(context.blocks.len() + context.omitted);
    let mut measured = Measured {
        context,
        counter,
        blocks: context
            .blocks
            .iter()
            .map(|block| measure_block(block, context, counter, separator))
            .collect(),
        tokens: Tokens::ZERO,
        omission: omission.map_or(Tokens::ZERO, |marker| counter.count(&marker) + Tokens::new(1)),
    };
    (_, measured.tokens) = render_whole(&measured);
    measured
}

/// Counts one block.
fn measure_block<'a>(
    block: &'a Block,
    context: &Context,
    counter: &dyn TokenCounter,
    separator: Tokens,
) -> MeasuredBlock<'a> {
    let units = tally(counter, &block.text, &unit_ends(&block.text, shape_of(block)));
    let header = if context.layout.headers { block.header() } else { String::new() };
    let framing = counter.count(&header) + separator;
    MeasuredBlock::new(block, units, framing)
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
