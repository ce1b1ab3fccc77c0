//! Every dependency is named once, in the root manifest, with a version that can be published, and all crates have the
//! version of the workspace. Manifests are read as they are written: the metadata of cargo does not say where a version
//! comes from.

use toml::{Table, Value};

use super::tree::{Finding, Tree};

/// The root manifest.
const ROOT: &str = "Cargo.toml";

/// Tables that name dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// Finds dependencies that are not inherited, and requirements that a published library should not have.
pub(crate) fn inherited(tree: &Tree) -> Vec<Finding> {
    let members = tree.workspace.members.iter().map(|package| package.manifest.as_str());
    let in_member = |path: &str| {
        let named = dependencies(&manifest(tree, path)).into_iter();
        // A path without a version is for tests: cargo publishes no other dependency by it.
        let is_good =
            |value: &Value| inherits(value) || value.get("path").is_some() && value.get("version").is_none();
        let stray = named.filter(|(_, value)| !is_good(value));
        let finding = |(name, _)| {
            let advice = format!("write `{name}.workspace = true`, with the version in the root Cargo.toml");
            Finding::in_file(path, format!("`{name}` is not inherited"), advice)
        };
        stray.map(finding).collect::<Vec<_>>()
    };
    let mut findings: Vec<Finding> = members.flat_map(in_member).collect();
    let wrong = offered(tree).into_iter().filter(|(_, value)| !is_publishable(value));
    findings.extend(wrong.map(|(name, _)| {
        let advice =
            "write `1.2.3` for a crate of others, and `=` with the version of the workspace for ours";
        Finding::in_file(ROOT, format!("`{name}` has the wrong requirement"), advice)
    }));
    findings
}

/// Whether the requirement is a full version: of others' crates with everything compatible, of ours exactly. Ours without
/// any are for tests.
fn is_publishable(value: &Value) -> bool {
    let is_ours = value.get("path").is_some();
    let version = match (version_of(value), is_ours) {
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

/// Finds crates with their own version, and references to workspace crates that require another version.
pub(crate) fn version(tree: &Tree) -> Vec<Finding> {
    let has_own = |path: &&str| {
        let manifest = manifest(tree, path);
        !manifest.get("package").and_then(|package| package.get("version")).is_some_and(inherits)
    };
    let members = tree.workspace.members.iter().map(|package| package.manifest.as_str());
    let own =
        |path| Finding::in_file(path, "the version is not inherited", "write `version.workspace = true`");
    let mut findings: Vec<Finding> = members.filter(has_own).map(own).collect();
    let root = manifest(tree, ROOT);
    let package = root.get("workspace").and_then(|workspace| workspace.get("package"));
    let Some(version) = package.and_then(|package| package.get("version")?.as_str()) else {
        findings.push(Finding::in_file(ROOT, "no version in [workspace.package]", "add one"));
        return findings;
    };
    let expect = format!("={version}");
    let is_stale = |value: &Value| {
        value.get("path").is_some() && version_of(value).is_some_and(|version| version != expect)
    };
    let stale = offered(tree).into_iter().filter(|(_, value)| is_stale(value));
    findings.extend(stale.map(|(name, _)| {
        let what = format!("`{name}` is not at the version of the workspace");
        Finding::in_file(ROOT, what, format!("write `{expect}`"))
    }));
    findings
}

/// The manifest at `path`. Cargo has read it, so it is TOML.
fn manifest(tree: &Tree, path: &str) -> Table {
    tree.file(path).and_then(|file| file.text.parse().ok()).unwrap_or_default()
}

/// The dependencies of a package, including those for specific targets.
fn dependencies(manifest: &Table) -> Vec<(String, Value)> {
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let tables = targets.filter_map(|(_, target)| target.as_table()).chain([manifest]);
    let named = tables.flat_map(|table| TABLES.iter().filter_map(|name| table.get(*name)?.as_table()));
    named.flatten().map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The dependencies that the root manifest offers its members.
fn offered(tree: &Tree) -> Table {
    let root = manifest(tree, ROOT);
    let table = root.get("workspace").and_then(|workspace| workspace.get("dependencies")?.as_table());
    table.cloned().unwrap_or_default()
}

fn version_of(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.get("version")?.as_str())
}

fn inherits(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tidy::tree::tests::{check_findings, tree},
        workspace::Package,
    };

    #[track_caller]
    fn check(rule: fn(&Tree) -> Vec<Finding>, root: &str, member: &str, expect: &[&str]) {
        let mut tree = tree(&[("Cargo.toml", root), ("crates/a/Cargo.toml", member)]);
        let package =
            Package { name: "a".into(), manifest: "crates/a/Cargo.toml".into(), ..Package::default() };
        tree.workspace.members.push(package);
        check_findings(&rule(&tree), expect);
    }

    #[test]
    fn compatible_and_inherited_is_right() {
        check(
            inherited,
            "[workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"1.0.0-rc.1\"\nc = { path = \"c\" }\n",
            "[dependencies]\nb.workspace = true\n[dev-dependencies]\nc = { path = \"../c\" }\n",
            &[],
        );
    }

    #[test]
    fn what_is_not_inherited_is_found_in_every_table() {
        let expect = |name| {
            format!(
                "crates/a/Cargo.toml: `{name}` is not inherited; \
                 write `{name}.workspace = true`, with the version in the root Cargo.toml"
            )
        };
        let member = "[dependencies]\na.workspace = true\nb = \"1.0.0\"\n\
                      [dev-dependencies]\nc = { workspace = true, optional = true }\n\
                      [target.'cfg(unix)'.build-dependencies.d]\nversion = \"=2.0.0\"\n";
        check(inherited, "", member, &[&expect("d"), &expect("b")]);
    }

    #[test]
    fn what_cannot_be_published_well_is_found() {
        let expect = |name| {
            format!(
                "Cargo.toml: `{name}` has the wrong requirement; write `1.2.3` for a crate of others, and `=` \
                 with the version of the workspace for ours"
            )
        };
        check(
            inherited,
            "[workspace.dependencies]\na = \"=1.0.0\"\nb = { path = \"b\", version = \"0.1.0\" }\nc = \"1.0\"\nd = \">=1.0.0\"\n",
            "",
            &[&expect("a"), &expect("b"), &expect("c"), &expect("d")],
        );
    }

    const ROOT_MANIFEST: &str = "[workspace.package]\nversion = \"0.1.0\"\n\
                                 [workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"=9.0.0\"\n";
    const MEMBER: &str = "[package]\nversion.workspace = true\n";

    #[test]
    fn one_version_is_right_and_another_is_found() {
        check(version, ROOT_MANIFEST, MEMBER, &[]);
        let own = "crates/a/Cargo.toml: the version is not inherited; write `version.workspace = true`";
        check(version, ROOT_MANIFEST, "[package]\nversion = \"0.2.0\"\n", &[own]);
        let stale = "Cargo.toml: `a` is not at the version of the workspace; write `=0.1.0`";
        check(version, &ROOT_MANIFEST.replace("\"=0.1.0\"", "\"=0.0.9\""), MEMBER, &[stale]);
        check(version, "", MEMBER, &["Cargo.toml: no version in [workspace.package]; add one"]);
    }
}
