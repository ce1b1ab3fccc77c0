//! Values in lines of a fixed form, such as headers.

use std::borrow::Cow;

use crate::Passage;

/// The characters that begin a new line for some reader: Unicode's line breaks (UAX 14, classes BK, CR, LF and NL), and
/// the separators that Python's `splitlines` treats as breaks.
pub const LINE_BREAKS: [char; 10] =
    ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Returns `value` for use in a header or another structured line: unchanged, or in double quotes with escapes
/// (`"a\nb"`) if it contains characters that end a line, are invisible or change the text direction. A value that
/// starts with a quote, or ends like the number of a part, is quoted too, so that different values stay different.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::one_line;
///
/// assert_eq!(one_line("src/a b.rs"), "src/a b.rs");
/// assert_eq!(one_line("a\nFile: b"), r#""a\nFile: b""#);
/// assert_eq!(one_line(r"a\nb"), r"a\nb");
/// assert_eq!(one_line("a.md (part 2)"), r#""a.md (part 2)""#);
/// ```
#[must_use]
pub fn one_line(value: &str) -> Cow<'_, str> {
    if value.starts_with('"') || value.contains(is_misleading) || ends_as_part(value) {
        return format!("{value:?}").into();
    }
    value.into()
}

/// Returns `name` in square brackets, on one line, for a block that is only named. It is quoted, as by [`one_line`], if it
/// could be mistaken for something else in brackets: another name and what follows it, a marker, or a fence.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::in_brackets;
///
/// assert_eq!(in_brackets("src/a b.rs"), "[src/a b.rs]");
/// assert_eq!(in_brackets("... 12 lines"), r#"["... 12 lines"]"#);
/// assert_eq!(in_brackets("a] b"), r#"["a] b"]"#);
/// ```
#[must_use]
pub fn in_brackets(name: &str) -> String {
    let begins = |start: &str| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let is_misread = name.contains(['[', ']']) || begins("fence-") || Passage::reads_as_layout(name);
    if is_misread { format!("[{name:?}]") } else { format!("[{}]", one_line(name)) }
}

/// Whether `value` ends with ` (part 2)` or another number, which follows the name of a document in parts.
fn ends_as_part(value: &str) -> bool {
    let part = value.strip_suffix(')').and_then(|value| value.rsplit_once(" (part "));
    part.is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Control characters, Unicode line and paragraph separators, and characters that change the text direction.
fn is_misleading(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expect: &str) {
        assert_eq!(one_line(value), expect);
    }

    #[test]
    fn a_value_stays_on_its_line() {
        check("", "");
        check("naïve 预算.md", "naïve 预算.md");
        check("C:\\new\\a.rs", "C:\\new\\a.rs");
        check("a\r\n\tb\\n\u{7f}", r#""a\r\n\tb\\n\u{7f}""#);
        check("a\u{2028}\u{202e}b", r#""a\u{2028}\u{202e}b""#);
        check("\"a\"", r#""\"a\"""#);
    }
}
