//! Outlines of text that is not code: passages separated by blank lines.

use contextfit_kernel::ByteRange;

use crate::{ItemKind, Outline, OutlineItem};

/// Every run of non-blank lines is an item. Linear.
pub(crate) fn outline(text: &str) -> Outline {
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
