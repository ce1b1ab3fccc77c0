//! A conversation that grows, and is kept within its budget.
//!
//! A [`Session`] holds the request that an agent sends to its model. Messages are counted as they come, each once. When
//! the request has grown over a high water mark it is shortened to a low one ([`Session::prepare`]), so that it is shortened
//! seldom, and what was sent before stays byte for byte the same in between: the provider's prompt cache stays warm.

mod calls;
mod compaction;
mod error;
mod marks;
mod session;

pub use crate::{compaction::Compaction, error::SessionError, marks::WaterMarks, session::Session};
