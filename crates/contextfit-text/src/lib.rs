//! What contextfit knows about text: token counters, the units texts are cut into, languages and models.
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `tiktoken` | `Tiktoken`: exact counts in `o200k_base` and `cl100k_base` | `tiktoken`, `bpe-openai` |
//! | `huggingface` | `HuggingFace`: exact counts by a `tokenizer.json` | `tokenizers` |
//!
//! Without features there is [`CharsPer`], the rule of thumb. [`counter`] finds a counter by its name, [`tally`]
//! counts a text unit by unit. What tokens cost is here too ([`prices`], [`Bill`]), and the [`Fence`] around a text in a prompt, and which
//! sentences say what goes on to hold ([`standing_rules`], [`binding`]).

mod chars;
#[cfg(feature = "huggingface")]
mod huggingface;
#[cfg(feature = "tiktoken")]
mod tiktoken;

mod error;
mod fence;
mod model;
mod select;

mod gap;
mod language;
mod look;
mod prose;
mod rewrite;
mod rules;
mod segment;
mod sentences;
mod shown;
mod tally;
mod words;

mod analyzer;
mod anaphora;
mod irregular;
mod lexicon;
mod memo;
mod stop_words;
mod tongue;

mod judge;

#[cfg(feature = "huggingface")]
pub use crate::huggingface::HuggingFace;
#[cfg(feature = "tiktoken")]
pub use crate::tiktoken::{Encoding, Tiktoken};
pub use crate::{
    analyzer::Analyzer,
    chars::CharsPer,
    error::CounterError,
    fence::Fence,
    gap::gap_marker,
    judge::Judge,
    language::{Language, Shape},
    lexicon::{Lexicon, Term},
    look::is_timed,
    model::{
        Bill, Model, Money, Prices, TokenFactor, TokenRatio, TokenUsage, UnknownModel, model, models, prices,
    },
    rewrite::{folder, has_controls, repeated, rewritten, says_the_same},
    rules::{Rule, Sentence, binding, standing_rules},
    segment::{GIANT_LINE, Needs, are_lines_longer, is_json, part_ends, unit_ends},
    select::counter,
    shown::keep_shown,
    tally::tally,
    tongue::Tongue,
    words::{Words, words},
};
