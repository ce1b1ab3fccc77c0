//! BM25 relevance of texts to a query, and selection of the most relevant sentences under a budget.
//!
//! [`Bm25`] scores texts. [`SentenceSelection`] selects sentences (ADR 0010): it scores every sentence of a context and
//! keeps the best that fit, whole and in their order, with every gap marked.
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `parallel` | analyses texts on all cores, with the same results | `rayon` |
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
mod selection;
mod strategy;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;

pub use contextfit_text::Bm25;

pub use crate::{
    explanation::Explanation,
    fusion::{Fusion, Similarity},
    options::{SentenceOptions, Unmatched},
    strategy::SentenceSelection,
};
