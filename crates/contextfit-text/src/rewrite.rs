//! Lossless rewrites that make texts shorter.

mod json;
mod repeats;
mod row;
mod terminal;

use std::borrow::Cow;

use contextfit_kernel::Rewrite;

pub use repeats::{reads_as_repeated, repeated};
pub use terminal::has_controls;

/// Applies `rewrite` to `source`. The result is never longer; `None` if nothing changes. Linear.
///
/// - [`Rewrite::Terminal`]: each line as a terminal finally shows it. Escape sequences are removed; carriage returns,
///   backspaces, tabs and moves within the line are carried out, so only the last state of a progress bar remains. A
///   move to another line begins a new line, and the text printed on the old one is kept. Each gap that a move leaves
///   keeps at least one blank, and more as long as the text does not get longer.
/// - [`Rewrite::JsonBlanks`]: JSON, or a part of it that begins and ends between tokens, without the white space
///   between its tokens. Consecutive values remain on separate lines. Strings, numbers and escapes are unchanged. The
///   caller must know that the whole text is JSON ([`is_json`](crate::is_json)).
/// - [`Rewrite::Repeats`]: a text that only repeats one line, or one group of up to 16 lines, as that line or group
///   with the number of repetitions.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; pub use ::contextfit_text as text; }
/// use contextfit::{kernel::Rewrite, text::rewritten};
///
/// let shown = |rewrite, source| rewritten(rewrite, source).unwrap_or_default();
/// assert_eq!(shown(Rewrite::Terminal, "10 %\r100 % \u{1b}[32mdone\u{1b}[0m\n"), "100 % done\n");
/// assert_eq!(shown(Rewrite::JsonBlanks, "{\"a\": [1, 6.17e-10]}"), "{\"a\":[1,6.17e-10]}");
/// assert_eq!(shown(Rewrite::Repeats, "waiting\nwaiting\nwaiting\n"), "waiting [x3]\n");
/// ```
#[must_use]
pub fn rewritten(rewrite: Rewrite, source: &str) -> Option<String> {
    match rewrite {
        Rewrite::Terminal => terminal::shown(source), // ablate: text.terminal => None
        Rewrite::JsonBlanks => json::without_blanks(source), // ablate: text.json-blanks => None
        Rewrite::Repeats => repeats::once(source),    // ablate: text.repeats => None
        _ => None,
    }
}

/// The forms in which a reader may see `text`: as it is and, if it controls a terminal, as a terminal shows it. Linear.
pub fn readings(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    std::iter::once(Cow::Borrowed(text)).chain(terminal::shown(text).map(Cow::Owned))
}

/// Whether `text` is a lossless `rewrite` of `source`. For [`Rewrite::Repeats`], the source can be restored from it
/// ([`repeated`]); for [`Rewrite::JsonBlanks`], it has the same tokens; for [`Rewrite::Terminal`], a terminal shows the
/// same. Linear.
#[must_use]
pub fn says_the_same(rewrite: Rewrite, source: &str, text: &str) -> bool {
    match rewrite {
        Rewrite::Terminal => terminal::screen(source) == terminal::screen(text),
        Rewrite::JsonBlanks => json::tokens(source).eq(json::tokens(text)),
        Rewrite::Repeats => repeats::stands_for(text, source),
        _ => false,
    }
}
