//! Texts written shorter without losing anything.

mod json;
mod repeats;
mod row;
mod terminal;

use contextfit_kernel::Rewrite;

pub use repeats::repeated;
pub use terminal::has_controls;

/// What `rewrite` makes of `source`: never longer; `None` where it changes nothing. Linear.
///
/// - [`Rewrite::Terminal`]: each line as a terminal shows it at last. Escape sequences are gone; carriage returns, backspaces,
///   tabs and moves within the line are carried out, so that of a progress bar its last state is left. A move to another line
///   begins a new one: what stands there already stays. Of the blanks that moves leave, one at least stays, and
///   the others as far as the text gets no longer.
/// - [`Rewrite::JsonBlanks`]: JSON without the white space between its tokens. Values that stand one after another stay on lines
///   of their own. Strings, numbers and escapes are untouched. Nothing for a text that is no JSON ([`is_json`](crate::is_json)).
/// - [`Rewrite::Repeats`]: a run of identical lines, and nothing else, as the line and how often it stands there.
///
/// ```
/// use contextfit_kernel::Rewrite;
/// use contextfit_text::rewritten;
///
/// let shown = |rewrite, source| rewritten(rewrite, source).unwrap_or_default();
/// assert_eq!(shown(Rewrite::Terminal, "10 %\r100 % \u{1b}[32mdone\u{1b}[0m\n"), "100 % done\n");
/// assert_eq!(shown(Rewrite::JsonBlanks, "{\"a\": [1, 6.17e-10]}"), "{\"a\":[1,6.17e-10]}");
/// assert_eq!(shown(Rewrite::Repeats, "waiting\nwaiting\nwaiting\n"), "waiting [x3]\n");
/// ```
#[must_use]
pub fn rewritten(rewrite: Rewrite, source: &str) -> Option<String> {
    match rewrite {
        Rewrite::Terminal => terminal::shown(source),
        Rewrite::JsonBlanks => json::without_blanks(source),
        Rewrite::Repeats => repeats::once(source),
        _ => None,
    }
}

/// Whether `text`, which `rewrite` made of `source`, says the same: for [`Rewrite::Repeats`] the source can be had back from it
/// ([`repeated`]), for [`Rewrite::JsonBlanks`] it has the same tokens, for [`Rewrite::Terminal`] a terminal shows the same. Linear.
#[must_use]
pub fn says_the_same(rewrite: Rewrite, source: &str, text: &str) -> bool {
    match rewrite {
        Rewrite::Terminal => terminal::screen(source) == terminal::screen(text),
        Rewrite::JsonBlanks => json::tokens(source).eq(json::tokens(text)),
        Rewrite::Repeats => repeats::stands_for(text, source),
        _ => false,
    }
}
