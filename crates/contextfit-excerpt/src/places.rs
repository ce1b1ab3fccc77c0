//! Places: where an error happened, by a file and a line or by a frame of a stack trace.

/// How much an error tells: 2 with a place in a file (`src/a.rs:12`, `a.c(3,4)`, `"a.py", line 3`), ½ if it only says
/// that something failed (`FAILURE: Build failed with an exception.`), otherwise 1.
pub(crate) fn detail(line: &str) -> f32 {
    let words = || line.split_whitespace();
    if words().any(has_place) || line.contains("\", line ") {
        return 2.0;
    }
    if words().all(is_vague) { 0.5 } else { 1.0 }
}

/// Whether an error says where it is and nothing else: `ERROR in ./src/a.js 1:0-26`.
pub(crate) fn is_mere_place(line: &str) -> bool {
    let is_place = |word: &str| word.contains('/') || word.starts_with(|c: char| c.is_ascii_digit());
    let (mut words, mut places) = (line.split_whitespace(), 0);
    words.all(|word| {
        places += usize::from(is_place(word));
        is_place(word) || is_vague(word)
    }) && places > 0
}

/// Whether `word` says neither what failed nor why.
fn is_vague(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    word.is_empty() || VAGUE.iter().any(|vague| vague.eq_ignore_ascii_case(word))
}

/// Words that say that something failed, but neither what nor why.
const VAGUE: &[&str] = &[
    "a",
    "an",
    "and",
    "the",
    "of",
    "to",
    "due",
    "with",
    "in",
    "at",
    "some",
    "there",
    "were",
    "was",
    "is",
    "error",
    "errors",
    "fail",
    "failed",
    "failure",
    "failures",
    "fatal",
    "exception",
    "aborting",
    "aborted",
    "previous",
    "build",
    "run",
    "task",
    "test",
    "tests",
    "command",
    "process",
];

/// Whether `line` begins with a place in a file and says something about it: `lease_test.go:91: lease held`.
pub(crate) fn is_finding(line: &str) -> bool {
    let words = || line.split_whitespace();
    let Some(at) = words().take(2).position(has_place) else { return false };
    let is_sentence = |word: &str| word.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count() > 5;
    words().nth(at + 3).is_some() || words().skip(at + 1).any(is_sentence)
}

/// Whether `word` has the name of a file, and behind it the number of a line.
fn has_place(word: &str) -> bool {
    let is_file = |at: usize| {
        let name = word.get(..at).unwrap_or_default().rsplit(['/', '\\']).next().unwrap_or_default();
        let named = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        named.is_some_and(|(_, suffix)| suffix.starts_with(|c: char| c.is_ascii_alphabetic()))
    };
    let is_number = |at: usize| {
        let behind = word.get(at + 1..).unwrap_or_default().trim_start_matches('[');
        let rest = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
        rest.len() < behind.len() && !rest.starts_with(|c: char| c.is_alphabetic() || c == '.')
    };
    word.match_indices([':', '(']).any(|(at, _)| is_number(at) && is_file(at))
}

/// Whether `line` is the location of a frame as Go prints it, on the line after the function.
pub(crate) fn is_go_place(line: &str) -> bool {
    line.starts_with('\t') && line.contains(".go:")
}

/// Whether `line` is a frame of a stack trace and, if so, whether it belongs to the application itself.
pub(crate) fn frame(line: &str) -> Option<bool> {
    const OTHERS: &[&str] = &[
        "site-packages",
        "node_modules",
        "/rustc/",
        "__rustc::",
        ".cargo/registry",
        "/usr/lib",
        "<frozen",
        "node:internal",
        "java.base",
        "at java.",
        "at javax.",
        "at jdk.",
        "at sun.",
        "at org.junit",
        "at org.springframework",
        "/lib/python",
        "core::",
        "std::",
        "dist-packages",
        "/usr/local/go",
        "sysdeps/",
        "nptl/",
        "__libc_",
        "libsanitizer",
        " in malloc ",
        " in calloc ",
        " in realloc ",
        " in free ",
        " in operator new",
        "/gems/",
        "vendor/",
    ];
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let numbered = || {
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < text.len() && behind.starts_with(": ") && behind.contains("::")
    };
    let is_frame = (indented && (text.starts_with("at ") || text.starts_with("File \"") || numbered()))
        || is_go_place(line)
        || text.starts_with("#0 ")
        || (text.starts_with('#')
            && text.contains(" (")
            && (text.contains(") at ") || text.contains(") from ")))
        || text.contains(":in `")
        || text.contains(":in '")
        || (text.starts_with('#') && text.contains(" in ") && text.contains('('));
    is_frame.then(|| !OTHERS.iter().any(|other| line.contains(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details() {
        let check = |line: &str, expect: f32| assert!((detail(line) - expect).abs() < 0.01, "{line}");
        check("e: file:///src/Sync.kt:58:21 Type mismatch", 2.0);
        check("src/a.cs(3,14): error: no name", 2.0);
        check("[ERROR] /src/Pay.java:[42,17] cannot find symbol", 2.0);
        check("  File \"/app/x.py\", line 3, in main", 2.0);
        check("error: cannot find `x`", 1.0);
        check("connection to 10.0.0.7:5432 refused", 1.0);
        check("FAILURE: Build failed with an exception.", 0.5);
        assert!(
            is_mere_place("ERROR in ./wp/index.js 1:0-26") && !is_mere_place("ERROR in a/b: no such thing")
        );
        assert!(is_finding("    lease_test.go:91: lease held 4.1s after expiry"));
        assert!(!is_finding("      /src/lease/store.go:57 +0x9c"));
        assert!(!is_finding("acme.test/api.(*Server).reserve(0xc0000, {0x8a1e40, 0xc0001}, 0xc00 a b c"));
    }

    #[test]
    fn frames() {
        assert_eq!(frame("  File \"/app/x.py\", line 3, in main"), Some(true));
        assert_eq!(frame("  File \"/usr/lib/python3.9/json.py\", line 3, in loads"), Some(false));
        assert_eq!(frame("    at Object.<anonymous> (/app/x.js:1:2)"), Some(true));
        assert_eq!(frame("at noon"), None);
    }
}
