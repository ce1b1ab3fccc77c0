//! A memory in a line.

use std::collections::HashSet;

use contextfit_kernel::{MemoryRecord, TokenCounter, Tokens};
use contextfit_text::{Shape, binding, forbids, unit_ends, words};

/// Marks the place where a line was cut.
const CUT: &str = "…";

/// The memory in a line: the summary, followed by the sentence of the knowledge that says what must or must not be done
/// if the summary does not. A summary that says what to do is followed by what the knowledge forbids, unless it forbids
/// something itself; so is that of a procedure, whose steps say nothing alone, as do their exceptions (`if it fails, do
/// not repeat it`). Where both are too long, a prohibition outweighs the summary. Without a summary the sentence alone,
/// or the first, then the explanation of the first example, then the first evidence. Whitespace is collapsed. Linear in
/// the length of the memory.
pub(crate) fn about(memory: &MemoryRecord) -> String {
    let explained = memory.examples.first().map_or("", |example| &example.explanation);
    let seen = memory.evidence.first().map_or("", |evidence| &evidence.description);
    let mut said = sentences(&memory.knowledge);
    let (first, more) = (said.next(), said.next().is_some());
    let steps = is_procedure(memory);
    let order = order(memory, steps, more).unwrap_or_default();
    let sources = [order, &memory.summary, first.unwrap_or(&memory.knowledge), explained, seen];
    let about = folded(sources.into_iter().find(|source| !source.trim().is_empty()).unwrap_or_default());
    let lead_in = first.filter(|first| steps && !is_step(first) && *first != order).unwrap_or_default();
    let title = if memory.summary.trim().is_empty() { lead_in } else { &memory.summary };
    match subject(title) {
        Some(title) if !order.is_empty() && !names(&about, &title) => {
            if steps || title.len() + about.len() <= BOTH {
                format!("{title} {about}")
            } else if forbids(order) {
                about
            } else {
                folded(&memory.summary)
            }
        }
        _ => about,
    }
}

/// The sentence of the knowledge that the line of `memory` adds to its summary, or shows without one. `more` says
/// whether the knowledge has several sentences.
fn order(memory: &MemoryRecord, steps: bool, more: bool) -> Option<&str> {
    let binds = binding(&memory.summary) >= BINDING;
    match () {
        () if binds && forbids(&memory.summary) => None,
        () if steps => strictest(&memory.knowledge, |order| forbids(order) && !is_exception(order)),
        () if binds => strictest(&memory.knowledge, forbids),
        () if more || !memory.summary.is_empty() => strictest(&memory.knowledge, |_| true),
        () => None,
    }
}

/// Words that open the condition of an exception.
const CONDITIONS: [&str; 12] =
    ["if", "when", "unless", "once", "while", "where", "falls", "wenn", "sofern", "si", "lorsque", "cuando"];

/// Whether `sentence`, possibly a step, holds under a condition only.
fn is_exception(sentence: &str) -> bool {
    let mut words = words(sentence).filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    words.next().is_some_and(|first| CONDITIONS.contains(&first.to_lowercase().as_str()))
}

/// Whether `order` has all words of `title`, plural or not.
fn names(order: &str, title: &str) -> bool {
    let lower = |text: &str| -> HashSet<String> {
        words(text).map(|word| word.to_lowercase().trim_end_matches('s').to_owned()).collect()
    };
    lower(title).is_subset(&lower(order))
}

/// What level 2 shows of the line of a memory, `line`, beside `knowledge`, a part of its own: the summary, cut if it is
/// long, and whatever else is not in it.
pub(crate) fn beside(memory: &MemoryRecord, line: &str, knowledge: &str) -> String {
    let summary = memory.summary.trim();
    let title = subject(summary).unwrap_or_default();
    let order = line.strip_prefix(&title).unwrap_or(line).trim();
    let is_whole = !knowledge.is_empty() && knowledge == memory.knowledge;
    match () {
        () if is_whole || folded(knowledge).contains(order) => {
            if knowledge.contains(summary) {
                String::new()
            } else {
                cut(&memory.summary)
            }
        }
        () if line.contains(&folded(summary)) || line.ends_with(CUT) => line.to_owned(),
        () => [&cut(&title), " ", order].concat(),
    }
}

