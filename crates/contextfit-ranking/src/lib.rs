//! Ranking by relevance to a query: by words, by names, and by kind of file.
//!
//! [`Bm25`] is a ranking function and a [`Scorer`](contextfit_kernel::Scorer) of texts. [`Ranker`] ranks a repository:
//! first whole files, then the functions, types and passages of [`Document`]s, by weighted [features](FEATURES).
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `parallel` | documents are read on all cores; the ranking is the same | `rayon` |

mod bm25;
mod in_order;
mod query;

mod kind;
mod question;

mod document;
mod reader;

mod calls;
mod features;
mod ranker;
mod weights;

pub use crate::{
    bm25::{Bm25, inverse_document_frequency},
    document::{Document, Unit, UnitKind},
    features::FEATURES,
    in_order::{is_in_order, relevance_in_order},
    kind::FileKind,
    query::{Query, analyzer_for},
    ranker::{Ranked, Ranker, Surveyed},
};
