//! Files are named for what they do; a name that fits anything attracts everything.

use super::{files::Tree, finding::Finding};

/// Names that are too vague.
const NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "types", "misc", "shared"];

/// Finds Rust files and folders with such a name.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let finding = |path: &str, name: &str| {
        Finding::in_file(path, format!("`{name}` is too vague"), "name it for its one concern, or split it")
    };
    let found = tree.rust().filter_map(|file| {
        let name =
            file.path.split('/').map(|part| part.trim_end_matches(".rs")).find(|p| NAMES.contains(p))?;
        Some(finding(&file.path, name))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

    #[test]
    fn names_that_say_nothing_are_found() {
        let tree = tree(&[
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/it/common/mod.rs", ""),
            ("crates/a/src/budget.rs", ""),
        ]);
        check_findings(
            &check(&tree),
            &[
                "crates/a/src/utils.rs: `utils` is too vague; name it for its one concern, or split it",
                "crates/a/tests/it/common/mod.rs: `common` is too vague; name it for its one concern, or split it",
            ],
        );
    }
}
