//! Ranks the files of a repository, and the functions, types and passages in them, by words, names and kinds of file.
//!
//! [`Ranker`] first ranks whole files, then the units of [`Document`]s, by weighted [features](FEATURES).

mod kind;
mod question;

mod document;

mod calls;
mod features;
mod meaning;
mod ranker;
#[cfg(feature = "meaning")]
mod vectors;
mod weights;

pub(crate) use self::document::{Document, DocumentUnit, UnitKind};
#[cfg(feature = "meaning")]
pub(crate) use self::vectors::CodeVectors;
pub use self::{
    calls::DefinedNames,
    features::FEATURES,
    kind::is_test_path,
    ranker::{Ranked, Ranker, Surveyed},
};
