//! What stands in the place of an answer when there is none.

use contextfit_kernel::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::FormatError;

/// Why a request has no answer: `{"id", "error": {"code", "message"}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The request's id as far as it could be read.
    pub id: Option<Value>,
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorBody {
    /// For programs: stable between versions.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
}

/// The kinds of errors, as programs tell them apart. Serialized in kebab-case; names stay, more may come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The request is not JSON, not UTF-8, or not of the right shape.
    InvalidRequest,
    /// The request names no budget and nothing else does.
    MissingBudget,
    /// A budget or reserve that cannot be meant.
    InvalidBudget,
    /// Even the smallest allowed result is larger than the budget.
    Infeasible,
    /// A strategy by a name that is not known.
    UnknownStrategy,
    /// A strategy, a model or a store failed; the request may be good.
    Internal,
}

impl ErrorAnswer {
    /// The error answer to the request called `id`.
    #[must_use]
    pub fn new(id: Option<Value>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, error: ErrorBody { code, message: message.into() } }
    }

    /// The error answer to a request that could not be read.
    #[must_use]
    pub fn from_format(id: Option<Value>, error: &FormatError) -> Self {
        Self::new(id, ErrorCode::InvalidRequest, error.to_string())
    }

    /// The error answer to a request that could not be met.
    #[must_use]
    pub fn from_kernel(id: Option<Value>, error: &Error) -> Self {
        Self::new(id, ErrorCode::from(error), error.to_string())
    }
}

impl From<&Error> for ErrorCode {
    fn from(error: &Error) -> Self {
        match error {
            Error::Infeasible { .. } => Self::Infeasible,
            Error::Reserve { .. } => Self::InvalidBudget,
            Error::UnknownStrategy { .. } => Self::UnknownStrategy,
            _ => Self::Internal,
        }
    }
}
