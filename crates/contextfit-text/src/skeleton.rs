//! The look of a text to a reader, whatever characters it is written with.

use unicode_normalization::char::decompose_compatible;

/// Whether the [`skeleton`] of `c` has a full stop.
pub(crate) const fn has_full_stop(c: char) -> bool {
    is_middle_dot(c)
        || matches!(c, '.' | '\u{13f}'..='\u{140}' | '\u{2024}'..='\u{2026}' | '\u{22ef}')
        || matches!(c, '\u{2488}'..='\u{249b}' | '\u{33c2}' | '\u{33c7}' | '\u{33d8}')
        || matches!(c, '\u{fe19}' | '\u{fe30}' | '\u{fe52}' | '\u{ff0e}' | '\u{ff65}' | '\u{1f100}')
}

/// Whether `c` is a dot in the middle of the line, which looks like a full stop but is no compatibility form of it.
const fn is_middle_dot(c: char) -> bool {
    matches!(c, '\u{b7}' | '\u{387}' | '\u{2219}' | '\u{22c5}' | '\u{30fb}')
}

/// Whether `c` looks like hyphens but is no compatibility form of one.
const fn is_dash(c: char) -> bool {
    matches!(
        c,
        '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}' | '\u{2500}' | '\u{2501}' | '\u{2e3a}' | '\u{2e3b}'
    )
}

/// `text` in visible ASCII: compatibility forms as their usual characters (`［` as `[`, `…` as `...`, `é` as `e`), dots in
/// the middle of the line as full stops, dashes as hyphens, white space as spaces, other digits as zeros. Everything else is left out,
/// including any letters of other scripts. Linear.
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
        // Most characters; they have no other form.
        if c.is_ascii() {
            match c {
                '!'..='~' => seen.push(c),
                _ if c.is_whitespace() => seen.push(' '),
                _ => {}
            }
            continue;
        }
        decompose_compatible(c, |c| match c {
            // The fillers of Hangul and the blank of Braille look like spaces.
            '\u{115f}' | '\u{1160}' | '\u{2800}' => seen.push(' '),
            _ if c.is_whitespace() => seen.push(' '),
            '!'..='~' => seen.push(c),
            '\u{22ef}' => seen.push_str("..."),
            _ if is_middle_dot(c) => seen.push('.'),
            _ if is_dash(c) => seen.push('-'),
            '\u{3010}' | '\u{3014}' => seen.push('['),
            '\u{3011}' | '\u{3015}' => seen.push(']'),
            // The digits of other scripts.
            _ if c.is_numeric() => seen.push('0'),
            _ => {}
        });
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{has_full_stop, skeleton};

    #[test]
    fn characters_with_a_full_stop_in_their_skeleton() {
        for c in '\0'..=char::MAX {
            assert_eq!(skeleton(c.encode_utf8(&mut [0; 4])).contains('.'), has_full_stop(c), "{c:?}");
        }
    }
}
