//! JSON without blanks.

use crate::is_json;

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// `text` without the white space between its tokens but for a line feed between two values and at the end.
pub(super) fn without_blanks(text: &str) -> Option<String> {
    if !is_json(text) {
        return None;
    }
    let mut shown = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for token in tokens(text) {
        if depth == 0 && !shown.is_empty() {
            shown.push('\n');
        }
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        shown.push_str(token);
    }
    if text.ends_with('\n') {
        shown.push('\n');
    }
    (shown.len() < text.len()).then_some(shown)
}

/// The tokens of `text`, which is JSON.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(BLANKS);
        let len = match rest.as_bytes().first()? {
            b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
            b'"' => string_len(rest),
            _ => {
                let ends =
                    |c: char| BLANKS.contains(&c) || matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | '"');
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        let (token, behind) = rest.split_at_checked(len)?;
        rest = behind;
        Some(token)
    })
}

/// The length of the string that `text` begins with, its quotes included.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}
