//! Important lines: those with a declaration.

use std::{collections::HashSet, ops::Range};

use contextfit_kernel::MeasuredBlock;
use contextfit_text::{Language, Needs, Shape};

/// The maximum number of lines in a signature. If a signature seems longer, only its first line counts.
const LONGEST_SIGNATURE_LINES: usize = 16;

/// A declaration: the units of its signature, and how deeply it is nested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Declaration {
    /// The first unit, including decorators and attributes.
    pub(crate) from: usize,
    /// One past the last unit of the signature.
    pub(crate) to: usize,
    /// The indentation, with a tab as four columns; for a heading, its level.
    pub(crate) depth: usize,
}

/// The declarations whose signatures are in the units `within`, in order. In prose, the headings. Linear in their text.
///
/// A signature extends until its brackets are closed and its body begins or it ends.
pub(crate) fn declarations(
    block: &MeasuredBlock<'_>,
    language: Option<&Language>,
    needs: &Needs,
    within: Range<usize>,
) -> Vec<Declaration> {
    let Range { start: from, end: to } = within;
    // A comment in fenced code looks like a heading.
    let headings: HashSet<usize> = needs.passages().iter().flat_map(|(_, units)| units).copied().collect();
    let code = language.filter(|language| language.shape == Shape::Code);
    let mut found: Vec<Declaration> = Vec::new();
    let mut unit = from;
    let mut decorated_from = None;
    let source = block.block().text.as_bytes();
    while unit < to {
        let line = || block.text(unit, unit + 1);
        let bytes = source.get(block.start_of(unit)..block.start_of(unit + 1)).unwrap_or_default();
        let visible = bytes.trim_ascii_start();
        // Most lines begin neither with a word nor with a sign that can come before one.
        let begins = matches!(visible, [b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'#' | b'@' | 0x80.., ..]);
        let declares = begins
            && match code {
                Some(language) => language.may_declare(visible) && language.declares(line()),
                None => visible.starts_with(b"#") && headings.contains(&unit),
            };
        if declares {
            let end = if code.is_some() { signature_end(block, unit, to) } else { unit + 1 };
            found.push(Declaration {
                from: decorated_from.unwrap_or(unit),
                to: end,
                depth: code.map_or_else(|| hashes(line()), |_| indentation(line())),
            });
            unit = end;
            decorated_from = None;
            continue;
        }
        let decorates = matches!(visible, [b'@', ..] | [b'#', b'[', ..]);
        decorated_from = if decorates { decorated_from.or(Some(unit)) } else { None };
        unit += 1;
    }
    found
}

/// The level of the Markdown heading `line`.
fn hashes(line: &str) -> usize {
    line.trim_start().bytes().take_while(|&byte| byte == b'#').count()
}

/// One past the last unit of the signature that starts at `unit`.
fn signature_end(block: &MeasuredBlock<'_>, unit: usize, to: usize) -> usize {
    let mut open = 0;
    for end in unit + 1..=to.min(unit + LONGEST_SIGNATURE_LINES) {
        let line = block.text(end - 1, end).trim_end();
        open += line.bytes().map(opened).sum::<isize>();
        let goes_on =
            line.ends_with([',', '|', '&', '\\']) || line.ends_with("->") || line.ends_with("where");
        if open <= 0 && !goes_on {
            return end;
        }
    }
    unit + 1
}

/// 1 for an opening bracket, -1 for a closing one. Without branches, so that many bytes are processed at once.
fn opened(byte: u8) -> isize {
    isize::from(matches!(byte, b'(' | b'[')) - isize::from(matches!(byte, b')' | b']'))
}

/// The width of the leading whitespace of `line`, with a tab as four columns.
fn indentation(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .map(|byte| if byte == b'\t' { 4 } else { 1 })
        .sum()
}
