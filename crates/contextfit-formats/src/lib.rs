//! Wire formats: the JSON that applications send, and the JSON that they receive.
//!
//! A [`SearchRequest`] holds retrieved chunks and a budget in tokens. A [`SearchAnswer`] holds the context that fits
//! and the outcome for each chunk; an [`ErrorAnswer`] replaces it if the request fails. A request that cannot be read
//! gives a [`FormatError`] with the position and the problem. [`MemoryRequest`] and [`MemoryAnswer`] are the same for
//! memories.
//!
//! A [`Conversation`] is a request that an application sends to a model. It becomes a context of turns, and the
//! compressed turns become the same request again, only shorter.
//!
//! A [`Session`] keeps a growing conversation between two water marks.
//!
//! This crate reads and writes JSON shapes. It chooses no strategy and shortens no text.

mod chunk;
mod documents;
mod exact;
mod join;
mod number;
mod repaired;
mod request;

mod chat;
mod replace;
mod session;

mod answer;
mod error_answer;
mod excerpt;

mod memory;
mod memory_answer;

mod error;
mod unknown;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_text as text;
#[doc(no_inline)]
pub use serde;
#[doc(no_inline)]
pub use serde_json;

pub use crate::{
    answer::{AnswerBlock, AnswerMetrics, SearchAnswer},
    chat::{
        BRIDGE, ChatAnswer, ChatRequest, Conversation, Held, Invalid, Known, Origin, Pins, Said, Unmatched,
        WireFormat, valid,
    },
    chunk::SearchChunk,
    documents::{Documents, Order, Place},
    error::{FormatError, SessionError},
    error_answer::{ErrorAnswer, ErrorBody, ErrorCode, with_causes},
    exact::{Exact, Lines},
    excerpt::ExcerptRequest,
    memory::{Example, MemoryEntry, MemoryRequest},
    memory_answer::{DroppedMemory, MemoryAnswer, MemoryAnswerEntry, MemoryMetrics},
    repaired::Repaired,
    replace::{ReplaceError, replace_text},
    request::{SearchLayout, SearchRequest, read_field},
    session::{Compaction, Session, SessionState, WaterMarks},
    unknown::unknown_name,
};
