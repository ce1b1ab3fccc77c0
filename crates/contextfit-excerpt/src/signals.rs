//! The meaning of a line by its words: an error, a warning, a total.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Match};
use contextfit_text::TOOLS;

/// The meaning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Signal {
    Nothing,
    Warning,
    Error,
    /// The overall result.
    Total,
}

/// A time or a date within this many bytes makes a line an entry of a log.
const STAMP_WITHIN_BYTES: usize = 40;

/// Lowercase words, and what they mean.
static WORDS: LazyLock<Option<(AhoCorasick, Vec<Signal>)>> = LazyLock::new(|| {
    let lists = [("errors", Signal::Error), ("warnings", Signal::Warning), ("totals", Signal::Total)];
    let words = lists.map(|(list, signal)| TOOLS.list(list).phrases().iter().map(move |word| (word, signal)));
    let (words, signals): (Vec<&str>, Vec<Signal>) = words.into_iter().flatten().unzip();
    Some((AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?, signals))
});

static FAILURES: LazyLock<&[&str]> = LazyLock::new(|| TOOLS.list("starts of failures").phrases());

/// The meaning of `line`. Linear.
///
/// Only separate words count, and `Error` and `Exception` also at the end of a name (`ValueError`), but not before
/// a zero or nothing (`errors: 0`).
pub(crate) fn signal(line: &str) -> Signal {
    let line = line.trim_end();
    if begins_with(&FAILURES, line.trim_start()) {
        return Signal::Error;
    }
    let Some((finder, signals)) = WORDS.as_ref() else { return Signal::Nothing };
    let mut found = Signal::Nothing;
    for hit in finder.find_overlapping_iter(line).filter(|hit| stands(line, hit)) {
        match signals.get(hit.pattern().as_usize()).copied().unwrap_or(Signal::Nothing) {
            Signal::Total => return Signal::Total,
            Signal::Error => found = Signal::Error,
            signal if found == Signal::Nothing => found = signal,
            _ => {}
        }
    }
    found
}

fn begins_with(phrases: &[&str], text: &str) -> bool {
    phrases.iter().any(|phrase| text.starts_with(phrase))
}

/// Whether the match is a separate word and not negated.
fn stands(line: &str, hit: &Match) -> bool {
    // ablate: excerpt.signals => false
    let bytes = line.as_bytes();
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    let behind = bytes.get(hit.end());
    // Parts of names: `errors.rs`, `error-page`, `error/x`, `error()`.
    if behind.is_some_and(|byte| in_word(byte) || matches!(byte, b'-' | b'/' | b'('))
        || (behind == Some(&b'.') && bytes.get(hit.end() + 1).is_some_and(in_word))
    {
        return false;
    }
    let before = hit.start().checked_sub(1).and_then(|at| bytes.get(at));
    let capital = bytes.get(hit.start()).is_some_and(u8::is_ascii_uppercase);
    match before {
        // `Failure/Error: expect(total)`
        Some(b'/') if capital && behind == Some(&b':') => true,
        Some(b'/' | b'-' | b'.' | b'#') => false,
        Some(byte) if in_word(byte) => byte.is_ascii_lowercase() && capital && hit.len() > 4,
        _ => !is_none(line.get(hit.end()..).unwrap_or_default()),
    }
}

/// Whether `behind` a word is a zero or nothing: `errors 0`, `failures: 0,`, `errors=0`, `err=nil`.
pub(crate) fn is_none(behind: &str) -> bool {
    // ablate: excerpt.denials => false
    let number = behind.trim_start_matches([' ', ':', '=', '"']);
    if begins_with(TOOLS.list("nothing").phrases(), number) {
        return number.len() < behind.len();
    }
    let zero = number.strip_prefix('0').filter(|_| number.len() < behind.len());
    zero.is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | '/' | '-'))
    })
}

/// Whether `line` is blank, or consists only of signs.
pub(crate) fn is_drawn(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}

/// Whether `line` only closes an element of XML.
pub(crate) fn is_closing(line: &str) -> bool {
    let tag = line.trim().strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    tag.is_some_and(|name| !name.contains(['<', '>']))
}

/// Whether a time of day, with or without a date before it, is near the beginning of `line`.
pub(crate) fn is_timed(line: &str) -> bool {
    let is_part = |(n, byte): (usize, &u8)| if n % 3 == 2 { *byte == b':' } else { byte.is_ascii_digit() };
    let start = line.as_bytes().get(..line.len().min(STAMP_WITHIN_BYTES)).unwrap_or_default();
    start.windows(8).any(|part| part.iter().enumerate().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: Signal) {
        assert_eq!(signal(line), expect, "{line}");
    }

    #[test]
    fn signals() {
        check("error[E0308]: mismatched types", Signal::Error);
        check("ValueError: bad value", Signal::Error);
        check("2024-05-01 12:00:00 ERROR db: connection refused", Signal::Error);
        check("test parse::error_codes ... ok", Signal::Nothing);
        check("test parse::codes ... FAILED", Signal::Error);
        check("warning: unused variable", Signal::Warning);
        check("test result: FAILED. 3 passed; 1 failed", Signal::Total);
        check("ValueError:", Signal::Error);
        check("RX errors 0  dropped 0", Signal::Nothing);
        check("Failures: 0, Errors: 0", Signal::Nothing);
        check("Liveness: http-get http://:80/ period=20s #success=1 #failure=3", Signal::Nothing);
        check("0 rows written, error: disk full", Signal::Error);
        check("rdb_last_bgsave_status:err", Signal::Error);
        check("saved err=<nil>", Signal::Nothing);
        check("\tboth modified:   src/f3.ts", Signal::Error);
        check("RX errors 12  dropped 0", Signal::Error);
        check("error: 0x1f is no address", Signal::Error);
        check("src/errors.rs", Signal::Nothing);
        check("Compiling error-chain v0.12", Signal::Nothing);
        check("", Signal::Nothing);
    }
}
