//! Wire formats: what applications send, and what they get back.
//!
//! A [`SearchRequest`] is retrieved chunks and how many tokens may be spent on them; a [`SearchAnswer`] is the context
//! that fits and what became of each chunk; an [`ErrorAnswer`] stands in its place when there is none. Requests that
//! cannot be read are a [`FormatError`], which says where and why. A [`MemoryRequest`] and a [`MemoryAnswer`] are the same for
//! memories.
//!
//! A [`Conversation`] is what applications send to a model: it becomes a context of turns, and what is left of them after
//! a compression becomes the same request again, shorter.
//!
//! This crate reads and writes shapes. It chooses no strategy and shortens no text.

mod chunk;
mod documents;
mod exact;
mod join;
mod number;
mod request;

mod chat;

mod answer;
mod error_answer;

mod memory;
mod memory_answer;

mod error;
mod unknown;

pub use crate::{
    answer::{AnswerBlock, AnswerMetrics, SearchAnswer},
    chat::{ChatAnswer, ChatRequest, Conversation, Held, Invalid, Pins, WireFormat, valid},
    chunk::Chunk,
    documents::{Documents, Order},
    error::FormatError,
    error_answer::{ErrorAnswer, ErrorBody, ErrorCode},
    exact::{Exact, Lines},
    memory::{Example, MemoryEntry, MemoryRequest},
    memory_answer::{DroppedMemory, MemoryAnswer, MemoryAnswerEntry, MemoryMetrics},
    request::SearchRequest,
    unknown::unknown_name,
};
