//! Events of Claude Code after a tool ran, and the answers that replace its output.

use std::{fs, path::PathBuf};

use contextfit::kernel::Tokens;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::EVENT;
use crate::{
    args::FitArgs,
    programs::{PROGRAMS, name, words},
    shortened::{Shown, discard, is_long, save, shortened},
};

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
        let text = match &saved {
            Some(path) => fs::read_to_string(path).ok()?,
            None => output.get("stdout")?.as_str()?.to_owned(),
        };
        let shown = self.shortened(text, saved, &words(command).collect::<Vec<_>>())?;
        output.insert("stdout".into(), shown.into());
        // With it, the agent would show only the start of the replacement.
        output.retain(|name, _| !name.starts_with("persistedOutput"));
        Some(output.into())
    }

    /// The lines that a search found.
    fn found(&self) -> Option<Value> {
        let mut output: Map<String, Value> = self.tool_response.as_object()?.clone();
        let path = self.tool_input.get("path").and_then(Value::as_str).unwrap_or_default();
        if is_saved(path) {
            return None;
        }
        let text = output.get("content")?.as_str()?.to_owned();
        let shown = self.shortened(text, None, &["grep"])?;
        output.insert("content".into(), shown.into());
        Some(output.into())
    }

    /// `text` as it is shown, if that is shorter. The whole is in `saved`, or else it is saved where the agent may read
    /// without asking.
    fn shortened(&self, text: String, saved: Option<PathBuf>, command: &[&str]) -> Option<String> {
        if !is_long(text.as_bytes()) {
            return None;
        }
        let is_ours = saved.is_none();
        let path = match saved {
            Some(path) => path,
            None => {
                save(&self.folder()?, &format!("contextfit-{}.txt", self.name()?), text.as_bytes()).ok()?
            }
        };
        let budget = (text.chars().count() > CUT_CHARS).then_some(CUT_TOKENS);
        let flags = FitArgs { budget, ..FitArgs::default() };
        let bytes = text.len();
        match shortened(text, &path, command, &flags) {
            Ok(Shown::Excerpt(shown)) if shown.len() < bytes => Some(shown),
            _ => {
                if is_ours {
                    discard(&path);
                }
                None
            }
        }
    }

    /// Where the agent saves outputs of this session.
    fn folder(&self) -> Option<PathBuf> {
        let session = self.transcript_path.with_extension("");
        let is_usual = self.transcript_path.is_absolute() && session != self.transcript_path;
        is_usual.then(|| session.join("tool-results"))
    }

    /// The id of the call, if it can be the name of a file.
    fn name(&self) -> Option<&str> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        Some(self.tool_use_id.as_str()).filter(|id| !id.is_empty() && id.chars().all(is_name))
    }
}

/// Whether `command` may print a file as it is, or what was saved or shortened before: the agent may need the exact text.
/// What is not sure counts as such, because an output that stays long does no harm.
fn reads_a_file(command: &str) -> bool {
    let readers = PROGRAMS.list("readers of files");
    let is_reader = |word: &str| readers.phrases().contains(&name(word));
    let mut statements =
        command.split([';', '\n']).flat_map(|part| part.split("&&")).flat_map(|part| part.split("||"));
    is_saved(command)
        || words(command).any(|word| name(word) == "contextfit")
        || statements.any(|statement| {
            let of_revision = |part: &str| {
                words(part).any(|word| name(word) == "git") && words(part).any(|word| word.contains(':'))
            };
            statement.split('|').enumerate().any(|(n, part)| {
                let passes_on = n == 0 || words(part).any(|word| name(word) == "xargs");
                passes_on && (of_revision(part) || words(part).any(is_reader))
            })
        })
}

/// Whether `text` names a file that holds a whole output.
fn is_saved(text: &str) -> bool {
    text.contains("tool-results/") || text.contains("contextfit/runs/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_print_files() {
        let check = |expect: bool, commands: &[&str]| {
            commands.iter().for_each(|command| assert_eq!(reads_a_file(command), expect, "{command}"));
        };
        check(true, &["cat a.rs", "sed -n 1,400p a.rs", "head -n 900 a.rs", "nl a.rs", "/bin/cat a b"]);
        check(
            true,
            &[
                "git show HEAD:a.rs",
                "git -C x cat-file -p main:src/a.rs",
                "cd src && cat a.rs",
                "LANG=C cat a",
            ],
        );
        check(
            true,
            &["test -f a || cat b", "(cat a.rs)", "for f in a b; do cat $f; done", "if x; then cat a; fi"],
        );
        check(
            true,
            &["sed -nE '/a|b/p' f", "cat a; git log | head -3", "cat a | head -300", "cat<a", "awk 'NR<9' f"],
        );
        check(
            true,
            &[
                "timeout 5 cat f",
                "bash -c \"cat f\"",
                "find . -exec cat {} +",
                "ls *.rs | xargs cat",
                "! cat a",
            ],
        );
        check(
            true,
            &["contextfit  restore 12ab", "contextfit run -- cargo test", "/usr/bin/contextfit files ."],
        );
        check(
            true,
            &[
                "grep -n x /p/tool-results/contextfit-toolu_1.txt",
                "grep x ~/.local/state/contextfit/runs/run-a.log",
            ],
        );
        check(
            false,
            &[
                "cargo test",
                "cargo test 2>&1 | tail -n 900",
                "git show HEAD",
                "git log",
                "ls -lR",
                "grep -rn cats .",
            ],
        );
    }
}
