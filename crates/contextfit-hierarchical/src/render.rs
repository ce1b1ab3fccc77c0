//! The levels as text.

use std::borrow::Cow;

use contextfit_kernel::{CodeSnippet, Evidence, MemoryRecord, one_line, quoted};
use contextfit_text::{Fence, skeleton};

use crate::{
    Details, Level1Output,
    dates::shown,
    layout,
    one_liner::{beside, counted},
};

/// Level 0: `[id] type importance`. Id and type are in quotes if a part of them could be misread.
pub(crate) fn reference(memory: &MemoryRecord) -> String {
    let MemoryRecord { id, memory_type, importance, .. } = memory;
    let plain = named(&one_line(id), &one_line(memory_type), memory);
    // After a colon, the rest of a type would read like what the memory says.
    if layout::is_read_as(&plain, id, memory_type, *importance) && !skeleton(memory_type).contains(':') {
        return plain;
    }
    let memory_type = if memory_type.is_empty() { String::new() } else { quoted(memory_type) };
    named(&quoted(id), &memory_type, memory)
}

fn named(id: &str, memory_type: &str, memory: &MemoryRecord) -> String {
    let mut text = ["[", id, "]"].concat();
    if !memory_type.is_empty() {
        text.extend([" ", memory_type]);
    }
    text.extend([" ", layout::importance_name(memory.importance)]);
    text
}

/// Facts that the first line of a memory states in addition to its fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Note<'m> {
    /// The date from which it is valid.
    pub(crate) date: Option<&'m str>,
    /// Whether it replaces an older memory.
    pub(crate) since: bool,
    /// The id of the newer memory that replaces it.
    pub(crate) older_than: Option<&'m str>,
    /// Whether level 1 leaves out confidence, date and tags, because the query is about something else.
    pub(crate) brief: bool,
}

impl<'m> Note<'m> {
    /// The note that follows from `memory` alone.
    pub(crate) fn of(memory: &'m MemoryRecord) -> Self {
        Self { date: shown(memory), ..Self::default() }
    }
}

/// Level 1 of a memory that is not about the query: level 0, what it is `about`, and what is `missing`.
pub(crate) fn brief(memory: &MemoryRecord, about: &str, missing: &str) -> String {
    tell(reference(memory), about, missing)
}

/// `text`, then after a colon what a memory is `about` and what is `missing`.
fn tell(mut text: String, about: &str, missing: &str) -> String {
    let missing = if about.is_empty() { missing.trim_start() } else { missing };
    if !about.is_empty() || !missing.is_empty() {
        text.extend([": ", &said(about), missing]);
    }
    text
}

/// The first line of levels 1 to 3: level 0, confidence, date, the newer memory, tags and, after a colon, what it is
/// `about`.
pub(crate) fn heading(memory: &MemoryRecord, note: &Note<'_>, tags: &[String], about: &str) -> String {
    gist(memory, note, tags, about, "")
}

/// Level 1: the [heading], and what is `missing` at its end.
pub(crate) fn gist(
    memory: &MemoryRecord,
    note: &Note<'_>,
    tags: &[String],
    about: &str,
    missing: &str,
) -> String {
    let mut text = reference(memory);
    if let Some(confidence) = memory.confidence {
        text.extend([" ", &confidence.to_string()]);
    }
    if let Some(date) = note.date {
        text.extend([if note.since { " since " } else { " " }, &told(date)]);
    }
    if let Some(newer) = note.older_than {
        text.extend([" older than ", &told(newer)]);
    }
    if !tags.is_empty() {
        let tag = |tag: &String| match skeleton(tag).contains(')') {
            true => quoted(tag),
            false => told(tag).into_owned(),
        };
        text.extend([" (", &tags.iter().map(tag).collect::<Vec<_>>().join(", "), ")"]);
    }
    tell(text, about, missing)
}

/// `about`, in quotes if it could be misread as another memory or a gap.
fn said(about: &str) -> Cow<'_, str> {
    if layout::is_misread_in_line(about) { quoted(about).into() } else { about.into() }
}

/// `value` as one line, in quotes if it could be misread as another memory or a gap.
fn told(value: &str) -> Cow<'_, str> {
    if layout::is_misread_in_line(value) { quoted(value).into() } else { one_line(value) }
}

