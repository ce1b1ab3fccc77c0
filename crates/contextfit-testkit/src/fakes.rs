//! Small implementations of the kernel's traits, with one property each.

use contextfit_kernel::{Action, Error, Measured, Plan, Reason, Step, Strategy, TokenCounter, Tokens};

/// Keeps what it must and drops the rest.
#[derive(Debug, Clone, Copy)]
pub struct DropAll;

impl Strategy for DropAll {
    fn name(&self) -> &str {
        "drop-all"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let steps = input.blocks.iter().zip(input.context.must_keep()).map(|(block, keep)| match keep {
            true => Step::new(&block.block().id, Action::Keep, Reason::Pinned),
            false => Step::new(&block.block().id, Action::Drop, Reason::Other("all are dropped".into())),
        });
        Ok(Plan { strategy: self.name().into(), steps: steps.collect() })
    }
}

/// Keeps everything, however little room there is.
#[derive(Debug, Clone, Copy)]
pub struct Stubborn;

impl Strategy for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let keep = |block: &contextfit_kernel::MeasuredBlock<'_>| {
            Step::new(&block.block().id, Action::Keep, Reason::Fits)
        };
        Ok(Plan { strategy: self.name().into(), steps: input.blocks.iter().map(keep).collect() })
    }
}

/// A counter whose counts never split: two bytes a token, so that the count of a text depends on all of it.
#[derive(Debug, Clone, Copy)]
pub struct PairCounter;

impl TokenCounter for PairCounter {
    fn name(&self) -> &str {
        "pairs"
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(text.len().div_ceil(2))
    }
}
