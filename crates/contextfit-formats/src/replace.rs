//! Replaces one text of a request and keeps every other byte.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use thiserror::Error;

use crate::FormatError;

/// The reason why a text of a request could not be replaced.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The request is not JSON.
    #[error(transparent)]
    Json(#[from] FormatError),
    /// There is no value at the place.
    #[error("nothing is at {pointer:?}: {found:?} is the longest part of it that exists")]
    Nowhere {
        /// The place.
        pointer: String,
        /// The longest part of it that exists; empty for the whole request.
        found: String,
    },
    /// The value at the place is not a string.
    #[error("expected a string at {pointer:?}, found {found}")]
    NoText {
        /// The place.
        pointer: String,
        /// The type of that value: `an object`, `an array`, `a number`, `a Boolean` or `null`.
        found: &'static str,
    },
}

/// The JSON text `request` with the string at `pointer` (RFC 6901) replaced by `text`. Every other byte is kept: white
/// space, the order of keys, escapes, and the notation of numbers. Linear in the length of `request` for each step of
/// `pointer`.
///
/// This is for hooks and gateways that shorten one tool result in a body that somebody else wrote.
/// [`Conversation::pointer`](crate::Conversation::pointer) gives the place of a message's text. If an object has a key
/// twice, the last one counts, as everywhere in this crate.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::{Conversation, replace_text};
///
/// let request = r#"{ "top": 1.0e5, "messages": [{"role": "user", "content": [{"type": "text", "text": "a\/b"}] }]}"#;
/// let pointer = Conversation::read(request, None)?.pointer(0, 0).unwrap_or_default();
/// assert_eq!(pointer, "/messages/0/content/0/text");
/// assert_eq!(
///     replace_text(request, &pointer, "\"c\"")?,
///     r#"{ "top": 1.0e5, "messages": [{"role": "user", "content": [{"type": "text", "text": "\"c\""}] }]}"#,
/// );
/// assert!(replace_text(request, "/messages/1/content", "c").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReplaceError`] if `request` is not JSON, or if there is no string at `pointer`.
pub fn replace_text(request: &str, pointer: &str, text: &str) -> Result<String, ReplaceError> {
    let mut value: &RawValue = read(request.strip_prefix('\u{feff}').unwrap_or(request))?;
    let mut found = 0;
    // A pointer is empty, or a slash precedes each of its steps.
    let mut steps = pointer.split('/');
    let mut next = steps.next().filter(|first| first.is_empty()).and_then(|_| steps.next());
    while let Some(step) = next {
        let Some(inner) = step_into(value, step)? else { break };
        (value, found, next) = (inner, found + 1 + step.len(), steps.next());
    }
    if found < pointer.len() {
        let found = pointer.get(..found).unwrap_or_default().to_owned();
        return Err(ReplaceError::Nowhere { pointer: pointer.to_owned(), found });
    }
    let old = value.get();
    let found = match old.as_bytes().first() {
        Some(b'"') => {
            // Values are parts of `request`.
            let start = old.as_ptr().addr() - request.as_ptr().addr();
            let (before, after) = (request.get(..start), request.get(start + old.len()..));
            return Ok([
                before.unwrap_or_default(),
                &Value::from(text).to_string(),
                after.unwrap_or_default(),
            ]
            .concat());
        }
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b't' | b'f') => "a Boolean",
        Some(b'n') => "null",
        _ => "a number",
    };
    Err(ReplaceError::NoText { pointer: pointer.to_owned(), found })
}

/// The value in `value` that is named by one `step` of a pointer; `None` if there is none.
fn step_into<'j>(value: &'j RawValue, step: &str) -> Result<Option<&'j RawValue>, FormatError> {
    let json = value.get();
    Ok(if json.starts_with('{') {
        let name = step.replace("~1", "/").replace("~0", "~");
        read::<HashMap<String, &RawValue>>(json)?.remove(&name)
    } else if json.starts_with('[') && (step == "0" || !step.starts_with(['0', '+'])) {
        let at: Option<usize> = step.parse().ok();
        at.zip(Some(read::<Vec<&RawValue>>(json)?)).and_then(|(at, values)| values.get(at).copied())
    } else {
        None
    })
}

fn read<'j, T: Deserialize<'j>>(json: &'j str) -> Result<T, FormatError> {
    serde_json::from_str(json).map_err(|error| FormatError::new("", &error))
}
