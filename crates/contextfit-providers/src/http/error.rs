//! What can go wrong between a question and its answer.

use std::time::Duration;

use contextfit_kernel::ProviderError;
use thiserror::Error;

/// What went wrong in a call over HTTP: the source of its [`ProviderError`].
///
/// Keys and the values of headers are never part of it: where a server sends them back, `[redacted]` stands in their
/// place.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HttpError {
    /// There was no answer in time.
    #[error("no answer within {within:?}")]
    Timeout {
        /// The limit.
        within: Duration,
    },
    /// The server could not be reached, or the connection broke.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    /// The server refused.
    #[error("status {status}{}: {message}", of_kind(kind.as_deref()))]
    Refused {
        /// The HTTP status. Where the refusal came inside an answer of status 200: what the provider calls its code,
        /// or 200.
        status: u16,
        /// The provider's name for the error, such as `rate_limit_error`.
        kind: Option<String>,
        /// The provider's message, or the beginning of what it sent.
        message: String,
    },
    /// The answer is not the JSON that was expected.
    #[error("the answer is not as expected at line {line}, column {column}; it begins {start:?}")]
    Garbled {
        /// The line where reading stopped, from 1.
        line: usize,
        /// The column where reading stopped.
        column: usize,
        /// How the answer begins.
        start: String,
    },
    /// The answer holds no text.
    #[error("the answer is empty{}", because(reason.as_deref()))]
    Empty {
        /// Why the model stopped, as the provider says.
        reason: Option<String>,
    },
    /// The stream ended before the answer was complete.
    #[error("the stream ended early, after {received} bytes of text")]
    Interrupted {
        /// Bytes of the answer's text that had arrived.
        received: usize,
    },
    /// The answer is larger than anything that was asked for.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Not one vector for each text.
    #[error("{found} vectors for {expected} texts{}", if found == expected { ", not one for each" } else { "" })]
    Vectors {
        /// How many texts were sent.
        expected: usize,
        /// How many vectors came back for them.
        found: usize,
    },
    /// A vector of another length than expected.
    #[error("a vector has {found} numbers, and must have {expected}")]
    Dimension {
        /// The length expected: as configured, or that of the first vector.
        expected: usize,
        /// The length found.
        found: usize,
    },
}

impl HttpError {
    /// Whether asking again can help: no answer in time, a broken connection, and the statuses 408 (timeout), 409
    /// (conflict), 429 (too many) and from 500 on.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Connection(_) | Self::Interrupted { .. } => true,
            Self::Refused { status, .. } => matches!(status, 408 | 409 | 429 | 500..),
            _ => false,
        }
    }

    /// This as an error of `model`.
    pub(crate) fn of(self, model: &str) -> ProviderError {
        let status = match &self {
            Self::Refused { status, .. } => Some(*status),
            _ => None,
        };
        let error = ProviderError::new(model, self.is_retryable(), self);
        match status {
            Some(status) => error.with_status(status),
            None => error,
        }
    }
}

fn of_kind(kind: Option<&str>) -> String {
    kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}
