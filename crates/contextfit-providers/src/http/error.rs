//! Errors of a call over HTTP.

use std::time::Duration;

use contextfit_kernel::ProviderError;
use thiserror::Error;

/// What went wrong in a call over HTTP: the source of its [`ProviderError`].
///
/// It never contains keys or header values: if a server echoes them, they are replaced by `[redacted]`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HttpError {
    /// No answer in time.
    #[error("no answer within {within:?}")]
    Timeout {
        /// The limit.
        within: Duration,
    },
    /// The server could not be reached, or the connection broke.
    #[error("the connection failed")]
    Connection(#[source] reqwest::Error),
    /// The server refused the request.
    #[error("status {status}{}: {message}", of_kind(kind.as_deref()))]
    Refused {
        /// The HTTP status. If the refusal came inside an answer of status 200: the provider's code, or 200.
        status: u16,
        /// The provider's name for the error, such as `rate_limit_error`.
        kind: Option<String>,
        /// The provider's message, or the beginning of its answer.
        message: String,
    },
    /// The answer is not the expected JSON.
    #[error("the answer is not as expected at line {line}, column {column}; it begins {start:?}")]
    Garbled {
        /// The line where reading stopped, from 1.
        line: usize,
        /// The column where reading stopped.
        column: usize,
        /// How the answer begins.
        start: String,
    },
    /// The answer has no text.
    #[error("the answer is empty{}", because(reason.as_deref()))]
    Empty {
        /// Why the model stopped, as reported by the provider.
        reason: Option<String>,
    },
    /// The stream ended before the answer was complete.
    #[error("the stream ended early, after {received} bytes of text")]
    Interrupted {
        /// Bytes of the answer's text that had arrived.
        received: usize,
    },
    /// The answer is larger than any valid one.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Not exactly one vector per text.
    #[error("{found} vectors for {expected} texts{}", if found == expected { ", not one for each" } else { "" })]
    Vectors {
        /// How many texts were sent.
        expected: usize,
        /// How many vectors came back.
        found: usize,
    },
    /// A vector of the wrong length.
    #[error("a vector has {found} numbers, but must have {expected}")]
    Dimension {
        /// The expected length: as configured, or that of the first vector.
        expected: usize,
        /// The length found.
        found: usize,
    },
}

impl HttpError {
    /// Whether a retry can help: after a timeout, a broken connection, or status 408 (timeout), 409 (conflict), 429
    /// (too many requests) or 500 and above.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Connection(_) | Self::Interrupted { .. } => true,
            Self::Refused { status, .. } => matches!(status, 408 | 409 | 429 | 500..),
            _ => false,
        }
    }

    /// Wraps this as an error of `model`.
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
