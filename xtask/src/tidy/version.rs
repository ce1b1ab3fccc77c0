//! All crates have the version of the workspace.

use super::{
    files::Tree,
    finding::Finding,
    manifest::{self, Version},
};

/// The root manifest.
const ROOT: &str = "Cargo.toml";

/// Finds crates with their own version, and references to workspace crates that require another version.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.workspace.members {
        findings.extend(member(tree, &package.manifest));
    }
    findings.extend(references(tree).unwrap_or_else(|finding| vec![finding]));
    findings
}

fn member(tree: &Tree, path: &str) -> Option<Finding> {
    let file = tree.file(path)?;
    match manifest::version(file, &["package"]) {
        Err(finding) => Some(finding),
        Ok(Some((_, Version::Inherited))) => None,
        Ok(found) => {
            let line = found.map_or(1, |(line, _)| line);
            Some(Finding::at(path, line, "the version is not inherited", "write `version.workspace = true`"))
        }
    }
}

/// References to workspace crates in the root manifest that require another version.
fn references(tree: &Tree) -> Result<Vec<Finding>, Finding> {
    let Some(file) = tree.file(ROOT) else { return Ok(Vec::new()) };
    let Some((_, Version::Own(version))) = manifest::version(file, &["workspace", "package"])? else {
        return Ok(vec![Finding::in_file(ROOT, "no version in [workspace.package]", "add one")]);
    };
    let expect = format!("={version}");
    let ours = manifest::offered(file)?.into_iter().filter(|entry| entry.path.is_some());
    let stale = ours.filter(|entry| entry.version.as_deref().is_some_and(|found| found != expect));
    let finding = |entry: manifest::Entry| {
        let what = format!("`{}` is not at the version of the workspace", entry.name);
        Finding::at(ROOT, entry.line, what, format!("write `{expect}`"))
    };
    Ok(stale.map(finding).collect())
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

    const ROOT_MANIFEST: &str = "[workspace.package]\nversion = \"0.1.0\"\n\
                                 [workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"=9.0.0\"\n";
    const MEMBER: &str = "[package]\nversion.workspace = true\n";

    #[test]
    fn one_version_is_right() {
        check_with(ROOT_MANIFEST, MEMBER, &[]);
    }

    #[test]
    fn another_version_is_found() {
        check_with(
            ROOT_MANIFEST,
            "[package]\nversion = \"0.2.0\"\n",
            &["crates/a/Cargo.toml:2: the version is not inherited; write `version.workspace = true`"],
        );
        check_with(
            &ROOT_MANIFEST.replace("\"=0.1.0\"", "\"=0.0.9\""),
            MEMBER,
            &["Cargo.toml:4: `a` is not at the version of the workspace; write `=0.1.0`"],
        );
        check_with("", MEMBER, &["Cargo.toml: no version in [workspace.package]; add one"]);
    }
}
