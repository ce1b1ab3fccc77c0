//! JSON without blanks.

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// `text` without the white space between its tokens. Where only white space separates two values (in JSON lines), a
/// line feed is kept, and so is one after a value that ends the text.
pub(super) fn without_blanks(text: &str) -> Option<String> {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    let mut after_value = false;
    for token in tokens(text) {
        let Some((blanks, behind)) = rest.split_once(token) else { break };
        rest = behind;
        if after_value && !blanks.is_empty() && begins_value(token) {
            shown.push('\n');
        }
        shown.push_str(token);
        after_value = ends_value(token);
    }
    if after_value && ends_with_feed(rest) {
        shown.push('\n');
    }
    (shown.len() < text.len()).then_some(shown)
}

/// Whether `text` ends with a line feed, perhaps followed by blanks.
fn ends_with_feed(text: &str) -> bool {
    text.trim_end_matches([' ', '\t', '\r']).ends_with('\n')
}

fn begins_value(token: &str) -> bool {
    !matches!(token, "}" | "]" | ":" | ",")
}

fn ends_value(token: &str) -> bool {
    !matches!(token, "{" | "[" | ":" | ",")
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

/// The length of the string that `text` begins with, including its quotes.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}
