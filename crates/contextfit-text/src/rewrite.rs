//! Texts written shorter without losing anything.

mod folders;
mod json;
mod records;
mod repeats;
mod row;
mod terminal;

use contextfit_kernel::Rewrite;

pub use folders::folder;
pub use repeats::repeated;
pub use terminal::has_controls;

/// What `rewrite` makes of `source`: never longer; `None` where it changes nothing. Linear.
///
/// - [`Rewrite::Terminal`]: each line as a terminal shows it at last. Escape sequences are gone; carriage returns, backspaces,
///   tabs and moves within the line are carried out, so that of a progress bar its last state is left. A move to another line
///   begins a new one: what stands there already stays. Of the blanks that moves leave, one at least stays, and
///   the others as far as the text gets no longer.
/// - [`Rewrite::JsonBlanks`]: JSON, or a part of it that begins and ends between tokens, without the white space between its tokens.
///   Values that stand one after another stay on lines of their own. Strings, numbers and escapes are untouched. Whether the text
///   that the part belongs to is JSON is for the caller to know ([`is_json`](crate::is_json)).
/// - [`Rewrite::JsonRecords`]: the same, and arrays of two records and more that have the same keys in the same order (2 to 24) as
///   `{"columns":[...],"rows":[[...],...]}`; JSON lines of such records as a line `{"columns":[...]}` and a line for each record. Only where that
///   is shorter. Nothing for a text that is no JSON, or that has a string `"columns"` of its own.
/// - [`Rewrite::Repeats`]: the same line again and again, or the same group of up to 16 lines, and nothing else, once with how often it
///   stands there.
/// - [`Rewrite::Folders`]: lines that begin with the same folder, as a line with its name and the rest of each line below it, after a tab.
///
/// ```
/// use contextfit_kernel::Rewrite;
/// use contextfit_text::rewritten;
///
/// let shown = |rewrite, source| rewritten(rewrite, source).unwrap_or_default();
/// assert_eq!(shown(Rewrite::Terminal, "10 %\r100 % \u{1b}[32mdone\u{1b}[0m\n"), "100 % done\n");
/// assert_eq!(shown(Rewrite::JsonBlanks, "{\"a\": [1, 6.17e-10]}"), "{\"a\":[1,6.17e-10]}");
/// assert_eq!(shown(Rewrite::Repeats, "waiting\nwaiting\nwaiting\n"), "waiting [x3]\n");
/// assert_eq!(shown(Rewrite::Folders, "src/net/a.rs:3:x\nsrc/net/b.rs:9:y\n"), "src/net/\n\ta.rs:3:x\n\tb.rs:9:y\n");
/// ```
#[must_use]
pub fn rewritten(rewrite: Rewrite, source: &str) -> Option<String> {
    match rewrite {
        Rewrite::Terminal => terminal::shown(source),
        Rewrite::JsonBlanks => json::without_blanks(source),
        Rewrite::JsonRecords => records::as_tables(source),
        Rewrite::Repeats => repeats::once(source),
        Rewrite::Folders => folders::under_heading(source),
        _ => None,
    }
}

/// Whether `text`, which `rewrite` made of `source`, says the same: for [`Rewrite::Repeats`] ([`repeated`]), [`Rewrite::JsonRecords`] and
/// [`Rewrite::Folders`] the source can be had back from it, for [`Rewrite::JsonBlanks`] it has the same tokens, for [`Rewrite::Terminal`] a terminal shows the same. Linear.
#[must_use]
pub fn says_the_same(rewrite: Rewrite, source: &str, text: &str) -> bool {
    match rewrite {
        Rewrite::Terminal => terminal::screen(source) == terminal::screen(text),
        Rewrite::JsonBlanks => json::tokens(source).eq(json::tokens(text)),
        Rewrite::JsonRecords => records::stands_for(text, source),
        Rewrite::Repeats => repeats::stands_for(text, source),
        Rewrite::Folders => folders::stands_for(text, source),
        _ => false,
    }
}
