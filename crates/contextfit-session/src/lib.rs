//! Keeps a growing conversation within its budget.
//!
//! A [`Session`] holds the request that an agent sends to its model. Each message is counted once, when it is added.
//! When the request exceeds a high-water mark, [`Session::prepare`] shortens it to a low-water mark. Shortening is
//! therefore rare, and between two compactions everything sent before stays byte for byte the same, so that the
//! provider's prompt cache stays warm.

mod calls;
mod compaction;
mod error;
mod marks;
mod session;

pub use crate::{
    compaction::Compaction,
    error::SessionError,
    marks::WaterMarks,
    session::{Session, SessionState},
};