/// `title`, cut after a word if it takes more than twice the room of a line with an order.
fn cut(title: &str) -> String {
    if title.len() <= 2 * BOTH {
        return title.to_owned();
    }
    let end = word_ends(title).into_iter().take_while(|&end| end <= 2 * BOTH).last();
    [title.get(..end.unwrap_or_default()).unwrap_or_default(), CUT].concat()
}

/// Types of memories that tell how something is done, in lowercase.
const PROCEDURES: [&str; 7] =
    ["procedure", "procedural", "process", "workflow", "runbook", "playbook", "howto"];

/// Whether `memory` tells how something is done, step by step: by its type, or because its knowledge numbers steps.
fn is_procedure(memory: &MemoryRecord) -> bool {
    PROCEDURES.contains(&memory.memory_type.to_lowercase().as_str())
        || sentences(&memory.knowledge).filter(|sentence| is_step(sentence)).nth(1).is_some()
}

/// Whether `sentence` begins with the number of a step: `2. Run it.`, `2) Run it.`, `Step 2: Run it.`
fn is_step(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let numbered = sentence.strip_prefix("Step ").unwrap_or(sentence);
    let after = numbered.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < numbered.len()
        && after.starts_with(['.', ')', ':'])
        && after.get(1..).is_some_and(|after| after.starts_with(char::is_whitespace))
}

/// A summary and an order are one line of this many bytes at most.
const BOTH: usize = 160;

/// Words that refer to a person or a thing.
const PRONOUNS: [&str; 10] = ["it", "its", "they", "them", "their", "he", "him", "his", "she", "her"];

/// `summary` as the beginning of a line that goes on; `None` if it is empty.
fn subject(summary: &str) -> Option<String> {
    let summary = folded(summary);
    let ends = summary.ends_with(['.', '!', '?', ':', ';', '。', '！', '？']);
    (!summary.is_empty()).then(|| if ends { summary } else { summary + ":" })
}

