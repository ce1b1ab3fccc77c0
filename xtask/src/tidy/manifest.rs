//! Reads a `Cargo.toml` as it is written: the metadata of cargo does not say where a version comes from.

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{files::File, finding::Finding};

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
pub(crate) fn offered(file: &File) -> Result<Vec<Entry>, Finding> {
    let root = parse(file)?;
    let table = get_table(&root, "workspace").and_then(|workspace| get_table(workspace, "dependencies"));
    Ok(table.into_iter().flat_map(|table| read(table, file)).collect())
}

/// The `version` in the table at `path`, with its line.
///
/// # Errors
/// If the manifest is not TOML.
pub(crate) fn version(file: &File, path: &[&str]) -> Result<Option<(usize, Version)>, Finding> {
    let root = parse(file)?;
    let table = path.iter().try_fold(&root, |table, name| get_table(table, name));
    let found = table.and_then(|table| table.get("version"));
    Ok(found.map(|value| (file.line_of(value.span().start), Version::read(value.get_ref()))))
}

/// How a manifest gives a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Version {
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

fn entry(name: &Spanned<std::borrow::Cow<'_, str>>, value: &DeValue<'_>, file: &File) -> Entry {
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

    fn file(text: &str) -> File {
        File { path: "Cargo.toml".into(), text: text.into() }
    }

    #[track_caller]
    fn check(entries: &[Entry], expect: &[(&str, usize, bool, Option<&str>)]) {
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
        check(
            &dependencies(&file).unwrap(),
            &[
                ("a", 2, true, None),
                ("b", 3, false, Some("1")),
                ("c", 5, true, None),
                ("d", 6, false, Some("=2.0.0")),
            ],
        );
        check(&offered(&file).unwrap(), &[]);
    }

    #[test]
    fn what_the_workspace_offers_is_read() {
        let file = file("[workspace.dependencies]\nx = { path = \"x\", version = \"=0.1.0\" }\n");
        let entries = offered(&file).unwrap();
        check(&entries, &[("x", 2, false, Some("=0.1.0"))]);
        assert_eq!(entries[0].path.as_deref(), Some("x"));
    }

    #[track_caller]
    fn check_version(text: &str, expect: Option<(usize, Version)>) {
        assert_eq!(version(&file(text), &["package"]).unwrap(), expect, "{text:?}");
    }

    #[test]
    fn versions_are_read() {
        check_version("[package]\nversion.workspace = true\n", Some((2, Version::Inherited)));
        check_version(
            "[package]\nname = \"x\"\nversion = \"1.0.0\"\n",
            Some((3, Version::Own("1.0.0".into()))),
        );
        check_version("[package]\nversion = 3\n", Some((2, Version::Odd)));
        check_version("[package]\n", None);
        check_version("", None);
    }

    #[test]
    fn what_is_not_toml_is_a_finding() {
        let finding = dependencies(&file("[dependencies]\na = \n")).unwrap_err().to_string();
        assert!(finding.starts_with("Cargo.toml:2: "), "{finding}");
    }
}
