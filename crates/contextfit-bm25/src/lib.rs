//! BM25: how relevant texts are to a query, by the words they share.

mod bm25;

pub use crate::bm25::Bm25;
