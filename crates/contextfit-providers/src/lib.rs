//! Models behind the traits of contextfit: [`EmbeddingProvider`](contextfit_kernel::EmbeddingProvider).
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `model2vec` | `StaticEmbeddings`: a static embedding model from files | `model2vec-rs`, `safetensors`, `serde_json` |

#[cfg(feature = "model2vec")]
mod model2vec;

#[cfg(feature = "model2vec")]
pub use crate::model2vec::{StaticEmbeddings, StaticEmbeddingsError};
