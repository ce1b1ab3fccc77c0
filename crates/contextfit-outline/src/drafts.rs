//! Items under construction.

use contextfit_kernel::ByteRange;

use crate::{Body, ItemKind, Outline, OutlineItem, lines::Lines};

/// An item under construction, in rows instead of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) kind: ItemKind,
    pub(crate) parent: Option<usize>,
    pub(crate) from: usize,
    /// One past the last row; equal to `from` until the item covers whole lines.
    pub(crate) to: usize,
    pub(crate) name: Option<ByteRange>,
    pub(crate) required: bool,
}

/// A [`Body`] under construction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DraftBody {
    pub(crate) parent: Option<usize>,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The outline of `drafts`: those that never came to cover whole lines pass their parts to their parent. Linear.
pub(crate) fn outline(
    drafts: Vec<Draft>,
    bodies: Vec<DraftBody>,
    lines: &Lines<'_>,
    placeholder: &'static str,
) -> Outline {
    let mut places: Vec<Option<usize>> = Vec::with_capacity(drafts.len());
    let mut items: Vec<OutlineItem> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let parent = draft.parent.and_then(|parent| places.get(parent).copied().flatten());
        if draft.from == draft.to {
            places.push(parent);
            continue;
        }
        places.push(Some(items.len()));
        let range = ByteRange::new(lines.start(draft.from), lines.start(draft.to));
        let Draft { kind, name, required, .. } = draft;
        items.extend(range.map(|range| OutlineItem { kind, parent, range, name, required }));
    }
    let bodies = bodies.into_iter().filter_map(|DraftBody { parent, from, to }| {
        let parent = parent.and_then(|parent| places.get(parent).copied().flatten());
        let range = ByteRange::new(lines.start(from), lines.start(to))?;
        Some(Body { parent, range, placeholder })
    });
    Outline { items, bodies: bodies.collect() }
}
