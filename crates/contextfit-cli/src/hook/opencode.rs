//! Events of OpenCode after a tool ran, and the plugin that sends them.

use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::{Value, json};

use super::outputs::{Printed, is_saved, reads_a_file};
use crate::folders::base;

/// What is read of an event; everything else in it may be anything.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    tool: String,
    #[serde(rename = "callID")]
    call: String,
    #[serde(default)]
    args: Value,
    output: String,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Metadata {
    /// The file in which the agent saved the whole of an output that it cut.
    output_path: Option<PathBuf>,
    /// The exit code of a command; none if it was stopped.
    exit: Option<i64>,
}

/// The answer to `event`, JSON as the plugin sends it. `None` if nothing changes.
pub(super) fn answer(event: &[u8]) -> Option<Value> {
    let Event { tool, call, args, output, metadata } = serde_json::from_slice(event).ok()?;
    let argument = |name: &str| args.get(name).and_then(Value::as_str);
    let command = match tool.as_str() {
        "bash" => argument("command").filter(|command| !reads_a_file(command))?,
        "grep" if !is_saved(argument("path").unwrap_or_default()) => "grep",
        _ => return None,
    };
    let failed = metadata.exit.is_some_and(|code| code != 0);
    let printed = match metadata.output_path {
        None => Printed { text: output, saved: None, folder: folder(), call: &call, failed, note: "" },
        Some(path) => {
            let file = fs::read_to_string(&path).ok()?;
            let text = whole(&file, &output, &path)?;
            let saved = (text.len() == file.len()).then_some(path);
            Printed { text: text.into(), saved, folder: folder(), call: &call, failed, note: "" }
        }
    };
    Some(json!({"output": printed.shortened(command)?}))
}

/// The text of `file` at `path`, and what only the agent's own output, its end, has: the agent may ask before the end is
/// written. `None` if they do not go together.
fn whole<'f>(file: &'f str, output: &str, path: &Path) -> Option<Cow<'f, str>> {
    let (_, end) = output.split_once(path.to_str()?)?;
    let end = end.trim_start_matches('\n');
    if file.trim_end().ends_with(end.trim_end()) {
        return Some(file.into());
    }
    let starts = file.rmatch_indices(end.lines().next()?).map(|(at, _)| at);
    // Most of the end must be in the file, from the start of a line.
    let fits = |rest: &str| end.starts_with(rest.trim_end()) && rest.len() * 2 >= end.len();
    let begins = |before: &str| before.is_empty() || before.ends_with('\n');
    let mut starts =
        starts.filter(|at| file.split_at_checked(*at).is_some_and(|(a, b)| begins(a) && fits(b)));
    Some((file.get(..starts.next()?)?.to_owned() + end).into())
}

/// Where the agent saves outputs, and may read without asking.
pub(super) fn folder() -> Option<PathBuf> {
    Some(base("XDG_DATA_HOME", ".local/share")?.join("opencode/tool-output"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_that_is_not_written_yet() {
        let check = |file: &str, end: &str, expect: Option<&str>| {
            let output = format!("...output truncated...\n\nFull output saved to: /x/tool_1\n\n{end}");
            assert_eq!(whole(file, &output, Path::new("/x/tool_1")).as_deref(), expect, "{file:?} {end:?}");
        };
        check("1\n2\n3\n", "2\n3\n", Some("1\n2\n3\n"));
        check("1\n2\n3", "2\n3\n", Some("1\n2\n3"));
        check("1\n22\n33\n", "22\n33\nerror\n", Some("1\n22\n33\nerror\n"));
        check("1\nresult: }\n", "}\n", Some("1\nresult: }\n"));
        check("1\nresult: }\n", "}\nother\n", None);
        check("1\n2\n", "2\nmany other lines\n", None);
        check("1\n2\n", "3\nerror\n", None);
        assert_eq!(whole("1\n", "no path", Path::new("/x/tool_1")), None);
    }
}
