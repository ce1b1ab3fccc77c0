//! Outlines without a grammar, from indentation and declaring keywords.

use contextfit_kernel::ByteRange;
use contextfit_text::Language;

use crate::{ItemKind, Outline, OutlineItem, lines::Lines};

/// Every line starts an item. Deeper-indented lines below it are its parts, and a line at its own indentation that only
/// closes something still belongs to it. Linear.
pub(crate) fn outline(lines: &Lines<'_>, language: &Language) -> Outline {
    let mut items: Vec<OutlineItem> = Vec::new();
    // Items that may continue, outermost first, with their indentation.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut end = 0;
    for row in 0..lines.len() {
        let line = lines.trimmed(row);
        if line.is_empty() {
            continue;
        }
        let depth = lines.indentation(row);
        while let Some((item, _)) = open.pop_if(|(_, indentation)| *indentation > depth) {
            close(&mut items, item, end);
        }
        let above = open.pop_if(|(_, indentation)| *indentation == depth);
        let before = std::mem::replace(&mut end, lines.start(row + 1));
        if let Some((item, _)) = above {
            if closes(line) {
                close(&mut items, item, end);
                continue;
            }
            close(&mut items, item, before);
        }
        let kind = if language.declares(line) { ItemKind::Function } else { ItemKind::Other };
        let parent = open.last().map(|&(item, _)| item);
        open.push((items.len(), depth));
        let range = ByteRange::new(lines.start(row), end);
        items.extend(range.map(|range| OutlineItem { kind, parent, range, name: None, required: false }));
    }
    for (item, _) in open {
        close(&mut items, item, end);
    }
    Outline { items, bodies: Vec::new() }
}

/// Whether `line` only closes the lines above it.
fn closes(line: &str) -> bool {
    line.starts_with(['}', ')', ']']) || line == "end" || line.starts_with("end ")
}

/// Extends the item to `end`.
fn close(items: &mut [OutlineItem], item: usize, end: usize) {
    if let Some(item) = items.get_mut(item) {
        item.range = ByteRange::new(item.range.start(), end).unwrap_or(item.range);
    }
}
