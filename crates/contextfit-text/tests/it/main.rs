//! The counters against their contract, against each other, and against OpenAI's tokenizer.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests fail by panicking and report what they skip"
)]

mod blocks;
mod conformance;
mod counters;
#[cfg(feature = "tiktoken")]
mod exact;
#[cfg(feature = "huggingface")]
mod huggingface;
mod judge;
mod languages;
#[cfg(feature = "tiktoken")]
mod real;
mod rewrite;
mod select;
mod sentences;
mod splits;
mod tally;
mod text_kind;
mod texts;
mod units;
