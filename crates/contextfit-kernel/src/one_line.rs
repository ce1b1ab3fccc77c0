//! Values in lines of a fixed form, such as headers.

use std::borrow::Cow;

use crate::Passage;

/// The characters that begin a new line for some reader: Unicode's line breaks (UAX 14, classes BK, CR, LF and NL), and
/// the separators that Python's `splitlines` treats as breaks.
pub const LINE_BREAKS: [char; 10] =
    ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Returns `value` for use in a header or another structured line: unchanged, or in double quotes with escapes
/// (`"a\nb"`) if it contains characters that end a line, are invisible or change the text direction. A value that
/// starts with a quote, begins or ends with a blank, or ends like the number of a part, is quoted too, so that different
/// values look different.
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
    let is_padded = value.trim().len() < value.len();
    if value.starts_with('"')
        || is_padded
        || characters(value).any(|(_, misleads)| misleads)
        || ends_as_part(value)
    {
        return quoted(value).into();
    }
    value.into()
}

/// `value` in double quotes. Quotes, backslashes and the characters for which [`one_line`] quotes are escaped, as in Rust.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::quoted;
///
/// assert_eq!(quoted("a\u{200b}.rs"), r#""a\u{200b}.rs""#);
/// ```
#[must_use]
pub fn quoted(value: &str) -> String {
    let mut quoted = String::from('"');
    for (c, misleads) in characters(value) {
        match c {
            _ if misleads => quoted.extend(c.escape_default()),
            '"' | '\\' => quoted.extend(['\\', c]),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
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
    if is_misread { ["[", &quoted(name), "]"].concat() } else { format!("[{}]", one_line(name)) }
}

/// Whether `value` ends with ` (part 2)` or another number, which follows the name of a document in parts.
fn ends_as_part(value: &str) -> bool {
    let part = value.strip_suffix(')').and_then(|value| value.rsplit_once(" ("));
    part.is_some_and(|(_, part)| {
        let (word, number) = part.split_once(' ').unwrap_or_default();
        word.eq_ignore_ascii_case("part") && !number.is_empty() && number.chars().all(char::is_numeric)
    })
}

/// The characters of `value`, and whether each ends a line, is invisible or changes the direction of the text. After
/// other signs than ASCII, the characters that join or vary them are part of emoji and of words.
fn characters(value: &str) -> impl Iterator<Item = (char, bool)> {
    let mut last = ' ';
    value.chars().map(move |c| {
        let joins = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}') && !last.is_ascii();
        last = c;
        (c, !joins && is_misleading(c))
    })
}

/// Control characters, white space other than blanks, what Unicode calls default ignorable (`DerivedCoreProperties.txt`),
/// which includes the characters that change the text direction, and the blank of Braille.
fn is_misleading(c: char) -> bool {
    c.is_control()
        || c.is_whitespace() && !matches!(c, ' ' | '\u{3000}')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
        || matches!(c, '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}')
        || matches!(c, '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
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
        check("a\u{200b}.rs\u{feff}\u{3164}", r#""a\u{200b}.rs\u{feff}\u{3164}""#);
        check("a\u{200d}.rs", r#""a\u{200d}.rs""#);
        for plain in ["\u{2764}\u{fe0f} Guide", "\u{645}\u{6cc}\u{200c}\u{62e}", "e\u{301}.md"] {
            check(plain, plain);
        }
    }
}
