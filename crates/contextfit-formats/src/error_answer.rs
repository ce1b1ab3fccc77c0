//! The answer to a request that failed.

use contextfit_kernel::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::FormatError;

/// The answer to a request that failed: `{"id", "error": {"code", "message"}}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// The request's id, if it could be read.
    pub id: Option<Value>,
    /// The error.
    pub error: ErrorBody,
}

/// A code for programs and a message for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ErrorBody {
    /// The kind of error, for programs. Stable between versions.
    pub code: ErrorCode,
    /// The message, for people.
    pub message: String,
}

/// The kinds of errors, for programs. Serialized in kebab-case. Names are stable, but more may be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The request is not JSON, not UTF-8, or not of the right shape.
    InvalidRequest,
    /// Neither the request nor any other source sets a budget.
    MissingBudget,
    /// The budget or the reserve is invalid.
    InvalidBudget,
    /// Even the smallest allowed result exceeds the budget.
    Infeasible,
    /// The name of the strategy is unknown.
    UnknownStrategy,
    /// The name of the model is unknown.
    UnknownModel,
    /// The name of the tokenizer is unknown, or its file cannot be read.
    UnknownTokenizer,
    /// A strategy, a model or a store failed; the request may be valid.
    Internal,
}

contextfit_kernel::names!(
    ErrorCode, "code": InvalidRequest => "invalid-request", MissingBudget => "missing-budget",
    InvalidBudget => "invalid-budget", Infeasible => "infeasible", UnknownStrategy => "unknown-strategy",
    UnknownModel => "unknown-model", UnknownTokenizer => "unknown-tokenizer", Internal => "internal",
);

impl ErrorAnswer {
    /// The error answer to the request with this `id`.
    #[must_use]
    pub fn new(id: Option<Value>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self { id, error: ErrorBody { code, message: message.into() } }
    }

    /// The error answer to a request that could not be read.
    #[must_use]
    pub fn from_format(id: Option<Value>, error: &FormatError) -> Self {
        Self::new(id, ErrorCode::InvalidRequest, error.to_string())
    }
}

/// The message of `error` and of what caused it, on one line.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

impl From<&Error> for ErrorCode {
    fn from(error: &Error) -> Self {
        match error {
            Error::Infeasible { .. } => Self::Infeasible,
            Error::Reserve { .. } => Self::InvalidBudget,
            Error::Circular { .. } => Self::InvalidRequest,
            Error::UnknownStrategy { .. } | Error::NotBuiltIn { .. } => Self::UnknownStrategy,
            _ => Self::Internal,
        }
    }
}
