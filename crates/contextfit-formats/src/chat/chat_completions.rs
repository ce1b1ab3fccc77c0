//! Reads messages of OpenAI chat completions.

use contextfit_kernel::{Medium, Role};
use serde_json::Value;

use super::{
    entry::{self, Call, Entry, Place, as_counted, kind, text},
    framing, images,
};
use crate::FormatError;

/// Reads message `at`; `model` is the model that the request names.
pub(super) fn read(at: usize, message: &Value, model: &str) -> Result<Entry, FormatError> {
    let path = format!("messages[{at}]");
    let fields = entry::object(message, &path)?;
    let mut entry = Entry::new(Place::Item(at), entry::role(message, &path)?);
    if let Some(name) = text(message, "name") {
        entry.name = Some(name.to_owned());
        entry.weight.add(framing::NAME);
        entry.weight.count(name);
    }
    let content = format!("{path}.content");
    entry.read_content(fields.get("content"), "/content", &content, &["text"], |entry, _, part| {
        part_weight(entry, part, model);
        Ok(())
    })?;
    // The provider stores the spoken answer of the model, by its id.
    if message.get("audio").is_some_and(Value::is_object) {
        entry.attach(Medium::Audio);
    }
    // Refusals and reasoning are separate texts, next to the content.
    for beside in ["refusal", "reasoning_content", "reasoning"] {
        if let Some(said) = text(message, beside) {
            entry.weight.count(said);
        }
    }
    read_calls(&mut entry, message, &path)?;
    if entry.role == Role::Tool {
        entry.answer((0, 0), text(message, "tool_call_id").map(str::to_owned));
        let tools = entry.slots.iter_mut().map(|slot| &mut slot.tool);
        let tools = tools.chain(entry.attachments.iter_mut().map(|it| &mut it.tool));
        tools.for_each(|tool| tool.clone_from(&entry.name));
    }
    Ok(entry)
}

/// Reads `tool_calls` and its predecessor, `function_call`.
fn read_calls(entry: &mut Entry, message: &Value, path: &str) -> Result<(), FormatError> {
    match message.get("tool_calls") {
        None | Some(Value::Null) => {}
        Some(Value::Array(calls)) => {
            for (n, call) in calls.iter().enumerate() {
                entry::object(call, &format!("{path}.tool_calls[{n}]"))?;
                let of = call.get("function").or_else(|| call.get("custom")).unwrap_or(call);
                entry.calls.push(Call {
                    id: text(call, "id").map(str::to_owned),
                    name: text(of, "name").unwrap_or_default().to_owned(),
                    arguments: as_counted(of.get("arguments").or_else(|| of.get("input"))),
                });
            }
        }
        Some(_) => {
            return Err(FormatError::at(format!("{path}.tool_calls"), "expected an array of calls or null"));
        }
    }
    if let Some(call) = message.get("function_call").filter(|call| call.is_object()) {
        let name = text(call, "name").unwrap_or_default().to_owned();
        entry.calls.push(Call { id: None, name, arguments: as_counted(call.get("arguments")) });
    }
    framing::weigh_calls(entry);
    Ok(())
}

/// Adds the tokens of a part that is not text.
fn part_weight(entry: &mut Entry, part: &Value, model: &str) {
    match kind(part) {
        "image_url" => entry.attach(Medium::Image),
        "input_audio" => entry.attach(Medium::Audio),
        "video_url" => entry.attach(Medium::Video),
        "file" => entry.attach(Medium::File),
        "refusal" => {}
        _ => entry.attach(Medium::Part),
    }
    match kind(part) {
        "image_url" => {
            let detail = part.pointer("/image_url/detail").and_then(Value::as_str);
            entry.weight.add(images::openai(model, detail));
        }
        "input_audio" => entry.weight.add(framing::encoded(part.pointer("/input_audio/data"))),
        "file" => entry.weight.add(framing::encoded(part.pointer("/file/file_data"))),
        "refusal" => entry.weight.count(text(part, "refusal").unwrap_or_default()),
        _ => entry.weight.count_json(part),
    }
}
