//! The look of a text to a reader, whatever characters it is written with.

use unicode_normalization::char::decompose_compatible;

/// Dots in the middle of the line, which look like full stops but are no compatibility forms of them.
pub(crate) const MIDDLE_DOTS: [char; 5] = ['\u{b7}', '\u{387}', '\u{2219}', '\u{22c5}', '\u{30fb}'];

/// Three dots in the middle of the line.
pub(crate) const MIDLINE_ELLIPSIS: char = '\u{22ef}';

/// `text` in visible ASCII: compatibility forms as their usual characters (`［` as `[`, `…` as `...`, `é` as `e`), dots in
/// the middle of the line as full stops, white space as spaces. Everything else is left out, including any letters of
/// other scripts. Linear.
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
            // The fillers of Hangul and the blank of Braille look like spaces.
            '\u{115f}' | '\u{1160}' | '\u{2800}' => seen.push(' '),
            _ if c.is_whitespace() => seen.push(' '),
            '!'..='~' => seen.push(c),
            MIDLINE_ELLIPSIS => seen.push_str("..."),
            _ if MIDDLE_DOTS.contains(&c) => seen.push('.'),
            _ => {}
        });
    }
    seen
}
