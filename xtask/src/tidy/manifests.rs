//! Every dependency is named once, in the root manifest, with a version that can be published, and all crates have the
//! version of the workspace. Manifests are read as they are written: the metadata of cargo does not say where a version
//! comes from.

use std::borrow::Cow;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::tree::{File, Finding, Tree};

/// The root manifest.
const ROOT: &str = "Cargo.toml";

/// Finds dependencies that are not inherited, and requirements that a published library should not have.
pub(crate) fn inherited(tree: &Tree) -> Vec<Finding> {
    let members = tree.workspace.members.iter().map(|package| package.manifest.as_str());
    let mut findings: Vec<_> = members
        .flat_map(|path| {
            in_file(
                tree,
                path,
                dependencies,
                // A path without a version is for tests: cargo publishes no other dependency by it.
                |entry| entry.inherits || entry.path.is_some() && entry.version.is_none(),
                "is not inherited",
                |name| format!("write `{name}.workspace = true`, with the version in the root Cargo.toml"),
            )
        })
        .collect();
    findings.extend(in_file(tree, ROOT, offered, is_publishable, "has the wrong requirement", |_| {
        "write `1.2.3` for a crate of others, and `=` with the version of the workspace for ours".into()
    }));
    findings
}

fn in_file(
    tree: &Tree,
    path: &str,
    read: fn(&File) -> Result<Vec<Entry>, Finding>,
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

/// Finds crates with their own version, and references to workspace crates that require another version.
pub(crate) fn version(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &tree.workspace.members {
        findings.extend(member(tree, &package.manifest));
    }
    findings.extend(references(tree).unwrap_or_else(|finding| vec![finding]));
    findings
}

fn member(tree: &Tree, path: &str) -> Option<Finding> {
    let file = tree.file(path)?;
    match version_at(file, &["package"]) {
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
    let Some((_, Version::Own(version))) = version_at(file, &["workspace", "package"])? else {
        return Ok(vec![Finding::in_file(ROOT, "no version in [workspace.package]", "add one")]);
    };
    let expect = format!("={version}");
    let ours = offered(file)?.into_iter().filter(|entry| entry.path.is_some());
    let stale = ours.filter(|entry| entry.version.as_deref().is_some_and(|found| found != expect));
    let finding = |entry: Entry| {
        let what = format!("`{}` is not at the version of the workspace", entry.name);
        Finding::at(ROOT, entry.line, what, format!("write `{expect}`"))
    };
    Ok(stale.map(finding).collect())
}

/// Tables that name dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// A dependency as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its name in the manifest.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// Whether it says `workspace = true`.
    pub inherits: bool,
    /// The version that it requires.
    pub version: Option<String>,
    /// Its path, if it is a crate of the workspace.
    pub path: Option<String>,
}

/// The dependencies of a package, including those for specific targets.
///
/// # Errors
/// If the manifest is not TOML.
pub(crate) fn dependencies(file: &File) -> Result<Vec<Entry>, Finding> {
    let root = parse(file)?;
    let mut entries = Vec::new();
    let mut add = |table: &DeTable<'_>| {
        for name in TABLES {
            entries.extend(get_table(table, name).into_iter().flat_map(|table| read(table, file)));
        }
    };
    add(&root);
    for (_, target) in get_table(&root, "target").into_iter().flatten() {
        if let Some(target) = target.get_ref().as_table() {
            add(target);
        }
    }
    Ok(entries)
}

/// The dependencies that the root manifest offers its members.
///
/// # Errors
/// If the manifest is not TOML.
fn offered(file: &File) -> Result<Vec<Entry>, Finding> {
    let root = parse(file)?;
    let table = get_table(&root, "workspace").and_then(|workspace| get_table(workspace, "dependencies"));
    Ok(table.into_iter().flat_map(|table| read(table, file)).collect())
}

