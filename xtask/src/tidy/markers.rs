//! Nothing is left undone: no test is disabled, no code is missing.

use super::{files::Tree, finding::Finding};

/// Markers that must not appear in Rust files, and what to do. Split in two, so that this file contains none.
const MARKERS: &[(&str, &str)] = &[
    (concat!("#[", "ignore"), "make the test run, or remove it"),
    (concat!("#[", "should_panic"), "return a `Result` and assert the error"),
    (concat!("to", "do!("), "write the code, or leave the function out"),
    (concat!("unimple", "mented!("), "write the code, or leave the function out"),
    (concat!("``", "`ignore"), "make the example run; `no_run` if it needs a network"),
];

/// Finds the markers, in code and in comments alike.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust() {
        for (number, line) in file.lines() {
            let found = MARKERS.iter().filter(|(marker, _)| line.contains(marker));
            findings.extend(found.map(|(marker, advice)| {
                Finding::at(&file.path, number, format!("`{}`", marker.trim_matches('`')), *advice)
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

    #[track_caller]
    fn check_line(line: &str, expect: &[&str]) {
        check_findings(&check(&tree(&[("crates/a/src/lib.rs", &format!("//! A.\n{line}\n"))])), expect);
    }

    #[test]
    fn what_is_left_undone_is_found() {
        check_line(
            concat!("    to", "do!(\"later\")"),
            &[concat!("crates/a/src/lib.rs:2: `to", "do!(`; write the code, or leave the function out")],
        );
        check_line(
            concat!("#[", "ignore = \"slow\"]"),
            &[concat!("crates/a/src/lib.rs:2: `#[", "ignore`; make the test run, or remove it")],
        );
        check_line("let todos = 3; // ignored", &[]);
    }
}
