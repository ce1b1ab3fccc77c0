//! Tasks in whole repositories: a commit's subject, the tree before it, the files and functions it changed.

mod gold;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;
use serde::Deserialize;

use self::gold::{Changed, Commit};
use crate::{
    EvalError, Input, Item, Worktree,
    folder::{Folder, Line, Loaded, some},
    git::{Git, TreeFile},
};

/// The part in the file name: none, as it is called `SPLIT.jsonl`.
pub(crate) const COMMITS_PART: &str = "";

/// Where repositories are, and which form of a task is used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repositories {
    /// The folder with a git repository `OWNER+NAME/repo` or `OWNER+NAME` for each one named in the items.
    pub folder: Option<PathBuf>,
    /// Whether to use `query_noid`, the task without the identifiers it names.
    pub without_identifiers: bool,
}

/// A commit's subject and location.
#[derive(Deserialize)]
struct CommitLine {
    id: String,
    /// `OWNER+NAME`.
    repo: String,
    /// The parent commit.
    parent: String,
    query: String,
    query_noid: Option<String>,
    gold: Vec<Changed>,
}

/// Whether the file of `folder` contains commits, which its name does not say.
pub(crate) fn has_commits(folder: &Folder) -> bool {
    folder.first(COMMITS_PART).is_some_and(|line| line.get("repo").is_some() && line.get("parent").is_some())
}

/// The commits of a folder, in the order of its file.
pub(crate) fn load(folder: &Folder, repositories: &Repositories) -> Result<Loaded, EvalError> {
    let lines = folder.read::<CommitLine>(COMMITS_PART)?;
    let Some(root) = &repositories.folder else {
        return Err(EvalError::NoRepositories { path: folder.file(COMMITS_PART).display().to_string() });
    };
    let mut of_repository: BTreeMap<&str, Vec<&Line<CommitLine>>> = BTreeMap::new();
    for line in &lines {
        of_repository.entry(&line.value.repo).or_default().push(line);
    }
    let source = CommitSource { folder, root, without_identifiers: repositories.without_identifiers };
    let read: Vec<Loaded> =
        of_repository.par_iter().map(|(name, lines)| source.items(name, lines)).collect::<Result<_, _>>()?;
    let mut all = Loaded::default();
    for Loaded { items, skipped } in read {
        all.items.extend(items);
        // Every reason names its repository.
        all.skipped.extend(skipped);
    }
    all.items.sort_by_key(|item| item.number);
    Ok(all)
}

/// The origin of items.
struct CommitSource<'a> {
    folder: &'a Folder,
    root: &'a Path,
    without_identifiers: bool,
}

impl CommitSource<'_> {
    /// The items in the repository `name`.
    fn items(&self, name: &str, lines: &[&Line<CommitLine>]) -> Result<Loaded, EvalError> {
        let mut loaded = Loaded::default();
        let Some(git) = Git::find(self.root, name) else {
            let reason = format!("no repository {name} in {}", self.root.display());
            loaded.skipped.insert(reason, lines.len());
            return Ok(loaded);
        };
        let mut trees = Vec::with_capacity(lines.len());
        for Line { number, value } in lines {
            // It becomes an argument to git.
            let parent = &value.parent;
            if parent.is_empty() || !parent.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                let message = format!("expected the hexadecimal name of a commit, found {parent:?}");
                return Err(self.folder.malformed(COMMITS_PART, *number, "parent", message));
            }
            trees.push(git.tree(parent)?);
        }
        let blobs: BTreeSet<String> =
            trees.iter().flatten().flatten().map(|file| file.blob.clone()).collect();
        let texts = git.texts(&blobs)?;
        for (Line { number, value }, tree) in lines.iter().zip(trees) {
            let Some(tree) = tree else {
                loaded.skip(format!("no commit {} in {name}", value.parent));
                continue;
            };
            let files = texts_of(tree, &texts);
            let is_absent = |file: &&Changed| files.iter().all(|(path, _)| *path != file.path);
            if let Some(absent) = value.gold.iter().find(is_absent) {
                loaded.skip(format!("no text {} in {name} at {}", absent.path, value.parent));
                continue;
            }
            let malformed = |(field, message)| self.folder.malformed(COMMITS_PART, *number, field, message);
            loaded.items.push(Line { number: *number, value: self.item(value, files).map_err(malformed)? });
        }
        Ok(loaded)
    }

    /// The item of `line`, in `files`; on error, the field and a message.
    fn item(&self, line: &CommitLine, files: Vec<(String, Arc<str>)>) -> Result<Item, (String, String)> {
        let task = match &line.query_noid {
            _ if !self.without_identifiers => &line.query,
            Some(query) => query,
            None => return Err(("query_noid".into(), "expected a string, found nothing".into())),
        };
        some("gold", &line.gold)?;
        let gold = Commit::new(line.gold.clone(), &files)?;
        let input = Input::Repository(Worktree { files, task: task.clone() });
        Ok(Item { id: line.id.clone(), input, gold: Box::new(gold) })
    }
}

/// Path and text of each text file in `tree`, in path order.
fn texts_of(tree: Vec<TreeFile>, texts: &HashMap<String, Arc<str>>) -> Vec<(String, Arc<str>)> {
    let text = |file: TreeFile| Some((file.path, Arc::clone(texts.get(&file.blob)?)));
    let mut files: Vec<_> = tree.into_iter().filter_map(text).collect();
    files.sort_by(|(path, _), (other, _)| Path::new(path).cmp(Path::new(other)));
    files
}
