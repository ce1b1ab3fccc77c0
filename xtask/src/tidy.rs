//! `cargo xtask tidy`: checks the project's rules that no compiler checks.

mod arrows;
mod facade;
mod files;
mod finding;
mod inherit;
mod length;
mod licences;
mod links;
mod manifest;
mod markers;
mod module_docs;
mod names;
mod phrases;
mod spdx;
mod version;

use files::Tree;
use finding::Finding;

use crate::{Result, say, workspace};

/// A rule and its check.
struct Rule {
    /// Its name in the summary.
    name: &'static str,
    /// Finds violations.
    check: fn(&Tree) -> Vec<Finding>,
}

/// All rules.
const RULES: &[Rule] = &[
    Rule { name: "arrows between crates", check: arrows::check },
    Rule { name: "dependencies named in one place", check: inherit::check },
    Rule { name: "one version", check: version::check },
    Rule { name: "licences", check: licences::check },
    Rule { name: "a facade without logic", check: facade::check },
    Rule { name: "short files", check: length::check },
    Rule { name: "files named by what they do", check: names::check },
    Rule { name: "documented modules", check: module_docs::check },
    Rule { name: "nothing left undone", check: markers::check },
    Rule { name: "plain English", check: phrases::check },
    Rule { name: "working links", check: links::check },
];

/// Checks every rule.
///
/// # Errors
/// If a rule is broken; the findings have been printed already.
pub(crate) fn run() -> Result {
    let root = workspace::root();
    let tree = Tree::load(&root, workspace::load(&root)?)?;
    let mut n_findings = 0;
    for rule in RULES {
        let findings = (rule.check)(&tree);
        n_findings += findings.len();
        if !findings.is_empty() {
            say::line(&format!("{}:", rule.name));
        }
        for finding in findings {
            say::line(&format!("  {finding}"));
        }
    }
    match n_findings {
        0 => {
            say::line(&format!("tidy: {} rules hold in {} files", RULES.len(), tree.files.len()));
            Ok(())
        }
        1 => Err("tidy: 1 finding".into()),
        n => Err(format!("tidy: {n} findings").into()),
    }
}
