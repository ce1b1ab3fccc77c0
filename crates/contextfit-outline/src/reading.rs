//! The outline of a text, by whatever this build has for its language.

use contextfit_kernel::ByteRange;
use contextfit_text::Language;

use crate::{ItemKind, Outline, OutlineItem, indentation, lines::Lines, syntax};

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
        syntax::outline(text, language, &lines).unwrap_or_else(|| indentation::outline(&lines, language))
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
