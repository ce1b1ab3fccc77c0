//! The findings of rules.

use std::fmt;

/// A violation of a rule, its position, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    file: String,
    line: Option<usize>,
    what: String,
    advice: String,
}

impl Finding {
    /// A finding about `file` as a whole; the path is relative to the root.
    pub(crate) fn in_file(file: &str, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, what: what.into(), advice: advice.into() }
    }

    /// A finding on one line of `file`, from 1.
    pub(crate) fn at(file: &str, line: usize, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::in_file(file, what, advice) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, what, advice } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}; {advice}"),
            None => write!(f, "{file}: {what}; {advice}"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Asserts that findings read as expected, for the tests of the rules.
    #[track_caller]
    pub(crate) fn check_findings(findings: &[Finding], expect: &[&str]) {
        let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(lines, expect);
    }

    #[test]
    fn a_finding_names_its_place_and_what_to_do() {
        check_findings(
            &[Finding::at("a.rs", 3, "long", "split it"), Finding::in_file("b.rs", "odd", "rename it")],
            &["a.rs:3: long; split it", "b.rs: odd; rename it"],
        );
    }
}
