//! Texts that labels refer to: in data sets, and in repositories.

use std::{collections::HashMap, fs, path::Path, process::Command};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Result;

/// The texts of the data set in `folder`, by their ids: of cases, passages, messages and turns (`ID#N`; a meeting has
/// the number of its line as its id).
pub(super) fn texts(folder: &Path) -> Result<HashMap<String, String>> {
    let mut texts = HashMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for (line, number) in lines::<Value>(&path)?.into_iter().zip(0..) {
            let id =
                |key: &str| line.get(key).map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            let text = line.get("text").and_then(Value::as_str).map(str::to_owned);
            if let (Some(id), Some(text)) = (id("pid").or_else(|| id("id")), text) {
                texts.insert(id, text);
            } else if let (Some(item), Some(request)) = (id("item"), line.get("request")) {
                texts.entry(item).or_insert_with(|| longest_result(request));
            } else if let Some(turns) =
                ["messages", "turns"].into_iter().find_map(|key| line.get(key).and_then(Value::as_array))
            {
                let id = id("id").unwrap_or_else(|| number.to_string());
                let said = |turn: &Value| {
                    let text = turn.get("content").or_else(|| turn.get("text")).and_then(Value::as_str);
                    text.map(str::to_owned)
                };
                let said = turns.iter().map(said).enumerate();
                texts.extend(said.filter_map(|(n, text)| Some((format!("{id}#{n}"), text?))));
            }
        }
    }
    Ok(texts)
}

/// The longest result of a tool in `request`.
fn longest_result(request: &Value) -> String {
    let mut longest = String::new();
    let mut open = vec![request];
    while let Some(value) = open.pop() {
        let is = |key: &str, name: &str| value.get(key).and_then(Value::as_str) == Some(name);
        if is("type", "tool_result") || is("role", "tool") {
            let text = match value.get("content") {
                Some(Value::String(text)) => text.clone(),
                Some(Value::Array(parts)) => {
                    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
                    texts.collect::<Vec<_>>().join("\n")
                }
                _ => String::new(),
            };
            longest = if text.len() > longest.len() { text } else { longest };
            continue;
        }
        match value {
            Value::Array(values) => open.extend(values),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    longest
}

/// The file that `id` names, as `OWNER+NAME@COMMIT:PATH`, in one of the repositories in `folder`.
pub(super) fn of_repository(folder: &Path, id: &str) -> Option<String> {
    let (name, object) = id.split_once('@')?;
    let within = folder.join(name);
    let known = fs::read_dir(&within).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let repository = known.chain([within.clone()]).find(|path| path.join("HEAD").is_file())?;
    let output = Command::new("git").arg("--git-dir").arg(repository).args(["show", object]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The lines of a file of JSON lines.
pub(super) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().zip(1..).map(|(line, n)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{n}: {error}", path.display()).into())
    });
    parsed.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_of_tools() {
        let request = json!({"messages": [
            {"role": "tool", "content": "short"},
            {"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "longer than that"}]}]},
        ]});
        assert_eq!(longest_result(&request), "longer than that");
    }
}
