//! What the targets share: counters to choose from, and the pipeline that fits a context.
//!
//! A target's input begins with a byte that chooses and two that say how much room there is; the rest is the text. So an
//! input is a text file after three characters.

use std::sync::Arc;

use contextfit_kernel::{Context, Strategy, TokenCounter};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::{PairCounter, check_fit};
use contextfit_text::{CharsPer, Tiktoken};

/// What a target reads: a choice, a room and a text.
pub type Input<'a> = (u8, u16, &'a str);

/// A counter that splits everywhere, nowhere, or where a tokenizer does.
#[must_use]
pub fn counter(choice: u8) -> Arc<dyn TokenCounter> {
    match choice % 4 {
        0 => Arc::new(CharsPer::new(1).unwrap()),
        1 => Arc::new(CharsPer::new(4).unwrap()),
        2 => Arc::new(PairCounter),
        _ => Arc::new(Tiktoken::o200k_base()),
    }
}

/// A room in which most short texts have to be cut.
#[must_use]
pub fn tokens(room: u16) -> usize {
    usize::from(room) % 600
}

/// Fits `context` by `strategy` and checks all twelve invariants of the result.
pub fn check(context: &Context, strategy: impl Strategy + 'static, choice: u8, room: u16) {
    let pipeline = Pipeline::new(counter(choice)).with_strategy(strategy);
    check_fit(&pipeline, context, tokens(room));
}
