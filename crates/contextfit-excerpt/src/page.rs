//! HTML pages: the part a reader sees.

use crate::{
    rows::Rows,
    worth::{EDGE, END, PLAIN, Sheet, TOTAL},
};

/// Elements with nothing for a reader to see.
const UNSEEN: [&str; 3] = ["script", "style", "head"];

/// A row with this many bytes of text says something.
const WORDS: usize = 24;

/// Whether `text` is a page, judging by its first characters.
pub(crate) fn is_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(64).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Scores the rows of a page: headings and the title, then paragraphs. Rows with only markup, script or style say
/// nothing.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut unseen: Option<&str> = None;
    let mut seen = 0_usize;
    // The names of the columns of a table.
    let mut columns: Option<usize> = None;
    for (n, line) in rows.texts().enumerate() {
        let lower = line.to_ascii_lowercase();
        if unseen.is_none() {
            unseen = UNSEEN
                .into_iter()
                .find(|name| lower.contains(&format!("<{name}")) && !lower.contains(&format!("<{name}er")));
        }
        if lower.contains("<th>") || lower.contains("<th ") {
            columns = Some(n);
        } else if lower.contains("<tr") {
            sheet.put_under(n, columns);
        }
        if lower.contains("</table") {
            columns = None;
        }
        let hidden = unseen.is_some();
        if unseen.is_some_and(|name| lower.contains(&format!("</{name}>"))) {
            unseen = None;
        }
        let is_title = lower.contains("<title");
        let is_heading = (1..=6).any(|level| lower.contains(&format!("<h{level}")));
        let text = visible(line);
        if (hidden && !is_title) || text == 0 {
            sheet.set_hollow(n);
        } else if is_title || is_heading {
            sheet.raise(n, TOTAL);
        } else if text >= WORDS {
            seen += 1;
            sheet.raise(n, EDGE + (END - EDGE) * 4.0 / (4.0 + seen as f32));
        } else {
            sheet.raise(n, PLAIN);
        }
    }
}

/// The number of bytes in `line` that are neither markup nor whitespace.
fn visible(line: &str) -> usize {
    let mut within = false;
    line.bytes()
        .filter(|byte| {
            let is_markup = within || *byte == b'<';
            within = (within || *byte == b'<') && *byte != b'>';
            !is_markup && !byte.is_ascii_whitespace()
        })
        .count()
}
