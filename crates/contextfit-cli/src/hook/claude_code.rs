//! Events of Claude Code after a tool ran, and the answers that replace its output.

use std::{fs, path::PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    EVENT,
    outputs::{Printed, is_saved, reads_a_file},
};

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
        let saved = output.get("persistedOutputPath").and_then(Value::as_str).map(PathBuf::from);
        // What the agent saved is the whole; its own output is cut.
        let text = match &saved {
            Some(path) => fs::read_to_string(path).ok()?,
            None => output.get("stdout")?.as_str()?.to_owned(),
        };
        let shown = self.shortened(text, saved, command)?;
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
        let shown = self.shortened(text, None, "grep")?;
        output.insert("content".into(), shown.into());
        Some(output.into())
    }

    /// `text` as it is shown, if that is shorter.
    fn shortened(&self, text: String, saved: Option<PathBuf>, command: &str) -> Option<String> {
        Printed { text, saved, folder: self.folder(), call: &self.tool_use_id, failed: false, note: "" }
            .shortened(command)
    }

    /// Where the agent saves outputs of this session.
    fn folder(&self) -> Option<PathBuf> {
        let session = self.transcript_path.with_extension("");
        let is_usual = self.transcript_path.is_absolute() && session != self.transcript_path;
        is_usual.then(|| session.join("tool-results"))
    }
}
