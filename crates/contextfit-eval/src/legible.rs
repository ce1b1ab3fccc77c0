//! Whether the text that replaces earlier messages is readable: whole units of them, or fragments.

use std::collections::{BTreeSet, HashSet};

use contextfit_kernel::{Label, Medium, Rewrite, TokenCounter, Voice};
use contextfit_text::{is_json, repeated, rewritten};
use serde_json::{Map, Value};

use crate::{
    Record,
    labels::{is_mark, leaf, uncalled, unlabelled, unmarked, words},
    python::{self, folded, is_blank, lines},
    transcript::{calls, content_of, is_of, text_of},
    units::Units,
};

/// The messages against which a record is judged.
pub(crate) struct SourceMessages {
    units: Units,
    /// The names and arguments of calls; the arguments both whole and one by one, folded.
    calls: BTreeSet<(String, String)>,
    texts: HashSet<String>,
    /// All texts, as they are and rewritten losslessly, folded.
    all: String,
}

/// Shorter arguments, in characters, do not identify a call.
const TELLING: usize = 4;

impl SourceMessages {
    /// Reads `messages`. Linear in their size.
    pub(crate) fn of(messages: &[Value]) -> Self {
        let mut units = Units::default();
        let mut called = BTreeSet::new();
        for message in messages {
            units.add(&content_of(message));
            for (name, arguments) in calls(message) {
                for value in values(arguments).chain([arguments.to_owned()]) {
                    units.add(&value);
                    if value.chars().count() >= TELLING {
                        called.insert((name.to_owned(), folded(&value)));
                    }
                }
            }
        }
        let texts: Vec<String> = messages.iter().map(text_of).collect();
        let shorter = |text: &String| {
            rewritten(if is_json(text) { Rewrite::JsonBlanks } else { Rewrite::Terminal }, text)
        };
        let written = texts.iter().map(shorter);
        let all = texts.iter().cloned().chain(written.flatten()).collect::<Vec<_>>().join("\n");
        Self { units, calls: called, all: folded(&all), texts: texts.into_iter().collect() }
    }

    /// The size of the text in `shown` that replaces missing messages, and those of its lines that are fragments. A
    /// message that was cut does not count: its lines are the source's own. Neither does a heading in square brackets.
    pub(crate) fn record(&self, shown: &[Value], counter: &dyn TokenCounter) -> (Record, HashSet<String>) {
        let (mut record, mut fragments) = (Record::default(), HashSet::new());
        for message in shown {
            let text = text_of(message);
            if self.texts.contains(&text) || calls(message).next().is_some() || is_blank(&text) {
                continue;
            }
            let headed = text.starts_with('[');
            let is_output = is_of(message, "tool");
            let is_shown = |line: &str| self.all.contains(&folded(&unmarked(line)));
            let is_own = |line| is_shown(line) || repeated(line).is_some_and(|(line, _)| is_shown(line));
            if (is_output || !headed) && lines(&text).all(is_own) {
                continue;
            }
            for line in lines(&text).skip(usize::from(headed)) {
                let tokens = counter.count(line);
                record.tokens += tokens;
                if !self.is_whole(line) {
                    record.fragments += tokens;
                    fragments.insert(line.to_owned());
                }
            }
        }
        (record, fragments)
    }

    /// Whether `line`, with or without its label, is made of whole units, or is a JSON leaf or a call.
    fn is_whole(&self, line: &str) -> bool {
        let line = line.trim_end_matches([' ', '…']);
        let said = unlabelled(line);
        let bare = uncalled(said);
        is_mark(line)
            || is_name(line)
            || [line, said, bare].iter().any(|line| self.units.make_up(line))
            || [said, bare].iter().any(|line| self.is_leaf(line))
            || self.is_call(said)
    }

    /// Whether `line` is `"key": value, value` with a key and values from one message.
    fn is_leaf(&self, line: &str) -> bool {
        let Some((key, value)) = leaf(line) else { return false };
        let key = format!("\"{key}\"");
        let values: Vec<&str> = value.split(", ").map(|value| value.trim_matches([' ', '"'])).collect();
        self.texts.iter().any(|text| text.contains(&key) && values.iter().all(|value| text.contains(value)))
    }

    /// Whether `line` is a call such as `NAME arguments -> outcome`: one argument appears whole, and besides it at most
    /// three words or an outcome of whole units.
    fn is_call(&self, line: &str) -> bool {
        let said = folded(line);
        let outcome = said.rsplit("->").next().and_then(|said| said.rsplit('→').next()).unwrap_or_default();
        let beside = |name: &str, value: &str| words(&said.replace(value, " ").replace(&folded(name), " "));
        let holds =
            |(name, value): &&(String, String)| line.contains(name.as_str()) && said.contains(value.as_str());
        let mut called = self.calls.iter().filter(holds).peekable();
        called.peek().is_some()
            && (self.units.make_up(outcome) || called.any(|(name, value)| beside(name, value) <= 3))
    }
}

