//! Files are short enough to read in one go.

use super::{files::Tree, finding::Finding};

/// The limit; most files are much shorter.
const MOST_LINES: usize = 600;

/// Finds Rust files that are too long.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let length = |text: &str| text.lines().count();
    let long = tree.rust().filter(|file| length(&file.text) > MOST_LINES);
    let finding = |what: String, path: &str| Finding::in_file(path, what, "split it by concern");
    long.map(|file| finding(format!("{} lines, at most {MOST_LINES}", length(&file.text)), &file.path))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

    #[test]
    fn long_files_are_found() {
        let tree = tree(&[
            ("crates/a/src/lib.rs", &"\n".repeat(600)),
            ("crates/a/src/long.rs", &"\n".repeat(601)),
            ("docs/long.md", &"\n".repeat(500)),
        ]);
        check_findings(&check(&tree), &["crates/a/src/long.rs: 601 lines, at most 600; split it by concern"]);
    }
}
