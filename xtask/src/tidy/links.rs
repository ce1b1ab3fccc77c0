//! Links in documents point to existing files.

use super::{files::Tree, finding::Finding};

/// Finds links to local files that do not exist.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{files::tests::tree, finding::tests::check_findings};

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
        check_findings(&check(&tree), &[expect]);
    }
}
