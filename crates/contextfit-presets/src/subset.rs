//! Some blocks of a context, as a context of their own.

use contextfit_kernel::{Context, Measured, MeasuredBlock, Step, Tokens};

/// Blocks of a context.
pub(crate) struct Subset {
    /// Their indices in the whole context, ascending.
    pub(crate) places: Vec<usize>,
    context: Context,
}

impl Subset {
    pub(crate) fn of(whole: &Context, places: Vec<usize>) -> Self {
        let blocks = places.iter().filter_map(|&n| whole.blocks.get(n)).cloned().collect();
        let mut context = Context::new(blocks).with_layout(whole.layout.clone());
        (context.query, context.omitted) = (whole.query.clone(), whole.omitted);
        Self { places, context }
    }

    /// The same blocks, as measured in the whole context.
    pub(crate) fn measured<'a>(&'a self, input: &Measured<'a>) -> Measured<'a> {
        let blocks: Vec<_> = self.places.iter().filter_map(|&n| input.blocks.get(n)).cloned().collect();
        let tokens = blocks.iter().map(|block| block.framing() + block.tokens()).sum();
        Measured { context: &self.context, blocks, tokens, ..input.clone() }
    }
}

/// The tokens that the `steps` for the blocks of `input` take.
pub(crate) fn taken(input: &Measured<'_>, steps: &[Step]) -> Tokens {
    let cost = |(block, step): (&MeasuredBlock<'_>, &Step)| {
        step.tokens.unwrap_or_else(|| block.cost(&step.action, input.counter))
    };
    input.blocks.iter().zip(steps).map(cost).sum()
}
