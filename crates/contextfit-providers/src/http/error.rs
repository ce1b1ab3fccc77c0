//! Errors of a call over HTTP.

use std::time::Duration;

use contextfit_kernel::ProviderError;
use serde_json::Value;
use thiserror::Error;

/// The error of a call over HTTP, which is the source of its [`ProviderError`].
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
        /// The beginning of the answer.
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
        let mut error = ProviderError::new(model, self.is_retryable(), self);
        error.status = status;
        error
    }
}

fn of_kind(kind: Option<&str>) -> String {
    kind.map(|kind| format!(" ({kind})")).unwrap_or_default()
}

fn because(reason: Option<&str>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

/// A provider's description of its error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The status it names, or the one its kind stands for.
    pub status: Option<u16>,
    pub kind: Option<String>,
    pub message: String,
}

/// Reads an error: `{"error": {"message", "type", "code"}}` of OpenAI, Anthropic, OpenRouter and llama.cpp, the same
/// without the outer object (vLLM), `{"error": "text"}` (Ollama), `{"detail": …}` (FastAPI servers). `None` for any
/// other form.
pub(crate) fn refusal(answer: &[u8]) -> Option<Refusal> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let says_error =
        answer.get("object").or_else(|| answer.get("type")).and_then(Value::as_str) == Some("error");
    let error = match answer.get("error").filter(|error| !error.is_null()) {
        Some(error) => error,
        None if says_error => &answer,
        None => answer.get("detail")?,
    };
    let text = |name: &str| error.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let message = error.as_str().or_else(|| text("message")).map_or_else(|| error.to_string(), str::to_owned);
    let kind = text("type").or_else(|| text("code")).map(str::to_owned);
    let status = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let status = status.filter(|status| (400..600).contains(status));
    let status = status.or_else(|| kind.as_deref().and_then(status_of));
    Some(Refusal { status, kind, message })
}

/// The status for a kind of error inside a stream, which began with status 200, as listed by
/// [Anthropic](https://docs.anthropic.com/en/api/errors).
fn status_of(kind: &str) -> Option<u16> {
    match kind {
        "rate_limit_error" => Some(429),
        "api_error" | "server_error" => Some(500),
        "timeout_error" => Some(504),
        "overloaded_error" => Some(529),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expect: Option<(Option<u16>, Option<&str>, &str)>) {
        let expect = expect.map(|(status, kind, message)| Refusal {
            status,
            kind: kind.map(Into::into),
            message: message.into(),
        });
        assert_eq!(refusal(answer.as_bytes()), expect, "{answer}");
    }

    #[test]
    fn every_provider_has_its_form() {
        check(
            r#"{"error":{"message":"No such model","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#,
            Some((None, Some("invalid_request_error"), "No such model")),
        );
        check(
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}"#,
            Some((Some(529), Some("overloaded_error"), "Overloaded")),
        );
        check(
            r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#,
            Some((Some(503), Some("unavailable_error"), "Loading model")),
        );
        check(
            r#"{"object":"error","message":"too long","type":"BadRequestError","code":400}"#,
            Some((Some(400), Some("BadRequestError"), "too long")),
        );
        check(r#"{"error":"model \"x\" not found"}"#, Some((None, None, "model \"x\" not found")));
        check(r#"{"detail":"Not Found"}"#, Some((None, None, "Not Found")));
        check(r#"{"detail":[{"loc":["body"]}]}"#, Some((None, None, r#"[{"loc":["body"]}]"#)));
    }

    #[test]
    fn other_answers_are_none() {
        check("", None);
        check("<html>502 Bad Gateway</html>", None);
        check(r#"{"choices":[],"error":null}"#, None);
        check("[1, 2]", None);
    }
}
