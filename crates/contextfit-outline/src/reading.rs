//! From a text to its outline, by whatever this build has for its language.

use contextfit_text::Language;

use crate::{Outline, indentation, lines::Lines, syntax};

impl Outline {
    /// The outline of `text` in `language`: from its syntax tree if this build has the grammar and can read the text,
    /// otherwise from indentation and declaring keywords. Linear in the text, without recursion.
    ///
    /// ```
    /// use contextfit_outline::{ItemKind, Outline};
    /// use contextfit_text::Language;
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
