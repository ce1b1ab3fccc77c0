//! Events of Claude Code after a tool ran, and the answers that replace its output.

use std::{
    fs,
    path::{Path, PathBuf},
};

use contextfit::{kernel::Tokens, text::TOOLS};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::save;
use crate::{
    args::FitArgs,
    shortened::{is_long, shortened},
};

/// The hook whose answers replace outputs. Failing commands do not come here.
const EVENT: &str = "PostToolUse";

/// Beyond this many characters, the agent itself shows the first 2 KB and the file in which it saved the rest.
const CUT_CHARS: usize = 30_000;

/// What is shown of an output that the agent would cut.
const CUT_TOKENS: Tokens = Tokens::new(2_000);

/// What is read of an event; everything else in it may be anything.
#[derive(Debug, Deserialize)]
struct Event {
    hook_event_name: String,
    transcript_path: PathBuf,
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    tool_response: Value,
    tool_use_id: String,
}

/// The answer to `event`, JSON as the agent sends it. `None` if nothing changes: it is another event, a tool whose output
/// must stay as it is, or a short output.
pub(super) fn answer(event: &[u8]) -> Option<Value> {
    let event: Event = serde_json::from_slice(event).ok()?;
    if event.hook_event_name != EVENT {
        return None;
    }
    let output = match event.tool_name.as_str() {
        "Bash" => event.shell()?,
        "Grep" => event.found()?,
        name if name.starts_with("mcp__") => event.blocks()?,
        _ => return None,
    };
    Some(json!({"hookSpecificOutput": {"hookEventName": EVENT, "updatedToolOutput": output}}))
}

impl Event {
    /// The output of a command.
    fn shell(&self) -> Option<Value> {
        let mut output = self.tool_response.as_object()?.clone();
        let command = self.tool_input.get("command")?.as_str()?;
        let is_set = |name: &str| output.get(name).is_some_and(|value| *value == true);
        let runs_on = output.get("backgroundTaskId").is_some_and(|id| !id.is_null());
        if is_set("isImage") || is_set("interrupted") || runs_on || reads_a_file(command) {
            return None;
        }
        // What the agent saved is the whole; its own output is cut.
        let saved = output.get("persistedOutputPath").and_then(Value::as_str).map(PathBuf::from);
        let whole = saved.as_deref().and_then(|path| fs::read_to_string(path).ok());
        let text = whole.or_else(|| Some(output.get("stdout")?.as_str()?.to_owned()))?;
        let words: Vec<String> = words(command).take(2).map(Into::into).collect();
        let shown = self.shortened(text, saved, &words, "")?;
        output.insert("stdout".into(), shown.into());
        // With it, the agent would show only the start of the replacement.
        output.retain(|name, _| !name.starts_with("persistedOutput"));
        Some(output.into())
    }

    /// The lines that a search found.
    fn found(&self) -> Option<Value> {
        let mut output: Map<String, Value> = self.tool_response.as_object()?.clone();
        let text = output.get("content")?.as_str()?.to_owned();
        let shown = self.shortened(text, None, &["grep".into()], "")?;
        output.insert("content".into(), shown.into());
        Some(output.into())
    }

    /// The texts of a tool of another server.
    fn blocks(&self) -> Option<Value> {
        let mut blocks = self.tool_response.as_array()?.clone();
        let mut changed = false;
        for (n, block) in blocks.iter_mut().enumerate() {
            let Some(Value::String(text)) = block.get_mut("text") else { continue };
            if let Some(shown) = self.shortened(text.clone(), None, &[], &format!("-{n}")) {
                *text = shown;
                changed = true;
            }
        }
        changed.then(|| blocks.into())
    }

    /// `text` as it is shown, if that is shorter. The whole is in `saved`, or else it is saved where the agent may read
    /// without asking; `part` distinguishes the texts of one result.
    fn shortened(
        &self,
        text: String,
        saved: Option<PathBuf>,
        command: &[String],
        part: &str,
    ) -> Option<String> {
        if !is_long(text.as_bytes()) {
            return None;
        }
        let is_ours = saved.is_none();
        let path = match saved {
            Some(path) => path,
            None => save(&self.folder()?, &format!("contextfit-{}{part}.txt", self.name()?), &text).ok()?,
        };
        let budget = (text.chars().count() > CUT_CHARS).then_some(CUT_TOKENS);
        let flags = FitArgs { budget, ..FitArgs::default() };
        let shown =
            shortened(text.clone(), &path, command, &flags).ok().filter(|shown| shown.len() < text.len());
        if shown.is_none() && is_ours {
            // Nothing names the file. If it cannot be removed, the agent removes it with the session.
            let _ = fs::remove_file(path);
        }
        shown
    }

    /// Where the agent saves outputs of this session.
    fn folder(&self) -> Option<PathBuf> {
        let session = self.transcript_path.with_extension("");
        (session != self.transcript_path).then(|| session.join("tool-results"))
    }

    /// The id of the call, if it can be the name of a file.
    fn name(&self) -> Option<&str> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        Some(self.tool_use_id.as_str()).filter(|id| !id.is_empty() && id.chars().all(is_name))
    }
}

/// Whether `command` prints files as they are, or what contextfit restores: the agent may need the exact text.
fn reads_a_file(command: &str) -> bool {
    if command.contains("contextfit restore") || command.contains("contextfit-toolu") {
        return true;
    }
    // What a pipe changes is no longer the text of a file.
    let is_piped = command.replace("||", "&&").contains('|');
    let readers = TOOLS.list("readers of files");
    !is_piped
        && command.split(['&', ';', '\n', '|', '(', ')']).any(|part| {
            let mut words = words(part);
            let (program, first) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let name = Path::new(program).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let of_revision = first == "show" && words.any(|word| word.contains(':'));
            let with_first = format!("{name} {first}");
            let is_reader = |reader: &&str| *reader == name || *reader == with_first;
            name == "git" && of_revision || readers.phrases().iter().any(is_reader)
        })
}

/// The words of a command from its program on.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let is_before = |word: &&str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        let sets = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        sets || matches!(*word, "sudo" | "time" | "env" | "command" | "exec" | "nice")
    };
    command.split_whitespace().skip_while(is_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_print_files() {
        let check = |expect: bool, commands: &[&str]| {
            commands.iter().for_each(|command| assert_eq!(reads_a_file(command), expect, "{command}"));
        };
        check(true, &["cat a.rs", "sed -n 1,400p a.rs", "head -n 900 a.rs", "nl -ba a.rs", "/bin/cat a b"]);
        check(
            true,
            &["git show HEAD:a.rs", "git show main:src/a.rs src", "cd src && cat a.rs", "LANG=C cat a.rs"],
        );
        check(true, &["test -f a || cat b", "(cat a.rs)", "contextfit restore 12ab", "sudo cat /etc/hosts"]);
        check(true, &["grep -n x /p/tool-results/contextfit-toolu_1.txt"]);
        check(
            false,
            &["cargo test", "cat a.rs | wc -l", "git show HEAD", "git log", "ls -lR", "sed -i s/a/b/ a"],
        );
    }
}
