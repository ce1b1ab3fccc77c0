//! Levels as text.

use contextfit_kernel::{CodeSnippet, Evidence, Importance, MemoryRecord};

use crate::{
    Details, Level1Output,
    dates::{date, latest},
    one_liner::{beside, counted},
};

/// Level 0: `[id] type importance`.
pub(crate) fn reference(memory: &MemoryRecord) -> String {
    let mut text = ["[", &memory.id, "]"].concat();
    if !memory.memory_type.is_empty() {
        text.extend([" ", &memory.memory_type]);
    }
    text.extend([" ", importance(memory.importance)]);
    text
}

const fn importance(importance: Importance) -> &'static str {
    match importance {
        Importance::Low => "low",
        Importance::Normal => "normal",
        Importance::High => "high",
        Importance::Critical => "critical",
    }
}

/// Facts that the first line of a memory states in addition to its fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Note<'m> {
    /// The date since which it holds.
    pub(crate) date: Option<&'m str>,
    /// Whether that date is a separate field rather than part of a text.
    pub(crate) given: bool,
    /// Whether it replaces an older memory.
    pub(crate) since: bool,
    /// The newer memory that replaces it.
    pub(crate) older_than: Option<&'m str>,
    /// Whether level 1 leaves out confidence, date and tags, because the query is about something else.
    pub(crate) brief: bool,
}

impl<'m> Note<'m> {
    /// The note that follows from `memory` alone.
    pub(crate) fn of(memory: &'m MemoryRecord) -> Self {
        let given = memory.date.as_deref().map(|date| latest(date).map_or(date, |date| date.text));
        let date = given.or_else(|| date(memory).map(|date| date.text));
        Self { date, given: given.is_some(), ..Self::default() }
    }
}

/// The first line of levels 1 to 3: level 0, confidence, date, the newer memory, tags and, after a colon, what it is
/// about.
pub(crate) fn heading(memory: &MemoryRecord, note: &Note<'_>, tags: &[String], about: &str) -> String {
    let mut text = reference(memory);
    if let Some(confidence) = memory.confidence {
        text.extend([" ", &confidence.to_string()]);
    }
    // A date that is in the text is not repeated.
    if let Some(date) =
        note.date.filter(|date| note.given || note.since || !about.is_empty() && !about.contains(date))
    {
        text.extend([if note.since { " since " } else { " " }, date]);
    }
    if let Some(newer) = note.older_than {
        text.extend([" older than ", newer]);
    }
    if !tags.is_empty() {
        text.extend([" (", &tags.join(", "), ")"]);
    }
    if !about.is_empty() {
        text.extend([": ", about]);
    }
    text
}

/// Level 1: the [heading], or only level 0 and what it is about.
pub(crate) fn gist(memory: &MemoryRecord, note: &Note<'_>, tags: &[String], about: &str) -> String {
    match note.brief {
        true if about.is_empty() => reference(memory),
        true => [&reference(memory), ": ", about].concat(),
        false => heading(memory, note, tags, about),
    }
}

/// Level 2. Of the line of level 1, what is already in the knowledge is not repeated.
pub(crate) fn extract(
    memory: &MemoryRecord,
    note: &Note<'_>,
    gist: &Level1Output,
    details: &Details,
    language: &str,
) -> String {
    let mut text = heading(memory, note, &gist.tags, &beside(memory, &gist.one_liner, &details.knowledge));
    line(&mut text, &details.knowledge);
    if let Some(example) = &details.example {
        fenced(&mut text, language, example);
    }
    let examples = memory.examples.iter().filter(|example| !example.code.trim().is_empty()).count();
    if let Some(examples) = counted(examples.saturating_sub(details.example.iter().len()), "example") {
        line(&mut text, &format!("[... {examples}]"));
    }
    for description in &details.evidence {
        line(&mut text, &["Evidence: ", description].concat());
    }
    text
}

/// Level 3. The line of level 1 would add nothing: it is made from the text below.
pub(crate) fn full(memory: &MemoryRecord, note: &Note<'_>) -> String {
    let about = if memory.summary.trim().is_empty() { "" } else { &memory.summary };
    let said = memory.knowledge.contains(about);
    let mut text = heading(memory, note, &memory.tags, if said { "" } else { about });
    line(&mut text, &memory.knowledge);
    for CodeSnippet { language, code, explanation } in &memory.examples {
        line(&mut text, explanation);
        fenced(&mut text, language, code);
    }
    for Evidence { description, confidence } in &memory.evidence {
        let confidence = confidence.map_or_else(String::new, |confidence| format!(" ({confidence})"));
        line(&mut text, &["Evidence: ", description, &confidence].concat());
    }
    for (name, items, separator) in [
        ("Related: ", &memory.related, ", "),
        ("Causes: ", &memory.causal_chain, " -> "),
        ("Patterns: ", &memory.linked_patterns, ", "),
        ("Constraints: ", &memory.linked_constraints, ", "),
        ("Files: ", &memory.linked_files, ", "),
        ("Functions: ", &memory.linked_functions, ", "),
    ] {
        if !items.is_empty() {
            line(&mut text, &[name, &items.join(separator)].concat());
        }
    }
    text
}

/// Adds `part` on a line of its own.
fn line(text: &mut String, part: &str) {
    if !part.is_empty() {
        text.extend(["\n", part]);
    }
}

/// Adds code between fences longer than any run of backticks in it.
fn fenced(text: &mut String, language: &str, code: &str) {
    let runs = code.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    let feed = if code.ends_with('\n') { "" } else { "\n" };
    text.extend(["\n", &fence, language, "\n", code, feed, &fence]);
}
