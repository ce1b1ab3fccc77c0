//! The other units that a unit of prose needs to be understood.

mod reader;

use std::{iter, ops::Range};

use contextfit_kernel::MeasuredBlock;

use self::reader::Reader;
use super::torn::torn;
use crate::{Language, NaturalLanguage, Shape};

/// The other units that each unit of a text needs: "unit `u` is shown only with `v`".
///
/// A unit needs its heading, a heading the one above it, and some of the text below it. A text indented under a short
/// line (an option and what it does) needs that line, and that line some of the text. A unit that ends in a colon needs
/// what it announces, and the other way round. A table row needs the head of its table. A list item, or an indented
/// line of code, needs the one it is part of. A line of code needs its fences, the opening and the closing one. A
/// sentence that begins with a pronoun or a connective needs the one before it; one of a line that begins with the name
/// of its speaker (`Ann: ...`) needs the first of that line. A line in bold, such as the author of a comment, is the
/// heading of what is below it, as is the name of an author with a time. A quoted mail needs the line that says whose it
/// is.
///
/// ```
/// use contextfit_text::{Needs, Shape, NaturalLanguage, unit_ends};
///
/// let text = "# Town\nIt lies on a river. Its banks are steep.\n";
/// let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
/// assert_eq!(needs.all_of(2), [0, 1]);
/// assert_eq!(needs.one_of(0), 1..3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each unit, the units it is shown only with.
    all: Vec<Vec<usize>>,
    /// Units that need at least one of several others, with those others.
    one: Vec<(usize, Range<usize>)>,
    /// Tables, and lists with what announces them.
    wholes: Vec<Range<usize>>,
    /// Units that another one limits or contradicts, with that one.
    limited: Vec<(usize, usize)>,
    /// The unit that says whether the text still holds.
    status: Option<usize>,
    /// Headings, with the ends of their sections if these have no subheadings.
    sections: Vec<(usize, usize)>,
    /// The units that begin a passage, headings that do not follow another one, and terms; with all their headings.
    passages: Vec<(usize, Vec<usize>)>,
}

impl Needs {
    /// The needs of the units that end at `ends` in a prose `text` in `natural_language`. Linear in the length of the
    /// text.
    #[must_use]
    pub fn of(text: &str, ends: &[usize], natural_language: NaturalLanguage) -> Self {
        let starts = iter::once(&0).chain(ends);
        let units = starts.zip(ends).map(|(&from, &to)| text.get(from..to).unwrap_or_default());
        let code = match torn(text) {
            0 => 0,
            close => ends.partition_point(|&end| end < close) + 1,
        };
        Reader::new(units.collect(), natural_language).read(code)
    }

    /// The needs of the units of `block`, if it is prose, in `natural_language`; none in code and data, where lines stand
    /// alone. Linear in its length.
    #[must_use]
    pub fn of_measured(block: &MeasuredBlock<'_>, natural_language: NaturalLanguage) -> Self {
        match Language::of_measured(block) {
            Some(language) if language.shape != Shape::Prose => Self::default(),
            _ => {
                let ends: Vec<usize> = block.units().iter().map(|unit| unit.end).collect();
                Self::of(&block.block().text, &ends, natural_language)
            }
        }
    }

    /// The units without which unit `n` is not shown.
    #[must_use]
    pub fn all_of(&self, n: usize) -> &[usize] {
        self.all.get(n).map_or(&[], Vec::as_slice)
    }

