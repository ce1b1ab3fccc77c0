//! Conversations as providers take them: read into blocks, and written back shorter with everything else unchanged.

mod conversation;
mod entry;
mod invalid;
mod pins;
mod wire_format;

mod anthropic;
mod chat_completions;
mod responses;

mod framing;
mod images;
mod links;
mod shortened;
mod tools;

pub use self::{
    conversation::Conversation,
    invalid::{Invalid, valid},
    pins::Pins,
    wire_format::WireFormat,
};
