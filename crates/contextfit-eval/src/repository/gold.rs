//! How much of a commit's files and functions is shown.

use std::{collections::BTreeSet, ops::Range, sync::Arc};

use contextfit_formats::{AnswerBlock, SearchAnswer};
use contextfit_kernel::{Block, ByteRange, CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Gold, Kept,
    item::{fraction, ratio},
    python::is_blank,
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

/// How much of a function is shown.
struct Shown {
    whole: bool,
    signature: bool,
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
        let (mut files, mut functions, mut tokens) = (0, Vec::new(), Tokens::ZERO);
        for file in &self.files {
            let found = blocks.iter().find(|(block, _)| block.id == file.path);
            let (text, lines) = match found {
                Some((block, answer)) => {
                    tokens += answer.tokens;
                    (block.text.as_str(), lines_within(&block.text, &answer.ranges))
                }
                None => ("", BTreeSet::new()),
            };
            files += usize::from(!lines.is_empty());
            functions.extend(file.functions.iter().map(|function| function.shown(text, &lines)));
        }
        let part = |is: fn(&Shown) -> bool| {
            (!functions.is_empty())
                .then(|| fraction(functions.iter().filter(|shown| is(shown)).count(), functions.len()))
        };
        let (whole, files) = (part(|shown| shown.whole), fraction(files, self.files.len()));
        let kept = whole.unwrap_or(files);
        let spent = answer.map_or(0, |answer| answer.metrics.tokens_after.get());
        Kept {
            all: kept >= 1.0,
            fraction: kept,
            functions: whole,
            signatures: part(|shown| shown.signature),
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
    /// How much of it is shown if `shown` are the shown lines of its file, `text`. Blank lines may be missing.
    fn shown(&self, text: &str, shown: &BTreeSet<usize>) -> Shown {
        let lines = text.split('\n').zip(1..).skip(self.start - 1).take(self.end + 1 - self.start);
        let mut lines = lines.filter(|(line, _)| !is_blank(line));
        Shown {
            whole: !shown.is_empty() && lines.all(|(_, number)| shown.contains(&number)),
            signature: shown.contains(&self.sig_line),
        }
    }
}

/// The lines of `text`, from 1, that lie within one of `ranges`, ignoring their line feeds. Linear in its length, and
/// in the length of each range.
fn lines_within(text: &str, ranges: &[ByteRange]) -> BTreeSet<usize> {
    let starts: Vec<usize> = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let end_of = |line: usize| starts.get(line + 1).map_or(text.len(), |next| next - 1);
    let within = |range: &ByteRange| {
        let lines = starts.partition_point(|start| *start < range.start())
            ..starts.partition_point(|start| *start < range.end());
        let (end, end_of) = (range.end(), &end_of);
        lines.filter(move |line| end_of(*line) <= end).map(|line| line + 1).collect::<Vec<_>>()
    };
    ranges.iter().flat_map(within).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ranges: &[(usize, usize)], expect: &[usize]) {
        let ranges: Vec<ByteRange> =
            ranges.iter().map(|(start, end)| ByteRange::new(*start, *end).unwrap()).collect();
        assert_eq!(
            lines_within(text, &ranges).into_iter().collect::<Vec<_>>(),
            expect,
            "{text:?} {ranges:?}"
        );
    }

    #[test]
    fn a_line_is_shown_without_its_line_feed_and_not_without_more() {
        check("ab\ncd\nef", &[(0, 8)], &[1, 2, 3]);
        check("ab\ncd\nef", &[(3, 5)], &[2]);
        check("ab\ncd\nef", &[(3, 6)], &[2]);
        check("ab\ncd\nef", &[(3, 4), (6, 8)], &[3]);
        check("ab\ncd\nef", &[(1, 8)], &[2, 3]);
        check("ab\r\ncd", &[(0, 2)], &[]);
        check("ab\r\ncd", &[(0, 3)], &[1]);
        // A blank line counts if something after it is shown.
        check("ab\n\ncd\n", &[(3, 6)], &[2, 3]);
        check("", &[], &[]);
    }
}
