//! Trees and texts of git repositories, read by git itself: nothing is checked out.

use std::{
    collections::{BTreeSet, HashMap},
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::Arc,
    thread,
};

use crate::EvalError;

/// A zero byte within this many bytes makes a file binary: the rule of git and `contextfit files`.
const SNIFFED: usize = 8 << 10;

/// A repository.
pub(crate) struct Git {
    folder: PathBuf,
}

/// A regular file of a tree.
#[derive(Debug)]
pub(crate) struct TreeFile {
    pub(crate) path: String,
    /// The hash of its content.
    pub(crate) blob: String,
}

impl Git {
    /// The repository called `name` in `repositories`: the bare one `NAME/repo` or `NAME`, or the clone `NAME`.
    pub(crate) fn find(repositories: &Path, name: &str) -> Option<Self> {
        let is_git = |folder: &PathBuf| folder.join("HEAD").is_file() && folder.join("objects").is_dir();
        let inside = repositories.join(name);
        let folder = [inside.join("repo"), inside.join(".git"), inside].into_iter().find(is_git)?;
        Some(Self { folder })
    }

    /// The regular files of `commit`, a hexadecimal hash; no links, no submodules. `None` if the repository does not
    /// have the commit.
    pub(crate) fn tree(&self, commit: &str) -> Result<Option<Vec<TreeFile>>, EvalError> {
        let listed =
            self.command(&["ls-tree", "-r", "-z", commit]).output().map_err(|source| self.error(source))?;
        let entries = listed.stdout.split(|byte| *byte == 0);
        Ok(listed.status.success().then(|| entries.filter_map(regular_file).collect()))
    }

    /// The texts among `blobs`, each read once, without those that are missing, binary or not UTF-8. Linear in their
    /// sizes.
    pub(crate) fn texts(&self, blobs: &BTreeSet<String>) -> Result<HashMap<String, Arc<str>>, EvalError> {
        self.read(blobs).map_err(|source| self.error(source))
    }

    fn read(&self, blobs: &BTreeSet<String>) -> io::Result<HashMap<String, Arc<str>>> {
        let mut git = self
            .command(&["cat-file", "--batch", "--buffer"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(names), Some(contents)) = (git.stdin.take(), git.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let texts = thread::scope(|scope| {
            // Concurrently with reading: neither pipe holds everything. If git stops early, the missing answers show
            // it.
            scope.spawn(|| ask(names, blobs));
            answers(BufReader::new(contents), blobs)
        });
        git.wait()?;
        texts
    }

    /// Git with `arguments`. Objects missing from a partial clone stay missing: measuring never uses the network.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.folder).args(arguments);
        command.env("GIT_NO_LAZY_FETCH", "1").stdin(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn error(&self, source: io::Error) -> EvalError {
        EvalError::Git { path: self.folder.display().to_string(), source }
    }
}

/// The file in `entry`, which looks like `100644 blob NAME\tPATH`.
fn regular_file(entry: &[u8]) -> Option<TreeFile> {
    let entry = String::from_utf8_lossy(entry);
    let (facts, path) = entry.split_once('\t')?;
    let mut facts = facts.split(' ');
    let (mode, kind, blob) = (facts.next()?, facts.next()?, facts.next()?);
    // 120000 is a symbolic link.
    let is_file = mode.starts_with("100") && kind == "blob";
    is_file.then(|| TreeFile { path: path.into(), blob: blob.into() })
}

fn ask(names: ChildStdin, blobs: &BTreeSet<String>) -> io::Result<()> {
    let mut names = BufWriter::new(names);
    for blob in blobs {
        writeln!(names, "{blob}")?;
    }
    names.flush()
}

/// The texts in the output of `cat-file --batch` for `blobs`: `NAME blob SIZE` and the content on separate lines, or
/// `NAME missing`.
fn answers(mut output: impl BufRead, blobs: &BTreeSet<String>) -> io::Result<HashMap<String, Arc<str>>> {
    let mut texts = HashMap::with_capacity(blobs.len());
    for blob in blobs {
        let mut header = String::new();
        output.read_line(&mut header)?;
        let size = match header.trim_end().rsplit_once(' ') {
            Some((_, "missing")) => continue,
            Some((_, size)) => size.parse::<u64>().map_err(io::Error::other)?,
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        };
        let mut content = Vec::new();
        output.by_ref().take(size + 1).read_to_end(&mut content)?;
        content.pop();
        if let Some(text) = text(content) {
            texts.insert(blob.clone(), text.into());
        }
    }
    Ok(texts)
}

/// `content` as text; `None` if it is not.
fn text(content: Vec<u8>) -> Option<String> {
    let is_binary = content.iter().take(SNIFFED).any(|byte| *byte == 0);
    String::from_utf8(content).ok().filter(|_| !is_binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_submodules_are_no_files() {
        let path = |entry: &str| regular_file(entry.as_bytes()).map(|file| file.path);
        assert_eq!(path("100644 blob 0a1b\tsrc/a b.rs").as_deref(), Some("src/a b.rs"));
        assert_eq!(path("100755 blob 0a1b\trun.sh").as_deref(), Some("run.sh"));
        for other in ["120000 blob 0a1b\tlink", "160000 commit 0a1b\tmodule", "040000 tree 0a1b\tsrc", ""] {
            assert_eq!(path(other), None, "{other:?}");
        }
    }

    #[track_caller]
    fn check(said: &[u8], expect: Option<&[(&str, &str)]>) {
        let blobs = ["a", "b"].map(String::from).into();
        let texts = answers(said, &blobs).ok().map(|texts| {
            let mut texts: Vec<_> = texts.into_iter().map(|(name, text)| (name, text.to_string())).collect();
            texts.sort();
            texts
        });
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        assert_eq!(texts, expect.map(|expect| expect.iter().map(owned).collect()));
    }

    #[test]
    fn what_git_says_to_names() {
        check(b"a blob 4\nx\ny\n\nb blob 0\n\n", Some(&[("a", "x\ny\n"), ("b", "")]));
        check(b"a missing\nb blob 1\nz\n", Some(&[("b", "z")]));
        check(b"a blob 3\nx\0y\nb blob 1\n\xff\n", Some(&[]));
        check(b"a blob 1\nx\n", None);
    }
}
