//! Requests for an excerpt of one text.

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FormatError, number, request::read};

/// A text, such as the output of a tool, and a budget in tokens. A field not listed here is an error.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::ExcerptRequest;
///
/// let request = ExcerptRequest::parse(r#"{"id": 7, "text": "1 failed, 200 passed", "budget": 1000}"#)?;
/// assert_eq!(request.budget.map(|budget| budget.get()), Some(1000));
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a request: an object with `text`")]
#[non_exhaustive]
pub struct ExcerptRequest {
    /// The application's id for the request, echoed unchanged in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// What the reader wants to know from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The maximum number of tokens to spend.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub budget: Option<Tokens>,
    /// The text.
    pub text: String,
}

contextfit_kernel::setters! {
    ExcerptRequest {
        with_id(id: impl Into<Value> => some), with_query(query: impl Into<String> => some),
        with_budget(budget: impl Into<Tokens> => some),
    }
}

impl ExcerptRequest {
    /// A request for an excerpt of `text`, with every other field absent.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Reads a request. Linear in the length of `text`.
    ///
    /// # Errors
    /// [`FormatError`] with line, column and path if `text` is not JSON or not such a request.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        // Some writers add a byte order mark, which JSON does not allow.
        read(text.strip_prefix('\u{feff}').unwrap_or(text))
    }
}
