//! Line numbers before the lines of a text. Only line feeds end lines; after another line break, the number is repeated,
//! so that what follows has no other number for whoever breaks lines there.

use contextfit_kernel::{Block, ByteRange, LINE_BREAKS, Layout};

/// The line numbers of the text of one block, for ascending ranges.
pub(crate) struct Numbering<'a> {
    text: &'a str,
    /// The byte up to which lines have been counted.
    at: usize,
    /// The number of the line at that byte.
    line: usize,
}

impl<'a> Numbering<'a> {
    /// The numbering of `block`, if `layout` requires one and the block's lines have numbers.
    pub(crate) fn of(block: &'a Block, layout: &Layout) -> Option<Self> {
        let line = block.first_line().filter(|_| layout.line_numbers)?;
        Some(Self { text: &block.text, at: 0, line })
    }

    /// The text of `range`, with a number before each line that starts in it. Ranges must ascend. All calls together
    /// are linear in the length of the text.
    pub(crate) fn show(&mut self, range: ByteRange) -> String {
        self.show_as(range, range.of(self.text).unwrap_or_default())
    }

    /// `text`, which is shown instead of `range`, with a number before each line; only before the first line if the two
    /// differ in their number of lines.
    pub(crate) fn show_as(&mut self, range: ByteRange, text: &str) -> String {
        let before = self.text.get(self.at..range.start()).unwrap_or_default();
        self.line += before.matches('\n').count();
        let mut shown = String::with_capacity(text.len() + text.len() / 4);
        let mut starts =
            range.start() == 0 || self.text.get(..range.start()).is_some_and(|before| before.ends_with('\n'));
        let feeds = range.of(self.text).unwrap_or_default().matches('\n').count();
        let is_aligned = text.matches('\n').count() == feeds;
        for (line, number) in text.split_inclusive('\n').zip(self.line..) {
            if starts {
                shown.push_str(&Layout::gutter(number));
            }
            let mut parts = line.split_inclusive(LINE_BREAKS);
            shown.push_str(parts.next().unwrap_or_default());
            for part in parts {
                if is_seen(part) {
                    shown.push_str(&Layout::gutter(number));
                }
                shown.push_str(part);
            }
            starts = is_aligned && line.ends_with('\n');
        }
        (self.line, self.at) = (self.line + feeds, range.end());
        shown
    }

    /// The numbers that [`Self::show`] adds for `range`, concatenated.
    pub(crate) fn gutters(&mut self, range: ByteRange) -> String {
        let starts = |at: usize| at == 0 || self.text.as_bytes().get(at - 1) == Some(&b'\n');
        let lines = range.of(self.text).unwrap_or_default().split_inclusive('\n');
        let mut at = range.start();
        let mut gutters = String::new();
        for line in lines {
            if starts(at) {
                gutters.push_str(&Layout::gutter(self.line));
            }
            let others = line.split_inclusive(LINE_BREAKS).skip(1).filter(|part| is_seen(part));
            others.for_each(|_| gutters.push_str(&Layout::gutter(self.line)));
            at += line.len();
            self.line += usize::from(line.ends_with('\n'));
        }
        gutters
    }
}

/// Whether `part` of a line, after a line break that is no line feed, could be seen as a line.
fn is_seen(part: &str) -> bool {
    !part.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::Passage;

    use super::*;

    #[test]
    fn the_number_is_repeated_after_other_line_breaks() {
        let text = "a\rb\r\n\u{2028}c\n\u{c}\nd\n";
        let block = Block::passage("x", Passage::at("a.md").with_lines(7, 10), text);
        let layout = Layout::default().with_line_numbers(true);
        let numbering = || Numbering::of(&block, &layout).unwrap();
        let shown = numbering().show(ByteRange::whole(text));
        assert_eq!(shown, "7| a\r7| b\r\n8| \u{2028}8| c\n9| \u{c}\n10| d\n");
        assert_eq!(numbering().gutters(ByteRange::whole(text)), "7| 7| 8| 8| 9| 10| ");
    }
}
