//! Providers against their contract, malformed files of every kind, and misbehaving servers.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests fail by panicking"
)]

#[cfg(feature = "bert")]
mod bert;
#[cfg(feature = "bert")]
mod bert_fixture;

#[cfg(feature = "model2vec")]
mod fixture;
#[cfg(feature = "model2vec")]
mod model2vec;

#[cfg(feature = "llm")]
mod compressor;
#[cfg(feature = "llm")]
mod decorators;
#[cfg(feature = "llm")]
mod scripted;
#[cfg(feature = "llm")]
mod shortening;

#[cfg(feature = "http")]
mod embeddings;
#[cfg(feature = "http")]
mod failures;
#[cfg(feature = "http")]
mod llms;
#[cfg(feature = "http")]
mod real_server;
#[cfg(feature = "http")]
mod secrets;
#[cfg(feature = "http")]
mod server;
