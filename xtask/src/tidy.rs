//! `cargo xtask tidy`: checks the project's rules that no compiler checks.

mod arrows;
mod documents;
mod manifests;
mod signatures;
mod sources;
mod tree;

use tree::{Finding, Tree};

use crate::{
    say::{self, Result},
    workspace,
};

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
    Rule { name: "dependencies named in one place", check: manifests::inherited },
    Rule { name: "one version", check: manifests::version },
    Rule { name: "a facade without logic", check: sources::facade },
    Rule { name: "short files", check: sources::length },
    Rule { name: "files named by what they do", check: sources::names },
    Rule { name: "signatures that can be named", check: signatures::check },
    Rule { name: "documented modules", check: sources::module_docs },
    Rule { name: "nothing left undone", check: sources::markers },
    Rule { name: "plain English", check: documents::phrases },
    Rule { name: "working links", check: documents::links },
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
