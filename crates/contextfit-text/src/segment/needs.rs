//! The other units that a unit of prose needs to be understood.

mod reader;

use std::{iter, ops::Range};

use contextfit_kernel::{MeasuredBlock, Role, Turn, Values};
use contextfit_packing::{Need, Node};

use self::reader::NeedsReader;
use crate::{Language, NaturalLanguage, Shape, segment::torn::torn};

/// The other units that each unit of a text needs: "unit `u` is shown only with `v`".
///
/// A unit needs its heading, and a heading the one above it and some of the text below it. A unit that ends in a colon
/// and the unit after it need each other. A table row needs the head of its table, a list item the item that it is part
/// of, and a line of code its opening and closing fences. A sentence that begins with a pronoun or a connective needs
/// the one before it.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{NaturalLanguage, Needs, Shape, unit_ends};
///
/// let text = "# Town\nIt lies on a river. Its banks are steep.\n";
/// let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
/// assert_eq!(needs.all_of(2), [0, 1]);
/// assert_eq!(needs.one_of(0), 1..3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each unit, all the units that it must be shown with.
    all: Vec<Vec<usize>>,
    /// Units that must be shown with at least one of several others, and those others.
    one: Vec<(usize, Range<usize>)>,
    /// Tables, including their heads.
    tables: Vec<Range<usize>>,
    /// Whether each unit is a heading, announces what comes after it, or is an item of an announced list with more
    /// text in it.
    heads: Vec<bool>,
    /// Whether each unit begins an item of a list.
    items: Vec<bool>,
    /// The units that begin a passage (headings that do not follow another one), and all headings of each passage.
    passages: Vec<(usize, Vec<usize>)>,
}

impl Needs {
    /// The needs of the units that end at `ends` in the prose `text`, which is in `natural_language`. Linear in the
    /// length of the text.
    #[must_use]
    pub fn of(text: &str, ends: &[usize], natural_language: NaturalLanguage) -> Self {
        // ablate: text.needs => Self { all: vec![Vec::new(); ends.len()], ..Self::default() }
        let starts = iter::once(&0).chain(ends);
        let units = starts.zip(ends).map(|(&from, &to)| text.get(from..to).unwrap_or_default());
        let code = match torn(text) {
            0 => 0,
            close => ends.partition_point(|&end| end < close) + 1,
        };
        NeedsReader::new(units.collect(), natural_language).read(code)
    }

    /// The needs of the units of `block`, if it is prose, in `natural_language`; each part of a message is a text on its
    /// own. Code and data have none: every line is shown on its own. Linear in the length of the block.
    #[must_use]
    pub fn of_measured(block: &MeasuredBlock<'_>, natural_language: NaturalLanguage) -> Self {
        if Language::of_measured(block).is_some_and(|language| language.shape != Shape::Prose) {
            return Self::default();
        }
        let text = &block.block().text;
        let mut needs = Self::default();
        let plain = Turn::new(Role::Tool);
        for part in block.block().as_turn().unwrap_or(&plain).ranges(text) {
            let (from, to) = (block.units_before(part.start()), block.units_before(part.end()));
            let ends = block.units().get(from..to).unwrap_or_default().iter();
            let ends: Vec<usize> = ends.map(|unit| unit.end.saturating_sub(part.start())).collect();
            needs.append(from, Self::of(part.of(text).unwrap_or_default(), &ends, natural_language));
        }
        needs
    }

    /// Adds the needs of the units from `first` on; those before it that are not known yet have none.
    fn append(&mut self, first: usize, next: Self) {
        let moved = |range: Range<usize>| first + range.start..first + range.end;
        let all_moved = |all: Vec<usize>| all.into_iter().map(|n| first + n).collect::<Vec<_>>();
        self.all.resize(first, Vec::new());
        self.all.extend(next.all.into_iter().map(all_moved));
        self.one.extend(next.one.into_iter().map(|(n, others)| (first + n, moved(others))));
        self.tables.extend(next.tables.into_iter().map(moved));
        self.heads.resize(first, false);
        self.heads.extend(next.heads);
        self.items.resize(first, false);
        self.items.extend(next.items);
        self.passages.extend(next.passages.into_iter().map(|(n, headings)| (first + n, all_moved(headings))));
    }

