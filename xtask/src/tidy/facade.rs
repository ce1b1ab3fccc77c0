//! The facade combines the crates and has no logic of its own.

use super::{files::Tree, finding::Finding};

/// The folder of the facade's sources.
const SOURCES: &str = "crates/contextfit/src/";
/// Keywords that start an item of its own.
const ITEMS: [&str; 7] = ["fn", "struct", "trait", "enum", "union", "impl", "macro_rules!"];
/// Keywords that may come before those.
const BEFORE: [&str; 5] = ["pub", "async", "const", "unsafe", "default"];

/// Finds items that the facade defines itself.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust().filter(|file| file.path.starts_with(SOURCES)) {
        for (number, line) in file.lines() {
            if let Some(item) = own_item(line) {
                let what = format!("the facade has its own `{item}`");
                findings.push(Finding::at(&file.path, number, what, "move it into the crate it belongs to"));
            }
        }
    }
    findings
}

/// The keyword of the item that starts on the line, if any.
fn own_item(line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    if line.starts_with("//") {
        return None;
    }
    let mut words = line.split([' ', '<', '(', '{']).filter(|word| !word.is_empty());
    let first = words.find(|word| !BEFORE.contains(word) && !is_visibility(word))?;
    ITEMS.into_iter().find(|item| *item == first)
}

/// Whether `word` is the rest of a visibility such as `pub(crate)` after splitting at the bracket.
fn is_visibility(word: &str) -> bool {
    matches!(word, "crate)" | "super)" | "self)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

    #[track_caller]
    fn check_line(line: &str, expect: Option<&str>) {
        assert_eq!(own_item(line), expect, "{line}");
    }

    #[test]
    fn items_are_told_from_exports() {
        check_line("pub use contextfit_kernel::{Block, Budget};", None);
        check_line("//! fn main() {}", None);
        check_line("pub mod prelude;", None);
        check_line("function(structure);", None);
        check_line("pub fn fit() {}", Some("fn"));
        check_line("    pub(crate) async fn fit() {}", Some("fn"));
        check_line("pub struct Fit<T>(T);", Some("struct"));
        check_line("impl<T> Fit<T> {", Some("impl"));
        check_line("macro_rules! fit {", Some("macro_rules!"));
        check_line("pub const fn fit() {}", Some("fn"));
        check_line("pub const N: usize = 3;", None);
    }

    #[test]
    fn only_the_facade_is_looked_at() {
        let tree = tree(&[
            ("crates/contextfit/src/lib.rs", "//! A.\nenum E {}\n"),
            ("crates/contextfit-kernel/src/lib.rs", "enum E {}\n"),
            ("crates/contextfit/tests/it.rs", "fn f() {}\n"),
        ]);
        let expect = "crates/contextfit/src/lib.rs:2: the facade has its own `enum`; \
                      move it into the crate it belongs to";
        check_findings(&check(&tree), &[expect]);
    }
}
