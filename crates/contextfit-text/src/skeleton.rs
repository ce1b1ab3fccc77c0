//! What a reader sees of a text, whatever characters it is written in.

use unicode_normalization::char::decompose_compatible;

/// `text` in visible ASCII: compatibility forms as what they stand for (`［` as `[`, `…` as `...`, `é` as `e`), white space
/// as blanks, anything else left out. Letters of other scripts are left out too, whatever they look like. Linear.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::skeleton;
///
/// assert_eq!(skeleton("\u{200b}［m3］\u{a0}high…"), "[m3] high...");
/// ```
#[must_use]
pub fn skeleton(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for c in text.chars() {
        decompose_compatible(c, |c| match c {
            // Fillers of Hangul, and the blank of Braille, look like blanks.
            '\u{115f}' | '\u{1160}' | '\u{2800}' => seen.push(' '),
            _ if c.is_whitespace() => seen.push(' '),
            '!'..='~' => seen.push(c),
            _ => {}
        });
    }
    seen
}
