//! Every dependency is named once, in the root manifest, with a version that can be published.

use super::{
    files::Tree,
    finding::Finding,
    manifest::{self, Entry},
};

/// The root manifest.
const ROOT: &str = "Cargo.toml";

/// Finds dependencies that are not inherited, and requirements that a published library should not have.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let members = tree.workspace.members.iter().map(|package| package.manifest.as_str());
    let mut findings: Vec<_> = members
        .flat_map(|path| {
            in_file(
                tree,
                path,
                manifest::dependencies,
                // A path without a version is for tests: cargo publishes no other dependency by it.
                |entry| entry.inherits || entry.path.is_some() && entry.version.is_none(),
                "is not inherited",
                |name| format!("write `{name}.workspace = true`, with the version in the root Cargo.toml"),
            )
        })
        .collect();
    findings.extend(in_file(
        tree,
        ROOT,
        manifest::offered,
        is_publishable,
        "has the wrong requirement",
        |_| "write `1.2.3` for a crate of others, and `=` with the version of the workspace for ours".into(),
    ));
    findings
}

fn in_file(
    tree: &Tree,
    path: &str,
    read: fn(&super::files::File) -> Result<Vec<Entry>, Finding>,
    good: fn(&Entry) -> bool,
    fault: &str,
    advice: fn(&str) -> String,
) -> Vec<Finding> {
    let Some(file) = tree.file(path) else { return Vec::new() };
    match read(file) {
        Err(finding) => vec![finding],
        Ok(entries) => entries
            .iter()
            .filter(|entry| !good(entry))
            .map(|e| Finding::at(path, e.line, format!("`{}` {fault}", e.name), advice(&e.name)))
            .collect(),
    }
}

/// Whether the requirement is a full version: of others' crates with everything compatible, of ours exactly. Ours without
/// any are for tests.
fn is_publishable(entry: &Entry) -> bool {
    let is_ours = entry.path.is_some();
    let version = match (entry.version.as_deref(), is_ours) {
        (None, _) => return is_ours,
        (Some(version), true) => version.strip_prefix('='),
        (Some(version), false) => Some(version),
    };
    let numbers = version.map(|version| version.split(['-', '+']).next().unwrap_or_default());
    numbers.is_some_and(|numbers| {
        let mut parts = numbers.split('.');
        parts.clone().count() == 3 && parts.all(|part| part.parse::<u64>().is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tidy::{files::tests::tree, finding::tests::check_findings},
        workspace::Package,
    };

    #[track_caller]
    fn check_with(root: &str, member: &str, expect: &[&str]) {
        let mut tree = tree(&[("Cargo.toml", root), ("crates/a/Cargo.toml", member)]);
        let package =
            Package { name: "a".into(), manifest: "crates/a/Cargo.toml".into(), ..Package::default() };
        tree.workspace.members.push(package);
        check_findings(&check(&tree), expect);
    }

    #[test]
    fn compatible_and_inherited_is_right() {
        check_with(
            "[workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"1.0.0-rc.1\"\nc = { path = \"c\" }\n",
            "[dependencies]\nb.workspace = true\n[dev-dependencies]\nc = { path = \"../c\" }\n",
            &[],
        );
    }

    #[test]
    fn what_is_not_inherited_is_found() {
        let expect = "crates/a/Cargo.toml:2: `b` is not inherited; \
                      write `b.workspace = true`, with the version in the root Cargo.toml";
        check_with("", "[dependencies]\nb = \"1.0.0\"\n", &[expect]);
    }

    #[test]
    fn what_cannot_be_published_well_is_found() {
        let expect = |line, name| {
            format!(
                "Cargo.toml:{line}: `{name}` has the wrong requirement; write `1.2.3` for a crate of others, and `=` \
                 with the version of the workspace for ours"
            )
        };
        check_with(
            "[workspace.dependencies]\na = \"=1.0.0\"\nb = { path = \"b\", version = \"0.1.0\" }\nc = \"1.0\"\nd = \">=1.0.0\"\n",
            "",
            &[&expect(2, "a"), &expect(3, "b"), &expect(4, "c"), &expect(5, "d")],
        );
    }
}
