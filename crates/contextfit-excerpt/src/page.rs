//! HTML pages: the part that a reader sees.

use crate::{
    rows::Rows,
    templates::Templates,
    worth::{EDGE, END, PLAIN, Sheet, TOTAL},
};

/// Elements whose content a reader does not see.
const UNSEEN: [&str; 3] = ["script", "style", "head"];

/// The minimum bytes of visible text in a row that counts as a paragraph.
const MIN_TEXT_BYTES: usize = 24;

/// Whether `text` begins as a page and not as other markup.
pub(crate) fn is_html(text: &str) -> bool {
    // ablate: excerpt.pages => false
    let start: String = text.trim_start().chars().take(64).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

/// Scores the rows of a page: the title, paragraphs, and rows that stand out, each under its heading. Rows with only
/// markup, script or style have no content.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let templates = Templates::of(rows);
    let mut reader = HtmlReader::default();
    let mut seen = 0_usize;
    // The headings that the next row is under, outermost first.
    let mut headings: Vec<(u8, usize)> = Vec::new();
    let mut is_bare = false;
    // The row with the column names of the open table.
    let mut columns: Option<usize> = None;
    for (n, line) in rows.texts().enumerate() {
        let text = reader.read(line);
        if reader.begun.iter().any(|name| name == "th") {
            columns = Some(n);
        }
        if reader.begun.iter().any(|name| name == "/table") {
            columns = None;
        }
        if text == 0 {
            sheet.set_hollow(n);
            continue;
        }
        if reader.is_title {
            sheet.raise(n, TOTAL);
            continue;
        }
        if let Some(level) = reader.heading {
            while headings.pop_if(|(other, _)| *other >= level).is_some() {}
            sheet.put_under(n, headings.last().map(|(_, row)| *row));
            sheet.raise(n, EDGE);
            headings.push((level, n));
            is_bare = true;
            continue;
        }
        if text >= MIN_TEXT_BYTES {
            seen += 1;
            sheet.raise(n, EDGE + (END - EDGE) * 4.0 / (4.0 + seen as f32));
        } else {
            sheet.raise(n, PLAIN + if templates.is_odd(n) { TOTAL } else { 0.0 });
        }
        let heading = headings.last().map(|(_, row)| *row);
        sheet.put_under(n, columns.filter(|&row| row < n).or(heading));
        if let Some(columns) = columns.filter(|&row| row < n) {
            sheet.put_under(columns, heading);
        }
        if let Some(heading) = heading.filter(|_| std::mem::take(&mut is_bare)) {
            sheet.stand_for(heading, n);
        }
    }
}

/// Whether `text` has a tag that begins or ends a block of text.
pub(crate) fn has_block_tag(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let tag = text.get(at + 1..).unwrap_or_default().trim_start_matches('/');
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        !name.is_empty() && BLOCKS.split_whitespace().any(|block| block.eq_ignore_ascii_case(name))
    })
}

/// Elements that are blocks of text.
const BLOCKS: &str = "address article aside blockquote body br dd div dl dt footer form h1 h2 h3 h4 h5 h6 head header hr \
                      html li link main meta nav ol option p pre script section style table tbody td th thead title tr ul";

/// Reads a page row by row. A tag may continue in the next row.
#[derive(Default)]
struct HtmlReader {
    /// The name of the tag being read, and whether the name may continue. The rest of the tag is skipped.
    tag: Option<(String, bool)>,
    /// The open element whose content a reader does not see.
    unseen: Option<String>,
    /// Whether the last row has text in the title, and the level of the first heading it has text in.
    is_title: bool,
    heading: Option<u8>,
    /// The elements that begin in the last row and, with a slash, those that end there.
    begun: Vec<String>,
    /// The open title or heading.
    open: Option<String>,
}

impl HtmlReader {
    /// Reads `line` and returns the number of bytes of visible text, without whitespace.
    fn read(&mut self, line: &str) -> usize {
        (self.is_title, self.heading) = (false, None);
        self.begun.clear();
        let mut visible = 0;
        for c in line.chars() {
            match &mut self.tag {
                Some(_) if c == '>' => self.end_tag(),
                Some((name, goes_on)) => {
                    *goes_on &= c == '/' && name.is_empty() || c.is_ascii_alphanumeric() || c == '!';
                    if *goes_on {
                        name.push(c.to_ascii_lowercase());
                    }
                }
                None if c == '<' => self.tag = Some((String::new(), true)),
                None if !c.is_whitespace() && (self.unseen.is_none() || self.open.is_some()) => {
                    visible += c.len_utf8();
                    let level = self.open.as_deref().and_then(level);
                    self.is_title |= level == Some(TITLE);
                    self.heading = self.heading.or(level.filter(|level| *level != TITLE));
                }
                None => {}
            }
        }
        visible
    }

    fn end_tag(&mut self) {
        let Some((name, _)) = self.tag.take() else { return };
        let ends = |open: &String| name.strip_prefix('/') == Some(open);
        if self.unseen.as_ref().is_some_and(ends) {
            self.unseen = None;
        } else if self.unseen.is_none() && UNSEEN.contains(&name.as_str()) {
            self.unseen = Some(name.clone());
        }
        if self.open.as_ref().is_some_and(ends) {
            self.open = None;
        } else if level(&name).is_some() {
            self.open = Some(name.clone());
        }
        self.begun.push(name);
    }
}

/// The levels of the title of a page and of a term with its description below it.
const TITLE: u8 = 0;
const TERM: u8 = 7;

/// The level of an element that is a heading.
fn level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        b"title" => Some(TITLE),
        b"dt" => Some(TERM),
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}
