//! BM25: how relevant texts are to a query by the words they share, and the sentences that answer it under a budget.
//!
//! [`Bm25`] scores texts. [`SentenceSelection`] is the strategy of seed 002: it scores every sentence of a context and
//! keeps the best that fit, whole, in their order, with every gap marked.
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `parallel` | texts are analysed on all cores; results are the same | `rayon` |
//! | `schema` | a JSON schema of the options | `schemars` |

mod explanation;
mod options;

mod corpus;
mod fields;
mod mentions;
mod names;
mod relevance;

mod fusion;
mod plan;
mod queue;
mod repetition;
mod scorer;
mod selection;
mod strategy;

pub use contextfit_ranking::Bm25;

pub use crate::{
    explanation::Explanation,
    fusion::{Fusion, Similarity},
    options::{SentenceOptions, Unmatched},
    strategy::SentenceSelection,
};
