//! A memory in a line.

use contextfit_kernel::{MemoryRecord, TokenCounter, Tokens};
use contextfit_text::{Shape, unit_ends, words};

use crate::render::heading;

/// Stands where a line was cut.
const CUT: &str = "…";

/// What the memory is about: the summary; without one the first sentence of the knowledge, then what the first example
/// shows, then the first evidence. White space is folded.
pub(crate) fn about(memory: &MemoryRecord) -> String {
    let first = || {
        let end = unit_ends(&memory.knowledge, Shape::Prose).into_iter().find(|&end| {
            memory.knowledge.get(..end).is_some_and(|text| text.chars().any(char::is_alphanumeric))
        });
        end.and_then(|end| memory.knowledge.get(..end)).unwrap_or(&memory.knowledge)
    };
    let explained = memory.examples.first().map_or("", |example| &example.explanation);
    let seen = memory.evidence.first().map_or("", |evidence| &evidence.description);
    let sources = [&*memory.summary, first(), explained, seen];
    let source = sources.into_iter().find(|source| !source.trim().is_empty()).unwrap_or_default();
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `about` so short that the line of level 1 takes at most `max` tokens: cut behind a word, a cut is marked. Empty when no
/// word fits. Linear in the length of the line, times the logarithm of its number of words.
pub(crate) fn shortened(
    memory: &MemoryRecord,
    tags: &[String],
    about: String,
    max: Tokens,
    counter: &dyn TokenCounter,
) -> String {
    let fits = |about: &str| counter.count(&heading(memory, tags, about)) <= max;
    if fits(&about) {
        return about;
    }
    let cut = |end: usize| [about.get(..end).unwrap_or_default(), CUT].concat();
    let ends = word_ends(&about);
    let longest = ends.partition_point(|&end| fits(&cut(end)));
    // Tokens nearly always grow with the text; where they do not, the line gets shorter still.
    let mut shorter = ends.get(..longest).unwrap_or_default().iter().rev().take(8).map(|&end| cut(end));
    shorter.find(|line| fits(line)).unwrap_or_default()
}

/// Where a line may be cut: behind words, and not inside identifiers. Where a script sets no spaces, between its pairs of
/// characters.
fn word_ends(line: &str) -> Vec<usize> {
    let start = line.as_ptr() as usize;
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let ends = words(line).map(|word| word.as_ptr() as usize - start + word.len());
    ends.filter(|&end| {
        line.split_at_checked(end).is_some_and(|(before, after)| {
            !(before.ends_with(part_of_name) && after.starts_with(part_of_name))
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use contextfit_text::CharsPer;

    use super::*;

    /// The line of a memory whose line of level 1 may have `max` characters; the heading takes 13 of them.
    #[track_caller]
    fn check(summary: &str, knowledge: &str, max: usize, expect: &str) {
        let memory = MemoryRecord {
            summary: summary.into(),
            knowledge: knowledge.into(),
            ..MemoryRecord::new("m", "t")
        };
        let counter = CharsPer::new(1).unwrap();
        let line = shortened(&memory, &[], about(&memory), Tokens::new(max + 14), &counter);
        assert_eq!(line, expect);
    }

    #[test]
    fn the_summary_comes_first() {
        check("What it is about.", "Something else.", 99, "What it is about.");
        check(" \n", "\n# Heading\n\nA first  sentence\nin two lines. A second one.", 99, "# Heading");
        check("", "A first  sentence\nin two lines. A second one.", 99, "A first sentence in two lines.");
        check("", "彼は行った。そして帰った。", 99, "彼は行った。");
        check("", "", 99, "");
    }

    #[test]
    fn a_cut_falls_behind_a_word() {
        check("one two three", "", 13, "one two three");
        check("one two three", "", 12, "one two…");
        check("one two three", "", 3, "");
        check("call setMaxLength first", "", 12, "call…");
        check("汉字汉字汉字", "", 5, "汉字汉字…");
        check("e\u{301}te\u{301} e\u{301}te\u{301}", "", 7, "e\u{301}te\u{301}…");
        check("👩‍👩‍👧‍👦👍🏽👩‍👩‍👧‍👦👍🏽👩‍👩‍👧‍👦👍🏽", "", 9, "");
    }
}
