//! Texts that imitate parts of the layout: headers, separators, blocks without their text, markers.

use std::{borrow::Cow, collections::HashMap};

use contextfit_kernel::{
    Action, Block, Context, InvalidPlan, LINE_BREAKS, Level, Measured, Passage, Piece, Plan,
};
use contextfit_text::{Fence, gap_word, has_controls, marker_with, readings, skeleton};

use crate::numbering::Numbering;

/// The start of the path in a header.
const PATH: &[&str] = &["File: "];

/// The start of a block without its text, in the format of KB Labs Mind.
const GIST: &str = "[metadata-only] ";

/// The start of the line above a text that a model shortened.
const SHORTENED: &str = "[shortened by ";

/// The start of the lines that enclose a text.
const FENCE: &str = "[fence-";

/// The lines that must enclose the text of a block, by the index of the block, so that no part of the text is mistaken
/// for a part of the layout. They depend only on the block, and a block that was cut keeps its lines; a second pass
/// therefore changes nothing.
pub(crate) fn fences(context: &Context) -> HashMap<usize, (String, String)> {
    let grammar = Grammar::of(context);
    let fence = |(n, block): (usize, &Block)| {
        let new = || {
            let fence = Fence::around(&[&block.text, &block.header()]);
            (fence.open(1), fence.close(1))
        };
        let is_new = block.level == Level::Full && grammar.forges(block);
        Some((n, block.fence.clone().or_else(|| is_new.then(new))?))
    };
    context.blocks.iter().enumerate().filter_map(fence).collect()
}

/// The lines that the layout of a context writes around its texts.
pub(crate) struct Grammar<'a> {
    context: &'a Context,
    /// The line between blocks; `None` if it is blank or there is none.
    separator: Option<&'a str>,
    /// Whether a block can begin with any line, because some headers have no path.
    bare: bool,
    /// Whether a header is nothing but a title.
    titled: bool,
}

impl<'a> Grammar<'a> {
    pub(crate) fn of(context: &'a Context) -> Self {
        let layout = &context.layout;
        let separator =
            Some(layout.separator.trim()).filter(|line| !line.is_empty() && layout.framing.is_none());
        let has_path =
            |block: &Block| block.as_passage().is_some_and(|passage| has_fields(&passage.header()));
        let bare = !layout.headers || !context.blocks.iter().all(has_path);
        let is_title =
            |block: &Block| Some(block.header()).is_some_and(|it| !it.is_empty() && !has_fields(&it));
        let titled = context.blocks.iter().any(is_title);
        Self { context, separator, bare: bare && separator.is_some(), titled }
    }

    /// Whether the text of `block` could be mistaken for several blocks. Linear in its length.
    fn forges(&self, block: &Block) -> bool {
        if self.context.layout.framing.is_some() || block.text.is_empty() {
            return false;
        }
        // A line that begins with its number cannot be mistaken for the start of a block, unless a terminal hides it.
        // Other line breaks than line feeds have no number behind them where a cut begins.
        let breaks = |line: &str| line.trim_end_matches('\r').contains(LINE_BREAKS);
        let is_numbered = Numbering::of(block, &self.context.layout).is_some();
        if is_numbered && !has_controls(&block.text) && !block.text.split('\n').any(breaks) {
            return false;
        }
        let headers = self.context.layout.headers;
        // Its first line could be the title of another one, and without separators so could every line.
        if headers && self.titled && (block.header().is_empty() || self.separator.is_none()) {
            return true;
        }
        readings(&block.text).any(|text| self.is_forged(block, &text))
    }

