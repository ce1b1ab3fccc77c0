//! Conversations in the formats of providers: read into blocks, and written back shorter, with everything else
//! unchanged.

mod answer;
mod conversation;
mod entry;
mod held;
mod invalid;
mod pins;
mod reading;
mod request;
mod unmatched;
mod wire_format;

mod anthropic;
mod chat_completions;
mod responses;

mod framing;
mod images;
mod links;
mod numbers;
mod said;
mod shortened;
mod tools;

pub use self::{
    answer::ChatAnswer,
    conversation::{BRIDGE, Conversation},
    held::Held,
    invalid::{Invalid, valid},
    pins::Pins,
    request::ChatRequest,
    said::Said,
    shortened::Origin,
    unmatched::{Known, Unmatched},
    wire_format::WireFormat,
};
pub(crate) use self::{conversation::field, shortened::without_breakpoints};
