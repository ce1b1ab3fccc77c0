//! The types and traits that the crates of contextfit share, with hardly any behaviour.
//!
//! A [`Context`] is a list of [`Block`]s. Each block can be shown at four [`Level`]s. A [`Strategy`] reads the
//! [`Measured`] context and returns a [`Plan`]: what happens to each block. A [`ContextCompressor`] carries out the
//! plan, counts the result, and returns either a [`CompressionResult`] that fits the [`Budget`] or an [`Error`].
//!
//! Lengths are separate types ([`Tokens`], [`Chars`]), so that they cannot be confused. Positions in a text are
//! [`ByteRange`]s of the original.

mod length;
mod level;
mod names;
mod setters;

mod block;
mod budget;
mod context;
mod conversation;
mod conversation_builder;
mod hold;
mod memory;
mod one_line;
mod quote;
mod record;
mod text_kind;
mod turn;
mod values;

mod counter;
mod measured;

mod plan;
mod strategy;

mod chunk;
mod compressor;
mod result;
mod summary;
mod unfit;

mod nearness;
mod printed;
mod provider;
mod scorer;
mod store;

mod error;

pub use crate::{
    block::{Block, BlockKind, Importance, Memory, Passage, Symbols},
    budget::Budget,
    chunk::{Chunk, ChunkCompressor, ChunkOutcome, CompressedChunk, KeptBecause},
    compressor::ContextCompressor,
    context::{Context, Framing, Layout, Noun},
    conversation::Message,
    conversation_builder::ConversationBuilder,
    counter::TokenCounter,
    error::{Error, InvalidPlan},
    hold::{Blocker, Hold},
    length::{ByteRange, Chars, Tokens},
    level::Level,
    measured::{Measured, MeasuredBlock, Unit},
    memory::{CodeSnippet, Evidence, MemoryRecord},
    names::UnknownName,
    nearness::nearness,
    one_line::{LINE_BREAKS, in_brackets, one_line, quoted},
    plan::{Action, Piece, Plan, Reason, Rewrite, Step},
    provider::{Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError},
    quote::{Quote, QuoteSource, unescaped},
    record::{Entry, Label, Record, Voice, entry_body, in_part, labelled},
    result::{CompressionMetrics, CompressionResult, Outcome, Stage},
    scorer::{PartedText, Question, Scorer},
    store::{OriginalStore, StoreError},
    strategy::{Planner, Strategy},
    summary::{NoSummary, Summary, SummarySource},
    text_kind::TextKind,
    turn::{Attachment, Medium, Part, Role, ToolCall, Turn},
    unfit::Unfit,
    values::Values,
};
