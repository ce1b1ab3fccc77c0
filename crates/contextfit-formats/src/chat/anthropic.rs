//! Reads Anthropic messages.

use contextfit_kernel::{Medium, Role};
use serde_json::Value;

use super::{
    entry::{self, Call, Entry, Place, as_counted, kind, text},
    framing, images,
};
use crate::FormatError;

/// Reads the top-level `system`.
pub(super) fn read_system(system: &Value) -> Result<Entry, FormatError> {
    let mut entry = Entry::new(Place::Field("system"), Role::System);
    read_blocks(&mut entry, Some(system), "", "system", "")?;
    Ok(entry)
}

/// Reads message `at`; `model` is the model that the request names.
pub(super) fn read(at: usize, message: &Value, model: &str) -> Result<Entry, FormatError> {
    let path = format!("messages[{at}]");
    let fields = entry::object(message, &path)?;
    let mut entry = Entry::new(Place::Item(at), entry::role(message, &path)?);
    read_blocks(&mut entry, fields.get("content"), "/content", &format!("{path}.content"), model)?;
    framing::weigh_calls(&mut entry);
    // A message that contains only results belongs to the tools, not to the user.
    let blocks = fields.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if entry.role != Role::Other
        && !blocks.is_empty()
        && blocks.iter().all(|block| kind(block) == "tool_result")
    {
        entry.role = Role::Tool;
    }
    Ok(entry)
}

fn read_blocks(
    entry: &mut Entry,
    content: Option<&Value>,
    pointer: &str,
    path: &str,
    model: &str,
) -> Result<(), FormatError> {
    entry.read_content(content, pointer, path, &["text"], |entry, n, block| {
        match kind(block) {
            "tool_use" => {
                let name = text(block, "name").unwrap_or_default().to_owned();
                let id = text(block, "id").map(str::to_owned);
                entry.calls.push(Call { id, name, arguments: as_counted(block.get("input")) });
            }
            "tool_result" => {
                read_result(entry, block, &format!("{pointer}/{n}"), &format!("{path}[{n}]"), model)?;
            }
            _ => block_weight(entry, block, model),
        }
        Ok(())
    })
}

/// Reads a `tool_result`, whose content is also a string or an array of blocks.
fn read_result(
    entry: &mut Entry,
    block: &Value,
    pointer: &str,
    path: &str,
    model: &str,
) -> Result<(), FormatError> {
    let first = (entry.slots.len(), entry.attachments.len());
    entry.weight.add(framing::CALL);
    let (pointer, path) = (format!("{pointer}/content"), format!("{path}.content"));
    entry.read_content(block.get("content"), &pointer, &path, &["text"], |entry, _, block| {
        block_weight(entry, block, model);
        Ok(())
    })?;
    entry.answer(first, text(block, "tool_use_id").map(str::to_owned));
    Ok(())
}

/// Adds the tokens of a block that is not text.
fn block_weight(entry: &mut Entry, block: &Value, model: &str) {
    let data = block.pointer("/source/data");
    match kind(block) {
        "image" => entry.attach(Medium::Image),
        "video" => entry.attach(Medium::Video),
        "document" | "container_upload" | "search_result" => entry.attach(Medium::File),
        // The provider makes and answers these calls itself.
        "server_tool_use" | "mcp_tool_use" => entry.serve(text(block, "name"), block.get("input")),
        _ => {}
    }
    match kind(block) {
        "image" => {
            let image = data.and_then(Value::as_str).unwrap_or_default();
            entry.weight.add(images::anthropic(model, image));
        }
        "thinking" => {
            entry.reasons = true;
            // The model does not read the signature.
            entry.weight.add(framing::CALL);
            entry.weight.count(text(block, "thinking").unwrap_or_default());
        }
        "redacted_thinking" => {
            entry.reasons = true;
            entry.weight.add(framing::CALL + framing::encoded(block.get("data")));
        }
        "document" if block.pointer("/source/type").is_some_and(|source| source == "base64") => {
            entry.weight.add(framing::CALL + framing::encoded(data));
        }
        _ => entry.weight.count_json(block),
    }
}