/// `items` joined by `separator`, each as one line.
fn listed(items: &[String], separator: &str) -> String {
    items.iter().map(|item| told(item)).collect::<Vec<_>>().join(separator)
}

/// Level 2. The line of level 1 is not repeated if the knowledge begins with it.
pub(crate) fn extract(
    memory: &MemoryRecord,
    note: &Note<'_>,
    gist: &Level1Output,
    details: &Details,
    language: &str,
) -> String {
    let about = beside(&gist.one_liner, &details.knowledge);
    let mut text = Body::new(memory, heading(memory, note, &gist.tags, about));
    // If sentences are left out, the last line is a marker.
    let (knowledge, missing) = match details.knowledge.rsplit_once('\n') {
        _ if details.knowledge == memory.knowledge => (&*details.knowledge, ""),
        Some(parts) => parts,
        None => ("", &*details.knowledge),
    };
    text.add(knowledge);
    text.mark(missing);
    if let Some(example) = &details.example {
        text.add(&fenced(language, example));
    }
    let examples = memory.examples.iter().filter(|example| !example.code.trim().is_empty()).count();
    if let Some(examples) = counted(examples.saturating_sub(details.example.iter().len()), "example") {
        text.mark(&format!("[... {examples}]"));
    }
    for description in &details.evidence {
        text.add(&["Evidence: ", description].concat());
    }
    text.text
}

/// Level 3. The first line has the summary, unless the knowledge contains it. Another line would repeat the text below.
pub(crate) fn full(memory: &MemoryRecord, note: &Note<'_>) -> String {
    let about = if memory.summary.trim().is_empty() { "" } else { &memory.summary };
    let about = if memory.knowledge.contains(about) { "" } else { about };
    let mut text = Body::new(memory, heading(memory, note, &memory.tags, about));
    text.add(&memory.knowledge);
    for CodeSnippet { language, code, explanation } in &memory.examples {
        text.add(explanation);
        text.add(&fenced(language, code));
    }
    for Evidence { description, confidence } in &memory.evidence {
        let confidence = confidence.map_or_else(String::new, |confidence| format!(" ({confidence})"));
        text.add(&["Evidence: ", description, &confidence].concat());
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
            text.add(&[name, &listed(items, separator)].concat());
        }
    }
    text.text
}

/// The text of a memory, which starts with its heading.
struct Body<'m> {
    text: String,
    memory: &'m MemoryRecord,
    /// The number of parts in fences.
    fenced: usize,
}

impl<'m> Body<'m> {
    const fn new(memory: &'m MemoryRecord, heading: String) -> Self {
        Self { text: heading, memory, fenced: 0 }
    }

    /// Adds a part of the source on separate lines, in a fence if one of them could be mistaken for a line of the
    /// layout.
    fn add(&mut self, part: &str) {
        if !layout::is_forged(part) {
            self.mark(part);
            return;
        }
        self.fenced += 1;
        let fence = Fence::around(&parts(self.memory));
        for line in [&fence.open(self.fenced), part, &fence.close(self.fenced)] {
            self.mark(line);
        }
    }

    /// Adds a line that is not empty.
    fn mark(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(["\n", line]);
        }
    }
}

/// The parts of a memory that are shown on separate lines.
fn parts(memory: &MemoryRecord) -> Vec<&str> {
    let lists = [&memory.related, &memory.causal_chain, &memory.linked_patterns, &memory.linked_constraints]
        .into_iter()
        .chain([&memory.linked_files, &memory.linked_functions]);
    let examples =
        memory.examples.iter().flat_map(|example| [&example.language, &example.code, &example.explanation]);
    let evidence = memory.evidence.iter().map(|evidence| &evidence.description);
    let parts = [&memory.knowledge].into_iter().chain(examples).chain(evidence).chain(lists.flatten());
    parts.map(String::as_str).collect()
}

/// Code between fences longer than any run of backticks in it.
fn fenced(language: &str, code: &str) -> String {
    let runs = code.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
    let feed = if code.ends_with('\n') { "" } else { "\n" };
    [&fence, &*one_line(language), "\n", code, feed, &fence].concat()
}
