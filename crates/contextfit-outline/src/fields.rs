//! What of candidates is scored, as parts that are read once.

use std::ops::Range;

use contextfit_kernel::PartedText;

use crate::page::Page;

/// What of a candidate is scored.
pub(crate) struct Fields<'a> {
    pub(crate) page: usize,
    pub(crate) name: &'a str,
    /// The names of the definitions that it is in.
    pub(crate) holders: String,
    /// The rows of the comment about it.
    pub(crate) comment: Option<Range<usize>>,
    /// The rows of its text.
    pub(crate) text: Vec<Range<usize>>,
}

/// The fields of all candidates, as texts of parts: rows in the comment of one and in the text of another are the same part.
#[derive(Default)]
pub(crate) struct Scored<'a> {
    pub(crate) parts: Vec<&'a str>,
    pub(crate) names: Vec<PartedText>,
    pub(crate) holders: Vec<PartedText>,
    pub(crate) comments: Vec<PartedText>,
    pub(crate) texts: Vec<PartedText>,
}

impl<'a> Scored<'a> {
    /// The fields of candidates, which are in the order of their pages. Linear-logarithmic in their number.
    pub(crate) fn new(pages: &[Page<'a, '_>], fields: &'a [Fields<'_>]) -> Self {
        let mut scored = Self::default();
        for fields in fields.chunk_by(|a, b| a.page == b.page) {
            let page = fields.first().and_then(|fields| pages.get(fields.page));
            page.into_iter().for_each(|page| scored.add(page, fields));
        }
        scored
    }

    /// Adds the fields of the candidates of `page`.
    fn add(&mut self, page: &Page<'a, '_>, fields: &'a [Fields<'_>]) {
        let rows = fields.iter().flat_map(|fields| fields.comment.iter().chain(&fields.text));
        let mut cuts: Vec<usize> = rows.flat_map(|rows| [rows.start, rows.end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let first = self.parts.len();
        self.parts.extend(cuts.array_windows().map(|[from, to]| page.text(&(*from..*to))));
        let place = |row: usize| first + cuts.partition_point(|&cut| cut < row);
        let parted = |rows: &Range<usize>| place(rows.start)..place(rows.end);
        for fields in fields {
            self.comments.push(PartedText(fields.comment.iter().map(parted).collect()));
            self.texts.push(PartedText(fields.text.iter().map(parted).collect()));
            let name = self.push(fields.name);
            self.names.push(name);
            let holders = self.push(&fields.holders);
            self.holders.push(holders);
        }
    }

    /// A text that is a part by itself.
    pub(crate) fn push(&mut self, text: &'a str) -> PartedText {
        self.parts.push(text);
        (self.parts.len() - 1..self.parts.len()).into()
    }
}
