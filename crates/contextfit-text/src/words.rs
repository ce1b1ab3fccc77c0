//! Words: what relevance is measured in.

/// The words of `text`: runs of letters and digits, identifiers divided where their case changes (`maxLength` gives
/// `max` and `Length`, `HTTPServer` gives `HTTP` and `Server`). As they stand in the text; folding case is the caller's.
///
/// Linear in the length of the text, nothing is allocated.
///
/// ```
/// let words: Vec<_> = contextfit_text::words("fn max_length(HTTPServer s)").collect();
/// assert_eq!(words, ["fn", "max", "length", "HTTP", "Server", "s"]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let end = word_end(rest);
        let (word, behind) = rest.split_at_checked(end)?;
        rest = behind;
        (!word.is_empty()).then_some(word)
    })
}

/// Where the word that `text` starts with ends.
fn word_end(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        if !c.is_alphanumeric() {
            return at;
        }
        if let Some(before) = before {
            let next_is_lower = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
            let rises = c.is_uppercase() && (!before.is_uppercase() || next_is_lower);
            if rises && before.is_alphabetic() {
                return at;
            }
        }
        before = Some(c);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expect, "{text:?}");
    }

    #[test]
    fn divided() {
        check("", &[]);
        check("...", &[]);
        check("networks.", &["networks"]);
        check("kebab-case snake_case", &["kebab", "case", "snake", "case"]);
        check("parseHTTPHeaders2", &["parse", "HTTP", "Headers2"]);
        check("ID", &["ID"]);
        check("größeÄndern", &["größe", "Ändern"]);
        check("предел_бюджета", &["предел", "бюджета"]);
    }
}
