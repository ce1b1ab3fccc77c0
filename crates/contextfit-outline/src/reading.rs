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
    let is_blank = |line: &&str| line.trim_ascii().is_empty();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut end = 0;
    let items = lines.chunk_by(|one, next| is_blank(one) == is_blank(next)).filter_map(|run| {
        let start = end;
        end += run.iter().map(|line| line.len()).sum::<usize>();
        let range = ByteRange::new(start, end).filter(|_| !run.iter().all(is_blank))?;
        Some(OutlineItem { kind: ItemKind::Other, parent: None, range, name: None, required: false })
    });
    Outline { items: items.collect(), bodies: Vec::new() }
}
