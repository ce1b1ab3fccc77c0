//! A memory as one line.

use contextfit_kernel::{MemoryRecord, TokenCounter, Tokens};
use contextfit_text::{Shape, unit_ends, words};

/// Marks the end of a line that was cut.
const CUT: &str = "…";

/// The memory as one line: its summary, or else the first sentence of its knowledge, the explanation of its first
/// example, or its first evidence. Whitespace is collapsed. The units of the knowledge end at `ends`.
pub(crate) fn about(memory: &MemoryRecord, ends: &[usize]) -> String {
    let first = sentences(&memory.knowledge, ends).next().unwrap_or(&memory.knowledge);
    let explained = memory.examples.first().map_or("", |example| &example.explanation);
    let seen = memory.evidence.first().map_or("", |evidence| &evidence.description);
    let mut sources = [&memory.summary, first, explained, seen].into_iter();
    folded(sources.find(|source| !source.trim().is_empty()).unwrap_or_default())
}

/// The `line` of a memory as level 2 shows it next to `knowledge`: empty if `knowledge` begins with it.
pub(crate) fn beside<'l>(line: &'l str, knowledge: &str) -> &'l str {
    let mut known = knowledge.chars().filter(|c| !c.is_whitespace());
    let mut told = line.trim_end_matches(CUT).chars().filter(|c| !c.is_whitespace());
    if told.all(|c| known.next() == Some(c)) { "" } else { line }
}

/// The note about the parts of `memory` that a line with `about` leaves out: ` [... 2 sentences, 1 example]`. Empty if
/// nothing is missing.
pub(crate) fn missing(memory: &MemoryRecord, ends: &[usize], about: &str) -> String {
    let told: Vec<&str> = sentences(about, &unit_ends(about, Shape::Prose)).chain([about]).collect();
    let is_told = |sentence: &str| {
        told.iter().any(|told| told.split_ascii_whitespace().eq(sentence.split_ascii_whitespace()))
    };
    let hidden = sentences(&memory.knowledge, ends).filter(|sentence| !is_told(sentence)).count();
    let examples = memory.examples.iter().filter(|example| !example.code.trim().is_empty()).count();
    let parts = [counted(hidden, "sentence"), counted(examples, "example")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(" [... {}]", parts.join(", ")) }
}

/// A count with its noun; `None` for zero.
pub(crate) fn counted(n: usize, name: &str) -> Option<String> {
    match n {
        0 => None,
        1 => Some(format!("1 {name}")),
        _ => Some(format!("{n} {name}s")),
    }
}

/// The units of `text`, which end at `ends`. Those without letters or digits are joined to the next.
fn sentences<'t>(text: &'t str, ends: &[usize]) -> impl Iterator<Item = &'t str> {
    let (mut start, mut at) = (0, 0);
    ends.iter().filter_map(move |&end| {
        let says = text.get(at..end)?.chars().any(char::is_alphanumeric);
        at = end;
        says.then(|| text.get(std::mem::replace(&mut start, end)..end))?
    })
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `about`, cut after a word if the line of level 1 would take more than `max` tokens, with the cut marked. Empty if no
/// word fits. `line` makes the line of a given text. Linear in the length of the line, times the logarithm of its
/// number of words.
pub(crate) fn shortened(
    about: String,
    line: impl Fn(&str) -> String,
    max: Tokens,
    counter: &dyn TokenCounter,
) -> String {
    let fits = |about: &str| counter.count(&line(about)) <= max;
    if fits(&about) {
        return about;
    }
    let cut = |end: usize| [about.get(..end).unwrap_or_default(), CUT].concat();
    let ends = word_ends(&about);
    let longest = ends.partition_point(|&end| fits(&cut(end)));
    // Token counts nearly always grow with the text. If they do not, shorter lines are tried.
    let mut shorter = ends.get(..longest).unwrap_or_default().iter().rev().take(8).map(|&end| cut(end));
    shorter.find(|line| fits(line)).unwrap_or_default()
}

/// The positions where a line may be cut: after words, but not inside identifiers. In scripts without spaces, between
/// pairs of characters.
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
    use contextfit_kernel::CodeSnippet;
    use contextfit_text::CharsPer;

    use super::*;
    use crate::render::{Note, heading};

    /// The line of a memory if level 1 has `max` characters in addition to the 14 of the heading.
    #[track_caller]
    fn check(summary: &str, knowledge: &str, max: usize, expect: &str) {
        let memory = MemoryRecord::new("m", "t").with_summary(summary).with_knowledge(knowledge);
        let counter = CharsPer::new(1).unwrap();
        let heading = |about: &str| heading(&memory, &Note::default(), &[], about);
        let ends = unit_ends(&memory.knowledge, Shape::Prose);
        let line = shortened(about(&memory, &ends), heading, Tokens::new(max + 14), &counter);
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
    fn what_is_missing_is_counted() {
        #[track_caller]
        fn check(summary: &str, knowledge: &str, examples: usize, expect: &str) {
            let example = CodeSnippet { code: "x".into(), ..CodeSnippet::default() };
            let memory = MemoryRecord::default()
                .with_summary(summary)
                .with_knowledge(knowledge)
                .with_examples(vec![example; examples]);
            let ends = unit_ends(&memory.knowledge, Shape::Prose);
            assert_eq!(missing(&memory, &ends, &about(&memory, &ends)), expect);
        }
        check("", "One sentence.", 0, "");
        check("One sentence.", "One sentence.", 0, "");
        check("", "One\nsentence. Another. \n\n A third.", 2, " [... 2 sentences, 2 examples]");
        check("Deploys", "They wait. Never deploy on Fridays.", 0, " [... 2 sentences]");
        check("Deploys", "", 1, " [... 1 example]");
        check("", "", 0, "");
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
