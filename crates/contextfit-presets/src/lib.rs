//! Where a request becomes an answer, and strategies by name.
//!
//! A [`Fitter`] answers requests for search results, conversations, memories and excerpts: the command line, servers and
//! other languages stand on it. [`preset`] returns the [`Pipeline`] behind a name: a [strategy](CompressionStrategy) such as `auto` or `bm25`, or a
//! [profile](Profile) such as `fast`. [`Preset`] is the same with options of your own. `auto` looks at the context (its
//! [`Traits`]) and picks a strategy for it with [`Dispatch`].
//!
//! ```
//! # mod contextfit {
//! #     pub use ::contextfit_kernel::{Block, Budget, Context};
//! #     pub use ::contextfit_presets::preset;
//! #     pub use ::contextfit_text::counter;
//! # }
//! use contextfit::{Block, Budget, Context, counter, preset};
//!
//! let page = "Tokens are counted once. ".to_owned() + &"Nothing else is said here. ".repeat(80);
//! let context = Context::new(vec![Block::passage("1", "docs/counting.md", page)])
//!     .with_query("how are tokens counted");
//!
//! let result = preset("auto", counter("chars/4")?)?.fit(&context, &Budget::new(60))?;
//! assert!(result.text.contains("Tokens are counted once."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counting;
mod error;
mod original;
#[cfg(feature = "parallel")]
mod threads;

mod fitter;

mod chat;
mod excerpt;
mod memory;
mod output;
mod search;

mod explain;
#[cfg(feature = "store")]
mod store;

mod by_kind;
mod dispatch;
mod on_passages;
mod options;
mod preset;
mod profile;
mod strategy;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_bm25 as bm25;
#[cfg(feature = "store")]
#[doc(no_inline)]
pub use contextfit_cache::Digest;
#[doc(no_inline)]
pub use contextfit_conversational as conversational;
#[doc(no_inline)]
pub use contextfit_formats as formats;
#[doc(no_inline)]
pub use contextfit_hierarchical as hierarchical;
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[cfg(feature = "code")]
#[doc(no_inline)]
pub use contextfit_outline as outline;
#[doc(no_inline)]
pub use contextfit_text as text;
#[doc(no_inline)]
pub use contextfit_truncation as truncation;
#[doc(no_inline)]
pub use serde_json;

#[doc(no_inline)]
pub use contextfit_pipeline::Pipeline;

#[cfg(feature = "store")]
pub use crate::store::{RestoreError, Store};
pub use crate::{
    chat::pins_match,
    counting::{Counting, DEFAULT_TOKENIZER, Estimate, Estimated, EstimatedBy, Estimator},
    dispatch::{Dispatch, Traits},
    error::{FitError, HeldMessage},
    excerpt::{ExcerptAnswer, FittedExcerpt},
    explain::{AppliedFeedback, ExplainedSentence, ExplainedUnit, UnitShown},
    fitter::{Embeddings, FitWithLlm, Fitted, Fitter},
    memory::{FittedMemories, memory_answer, sent_memories},
    options::{CacheBackend, CompressionOptions, LlmOptions},
    original::{Original, originals},
    output::{
        FINDINGS_TOKENS, SHORT_OUTPUT_CHARS, ShownOutput, is_long_output, output_kind, usual_output_budget,
    },
    preset::{Preset, preset},
    profile::Profile,
    strategy::{CompressionStrategy, MemoryOptions, MemoryStrategy},
};
