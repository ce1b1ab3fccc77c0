//! Text for contextfit: token counters, the units a text is cut into, languages and models.
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `tiktoken` | `Tiktoken`: exact counts in `o200k_base` and `cl100k_base` | none |
//! | `huggingface` | `HuggingFace`: exact counts by a `tokenizer.json` | `tokenizers` |
//! | `tiktoken-rs` | `TiktokenRs`: counts with a `CoreBPE` that the application holds | `tiktoken-rs` |
//!
//! Without features, the only counter is [`CharsPer`], a rule of thumb. [`counter`] finds a counter by name, and
//! [`tally`] counts a text unit by unit. The crate also has the prices of tokens ([`prices`], [`Bill`]), a [`Fence`]
//! for texts in a prompt, and a detector of standing instructions ([`standing_rules`], [`binding`]).

mod chars;
#[cfg(feature = "huggingface")]
mod huggingface;
#[cfg(feature = "tiktoken")]
mod tiktoken;
#[cfg(feature = "tiktoken-rs")]
mod tiktoken_rs;

mod error;
mod fence;
mod float;
mod model;
mod select;

mod gap;
mod json;
mod language;
mod quotations;
mod rewrite;
mod rules;
mod segment;
mod sentences;
mod shown;
mod skeleton;
mod speech;
mod tally;
mod text_kind;
mod words;

mod analyzer;
mod anaphora;
mod detection;
mod irregular;
mod lexicon;
mod memo;
mod natural_language;
mod word_lists;

mod bm25;
mod in_order;
mod query;

mod judge;

// What is in the signatures of this crate.
#[cfg(feature = "tiktoken-rs")]
#[doc(no_inline)]
pub use ::tiktoken_rs::CoreBPE;
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_packing as packing;

#[cfg(feature = "huggingface")]
pub use crate::huggingface::HuggingFace;
#[cfg(feature = "tiktoken")]
pub use crate::tiktoken::{Encoding, Tiktoken};
#[cfg(feature = "tiktoken-rs")]
pub use crate::tiktoken_rs::TiktokenRs;
pub use crate::{
    analyzer::Analyzer,
    bm25::{Bm25, inverse_document_frequency},
    chars::CharsPer,
    error::CounterError,
    fence::Fence,
    float::{float, scaled, share_of},
    gap::{cut_pieces, gap_marker, gap_word, marker_with},
    in_order::{is_in_order, relevance_in_order},
    json::{JsonKind, JsonToken, begins_as_json, is_json, json_string_end, json_tokens},
    judge::Judge,
    language::{Language, Shape},
    lexicon::{Lexicon, Term},
    model::{
        Bill, Model, Money, Prices, TokenFactor, TokenRatio, TokenUsage, UnknownModel, model, models, prices,
    },
    natural_language::{NaturalLanguage, WORDS},
    query::{Query, analyzer_for},
    quotations::quotations,
    rewrite::{has_controls, readings, reads_as_repeated, repeated, rewritten, says_the_same},
    rules::{Rule, Sentence, binding, standing_rules},
    segment::{CodeFence, GIANT_LINE, Needs, are_lines_longer, is_item, is_underline, part_ends, unit_ends},
    select::counter,
    shown::keep_shown,
    skeleton::skeleton,
    speech::{Speakers, Spoken},
    tally::tally,
    text_kind::{kind_features, kind_of, kind_of_block, prose_lead, text_kind},
    word_lists::{TOOLS, WordList, WordLists},
    words::{Words, is_made_up, words},
};
