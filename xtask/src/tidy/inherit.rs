//! Every dependency is pinned once, in the root manifest.

use super::{
    files::Tree,
    finding::Finding,
    manifest::{self, Entry},
};

/// The root manifest.
const ROOT: &str = "Cargo.toml";

/// Finds dependencies that are not inherited, and versions that are not exact.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let members = tree.workspace.members.iter().map(|package| package.manifest.as_str());
    let mut findings: Vec<_> = members
        .flat_map(|path| {
            in_file(
                tree,
                path,
                manifest::dependencies,
                |entry| entry.inherits,
                "is not inherited",
                |name| format!("write `{name}.workspace = true`, with the version in the root Cargo.toml"),
            )
        })
        .collect();
    findings.extend(in_file(tree, ROOT, manifest::offered, is_exact, "is not pinned", |_| {
        "give it an exact version, such as `=1.2.3`".into()
    }));
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

/// Whether the requirement allows exactly one version. `=1.2` does not.
fn is_exact(entry: &Entry) -> bool {
    let Some(version) = entry.version.as_deref().and_then(|version| version.strip_prefix('=')) else {
        return false;
    };
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').count() == 3 && !version.contains([',', '*', ' '])
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
    fn pinned_and_inherited_is_right() {
        check_with(
            "[workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"=1.0.0-rc.1\"\n",
            "[dependencies]\nb.workspace = true\n",
            &[],
        );
    }

    #[test]
    fn what_is_not_inherited_is_found() {
        let expect = "crates/a/Cargo.toml:2: `b` is not inherited; \
                      write `b.workspace = true`, with the version in the root Cargo.toml";
        check_with("", "[dependencies]\nb = \"=1.0.0\"\n", &[expect]);
    }

    #[test]
    fn what_is_not_exact_is_found() {
        let expect = |line, name| {
            format!("Cargo.toml:{line}: `{name}` is not pinned; give it an exact version, such as `=1.2.3`")
        };
        check_with(
            "[workspace.dependencies]\na = \"1.0.0\"\nb = { path = \"b\" }\nc = \"=1.0\"\n",
            "",
            &[&expect(2, "a"), &expect(3, "b"), &expect(4, "c")],
        );
    }
}
