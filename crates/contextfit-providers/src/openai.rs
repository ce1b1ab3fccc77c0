//! OpenAI's chat completions and embeddings, and the many servers that speak like it.

mod chat;
mod embeddings;

pub use self::{chat::OpenAiChat, embeddings::OpenAiEmbeddings};
