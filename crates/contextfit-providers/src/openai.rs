//! OpenAI's chat completions and embeddings, and the many compatible servers.

mod chat;
mod embeddings;

pub use self::{chat::OpenAiChat, embeddings::OpenAiEmbeddings};
