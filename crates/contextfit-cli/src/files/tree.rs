//! `--tree`: where the tokens of a tree are.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Component, Path},
};

use contextfit::{
    kernel::{Tokens, one_line},
    text::float,
};
use serde::Serialize;

use crate::summary::grouped;

/// The smallest share of all tokens, in percent, that gets a line.
const SHOWN_PERCENT: usize = 1;

/// A folder, or a file, with its tokens.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) tokens: usize,
    pub(super) files: usize,
    inner: BTreeMap<String, Self>,
}

/// An entry of the JSON form.
#[derive(Debug, Serialize)]
struct Entry {
    path: String,
    tokens: usize,
    files: usize,
    /// The share of all tokens, from 0 to 1.
    share: f64,
}

/// The JSON form: folders and files, each by path.
#[derive(Debug, Serialize)]
pub(super) struct Shares {
    tokenizer: String,
    tokens: usize,
    folders: Vec<Entry>,
    files: Vec<Entry>,
}

impl Tree {
    /// The tree of these files.
    pub(super) fn new<'f>(files: impl IntoIterator<Item = (&'f Path, Tokens)>) -> Self {
        let mut tree = Self::default();
        for (path, tokens) in files {
            let mut node = &mut tree;
            node.add(tokens);
            for name in path.components() {
                let name = match name {
                    Component::RootDir => String::new(),
                    name => name.as_os_str().to_string_lossy().into_owned(),
                };
                node = node.inner.entry(name).or_default();
                node.add(tokens);
            }
        }
        tree
    }

    fn add(&mut self, tokens: Tokens) {
        self.tokens += tokens.get();
        self.files += 1;
    }

    fn is_file(&self) -> bool {
        self.inner.is_empty()
    }

    /// The lines for people: folders and files with at least a hundredth of all tokens, largest first.
    pub(super) fn lines(&self) -> String {
        let mut text = format!("{:>12}  {:>6}  {:>7}\n", "tokens", "share", "files");
        self.write(&mut text, 0, self.tokens.max(1));
        text
    }

    fn write(&self, text: &mut String, depth: usize, all: usize) {
        let mut inner: Vec<(String, &Self)> =
            self.inner.iter().map(|(name, node)| node.joined(name)).collect();
        inner.sort_by(|(a, one), (b, other)| other.tokens.cmp(&one.tokens).then_with(|| a.cmp(b)));
        let (shown, small): (Vec<_>, Vec<_>) =
            inner.into_iter().partition(|(_, node)| is_large(node.tokens, all));
        for (name, node) in &shown {
            let slash = if node.is_file() { "" } else { "/" };
            write_line(text, (node.tokens, node.files, all), depth, &format!("{name}{slash}"));
            node.write(text, depth + 1, all);
        }
        let tokens = small.iter().map(|(_, node)| node.tokens).sum();
        if (depth == 0 || !shown.is_empty()) && is_large(tokens, all) {
            let files = small.iter().map(|(_, node)| node.files).sum();
            write_line(text, (tokens, files, all), depth, &format!("({} smaller)", small.len()));
        }
    }

    /// This entry, or as long as it is a folder with one entry in it, that one.
    fn joined(&self, name: &str) -> (String, &Self) {
        let (mut name, mut node) = (name.to_owned(), self);
        while let Some((inner, only)) = node.inner.first_key_value()
            && node.inner.len() == 1
        {
            name = format!("{name}/{inner}");
            node = only;
        }
        (name, node)
    }

    /// The JSON form, with everything.
    pub(super) fn shares(&self, tokenizer: String) -> Shares {
        let mut shares = Shares { tokenizer, tokens: self.tokens, folders: Vec::new(), files: Vec::new() };
        self.collect(&mut shares, "", self.tokens);
        shares
    }

    fn collect(&self, shares: &mut Shares, above: &str, all: usize) {
        for (name, node) in &self.inner {
            let path = format!("{above}{name}");
            let below = format!("{path}/");
            let Self { tokens, files, .. } = *node;
            let entry = Entry { path, tokens, files, share: share(tokens, all) };
            let list = if node.is_file() { &mut shares.files } else { &mut shares.folders };
            list.push(entry);
            node.collect(shares, &below, all);
        }
    }
}

/// Whether `tokens` are enough of `all` for a line.
const fn is_large(tokens: usize, all: usize) -> bool {
    tokens.saturating_mul(100) >= all.saturating_mul(SHOWN_PERCENT)
}

/// Writes one line.
fn write_line(text: &mut String, (tokens, files, all): (usize, usize, usize), depth: usize, name: &str) {
    let (percent, indent) = (share(tokens, all) * 100.0, "  ".repeat(depth));
    let (tokens, files) = (grouped(tokens), grouped(files));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{tokens:>12}  {percent:>4.0} %  {files:>7}  {indent}{}", one_line(name));
}

/// The share of `tokens` in `all`.
fn share(tokens: usize, all: usize) -> f64 {
    float(tokens) / float(all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_large_has_a_line_and_folders_with_one_entry_are_joined() {
        let files = [("src/a/b/long.rs", 600), ("src/a/b/short.rs", 300), ("docs/x/y.md", 95), ("z", 5)];
        let tree = Tree::new(files.map(|(path, tokens)| (Path::new(path), Tokens::new(tokens))));
        let expect = "      tokens   share    files
         900    90 %        2  src/a/b/
         600    60 %        1    long.rs
         300    30 %        1    short.rs
          95    10 %        1  docs/x/y.md
";
        assert_eq!(tree.lines(), expect);
        let shares = tree.shares("chars/4".into());
        assert_eq!(shares.files.len(), 4);
        let folders: Vec<&str> = shares.folders.iter().map(|folder| folder.path.as_str()).collect();
        assert_eq!(folders, ["docs", "docs/x", "src", "src/a", "src/a/b"]);
    }
}
