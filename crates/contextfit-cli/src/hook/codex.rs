//! Events of Codex after a tool ran, and the answers that replace its output.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    EVENT,
    outputs::{Printed, reads_a_file},
};
use crate::run::saved;

/// What an output begins with that the agent cut, so that nobody has the whole.
const CUT: &str = "Warning: truncated output";

/// What the last line of a replacement says first. The agent tells its hooks no exit code, and a replacement replaces it
/// too.
const NOTE: &str = "exit code not known; ";

/// What is read of an event; everything else in it may be anything.
#[derive(Debug, Deserialize)]
struct Event {
    hook_event_name: String,
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    tool_response: String,
    tool_use_id: String,
}

/// The answer to `event`, JSON as the agent sends it. `None` if nothing changes.
pub(super) fn answer(event: &[u8]) -> Option<Value> {
    let event: Event = serde_json::from_slice(event).ok()?;
    let command = event.tool_input.get("command")?.as_str()?;
    let is_shell = event.hook_event_name == EVENT && event.tool_name == "Bash";
    if !is_shell || reads_a_file(command) || event.tool_response.starts_with(CUT) {
        return None;
    }
    // Its sandbox lets it read anywhere.
    let folder = saved().ok()?.folder().to_path_buf();
    let (text, call) = (event.tool_response, event.tool_use_id.as_str());
    let shown = Printed { text, saved: None, folder: Some(folder), call, failed: false, note: NOTE }
        .shortened(command)?;
    Some(json!({"decision": "block", "reason": shown}))
}
