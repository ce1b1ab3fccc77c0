//! JSON without blanks.

use crate::json::json_tokens;

/// `text` without the white space between its tokens. If only white space separates two values (as in JSON lines), a
/// line feed is kept, and so is one after a value that ends the text.
pub(super) fn without_blanks(text: &str) -> Option<String> {
    let mut shown = String::with_capacity(text.len());
    let (mut end, mut after_value) = (0, false);
    for token in json_tokens(text) {
        if after_value && token.at > end && begins_value(token.text) {
            shown.push('\n');
        }
        shown.push_str(token.text);
        (end, after_value) = (token.end(), ends_value(token.text));
    }
    if after_value && text.get(end..).is_some_and(|rest| rest.contains('\n')) {
        shown.push('\n');
    }
    (shown.len() < text.len()).then_some(shown)
}

fn begins_value(token: &str) -> bool {
    !matches!(token, "}" | "]" | ":" | ",")
}

fn ends_value(token: &str) -> bool {
    !matches!(token, "{" | "[" | ":" | ",")
}

/// The tokens of the JSON `text`.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    json_tokens(text).map(|token| token.text)
}
