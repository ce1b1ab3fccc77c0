//! The outline of a text, by whatever this build has for its language.

use contextfit_kernel::ByteRange;
use contextfit_text::Language;

use crate::{ItemKind, Outline, OutlineItem, lines::Lines, syntax};

impl Outline {
    /// The outline of `text` in `language`: from its syntax tree if this build has the grammar and it can read the
    /// text, otherwise from indentation and declaring keywords. Linear in the length of the text, without recursion.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_outline as code; pub use ::contextfit_text as text; }
    /// use contextfit::{code::{ItemKind, Outline}, text::Language};
    ///
    /// let text = "fn one() {\n    two()\n}\n";
    /// let outline = Outline::of(text, Language::named("rust").ok_or("no language")?);
    /// let kinds: Vec<ItemKind> = outline.items.iter().map(|item| item.kind).collect();
    /// assert_eq!(kinds, [ItemKind::Function, ItemKind::Other]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(text: &str, language: &Language) -> Self {
        let lines = Lines::new(text);
        syntax::outline(text, language, &lines).unwrap_or_else(|| by_indentation(&lines, language))
    }
}

/// The outline whose items are the runs of non-blank lines. Linear.
pub(crate) fn by_passages(text: &str) -> Outline {
    let mut items: Vec<OutlineItem> = Vec::new();
    let (mut from, mut at) = (None, 0);
    for line in text.split_inclusive('\n').chain([""]) {
        let blank = line.trim_ascii().is_empty();
        match from {
            Some(start) if blank => {
                let range = ByteRange::new(start, at);
                let kind = ItemKind::Other;
                items.extend(range.map(|range| OutlineItem {
                    kind,
                    parent: None,
                    range,
                    name: None,
                    required: false,
                }));
                from = None;
            }
            None if !blank => from = Some(at),
            _ => {}
        }
        at += line.len();
    }
    Outline { items, bodies: Vec::new() }
}

/// The outline in which every line starts an item. Deeper-indented lines below it are its parts, and a line at its own
/// indentation that only closes something belongs to it too. Linear.
fn by_indentation(lines: &Lines<'_>, language: &Language) -> Outline {
    let mut items: Vec<OutlineItem> = Vec::new();
    // Items that may continue, the outermost first, and their indentation.
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

/// Ends the item at `end`.
fn close(items: &mut [OutlineItem], item: usize, end: usize) {
    if let Some(item) = items.get_mut(item) {
        item.range = ByteRange::new(item.range.start(), end).unwrap_or(item.range);
    }
}
