//! Reads items of OpenAI responses.

use contextfit_kernel::{Medium, Role};
use serde_json::Value;

use super::{
    entry::{self, Call, Entry, Place, as_counted, kind, text},
    framing, images,
};
use crate::FormatError;

/// The types of parts in messages and outputs that are texts.
const TEXTS: &[&str] = &["input_text", "output_text", "text"];

/// Reads item `at`; `model` is the model that the request names.
pub(super) fn read(at: usize, item: &Value, model: &str) -> Result<Entry, FormatError> {
    let path = format!("input[{at}]");
    entry::object(item, &path)?;
    match kind(item) {
        "" | "message" => message(at, item, model, &path),
        kind if is_output(kind, item) => output(at, item, model, &path),
        kind => Ok(other(at, item, kind)),
    }
}

/// Whether an item answers a call.
fn is_output(kind: &str, item: &Value) -> bool {
    kind.ends_with("_call_output")
        || kind == "mcp_approval_response"
        || (kind == "tool_search_output" && text(item, "call_id").is_some())
}

/// The id of the call that an item makes or answers.
fn call_id<'a>(kind: &str, item: &'a Value) -> Option<&'a str> {
    match kind {
        // The id of the item is also that of the call.
        "mcp_approval_request" => text(item, "id"),
        "mcp_approval_response" => text(item, "approval_request_id"),
        "local_shell_call_output" => text(item, "call_id").or_else(|| text(item, "id")),
        _ => text(item, "call_id"),
    }
}

fn message(at: usize, item: &Value, model: &str, path: &str) -> Result<Entry, FormatError> {
    let mut entry = Entry::new(Place::Item(at), entry::role(item, path)?);
    read_texts(&mut entry, item, "content", model, path)?;
    Ok(entry)
}

fn output(at: usize, item: &Value, model: &str, path: &str) -> Result<Entry, FormatError> {
    let mut entry = Entry::new(Place::Item(at), Role::Tool);
    entry.weight.add(framing::CALL);
    match item.get("output") {
        Some(Value::String(_) | Value::Array(_)) => read_texts(&mut entry, item, "output", model, path)?,
        Some(screenshot @ Value::Object(_)) => part_weight(&mut entry, screenshot, model),
        Some(other) => entry.weight.count_json(other),
        None => entry.weight.count_json(item),
    }
    entry.answer((0, 0), call_id(kind(item), item).map(str::to_owned));
    Ok(entry)
}

/// Reads any item that is neither a message nor the result of a call.
fn other(at: usize, item: &Value, kind: &str) -> Entry {
    let mut entry = Entry::new(Place::Item(at), Role::Assistant);
    match kind {
        "reasoning" => {
            entry.reasons = true;
            let texts = ["summary", "content"].map(|field| item.get(field).and_then(Value::as_array));
            for part in texts.into_iter().flatten().flatten() {
                entry.weight.count(text(part, "text").unwrap_or_default());
            }
            entry.weight.add(framing::encoded(item.get("encrypted_content")));
        }
        // A call that the application must answer has an id for the answer; one that the provider answers has none.
        _ if (kind.ends_with("_call") || kind == "mcp_approval_request") && call_id(kind, item).is_some() => {
            let arguments =
                ["arguments", "input", "action", "operation"].into_iter().find_map(|name| item.get(name));
            let name = text(item, "name").unwrap_or_else(|| kind.trim_end_matches("_call"));
            entry.calls.push(Call {
                id: call_id(kind, item).map(str::to_owned),
                name: name.to_owned(),
                arguments: as_counted(arguments),
            });
            framing::weigh_calls(&mut entry);
        }
        // The provider has the content, which is not in the request.
        "item_reference" | "compaction" => {
            entry.stays = true;
            entry.weight.add(framing::encoded(item.get("encrypted_content")));
        }
        _ => {
            if kind.ends_with("_call") {
                let arguments =
                    ["arguments", "action", "queries", "code"].into_iter().find_map(|name| item.get(name));
                entry.serve(text(item, "name").or(kind.strip_suffix("_call")), arguments);
            }
            let outputs = item.get("outputs").and_then(Value::as_array).into_iter().flatten();
            let images = outputs.filter(|output| entry::kind(output) == "image").count();
            (0..images + usize::from(kind == "image_generation_call"))
                .for_each(|_| entry.attach(Medium::Image));
            entry.weight.count_json(item);
            // A call that required approval belongs to the approval.
            entry.answers.extend(text(item, "approval_request_id").map(|id| Some(id.to_owned())));
        }
    }
    entry
}

fn read_texts(
    entry: &mut Entry,
    item: &Value,
    field: &str,
    model: &str,
    path: &str,
) -> Result<(), FormatError> {
    let (pointer, path) = (format!("/{field}"), format!("{path}.{field}"));
    entry.read_content(item.get(field), &pointer, &path, TEXTS, |entry, _, part| {
        part_weight(entry, part, model);
        Ok(())
    })
}

/// Adds the tokens of a part that is not text.
fn part_weight(entry: &mut Entry, part: &Value, model: &str) {
    match kind(part) {
        "input_image" | "computer_screenshot" => entry.attach(Medium::Image),
        "input_file" => entry.attach(Medium::File),
        "input_audio" => entry.attach(Medium::Audio),
        "input_video" => entry.attach(Medium::Video),
        "refusal" => {}
        _ => entry.attach(Medium::Part),
    }
    match kind(part) {
        "input_image" | "computer_screenshot" => {
            entry.weight.add(images::openai(model, text(part, "detail")));
        }
        "input_file" => entry.weight.add(framing::encoded(part.get("file_data"))),
        "input_audio" => entry.weight.add(framing::encoded(part.pointer("/input_audio/data"))),
        "refusal" => entry.weight.count(text(part, "refusal").unwrap_or_default()),
        _ => entry.weight.count_json(part),
    }
}