    /// The needs in the form of edges between rows, of which `start` is the first unit.
    pub fn edges(&self, start: usize) -> impl Iterator<Item = (Node, Need)> + '_ {
        let row = move |unit: usize| Node::Row(start + unit);
        let all = self.all.iter().enumerate().flat_map(move |(unit, all)| {
            all.iter().map(move |other| (row(unit), Need::All(start + other..start + other + 1)))
        });
        let one = move |(unit, range): &(usize, Range<usize>)| {
            (row(*unit), Need::One(start + range.start..start + range.end))
        };
        all.chain(self.one.iter().map(one))
    }

    /// The units that must all be shown with unit `n`.
    #[must_use]
    pub fn all_of(&self, n: usize) -> &[usize] {
        self.all.get(n).map_or(&[], Vec::as_slice)
    }

    /// Those of the units that unit `n` needs that are headings, announce it, or are the item of an announced list that
    /// contains it. Without them it can say the opposite: `Never:`.
    pub fn heads_of(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        self.all_of(n).iter().copied().filter(|&other| self.heads.at(other))
    }

    /// Whether unit `n` begins an item of a list.
    #[must_use]
    pub fn is_item(&self, n: usize) -> bool {
        self.items.at(n)
    }

    /// The units of which at least one must be shown with unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn one_of(&self, n: usize) -> Range<usize> {
        let found = self.one.binary_search_by_key(&n, |(unit, _)| *unit).ok();
        found.and_then(|at| self.one.get(at)).map_or(0..0, |(_, range)| range.clone())
    }

    /// The table that contains unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn table_of(&self, n: usize) -> Range<usize> {
        let after = self.tables.partition_point(|table| table.start <= n);
        let table = after.checked_sub(1).and_then(|at| self.tables.get(at));
        table.filter(|table| table.contains(&n)).cloned().unwrap_or(0..0)
    }

    /// The units at which a passage begins, ascending: headings with text below them, and of consecutive headings the
    /// first. Each has a list of its headings and those above them.
    #[must_use]
    pub fn passages(&self) -> &[(usize, Vec<usize>)] {
        &self.passages
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit_ends;

    /// `expect` lists the units that need others: all of the first ones and, after a bar, one of the rest.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let ends = unit_ends(text, Shape::Prose);
        let needs = Needs::of(text, &ends, NaturalLanguage::English);
        let told = (0..ends.len()).filter_map(|n| {
            let (mut all, one) = (needs.all_of(n).to_vec(), needs.one_of(n));
            all.sort_unstable();
            all.dedup();
            let one = if one.is_empty() { String::new() } else { format!(" | {one:?}") };
            (!all.is_empty() || !one.is_empty()).then(|| format!("{n}: {all:?}{one}"))
        });
        assert_eq!(told.collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn headings() {
        check(
            "# A\nOne. Two.\n## B\n\nThree.",
            &["0: [] | 1..5", "1: [0]", "2: [0]", "3: [0] | 4..5", "4: [3]"],
        );
        check("# A\n## B\nOne.", &["0: [] | 1..3", "1: [0] | 2..3", "2: [1]"]);
        check(
            "# A\nOne.\n### B\nTwo.\n## C\nThree.\n",
            &["0: [] | 1..6", "1: [0]", "2: [0] | 3..4", "3: [2]", "4: [0] | 5..6", "5: [4]"],
        );
        check("## B\n# A\nOne.\n\n---\n", &["0: [1]", "1: [] | 2..3", "2: [1]", "3: [2]"]);
        check("# A\nOne.\n\n[one]: https://a.example\n", &["0: [] | 1..2", "1: [0]", "2: [0]"]);
        check("Town\n====\nIt lies here.", &["0: [] | 1..2", "1: [0]"]);
    }

    #[test]
    fn leads() {
        check("Do not:\n\n- shout\n- run\n\nThe end.\n\n- a", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Do not:\n\n– shout\n\n– run\n\nThe end.\n\n– a", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Say **this:**\n\nhello there\n", &["0: [1]", "1: [0]"]);
        check(
            "Never:\n  - drop it.\n- rename it.\n[ ] go.\n→ run.\n",
            &["0: [1]", "1: [0]", "2: [0]", "3: [0]", "4: [0]"],
        );
        check("Never:\n- drop it\n12:00 up\n- go\nDone.\n- a b", &["0: [1]", "1: [0]", "3: [0]"]);
        check(
            "Never:\n1. drop it\n```\nx\n```\n2. go\n",
            &["0: [1]", "1: [0]", "2: [1, 3, 4]", "3: [2]", "4: [2]", "5: [0]"],
        );
        check("Never:\nI. drop it\nII. go on\n", &["0: [1]", "1: [0]", "2: [0]"]);
        check("a:\n- b:\n  - c\n  - d\n- e\n", &["0: [1]", "1: [0, 2]", "2: [1]", "3: [1]", "4: [0]"]);
    }

    #[test]
    fn passages() {
        let text = "Before.\n# A\n## B\nOne. Two.\n\n- three\n## C\nFour.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        assert_eq!(needs.passages(), [(1, vec![1, 2]), (6, vec![1, 6])]);
    }

    #[test]
    fn fences_are_opened_and_closed() {
        check("So:\n```\nx\n```\nEnd.", &["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]"]);
        check("if x {\n    y();\n}\n```\n\n# End\nOne.\n", &["3: [2]", "4: [] | 5..6", "5: [4]"]);
        let long = format!("```\n{}```\n", "z();\n".repeat(21));
        let mut expect = vec!["0: [22] | 1..22".to_owned()];
        expect.extend((1..23).map(|n| format!("{n}: [0]")));
        check(&long, &expect.iter().map(String::as_str).collect::<Vec<_>>());
        let item = "Never:\n1. ```\n   rm -r a\n   ```\n2. ```sh\n   rm b\n   ```\n- Sleep.\n";
        let expect =
            ["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]", "4: [0, 5, 6]", "5: [4]", "6: [4]", "7: [0]"];
        check(item, &expect);
    }

    #[test]
    fn tables() {
        let table = "Sizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
        check(table, &["0: [1]", "1: [0, 2] | 3..5", "2: [1]", "3: [1]", "4: [1]"]);
        let needs = Needs::of(table, &unit_ends(table, Shape::Prose), NaturalLanguage::English);
        assert_eq!((0..5).map(|n| needs.table_of(n)).collect::<Vec<_>>(), [0..0, 1..5, 1..5, 1..5, 1..5]);
    }

    #[test]
    fn headings_of_html() {
        check(
            "<h2>A</h2>\nOne.\n<h3 id=\"b\">Two</h3>\n\nThree.\n",
            &["0: [] | 1..4", "1: [0]", "2: [0] | 3..4", "3: [2]"],
        );
    }

    #[test]
    fn sentences() {
        check("The bridge is old. It fell in 1902. The market thrives.", &["1: [0]"]);
        check("It fell. It rose. It fell. It rose. It fell.", &["1: [0]", "2: [1]", "3: [2]"]);
        check("- One item. It has two sentences.", &["1: [0]"]);
        check("Never:\n- go\n[... 4 lines]\n- run\n", &["0: [1]", "1: [0]", "3: [0]"]);
        check(
            "Never:\n- Stop it. Start them.\n  Rest well.\n- Go. Come.\n\nYes. No.",
            &["0: [1]", "1: [0]", "2: [1]", "3: [1]", "4: [0]", "5: [4]"],
        );
    }
}
