//! Totals: lines that count what a run found.

/// Whether `line` counts findings: `generated 62 warnings`, `Found 3 errors.`; or several things, as in `2 passed, 1
/// failed in 0.1s` and `Plan: 7 to add, 1 to destroy`.
pub(crate) fn counts(line: &str) -> bool {
    const COUNTED: &[&str] = &[
        "error",
        "errors",
        "problems",
        "failure",
        "failures",
        "failed",
        "unreachable",
        "warning",
        "warnings",
        "passed",
        "tests",
        "issues",
    ];
    counts_several(line) || is_counted(line, COUNTED)
}

/// Whether two parts of `line` are a number and a word or more.
fn counts_several(line: &str) -> bool {
    let is_count = |part: &&str| {
        let number = part.trim_start();
        let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = behind.strip_prefix(' ').unwrap_or_default();
        // A method of HTTP is no unit.
        behind.len() < number.len() && word.starts_with(char::is_lowercase)
    };
    line.len() <= LONGEST_TOTAL && line.split([',', ':', ';']).filter(is_count).nth(1).is_some()
}

/// Whether `line` counts failures.
pub(crate) fn counts_failures(line: &str) -> bool {
    is_counted(line, &["error", "errors", "problems", "failure", "failures", "failed", "unreachable"])
}

/// Whether `line` has one of these words with a number other than zero: `3 failed`, `8 previous errors`, `failures=2`,
/// `Failures: 2`.
fn is_counted(line: &str, counted: &[&str]) -> bool {
    if line.len() > LONGEST_TOTAL {
        return false;
    }
    let is_count =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty() && word != "0";
    let is_one = |word: &str| counted.iter().any(|one| one.eq_ignore_ascii_case(word));
    let (mut first, mut before) = ("", "");
    let words = line.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '[' | ']'));
    words.filter(|word| !word.is_empty()).any(|word| {
        let bare = word.trim_end_matches(['.', ':', '!']);
        // `4 Warning(s)`, `2 error(s)`
        let is_plural = word == "s" && is_count(first) && is_one(before);
        // A word between the number and the counted one describes it.
        let is_count =
            |word: &str| is_count(word) && (word == "1" || !matches!(bare, "error" | "failure" | "warning"));
        let follows = is_count(before) || is_count(first) && before.bytes().all(|b| b.is_ascii_lowercase());
        let named = before.strip_suffix(':').is_some_and(|name| name.ends_with('s') && is_one(name));
        let assigned = word.split_once('=').is_some_and(|(name, count)| is_count(count) && is_one(name));
        (first, before) = (before, word);
        is_plural || follows && counted.contains(&bare) || named && is_count(bare) || assigned
    })
}

/// A longer line, in bytes, is not a total.
const LONGEST_TOTAL: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals() {
        assert!(counts("generated 62 warnings") && !counts_failures("generated 62 warnings"));
        assert!(counts_failures("test result: FAILED. 60 passed; 1 failed; 0 ignored"));
        assert!(!counts_failures("test result: ok. 60 passed; 0 failed"));
        assert!(!counts("no errors") && !counts("0 previous errors") && !counts("in 3 ms, 0 errors"));
        assert!(counts_failures("error: could not compile `a` due to 8 previous errors; 2 warnings emitted"));
        assert!(
            counts_failures("Tests: 67, Errors: 2, Failures: 15.")
                && !counts_failures("Errors: 0, Failures: 0")
        );
        assert!(!counts_failures("Liveness: http-get http://:80/ period=20s #success=1 #failure=3"));
        assert!(
            counts("    4 Warning(s)")
                && counts_failures("-- 2 error(s), 0 warning(s)")
                && !counts("    0 Error(s)")
        );
        assert!(counts_failures("1 error generated.") && !counts("35 error node_modules/react"));
        assert!(counts_failures("web2 : ok=3 changed=2 unreachable=1 failed=0"));
        assert!(counts("36 actionable tasks: 12 executed, 24 up-to-date"));
        assert!(counts("Plan: 7 to add, 1 to change, 1 to destroy."));
        assert!(!counts("12:01:02 GET /a, 200 OK") && !counts("a: 1, b: 2"));
        assert!(counts_failures("FAILED (failures=2, errors=1)") && !counts_failures("errors=0"));
    }
}