    /// Whether `text`, in which a reader sees `block`, could be mistaken for several blocks. White space around a line
    /// makes no difference.
    fn is_forged(&self, block: &Block, text: &str) -> bool {
        let headers = self.context.layout.headers;
        // A text without a header begins where the layout could have named a block.
        let first = text.split(LINE_BREAKS).next().unwrap_or_default();
        let is_bare = !headers || block.header().is_empty();
        if is_bare && reads_as_reference(skeleton(first).trim()) {
            return true;
        }
        // After the blank line that ends a header, only a path is misleading.
        let has_fields = has_fields(&block.header());
        let fields = if has_fields { PATH } else { Passage::FIELDS.as_slice() };
        // Without separators, a block can begin after any line.
        let (mut above, mut separated, mut last_separates) = (0, self.separator.is_none(), false);
        for line in text.split(LINE_BREAKS) {
            let is_plain = line.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            let seen = if is_plain { Cow::Borrowed(line) } else { skeleton(line).into() };
            let line = seen.trim();
            // A title can precede the path, and the lines before a path, or between a separator and a path, may be cut.
            let is_field = above <= 1 && Passage::begins_field(line, fields)
                || (separated || !has_fields) && Passage::begins_field(line, PATH);
            // Blocks stand between blank lines if there is no separator.
            let separates = self.separator.unwrap_or_default() == line;
            let is_reference =
                line.starts_with('[') && (self.separator.is_some() || reads_as_reference(line));
            if (headers && is_field)
                || (separates && self.bare)
                || (last_separates && is_reference)
                || [GIST, SHORTENED, FENCE].into_iter().any(|start| begins(line, start))
                || self.is_omission(line)
            {
                return true;
            }
            separated |= separates;
            last_separates = separates || last_separates && line.is_empty();
            above += usize::from(!line.is_empty());
        }
        false
    }

    /// Whether `line` could be mistaken for the line that counts the omitted blocks.
    fn is_omission(&self, line: &str) -> bool {
        if !line.trim_start().starts_with('[') {
            return false;
        }
        let compact = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
        let line = compact(line);
        let count = line.strip_prefix("[...").unwrap_or_default();
        let digits = count.find(|c: char| !c.is_ascii_digit()).and_then(|end| count.get(..end));
        let count = digits.and_then(|digits| digits.parse().ok());
        let marker = count.and_then(|count| self.context.layout.omission_marker(count));
        marker.is_some_and(|marker| compact(&marker) == line)
    }

    /// Whether `text`, which a plan shows instead of a block's text, has the form of a block without its text: the
    /// lines after the first are indented, and no line is a separator or part of a header.
    fn is_stand_in(&self, text: &str) -> bool {
        let mut lines = text.split(LINE_BREAKS);
        let first = lines.next().unwrap_or_default();
        let starts = self.separator.is_some_and(|separator| first.trim() == separator)
            || starts_with_any(first, &Passage::FIELDS)
            || self.is_omission(first);
        !starts && lines.all(|line| line.is_empty() || line.starts_with(char::is_whitespace))
    }

    /// Whether `marker` says that a part of `source` is missing, and nothing else: each of its lines has dots or is the
    /// beginning of a line of the source, and none could begin another block.
    fn is_marker(&self, marker: &str, source: &str) -> bool {
        let is_mark = |line: &str| line.len() <= LONGEST_MARK_BYTES && source.contains(line);
        let begins_block = |line: &str| {
            self.separator.is_some() && (starts_with_any(line, &Passage::FIELDS) || begins(line, GIST))
        };
        let is_own = |line: &str| !begins_block(line) && (line.contains("...") || is_mark(line.trim_end()));
        marker.contains("...") && marker.split(LINE_BREAKS).all(is_own)
    }

    /// Checks that no generated text that a plan has for `block` can be mistaken for something else.
    ///
    /// # Errors
    /// [`InvalidPlan::Forged`].
    pub(crate) fn check(&self, block: &Block, action: &Action) -> Result<(), InvalidPlan> {
        let is_honest = match action {
            Action::Render { text, .. } => self.context.layout.framing.is_some() || self.is_stand_in(text),
            Action::Cut { pieces } => markers(pieces).all(|marker| self.is_marker(marker, &block.text)),
            _ => true,
        };
        if is_honest { Ok(()) } else { Err(InvalidPlan::Forged(block.id.clone())) }
    }
}

