//! The one error of requests, with a stable code.

use contextfit_formats::{ErrorCode, FormatError, Held, SessionError, Unmatched};
use contextfit_kernel::{Hold, Role, StoreError, Tokens};
use contextfit_text::{CounterError, UnknownModel};
use thiserror::Error;

/// Why a request was not answered. [`code`](Self::code) is stable between versions, the texts are for people.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// Neither the request nor anything else sets a budget.
    #[error("no budget: set `budget` in the request, or name a model, whose window is then the budget")]
    MissingBudget,
    /// The request is not JSON, or not of the right shape.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Pins that match no message.
    #[error("pins match no message: {0}")]
    Pins(Box<Unmatched>),
    /// A conversation whose held messages exceed the budget.
    #[error("cannot fit: the smallest possible result needs {needed} tokens, {available} are available")]
    Held {
        /// The tokens of the smallest possible result.
        needed: Tokens,
        /// The tokens of the budget, without its reserve.
        available: Tokens,
        /// The messages that must be kept, the largest first.
        messages: Vec<HeldMessage>,
    },
    /// Nothing fits, or a strategy failed.
    #[error(transparent)]
    Fit(#[from] contextfit_kernel::Error),
    /// A session that cannot be kept within its budget.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No model has this name.
    #[error(transparent)]
    Model(#[from] UnknownModel),
    /// No tokenizer has this name, or its file cannot be read.
    #[error(transparent)]
    Counter(#[from] CounterError),
    /// The embedding model failed.
    #[error("the embedding model failed")]
    Embeddings(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store of originals failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An answer cannot be written as JSON; no such case is known.
    #[error("cannot write JSON")]
    Json(#[from] serde_json::Error),
}

/// A message that the smallest possible result must contain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeldMessage {
    /// Its id: its index in the request.
    pub id: String,
    /// Its role, if it is a message of the conversation.
    pub role: Option<Role>,
    /// The tokens that it needs at least.
    pub tokens: Tokens,
    /// How firmly it is held.
    pub hold: Hold,
    /// Why it is held, if a pin or a rule of the format holds it.
    pub why: Option<Held>,
}

impl FitError {
    /// The kind of error, for programs.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::MissingBudget => ErrorCode::MissingBudget,
            Self::Format(_) | Self::Pins(_) => ErrorCode::InvalidRequest,
            Self::Held { .. } => ErrorCode::Infeasible,
            Self::Fit(error) => ErrorCode::from(error),
            Self::Session(error) => error.code(),
            Self::Model(_) => ErrorCode::UnknownModel,
            Self::Counter(_) => ErrorCode::UnknownTokenizer,
            Self::Embeddings(_) | Self::Store(_) | Self::Json(_) => ErrorCode::Internal,
        }
    }
}
