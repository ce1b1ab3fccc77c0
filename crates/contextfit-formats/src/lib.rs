//! Wire formats: what applications send, and what they get back.
//!
//! A [`SearchRequest`] is retrieved chunks and how many tokens may be spent on them; a [`SearchAnswer`] is the context
//! that fits and what became of each chunk; an [`ErrorAnswer`] stands in its place when there is none. Requests that
//! cannot be read are a [`FormatError`], which says where and why.
//!
//! This crate reads and writes shapes. It chooses no strategy and counts no token.

mod chunk;
mod exact;
mod number;
mod request;

mod answer;
mod error_answer;

mod error;

pub use crate::{
    answer::{AnswerBlock, AnswerMetrics, SearchAnswer},
    chunk::Chunk,
    error::FormatError,
    error_answer::{ErrorAnswer, ErrorBody, ErrorCode},
    exact::{Exact, Lines},
    request::SearchRequest,
};
