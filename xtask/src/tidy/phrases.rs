//! Comments and documents are written in plain English: the phrases that CONTRIBUTING.md's glossary rules out.

use super::{files::Tree, finding::Finding};

/// Phrases in lower case, and what to write instead. Each starts and ends at a word.
const PHRASES: &[(&str, &str)] = &[
    ("at the most", "write `at most`"),
    ("at the least", "write `at least`"),
    ("cannot be had", "write `is unavailable`"),
    ("has its turn", "write `is tried next`"),
    ("model of meaning", "write `embedding model`"),
    ("shall", "write `should`, `must` or `to`"),
    ("so many", "write `N` or `this many`"),
    ("told apart", "write `distinguished`"),
    ("told from", "write `distinguished from`"),
    ("what became of", "write `the outcome of`"),
];

/// Where the phrases are named.
const GLOSSARY: [&str; 2] = ["CONTRIBUTING.md", "xtask/src/tidy/phrases.rs"];

/// Finds the phrases in comments of Rust files and in documents.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        let is_document = file.path.ends_with(".md");
        if GLOSSARY.contains(&file.path.as_str()) || !is_document && !file.path.ends_with(".rs") {
            continue;
        }
        for (number, line) in file.lines() {
            let comment =
                if is_document { Some(line) } else { line.split_once("//").map(|(_, comment)| comment) };
            let Some(comment) = comment.map(str::to_lowercase) else { continue };
            let found = PHRASES.iter().filter(|(phrase, _)| has_phrase(&comment, phrase));
            findings.extend(
                found.map(|(phrase, advice)| Finding::at(&file.path, number, format!("`{phrase}`"), *advice)),
            );
        }
    }
    findings
}

/// Whether `phrase` occurs in `text` as words of its own.
fn has_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        let before = text.get(..start).and_then(|text| text.chars().next_back());
        let after = text.get(start + phrase.len()..).and_then(|text| text.chars().next());
        [before, after].into_iter().flatten().all(|letter| !letter.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

    #[track_caller]
    fn check_file(path: &str, text: &str, expect: &[&str]) {
        check_findings(&check(&tree(&[(path, text)])), expect);
    }

    #[test]
    fn phrases_are_found_in_comments_and_documents() {
        let found = "crates/a/src/lib.rs:2: `so many`; write `N` or `this many`";
        check_file("crates/a/src/lib.rs", "//! A.\n/// So many tokens.\n", &[found]);
        check_file("docs/a.md", "It shall fit.\n", &["docs/a.md:1: `shall`; write `should`, `must` or `to`"]);
        check_file("crates/a/src/lib.rs", "//! Shallow.\nlet text = \"so many\";\n", &[]);
    }
}
