//! How much of a commit's files and functions is shown.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use contextfit_formats::{AnswerBlock, SearchAnswer};
use contextfit_kernel::{Block, CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Gold, Kept,
    item::{fraction, ratio},
    python::is_blank,
    units::lines_within,
};

/// A file that a commit changed.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Changed {
    pub(super) path: String,
    functions: Vec<Function>,
}

/// Lines `start` to `end`, from 1, inclusive; the name is on line `sig_line`.
#[derive(Debug, Clone, Deserialize)]
struct Function {
    start: usize,
    end: usize,
    sig_line: usize,
}

/// The evidence for a commit.
pub(super) struct Commit {
    files: Vec<Changed>,
}

impl Commit {
    /// The commit that changed `files`, all of them in `tree`: paths and texts. On error, the field and a message.
    pub(super) fn new(files: Vec<Changed>, tree: &[(String, Arc<str>)]) -> Result<Self, (String, String)> {
        for (n, Changed { path, functions }) in files.iter().enumerate() {
            let text = tree.iter().find(|(other, _)| other == path).map_or("", |(_, text)| text);
            let last = text.split('\n').count();
            for (m, Function { start, end, sig_line }) in functions.iter().enumerate() {
                if *start == 0 || *end > last || !(start..=end).contains(&sig_line) {
                    return Err((
                        format!("gold[{n}].functions[{m}]"),
                        format!(
                            "lines {start} to {end} (signature on {sig_line}) are not a function in the {last} lines of {path}"
                        ),
                    ));
                }
            }
        }
        Ok(Self { files })
    }
}

impl Gold for Commit {
    /// A commit without functions, such as a change to documents, needs a line of each of its files.
    fn judge(&self, context: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let answer = result.map(|result| SearchAnswer::new(None, "", context, result));
        let blocks: Vec<(&Block, &AnswerBlock)> =
            answer.iter().flat_map(|answer| context.blocks.iter().zip(&answer.blocks)).collect();
        let (mut files, mut tokens) = (0, Tokens::ZERO);
        let (mut functions, mut whole, mut signatures) = (0, 0, 0);
        for file in &self.files {
            let found = blocks.iter().find(|(block, _)| block.id == file.path);
            let (text, lines) = match found {
                Some((block, answer)) => {
                    tokens += answer.tokens;
                    (block.text.as_str(), lines_within(&block.text, &answer.ranges, |_| false))
                }
                None => ("", BTreeSet::new()),
            };
            files += usize::from(!lines.is_empty());
            for function in &file.functions {
                functions += 1;
                whole += usize::from(function.is_whole(text, &lines));
                signatures += usize::from(lines.contains(&function.sig_line));
            }
        }
        let part = |shown: usize| (functions > 0).then(|| fraction(shown, functions));
        let (whole, files) = (part(whole), fraction(files, self.files.len()));
        let kept = whole.unwrap_or(files);
        let spent = answer.map_or(0, |answer| answer.metrics.tokens_after.get());
        Kept {
            all: kept >= 1.0,
            fraction: kept,
            functions: whole,
            signatures: part(signatures),
            files: Some(files),
            gold_share: Some(ratio(tokens.get(), spent)),
            ..Kept::default()
        }
    }

    /// The lines of functions, or of the whole file if the commit has none.
    fn needs(&self, id: &str, lines: Range<usize>) -> bool {
        let without = self.files.iter().all(|file| file.functions.is_empty());
        self.files.iter().filter(|file| file.path == id).any(|file| {
            without
                || file
                    .functions
                    .iter()
                    .any(|function| function.start < lines.end && lines.start <= function.end)
        })
    }
}

impl Function {
    /// Whether all of it is shown if `shown` are the shown lines of its file, `text`. Blank lines may be missing.
    fn is_whole(&self, text: &str, shown: &BTreeSet<usize>) -> bool {
        let lines = text.split('\n').zip(1..).skip(self.start - 1).take(self.end + 1 - self.start);
        let mut lines = lines.filter(|(line, _)| !is_blank(line));
        !shown.is_empty() && lines.all(|(_, number)| shown.contains(&number))
    }
}