/// The `version` in the table at `path`, with its line.
///
/// # Errors
/// If the manifest is not TOML.
fn version_at(file: &File, path: &[&str]) -> Result<Option<(usize, Version)>, Finding> {
    let root = parse(file)?;
    let table = path.iter().try_fold(&root, |table, name| get_table(table, name));
    let found = table.and_then(|table| table.get("version"));
    Ok(found.map(|value| (file.line_of(value.span().start), Version::read(value.get_ref()))))
}

/// How a manifest gives a version.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Version {
    /// `version.workspace = true`.
    Inherited,
    /// `version = "1.2.3"`.
    Own(String),
    /// In a way that cargo would not accept.
    Odd,
}

impl Version {
    fn read(value: &DeValue<'_>) -> Self {
        match (value.as_str(), value.as_table()) {
            (Some(version), _) => Self::Own(version.into()),
            (_, Some(table)) if inherits(table) => Self::Inherited,
            _ => Self::Odd,
        }
    }
}

fn parse(file: &File) -> Result<DeTable<'_>, Finding> {
    let table = DeTable::parse(&file.text).map_err(|error| {
        let line = error.span().map_or(1, |span| file.line_of(span.start));
        Finding::at(&file.path, line, error.message().trim(), "make it valid TOML")
    })?;
    Ok(table.into_inner())
}

fn get_table<'t, 'i>(table: &'t DeTable<'i>, name: &str) -> Option<&'t DeTable<'i>> {
    table.get(name)?.get_ref().as_table()
}

fn read(table: &DeTable<'_>, file: &File) -> Vec<Entry> {
    table.iter().map(|(name, value)| entry(name, value.get_ref(), file)).collect()
}

fn entry(name: &Spanned<Cow<'_, str>>, value: &DeValue<'_>, file: &File) -> Entry {
    let table = value.as_table();
    let text = |key: &str| Some(table?.get(key)?.get_ref().as_str()?.to_owned());
    Entry {
        name: name.get_ref().to_string(),
        line: file.line_of(name.span().start),
        inherits: table.is_some_and(inherits),
        version: value.as_str().map(ToOwned::to_owned).or_else(|| text("version")),
        path: text("path"),
    }
}

