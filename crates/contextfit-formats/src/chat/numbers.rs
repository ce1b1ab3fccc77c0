//! Preserves numbers that do not fit into 64 bits, or that would be written differently than they were read.
//!
//! `serde_json` could preserve them (`arbitrary_precision`), but features apply to the whole program, and that one
//! breaks enums with a tag field, such as the kernel's blocks. So such a number is read as a string that starts with a
//! mark found nowhere else in the text, and becomes a number again when it is written.

use std::{borrow::Cow, collections::HashSet};

use contextfit_text::json_tokens;
use serde::de::IgnoredAny;
use serde_json::Number;

/// The mark of the unusual numbers in one text; `None` if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Numbers {
    mark: Option<String>,
}

impl Numbers {
    /// `text` with its unusual numbers as marked strings. Linear in the length of `text`.
    pub(super) fn protect(text: &str) -> (Cow<'_, str>, Self) {
        let mut unusual = json_tokens(text).filter(|token| !survives(token.text)).peekable();
        if unusual.peek().is_none() {
            return (Cow::Borrowed(text), Self::default());
        }
        let mark = unused_mark(text);
        let mut marked = String::with_capacity(text.len() + 64);
        let mut from = 0;
        for number in unusual {
            marked.push_str(text.get(from..number.at).unwrap_or_default());
            marked.extend(["\"", &mark, number.text, "\""]);
            from = number.end();
        }
        marked.push_str(text.get(from..).unwrap_or_default());
        (Cow::Owned(marked), Self { mark: Some(mark) })
    }

    /// `json` with its marked strings as numbers again. Linear in the length of `json`.
    pub(super) fn restore(&self, json: String) -> String {
        let Some(mark) = &self.mark else { return json };
        let opening = format!("\"{mark}");
        let mut parts = json.split(&opening);
        let mut restored = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // The literal, and the rest after the closing quote.
            let (literal, rest) = part.split_once('"').unwrap_or((part, ""));
            restored.extend([literal, rest]);
        }
        restored
    }

    /// Whether any numbers must be restored.
    pub(super) const fn any(&self) -> bool {
        self.mark.is_some()
    }
}

/// Whether a token is the same after reading and writing, as all but unusual numbers are. Also true if it is not JSON,
/// which the parser will report.
fn survives(token: &str) -> bool {
    if !token.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return true;
    }
    match serde_json::from_str::<Number>(token) {
        Ok(number) => number.to_string() == token,
        Err(_) => serde_json::from_str::<IgnoredAny>(token).is_err(),
    }
}

/// A mark that `text` does not contain. Linear in the length of `text`.
fn unused_mark(text: &str) -> String {
    let numbered = text.split("#number ").skip(1);
    let taken: HashSet<usize> =
        numbered.filter_map(|behind| behind.split_once('#')?.0.parse().ok()).collect();
    let free = (0..).find(|n| !taken.contains(n)).unwrap_or_default();
    format!("#number {free}#")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(text: &str, changed: bool) {
        let (marked, numbers) = Numbers::protect(text);
        assert_eq!(numbers.any(), changed);
        let value: Value = serde_json::from_str(&marked).unwrap();
        assert_eq!(numbers.restore(value.to_string()), text);
    }

    #[test]
    fn numbers_pass_unchanged() {
        check(r#"[1,-2,0.5,1.0,18446744073709551615,"1e400 \" 1e400",true,null]"#, false);
        check(
            r#"{"a":1e400,"b":[-1E-999,115792089237316195423570985008687907853269984665640564039457584007913129639935]}"#,
            true,
        );
        check(r#"["\\",1.10,"\\\"",2e3,-0]"#, true);
        check(r##"["#number 0#","#number 1#",1e400]"##, true);
    }

    #[test]
    fn what_is_no_json_is_left_to_the_parser() {
        for text in ["01", "[1.]", "--1", "1e", "\"1e400", "\"\\", "é1e"] {
            let (marked, _) = Numbers::protect(text);
            assert!(serde_json::from_str::<Value>(&marked).is_err(), "{text}");
        }
    }
}
