//! The files of a repository, whole or in pieces.

use std::{fs, path::Path};

use ignore::WalkBuilder;

use crate::{Result, workspace::slashes};

/// The extensions of source files.
const KINDS: [&str; 20] = [
    "rs", "py", "ts", "tsx", "js", "mjs", "go", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs", "rb",
    "php", "swift", "sh", "md",
];
/// The longest source file in bytes: longer ones are generated tables.
const LONGEST: usize = 512 << 10;
/// Lines of a piece.
const LINES: usize = 60;

/// The size of the chunks that a retriever returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Whole files.
    Files,
    /// Pieces of 60 lines.
    Pieces,
}

impl Grain {
    pub(crate) const ALL: [Self; 2] = [Self::Files, Self::Pieces];

    /// The name for people.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Files => "whole files",
            Self::Pieces => "60-line chunks",
        }
    }
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Corpus {
    /// The name of its folder.
    pub name: String,
    /// Its files: path and text.
    files: Vec<(String, String)>,
}

/// The facts about a repository in the documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    pub name: String,
    pub files: usize,
    pub lines: usize,
    pub bytes: usize,
}

/// A chunk that a retriever can return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk<'c> {
    pub path: &'c str,
    pub text: String,
    /// The first line and the last, from 1; `None` for a whole file.
    pub lines: Option<(usize, usize)>,
}

impl Corpus {
    /// The sources below `folder`, by path.
    ///
    /// # Errors
    /// If the folder cannot be read or has no source files.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let mut files = Vec::new();
        for entry in WalkBuilder::new(folder).require_git(false).sort_by_file_path(Ord::cmp).build() {
            let entry = entry?;
            let path = entry.path();
            let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
            if !path.is_file() || !KINDS.contains(&kind) {
                continue;
            }
            // Sources that are not UTF-8 are left out, as in contextfit.
            if let Ok(text) = fs::read_to_string(path)
                && (1..=LONGEST).contains(&text.len())
            {
                files.push((slashes(path.strip_prefix(folder)?), text));
            }
        }
        let name = folder.canonicalize()?.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if files.is_empty() {
            return Err(format!("{}: no source files", folder.display()).into());
        }
        Ok(Self { name, files })
    }

    /// All chunks that can be retrieved.
    pub(crate) fn chunks(&self, grain: Grain) -> Vec<Chunk<'_>> {
        let parts = |text: &str| match grain {
            Grain::Files => vec![(text.to_owned(), None)],
            Grain::Pieces => pieces(text),
        };
        self.files
            .iter()
            .flat_map(|(path, text)| {
                parts(text).into_iter().map(move |(text, lines)| Chunk { path, text, lines })
            })
            .collect()
    }

    /// Its size.
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            name: self.name.clone(),
            files: self.files.len(),
            lines: self.files.iter().map(|(_, text)| text.lines().count()).sum(),
            bytes: self.files.iter().map(|(_, text)| text.len()).sum(),
        }
    }
}

/// The pieces of `text`, with their first and last lines.
fn pieces(text: &str) -> Vec<(String, Option<(usize, usize)>)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let piece = |(n, part): (usize, &[&str])| (part.concat(), Some((n * LINES + 1, n * LINES + part.len())));
    lines.chunks(LINES).enumerate().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_text() {
        let text: String = (1..=130).map(|n| format!("line {n}\n")).collect();
        let corpus = Corpus { name: "x".into(), files: vec![("a.rs".into(), text.clone())] };
        let pieces = corpus.chunks(Grain::Pieces);
        let lines: Vec<_> = pieces.iter().filter_map(|piece| piece.lines).collect();
        assert_eq!(lines, [(1, 60), (61, 120), (121, 130)]);
        assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(), text);
        assert_eq!(corpus.chunks(Grain::Files), [Chunk { path: "a.rs", text, lines: None }]);
    }

    #[test]
    fn this_repository_can_be_read() {
        let corpus = Corpus::read(&crate::workspace::root().join("xtask")).unwrap();
        let summary = corpus.summary();
        assert_eq!(summary.name, "xtask");
        assert!(summary.files > 10 && summary.bytes > summary.lines);
    }
}