/// The note on what a line with `about` leaves out of `memory`: ` [... 2 sentences, 1 example]`; empty if nothing is
/// missing.
pub(crate) fn missing(memory: &MemoryRecord, about: &str) -> String {
    let is_missing = |sentence: &str| !about.contains(&folded(sentence));
    let hidden = sentences(&memory.knowledge).filter(|sentence| is_missing(sentence)).count();
    let summary = !memory.summary.trim().is_empty() && is_missing(&memory.summary);
    let examples = memory.examples.iter().filter(|example| !example.code.trim().is_empty()).count();
    let parts = [counted(hidden + usize::from(summary), "sentence"), counted(examples, "example")];
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

/// How clearly a sentence must say what must or must not be done to represent its memory.
const BINDING: f64 = 0.5;

/// Words that, together with [`PRONOUNS`], refer to the sentence before at the start of one.
const POINTING: [&str; 4] = ["this", "that", "these", "those"];

/// The sentence that says most clearly what must or must not be done, on ties the first, of those that `counts` is true
/// of; with the preceding sentence if it refers back to that.
fn strictest(text: &str, counts: impl Fn(&str) -> bool) -> Option<&str> {
    let mut best: Option<(&str, f64)> = None;
    let mut before = "";
    for sentence in sentences(text) {
        let strength = binding(sentence);
        if strength >= BINDING && counts(sentence) && best.is_none_or(|(_, most)| strength > most) {
            let first = words(sentence).next().unwrap_or_default().to_lowercase();
            let leans = PRONOUNS.iter().chain(&POINTING).any(|word| *word == first);
            let start = if leans { before } else { sentence };
            let at = |part: &str| (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let both =
                if start.is_empty() { None } else { text.get(at(start)..at(sentence) + sentence.len()) };
            best = Some((both.unwrap_or(sentence), strength));
        }
        before = sentence;
    }
    best.map(|(sentence, _)| sentence)
}

/// The sentences of `text` that contain letters or digits.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let (mut start, mut at) = (0, 0);
    unit_ends(text, Shape::Prose).into_iter().filter_map(move |end| {
        let says = text.get(at..end)?.chars().any(char::is_alphanumeric);
        at = end;
        says.then(|| text.get(std::mem::replace(&mut start, end)..end))?
    })
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `about`, shortened until the line of level 1 takes at most `max` tokens: cut after a word, with the cut marked.
/// Empty if no word fits. `line` gives the line for a given text. Linear in the length of the line, times the logarithm
/// of its number of words.
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
    // Token counts nearly always grow with the text; if not, the line is shortened further.
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

    /// The line of a memory whose level 1 line may have `max` characters; the heading takes 13 of them.
    #[track_caller]
    fn check(summary: &str, knowledge: &str, max: usize, expect: &str) {
        let memory = MemoryRecord {
            summary: summary.into(),
            knowledge: knowledge.into(),
            ..MemoryRecord::new("m", "t")
        };
        let counter = CharsPer::new(1).unwrap();
        let heading = |about: &str| heading(&memory, &Note::default(), &[], about);
        let line = shortened(about(&memory), heading, Tokens::new(max + 14), &counter);
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
    fn what_must_be_done_comes_before_what_it_is_about() {
        check("Deploys", "Support is thin. Never deploy on Fridays.", 99, "Never deploy on Fridays.");
        check("Customer 4711", "A trap. Do not delete it.", 99, "Customer 4711: Do not delete it.");
        check("A trap.", "Never delete them.", 99, "A trap. Never delete them.");
        check("", "It was found in June. You must log the id instead.", 99, "You must log the id instead.");
        check("Never deploy on Fridays.", "Always ask first.", 99, "Never deploy on Fridays.");
        check("Deploys", "They take an hour.", 99, "Deploys");
        // What the order alone would not say.
        check(
            "The duty vet: Ada.",
            "Call such people before noon.",
            99,
            "The duty vet: Ada. Call such people before noon.",
        );
        check("Leaflets of the bank", "Do not sign them.", 99, "Leaflets of the bank: Do not sign them.");
        let long = "The keys of the boathouse hang in the kitchen of the caretaker, ".repeat(3);
        check(&long, "Never lend the grey key.", 299, "Never lend the grey key.");
        check(&long, "Ask the caretaker.", 299, long.trim_end());
        let both = "Remove columns in three releases. Never drop a column in the first.";
        check(
            "Remove columns in three releases.",
            "It takes a month. Never drop a column in the first.",
            99,
            both,
        );
        check("Use Unleash.", "Use flags sparingly.", 99, "Use Unleash.");
        let both = "Secrets live in Vault. They must not be put into images.";
        check("", &["As agreed.", both, "Ask Tomasz."].join(" "), 99, both);
        check("", "They must not be put into images.", 99, "They must not be put into images.");
    }

    #[test]
    fn a_procedure_is_what_it_is_for() {
        let steps = "1. Freeze the branch. 2. Wait 48 hours. 3. Deploy to all others in batches of five.";
        let forbidden = [steps, " Never skip step 2."].concat();
        check("How to make a release", steps, 99, "How to make a release");
        check("How to make a release", &forbidden, 99, "How to make a release: Never skip step 2.");
        let led_in = ["Releases go out on Mondays.\n", &forbidden].concat();
        check("", &led_in, 99, "Releases go out on Mondays. Never skip step 2.");
        check("", steps, 99, "1. Freeze the branch.");
        check("", &forbidden, 99, "Never skip step 2.");
        let procedure = MemoryRecord {
            summary: "How to rotate a log".into(),
            knowledge: "Rotate with logrotate. Keep seven files.".into(),
            ..MemoryRecord::new("m", "Procedure")
        };
        assert_eq!(about(&procedure), "How to rotate a log");
        // An exception says nothing without what it is an exception from.
        let exception =
            "1. Pull the lever.\n2. If the lamp is red, do not pull the lever; call Ada.\n3. Wait.";
        check("How to stop the lift", exception, 99, "How to stop the lift");
    }

    #[test]
    fn what_is_missing_is_counted() {
        #[track_caller]
        fn check(summary: &str, knowledge: &str, examples: usize, expect: &str) {
            let example = CodeSnippet { code: "x".into(), ..CodeSnippet::default() };
            let memory = MemoryRecord {
                summary: summary.into(),
                knowledge: knowledge.into(),
                examples: vec![example; examples],
                ..MemoryRecord::default()
            };
            assert_eq!(missing(&memory, &about(&memory)), expect);
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