fn inherits(table: &DeTable<'_>) -> bool {
    table.get("workspace").is_some_and(|value| value.get_ref().as_bool() == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tidy::tree::tests::{check_findings, tree},
        workspace::Package,
    };

    #[track_caller]
    fn check_inherited(root: &str, member: &str, expect: &[&str]) {
        let mut tree = tree(&[("Cargo.toml", root), ("crates/a/Cargo.toml", member)]);
        let package =
            Package { name: "a".into(), manifest: "crates/a/Cargo.toml".into(), ..Package::default() };
        tree.workspace.members.push(package);
        check_findings(&inherited(&tree), expect);
    }

    #[test]
    fn compatible_and_inherited_is_right() {
        check_inherited(
            "[workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"1.0.0-rc.1\"\nc = { path = \"c\" }\n",
            "[dependencies]\nb.workspace = true\n[dev-dependencies]\nc = { path = \"../c\" }\n",
            &[],
        );
    }

    #[test]
    fn what_is_not_inherited_is_found() {
        let expect = "crates/a/Cargo.toml:2: `b` is not inherited; \
                      write `b.workspace = true`, with the version in the root Cargo.toml";
        check_inherited("", "[dependencies]\nb = \"1.0.0\"\n", &[expect]);
    }

    #[test]
    fn what_cannot_be_published_well_is_found() {
        let expect = |line, name| {
            format!(
                "Cargo.toml:{line}: `{name}` has the wrong requirement; write `1.2.3` for a crate of others, and `=` \
                 with the version of the workspace for ours"
            )
        };
        check_inherited(
            "[workspace.dependencies]\na = \"=1.0.0\"\nb = { path = \"b\", version = \"0.1.0\" }\nc = \"1.0\"\nd = \">=1.0.0\"\n",
            "",
            &[&expect(2, "a"), &expect(3, "b"), &expect(4, "c"), &expect(5, "d")],
        );
    }

    #[track_caller]
    fn check_version(root: &str, member: &str, expect: &[&str]) {
        let mut tree = tree(&[("Cargo.toml", root), ("crates/a/Cargo.toml", member)]);
        let package =
            Package { name: "a".into(), manifest: "crates/a/Cargo.toml".into(), ..Package::default() };
        tree.workspace.members.push(package);
        check_findings(&version(&tree), expect);
    }

    const ROOT_MANIFEST: &str = "[workspace.package]\nversion = \"0.1.0\"\n\
                                 [workspace.dependencies]\na = { path = \"a\", version = \"=0.1.0\" }\nb = \"=9.0.0\"\n";
    const MEMBER: &str = "[package]\nversion.workspace = true\n";

    #[test]
    fn one_version_is_right() {
        check_version(ROOT_MANIFEST, MEMBER, &[]);
    }

    #[test]
    fn another_version_is_found() {
        check_version(
            ROOT_MANIFEST,
            "[package]\nversion = \"0.2.0\"\n",
            &["crates/a/Cargo.toml:2: the version is not inherited; write `version.workspace = true`"],
        );
        check_version(
            &ROOT_MANIFEST.replace("\"=0.1.0\"", "\"=0.0.9\""),
            MEMBER,
            &["Cargo.toml:4: `a` is not at the version of the workspace; write `=0.1.0`"],
        );
        check_version("", MEMBER, &["Cargo.toml: no version in [workspace.package]; add one"]);
    }

    fn file(text: &str) -> File {
        File { path: "Cargo.toml".into(), text: text.into() }
    }

    #[track_caller]
    fn check_entries(entries: &[Entry], expect: &[(&str, usize, bool, Option<&str>)]) {
        let found: Vec<_> =
            entries.iter().map(|e| (e.name.as_str(), e.line, e.inherits, e.version.as_deref())).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn dependencies_are_read_from_every_table() {
        let file = file(
            "[dependencies]\na.workspace = true\nb = \"1\"\n\
             [dev-dependencies]\nc = { workspace = true, optional = true }\n\
             [target.'cfg(unix)'.build-dependencies.d]\nversion = \"=2.0.0\"\n",
        );
        check_entries(
            &dependencies(&file).unwrap(),
            &[
                ("a", 2, true, None),
                ("b", 3, false, Some("1")),
                ("c", 5, true, None),
                ("d", 6, false, Some("=2.0.0")),
            ],
        );
        check_entries(&offered(&file).unwrap(), &[]);
    }

    #[test]
    fn what_the_workspace_offers_is_read() {
        let file = file("[workspace.dependencies]\nx = { path = \"x\", version = \"=0.1.0\" }\n");
        let entries = offered(&file).unwrap();
        check_entries(&entries, &[("x", 2, false, Some("=0.1.0"))]);
        assert_eq!(entries[0].path.as_deref(), Some("x"));
    }

    #[track_caller]
    fn check_version_at(text: &str, expect: Option<(usize, Version)>) {
        assert_eq!(version_at(&file(text), &["package"]).unwrap(), expect, "{text:?}");
    }

    #[test]
    fn versions_are_read() {
        check_version_at("[package]\nversion.workspace = true\n", Some((2, Version::Inherited)));
        check_version_at(
            "[package]\nname = \"x\"\nversion = \"1.0.0\"\n",
            Some((3, Version::Own("1.0.0".into()))),
        );
        check_version_at("[package]\nversion = 3\n", Some((2, Version::Odd)));
        check_version_at("[package]\n", None);
        check_version_at("", None);
    }

    #[test]
    fn what_is_not_toml_is_a_finding() {
        let finding = dependencies(&file("[dependencies]\na = \n")).unwrap_err().to_string();
        assert!(finding.starts_with("Cargo.toml:2: "), "{finding}");
    }
}