/// Whether `line` is an entry that names calls or attachments, and quotes nothing.
fn is_name(line: &str) -> bool {
    Label::parse(line).is_some_and(|(label, rest)| match label.voice {
        Voice::Called { .. } | Voice::Calls { .. } => rest.is_empty(),
        Voice::Attached { .. } => Medium::is_named_by(rest.trim_start()),
        _ => false,
    })
}

/// The values of a call's arguments: texts as they are, others as JSON.
fn values(arguments: &str) -> impl Iterator<Item = String> {
    let object: Map<String, Value> = serde_json::from_str(arguments).unwrap_or_default();
    object.into_values().map(|value| match value {
        Value::String(text) => text,
        other => python::json(&other),
    })
}

#[cfg(test)]
mod tests {
    use contextfit_text::counter;
    use serde_json::json;

    use super::*;

    fn source() -> SourceMessages {
        let arguments = json!({"path": "src/main.rs", "lines": [3, 4], "n": 7}).to_string();
        let call =
            json!({"id": "c1", "type": "function", "function": {"name": "read", "arguments": arguments}});
        SourceMessages::of(&[
            json!({"role": "user", "content": "Fix the build. It fails on CI, see below!\nerror: disk full"}),
            json!({"role": "assistant", "content": null, "tool_calls": [call]}),
            json!({"role": "tool", "tool_call_id": "c1", "content": "fn main() {}\n{\"total\": 412.50, \"ids\": [\"a1\", \"b2\"]}"}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "The disk is full. I clear it."}]}),
            json!({"role": "tool", "tool_call_id": "c2", "content": "{\"price\": 1, \"tax\": 2}"}),
        ])
    }

    /// The fragments among the lines of `message`.
    fn fragments(message: &Value) -> Vec<String> {
        let characters = counter("chars/1").unwrap();
        let (record, lines) = source().record(std::slice::from_ref(message), &*characters);
        let mut lines: Vec<String> = lines.into_iter().collect();
        lines.sort();
        let length: usize = lines.iter().map(String::len).sum();
        assert_eq!(record.fragments.get(), length, "{message}");
        assert!(record.fragments <= record.tokens);
        lines
    }

    #[test]
    fn lines_of_a_record() {
        for (line, whole) in [
            ("#1 user: Fix the build.", true),
            ("#1 user: Fix the build. error: disk full", true),
            ("  fn main() {}", true),
            ("#4 assistant: I clear it. The disk is full.", true),
            ("#2 assistant called read: src/main.rs", true),
            ("#2 assistant: read (x3) src/main.rs -> fn main() {}", true),
            ("#2 assistant: read src/main.rs -> ok now", true),
            ("#2 assistant: read [3, 4]", true),
            ("#3 tool read: \"total\": 412.50", true),
            ("#3 tool: ids: a1, b2", true),
            ("#1 user: Fix the build. …", true),
            ("#2 assistant called read, write x3:", true),
            ("#1 user attached: [1 image], [2 files]", true),
            ("#1 user attached: [1 horse]", false),
            ("[... 12 lines left out]", true),
            ("", true),
            ("#1 user: disk, build", false),
            ("#1 user: Fix the", false),
            ("#4 assistant: disk is full.", false),
            ("#3 tool: total: 412.51", false),
            ("#3 tool: 412.50", false),
            ("#2 assistant called read: main.rs", false),
            ("#2 assistant: read src/main.rs which is the one", false),
            // A label removes the tool's name: what follows has to be whole without it.
            ("#2 assistant called read x3: src/main.rs -> fn main() {}", false),
            ("#2 assistant called read: {\"path\": \"src/main.rs\"}", false),
        ] {
            let text = format!("[Earlier turns, shortened]\n{line}");
            let expect: &[&str] = if whole { &[] } else { &[line] };
            assert_eq!(fragments(&json!({"role": "user", "content": text})), expect, "{line:?}");
        }
    }

    #[test]
    fn what_is_no_record() {
        for message in [
            json!({"role": "user", "content": "Fix the build. It fails on CI, see below!\nerror: disk full"}),
            json!({"role": "tool", "content": "[... 1 line left out]\n412.50, \"ids\""}),
            json!({"role": "assistant", "content": "disk is\n[... 3 words]"}),
            json!({"role": "assistant", "content": "a word", "tool_calls": [{"function": {"name": "read", "arguments": ""}}]}),
            json!({"role": "user", "content": " "}),
            // Rewritten losslessly.
            json!({"role": "tool", "content": "{\"price\":1,\"tax\":2}"}),
            json!({"role": "tool", "content": "error: disk full [x3]\n[... 3 lines]"}),
        ] {
            assert!(fragments(&message).is_empty(), "{message}");
        }
        // Its words occur nowhere else, so it replaces something.
        assert_eq!(fragments(&json!({"role": "tool", "content": "disk, CI"})), ["disk, CI"]);
    }
}