    /// The units of which at least one must be shown with unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn one_of(&self, n: usize) -> Range<usize> {
        let found = self.one.binary_search_by_key(&n, |(unit, _)| *unit).ok();
        found.and_then(|at| self.one.get(at)).map_or(0..0, |(_, range)| range.clone())
    }

    /// The units that limit what unit `n` says: one that limits or contradicts it ("But not on Fridays."), its
    /// footnotes, and one near the start of the text that says whether the text still holds ("Withdrawn in May.").
    /// Logarithmic time.
    pub fn limits_of(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        let from = self.limited.partition_point(|(unit, _)| *unit < n);
        let own = self.limited.get(from..).unwrap_or_default().iter().take_while(move |(unit, _)| *unit == n);
        own.map(|(_, limit)| *limit).chain(self.status.filter(move |&status| status != n))
    }

    /// What unit `n` is better shown with: the table or the announced list around it, or all of the section of a
    /// heading that has no subheadings; empty for most units. Logarithmic time.
    #[must_use]
    pub fn whole_of(&self, n: usize) -> Range<usize> {
        if let Ok(at) = self.sections.binary_search_by_key(&n, |(heading, _)| *heading) {
            return self.sections.get(at).map_or(0..0, |(heading, end)| *heading..*end);
        }
        self.list_of(n)
    }

    /// The table or the announced list around unit `n`, with what announces it; empty for most units. Logarithmic time.
    #[must_use]
    pub fn list_of(&self, n: usize) -> Range<usize> {
        let after = self.wholes.partition_point(|whole| whole.start <= n);
        let whole = after.checked_sub(1).and_then(|at| self.wholes.get(at));
        whole.filter(|whole| whole.contains(&n)).cloned().unwrap_or(0..0)
    }

    /// The units at which another passage begins, ascending: headings with the text below them, of headings in a row the
    /// first, and terms with what describes them. Each is given with its headings and those above it.
    #[must_use]
    pub fn passages(&self) -> &[(usize, Vec<usize>)] {
        &self.passages
    }

    /// Whether unit `n` may be shown, if `is_shown` reports which other units are.
    #[must_use]
    pub fn are_met(&self, n: usize, is_shown: impl Fn(usize) -> bool) -> bool {
        let mut one = self.one_of(n);
        self.all_of(n).iter().all(|&other| is_shown(other)) && (one.is_empty() || one.any(is_shown))
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
        check("# A\nOne.\n\n[one]: https://a.example\n", &["0: [] | 1..2", "1: [0]", "2: [1]"]);
        check("Town\n====\nIt lies here.", &["0: [] | 1..2", "1: [0]"]);
    }

    #[test]
    fn leads() {
        check("Do not:\n\n- shout\n- run\n\nThe end.", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Say **this:**\n\nhello there\n", &["0: [1]", "1: [0]"]);
        check("a:\n- b:\n  - c\n- d\n", &["0: [1]", "1: [0, 2]", "2: [1]", "3: [0]"]);
    }

    #[test]
    fn wholes() {
        let list = "# A\n- one\n- two\n\nThree.\n- four\n";
        let needs = Needs::of(list, &unit_ends(list, Shape::Prose), NaturalLanguage::English);
        assert_eq!((0..5).map(|n| needs.whole_of(n)).collect::<Vec<_>>(), [0..5, 0..3, 0..3, 0..0, 0..0]);
        let text = "# A\nOne.\n## B\nDo:\n\n- two\n- three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        let expect = [0..0, 0..0, 2..10, 3..6, 3..6, 3..6, 6..9, 6..9, 6..9, 0..0];
        assert_eq!((0..10).map(|n| needs.whole_of(n)).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn passages() {
        let text =
            "Before.\n# A\n## B\nOne. Two.\n\n- three\n## C\nFour:\n\n  --abort\n    Abort it.\n\nFive.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        assert_eq!(needs.passages(), [(1, vec![1, 2]), (6, vec![1, 6]), (8, vec![1, 6, 8])]);
    }

    #[test]
    fn terms() {
        let options = "  --abort\n    Abort it. HEAD is reset.\n\n  --quit\n    Abort it. HEAD stays.\n\n    An entry is saved.\n";
        check(options, &["0: [] | 1..3", "1: [0]", "2: [0]", "3: [] | 4..7", "4: [3]", "5: [3]", "6: [3]"]);
        check("    --index\n\tRestores it.\n", &["0: [] | 1..2", "1: [0]"]);
        check("One line.\n  Another one.\n", &[]);
    }

    #[test]
    fn fences_are_opened_and_closed() {
        check("So:\n```\nx\n```\nEnd.", &["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]"]);
        check(
            "if x {\n    y();\n}\n```\n\n# End\nOne.\n",
            &["1: [0]", "2: [1]", "3: [2]", "4: [] | 5..6", "5: [4]"],
        );
        let long = format!("```\nif x {{\n    y();\n}}\n{}```\n", "z();\n".repeat(20));
        let mut expect =
            vec!["0: [24] | 1..24".to_owned(), "1: [0]".into(), "2: [0, 1]".into(), "3: [0, 2]".into()];
        expect.extend((4..25).map(|n| format!("{n}: [0]")));
        check(&long, &expect.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn limits() {
        let text = "# A\nRun it. It is safe.\n\n- Stop.\n\nThe one exception is X. But not on Fridays.\n# B\nBut C.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        let expect = [None, Some(4), Some(4), Some(4), Some(5), None, None, None];
        assert_eq!((0..8).map(|n| needs.limits_of(n).next()).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn tables() {
        let table = "Sizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
        check(table, &["0: [1]", "1: [0, 2] | 3..5", "2: [1]", "3: [1]", "4: [1]"]);
    }

    #[test]
    fn speakers() {
        check("Ann: We met. Trees are green.\nUser Interface: Yes. Fine.\n", &["1: [0]", "3: [2]"]);
        check("**Bo**: Yes. Fine.\n", &["1: [0]"]);
        check("The rest: one. Two came.\nSee https://a.example. Two came.\n", &[]);
        check(
            "# A\n\n**Bo, 2026-09-02 10:12**\nOne. Two.\n\n**Cy** (2026):\n\nThree.\n## B\nFour.\n",
            &[
                "0: [] | 1..8",
                "1: [0] | 2..4",
                "2: [1]",
                "3: [1]",
                "4: [0, 5] | 5..6",
                "5: [4]",
                "6: [0] | 7..8",
                "7: [6]",
            ],
        );
        check("**All of it is new.**\nTwo came. Three left.\n", &[]);
    }

    #[test]
    fn authors_with_a_time() {
        check(
            "**Ann Lee** · 3 May 09:31\nOne. Two.\n\n**Bo** (3 May, 10:02)\nThree.\n",
            &["0: [] | 1..3", "1: [0]", "2: [0]", "3: [] | 4..5", "4: [3]"],
        );
        check(
            "Ann Lee  09:31\none\n\nBo  10:02\ntwo\n",
            &["0: [] | 1..2", "1: [0]", "2: [] | 3..4", "3: [2]"],
        );
        check("Lunch 12:00\nTalks 13:00\n", &[]);
    }

    #[test]
    fn quotes() {
        check(
            "On Monday Ann wrote:\n> One. Two.\n>\n> Three.\n\nFour. Five.\n",
            &["0: [1]", "1: [0]", "2: [0]", "3: [0]"],
        );
    }

    #[test]
    fn options_on_the_line_of_what_they_do() {
        check(
            "  -A    Starts it. Two more\n        lines.\n\n        Three.\n\n  -B    Stops it.\n",
            &["1: [0]", "2: [0]"],
        );
    }

    #[test]
    fn questions_and_answers() {
        check(
            "Q: Who?\nA: Ann. Bo.\n\nQ: When?\nA: Now.\n",
            &["0: [1]", "1: [0]", "2: [1]", "3: [4]", "4: [3]"],
        );
    }

    #[test]
    fn footnotes_and_status() {
        let text = "Withdrawn in 2026. Superseded by B.\n\n| a¹ | b |\n|---|---|\n| 1 | 2 |\n\nOne[^x].\n\n¹ Without glycol.\n[^x]: Two.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        let limits = |n| needs.limits_of(n).collect::<Vec<_>>();
        assert_eq!(
            (0..8).map(limits).collect::<Vec<_>>(),
            [vec![1], vec![], vec![6, 1], vec![1], vec![1], vec![7, 1], vec![1], vec![1]]
        );
    }

    #[test]
    fn turns_of_several_lines() {
        check(
            "Ann: We met.\nTrees are green.\nBo: Yes.\n\nThe end is near. Fine.\nAnn: No.\nBo: So.\n# B\nTwo came.\n",
            &["1: [0]", "3: [2]", "4: [2]", "7: [] | 8..9", "8: [7]"],
        );
        check("Ann: We met.\nTrees are green.\nNo one came.\n", &[]);
    }

    #[test]
    fn headings_of_html() {
        check(
            "<h2>A</h2>\nOne.\n<h3 id=\"b\">\n\nThe name\n\n</h3>\n\nTwo.\n",
            &["0: [] | 1..6", "1: [0]", "2: [0, 3, 4] | 5..6", "3: [2]", "4: [2]", "5: [2]"],
        );
    }

    #[test]
    fn boxes() {
        check(
            "See:\n\n┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n│   │ 3 │\n├───┼───┤\n│ 4 │ 5 │\n└───┴───┘\n\nEnd.\n",
            &[
                "0: [1]",
                "1: [0, 2, 3] | 4..9",
                "2: [1]",
                "3: [1]",
                "4: [1, 5, 6]",
                "5: [4]",
                "6: [4]",
                "7: [1, 8]",
                "8: [7]",
            ],
        );
        check("src\n├── a\n└── b\n", &[]);
    }

    #[test]
    fn warnings_hold_for_what_follows() {
        let text =
            "# A\nWarning: it deletes all. Run it twice. Stop it. But not at night. Wait.\n# B\nTwo.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        let expect = [None, None, Some(1), Some(4), Some(1), None, None, None];
        assert_eq!((0..8).map(|n| needs.limits_of(n).next()).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn sentences() {
        check("The bridge is old. It fell in 1902. The market thrives.", &["1: [0]"]);
        check("It fell. It rose. It fell. It rose. It fell.", &["1: [0]", "2: [1]", "3: [2]"]);
        check("- One item. It has two sentences.", &["1: [0]"]);
    }
}