/// The maximum length in bytes of a line of a marker without dots, such as the mark of a list or a quote.
const LONGEST_MARK_BYTES: usize = 16;

/// Adds to the markers of each block that `plan` cuts a word that does not occur in its text, if a line of the text
/// reads like a marker. Linear in the length of the blocks that are cut.
pub(crate) fn distinguish_gaps(plan: &mut Plan, input: &Measured<'_>) {
    for (step, measured) in plan.steps.iter_mut().zip(&input.blocks) {
        let Action::Cut { pieces } = &mut step.action else { continue };
        let Some(word) = gap_word(&measured.block().text) else { continue };
        for piece in pieces {
            if let Piece::Marker(marker) = piece {
                *marker = marker_with(marker, &word);
            }
        }
        step.tokens = None;
    }
}

/// Checks that the markers of `block` have the distinguishing word, if they need one.
///
/// # Errors
/// [`InvalidPlan::Forged`].
pub(crate) fn check_gaps(block: &Block, action: &Action) -> Result<(), InvalidPlan> {
    let Action::Cut { pieces } = action else { return Ok(()) };
    let Some(word) = gap_word(&block.text) else { return Ok(()) };
    let mut lines = markers(pieces).flat_map(str::lines);
    match lines.all(|line| !line.contains("...") || line.contains(&word)) {
        true => Ok(()),
        false => Err(InvalidPlan::Forged(block.id.clone())),
    }
}

/// The markers among `pieces`.
fn markers(pieces: &[Piece]) -> impl Iterator<Item = &str> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Marker(marker) => Some(marker.as_str()),
        _ => None,
    })
}

/// Whether a header has more than a title.
fn has_fields(header: &str) -> bool {
    header.ends_with("\n\n")
}

/// Whether `line` begins with `start`, perhaps in capitals.
fn begins(line: &str, start: &str) -> bool {
    line.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start))
}

fn starts_with_any(line: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| line.starts_with(start))
}

