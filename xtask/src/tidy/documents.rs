//! Rules for what people read: links in documents point to existing files, and comments and documents are written in
//! plain English, without the phrases that CONTRIBUTING.md's glossary rules out.

use super::tree::{Finding, Tree};

/// Finds links to local files that do not exist.
pub(crate) fn links(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.documents() {
        let mut in_fence = false;
        for (number, line) in file.lines() {
            if line.trim_start().starts_with("```") {
                in_fence = !in_fence;
            } else if !in_fence {
                for target in targets(line) {
                    if let Some(path) = local_path(&file.path, target).filter(|path| !exists(tree, path)) {
                        let what = format!("the link {target:?} is broken, there is no `{path}`");
                        findings.push(Finding::at(&file.path, number, what, "correct it or remove it"));
                    }
                }
            }
        }
    }
    findings
}

/// The targets of the links on a line: `[text](target)`, or `[name]: target` alone on the line.
fn targets(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    // Text between backquotes is code: every second piece, if they come in pairs.
    for prose in line.split('`').step_by(2) {
        for (at, _) in prose.match_indices("](") {
            let rest = prose.get(at + 2..).unwrap_or_default();
            let end = rest.find([')', ' ']).unwrap_or(rest.len());
            found.extend(rest.get(..end));
        }
    }
    if let Some((name, target)) = line.split_once("]: ")
        && name.starts_with('[')
        && !name.starts_with("[^")
    {
        found.extend(target.split_whitespace().next());
    }
    found.into_iter().map(|target| target.trim_matches(['<', '>'])).collect()
}

/// The path, relative to the root, of `target` in the document `from`; `None` if it is not a local file.
fn local_path(from: &str, target: &str) -> Option<String> {
    let elsewhere = target.contains("://") || target.starts_with("mailto:") || target.starts_with('#');
    if elsewhere || target.is_empty() {
        return None;
    }
    let target = target.split(['#', '?']).next().unwrap_or_default();
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').filter(|part| !part.is_empty()).collect(),
    };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            // Nothing above the root belongs to the project; forges use such links for pages of the repository.
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn exists(tree: &Tree, path: &str) -> bool {
    path.is_empty() || tree.paths.iter().any(|known| known == path)
}

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
const GLOSSARY: [&str; 2] = ["CONTRIBUTING.md", "xtask/src/tidy/documents.rs"];

/// Finds the phrases in comments of Rust files and in documents.
pub(crate) fn phrases(tree: &Tree) -> Vec<Finding> {
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
    use crate::tidy::tree::tests::{check_findings, tree};

    #[track_caller]
    fn check_targets(line: &str, expect: &[&str]) {
        assert_eq!(targets(line), expect, "{line}");
    }

    #[test]
    fn links_are_found_in_prose() {
        check_targets("See [a](docs/a.md) and [b](b.md#top \"B\").", &["docs/a.md", "b.md#top"]);
        check_targets("[![badge](badge.svg)](https://example.com)", &["badge.svg", "https://example.com"]);
        check_targets("[name]: docs/a.md", &["docs/a.md"]);
        check_targets("[^1]: a footnote", &[]);
        check_targets("The form is `[text](target)`, or [so](<x.md>).", &["x.md"]);
        check_targets("no link [here] (there)", &[]);
    }

    #[track_caller]
    fn check_path(from: &str, target: &str, expect: Option<&str>) {
        assert_eq!(local_path(from, target).as_deref(), expect, "{from} {target}");
    }

    #[test]
    fn targets_are_relative_to_their_document() {
        check_path("README.md", "docs/a.md#x", Some("docs/a.md"));
        check_path("docs/adr/1.md", "../b.md", Some("docs/b.md"));
        check_path("docs/adr/1.md", "/LICENSE", Some("LICENSE"));
        check_path("docs/a.md", "./", Some("docs"));
        check_path("README.md", "../../issues", None);
        check_path("README.md", "https://example.com", None);
        check_path("README.md", "#top", None);
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "[a](docs/a.md)\n[b](docs/b.md)\n```\n[c](c.md)\n```\n";
        let tree = tree(&[("README.md", text), ("docs/a.md", "")]);
        let expect = "README.md:2: the link \"docs/b.md\" is broken, there is no `docs/b.md`; \
                      correct it or remove it";
        check_findings(&links(&tree), &[expect]);
    }

    #[track_caller]
    fn check_file(path: &str, text: &str, expect: &[&str]) {
        check_findings(&phrases(&tree(&[(path, text)])), expect);
    }

    #[test]
    fn phrases_are_found_in_comments_and_documents() {
        let found = "crates/a/src/lib.rs:2: `so many`; write `N` or `this many`";
        check_file("crates/a/src/lib.rs", "//! A.\n/// So many tokens.\n", &[found]);
        check_file("docs/a.md", "It shall fit.\n", &["docs/a.md:1: `shall`; write `should`, `must` or `to`"]);
        check_file("crates/a/src/lib.rs", "//! Shallow.\nlet text = \"so many\";\n", &[]);
    }
}
