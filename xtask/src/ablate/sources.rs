//! The sources of the program, and their copy in which every rule has a switch.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use ignore::WalkBuilder;

use super::rule::{Rule, switched};
use crate::{
    Result,
    workspace::{self, slashes},
};

/// The files of the workspace, and the rules that their comments name.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The content by path, with a switch for each rule.
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// The rules by file and line.
    pub rules: Vec<Rule>,
}

impl Sources {
    /// Reads the files below `root` that are not ignored.
    ///
    /// # Errors
    /// If a file cannot be read, a comment cannot be read, or two rules have the same name.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let (mut files, mut rules, mut faults) = (BTreeMap::new(), Vec::new(), Vec::new());
        for entry in workspace::files(root) {
            let entry = entry?;
            let path = entry.path().strip_prefix(root)?;
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            let mut content =
                fs::read(entry.path()).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = slashes(path);
            if name.starts_with("crates/") && name.contains("/src/") && name.ends_with(".rs") {
                let text = String::from_utf8(content)?;
                let (text, found) = switched(&name, &text).unwrap_or_else(|fault| {
                    faults.push(fault.to_string());
                    (text, Vec::new())
                });
                content = text.into_bytes();
                rules.extend(found);
            }
            files.insert(path.to_owned(), content);
        }
        faults.extend(twice(&rules));
        if faults.is_empty() { Ok(Self { files, rules }) } else { Err(faults.join("\n").into()) }
    }

    /// Makes `folder` a copy. Files that are up to date are not touched, so that little has to be built again.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub(crate) fn copy_to(&self, folder: &Path) -> Result {
        for (path, content) in &self.files {
            let path = folder.join(path);
            if fs::read(&path).is_ok_and(|old| old == *content) {
                continue;
            }
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, content).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        for entry in WalkBuilder::new(folder).standard_filters(false).build() {
            let entry = entry?;
            let is_stale = !self.files.contains_key(entry.path().strip_prefix(folder)?);
            if is_stale && entry.file_type().is_some_and(|kind| kind.is_file()) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// The faults of those `rules` whose names are taken.
fn twice(rules: &[Rule]) -> Vec<String> {
    let (mut by_name, mut faults) = (BTreeMap::new(), Vec::new());
    for Rule { name, file, line, .. } in rules {
        let place = format!("{file}:{line}");
        if let Some(other) = by_name.insert(name, place.clone()) {
            faults.push(format!("{place}: {name} is at {other} too; choose another name"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comments_of_the_project_are_sound() {
        let sources = Sources::read(&workspace::root()).unwrap();
        assert!(sources.rules.iter().any(|rule| rule.name.starts_with("bm25.")));
    }

    #[test]
    fn a_name_is_used_once() {
        let rule = |file: &str, line| Rule { name: "a.b".into(), file: file.into(), line, lines: 1 };
        let expect = "y.rs:7: a.b is at x.rs:2 too; choose another name";
        assert_eq!(twice(&[rule("x.rs", 2), rule("y.rs", 7)]), [expect]);
        assert!(twice(&[rule("x.rs", 2)]).is_empty());
    }
}