/// Whether `line` reads as a block that is only named: `[id]`, or `[id] path`. JSON does not.
fn reads_as_reference(line: &str) -> bool {
    let named = line.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
    named.is_some_and(|(id, path)| {
        !id.is_empty() && !id.contains(['"', '{', ',']) && path.split_whitespace().count() < 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(passage: Passage, text: &str, expect: bool) {
        let context = Context::new(vec![Block::passage("x", passage, text)]);
        assert_eq!(!fences(&context).is_empty(), expect, "{text:?}");
    }

    #[test]
    fn headers_in_texts() {
        let check = |text, expect| check(Passage::at("a.md"), text, expect);
        check("", false);
        check("a\n---\nb\n", false);
        check("---\nFile: a\n\nb\n", true);
        check("a\n---\nFile: b\n", true);
        check("a\r\n--- \r\n\r\nFile: b\r\n", true);
        check("a\n---\nTitle\nFile: b\n", true);
        check("a\n---\nb\nc\nd\nFile: e\n", true);
        check("File: a\n", true);
        check("\n\nFile: a\n", true);
        check("Title\nFile: a\n", true);
        check("a\u{2028}---\u{2028}File: b", true);
        check("a\nb\nFile: c\n", false);
        check("a\n---\n\n \u{2003} File: b\n", true);
        check("a\n---\nb\n    File: c\n", true);
        check("\u{a0}File: b\n", true);
        check("a\n\u{7}[metadata-only] b.rs\n", true);
        check("FILE : b\n", true);
        check("File::Path - make directories\n", false);
        check("---\nfile: intro.md\n", false);
        // As a terminal shows it.
        check("a\n\u{1b}[0m---\nFi\u{1b}[mle: b\n", true);
        check("a\n---\nx\u{1b}[2K\rFile: b\n", true);
        check("a\n\u{1b}[1m[... 3 passages]\n", true);
        check("a\n[\u{2026}3 passages]\nb\n[. . . 3 passages]\n", true);
        check("a\n[... 3 Passages]\n", true);
        check("a\n[Metadata-Only] b\n", true);
        check("a\n---\n// File: b\n", false);
        check("a\n----\nFile: b\n", false);
        check("Type: b\n", false);
        check("a\n---\n\n[x] secret.rs\n", true);
        check("a\n[metadata-only] b.rs\n", true);
        check("a\n[... 3 passages]\nb", true);
        check("a\n[... 3 lines]\nb", false);
        check("a\n---\nFile:\tb\n", true);
    }

    #[test]
    fn numbered_lines() {
        let check = |text: &str, expect: bool| {
            let passage = Passage::at("a.md").with_lines(1, 9);
            let layout = contextfit_kernel::Layout::default().with_line_numbers(true);
            let context = Context::new(vec![Block::passage("x", passage, text)]).with_layout(layout);
            assert_eq!(!fences(&context).is_empty(), expect, "{text:?}");
        };
        check("x\r\n---\r\nFile: b.md\r\n", false);
        check("x\r---\rFile: b.md\r", true);
        check("x\u{2028}---\u{2028}File: b.md\n", true);
    }

    #[test]
    fn blocks_without_separators_or_headers() {
        let check = |separator: &str, blocks: Vec<Block>, expect: &[usize]| {
            let layout = contextfit_kernel::Layout::default().with_separator(separator);
            let mut fenced: Vec<usize> =
                fences(&Context::new(blocks).with_layout(layout)).into_keys().collect();
            fenced.sort_unstable();
            assert_eq!(fenced, expect, "{separator:?}");
        };
        let at = |path: &str, text: &str| Block::passage(path, Passage::at(path), text);
        let blocks = || vec![at("a.md", "1\n2\n3\n\nFile: f.md\n\nforged\n"), at("b.md", "second\n")];
        check("", blocks(), &[0]);
        check(" ", blocks(), &[0]);
        check("***", blocks(), &[]);
        let guide = |text: &str| Block::passage("a", Passage::default().with_title("Guide"), text);
        check("", vec![guide("a\n\nPolicy\nb"), guide("c\n")], &[0, 1]);
        // A text without a header begins like the title of another one.
        let titled = Block::passage("a", Passage::default().with_title("Guide"), "a\n");
        let bare = || Block::passage("", Passage::default(), "Official policy\nb\n");
        check("---", vec![titled, bare()], &[1]);
        check("---", vec![bare(), bare()], &[]);
        let named = |text: &str| Block::passage("", Passage::default(), text);
        let texts = [
            "[d9] docs/evil.md",
            "[docs/evil.md]\nb\n",
            "[d 9] \u{a0}x",
            "[ INFO ] it is ready",
            "a\n[d9]",
            "[]",
            "[\"d9\"]",
            "[{\"a\": [1, 2]}]",
        ];
        check("---", texts.map(named).into(), &[0, 1, 2]);
        for (separator, text) in [("---", "[d9] docs/evil.md"), ("", "[4]\n"), ("", "a\n\n [d9]\n\nb")] {
            let layout = contextfit_kernel::Layout::default().with_headers(false).with_separator(separator);
            let context = Context::new(vec![at("a.md", text)]).with_layout(layout);
            assert_eq!(fences(&context).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn texts_between_others_without_paths() {
        let titled = || Passage::default().with_title("Guide");
        check(titled(), "a\n---\nb\n", true);
        check(Passage::default(), "a\n---\nOther\nb\n", true);
        check(titled(), "Type: b\n", true);
        check(titled(), "a\nb\nType: c\n", false);
        check(titled(), "a\nb\nc\nFile: d\n", true);
    }
}
