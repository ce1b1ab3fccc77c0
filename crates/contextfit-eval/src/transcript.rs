//! Messages in the format of OpenAI chat completions, as read by the data sets' metrics.

use std::sync::Arc;

use contextfit_formats::{Conversation, WireFormat};
use contextfit_kernel::CompressionResult;
use serde_json::{Value, json};

use crate::python::folded;

/// Parses `messages` as a conversation; on error, the field and a message.
pub(crate) fn conversation(messages: Vec<Value>) -> Result<Arc<Conversation>, (String, String)> {
    let request = json!({ "messages": messages });
    let conversation = Conversation::parse_as(request, WireFormat::OpenAiChat);
    conversation.map(Arc::new).map_err(|error| (error.path.clone(), error.message))
}

/// A message from one of several people.
pub(crate) fn said(speaker: &str, content: String) -> Value {
    json!({"role": "user", "name": speaker, "content": content})
}

/// The messages of `request`.
pub(crate) fn messages(request: &Value) -> &[Value] {
    request.get("messages").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether `message` has the role `role`.
pub(crate) fn is_of(message: &Value, role: &str) -> bool {
    message.get("role").is_some_and(|of| of == role)
}

/// Whether `message` contains the application's instructions.
pub(crate) fn is_system(message: &Value) -> bool {
    is_of(message, "system")
}

/// The text of `message`, without its calls.
pub(crate) fn content_of(message: &Value) -> String {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match message.get("content") {
        Some(Value::Array(parts)) => {
            let part = |part: &Value| part.get("text").and_then(text).unwrap_or_default();
            parts.iter().map(part).collect::<Vec<_>>().join("\n")
        }
        content => content.and_then(text).unwrap_or_default(),
    }
}

/// The names and arguments of the calls of `message`.
pub(crate) fn calls(message: &Value) -> impl Iterator<Item = (&str, &str)> {
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    calls.filter_map(|call| call.get("function")).map(|function| {
        let field = |name: &str| function.get(name).and_then(Value::as_str).unwrap_or_default();
        (field("name"), field("arguments"))
    })
}

/// The text of `message`, and the names and arguments of its calls.
pub(crate) fn text_of(message: &Value) -> String {
    let mut said = content_of(message);
    for (name, arguments) in calls(message) {
        said.extend([" ", name, arguments]);
    }
    said
}

/// The text of which a session's budgets are shares: that of `message`, with the arguments of its calls once more.
pub(crate) fn with_arguments(message: &Value) -> String {
    let mut body = text_of(message);
    for (_, arguments) in calls(message) {
        body.extend(["\n", arguments]);
    }
    body
}

/// The texts of `messages`, line by line.
pub(crate) fn texts<'a>(messages: impl IntoIterator<Item = &'a Value>) -> String {
    messages.into_iter().map(text_of).collect::<Vec<_>>().join("\n")
}

/// What remains of `conversation` in `result`, as one folded text.
pub(crate) fn shown(conversation: &Conversation, result: &CompressionResult) -> String {
    folded(&texts(messages(&conversation.shortened(result))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_count_twice() {
        let call = json!({"id": "c", "function": {"name": "read", "arguments": "{}"}});
        assert_eq!(with_arguments(&json!({"content": "Look.", "tool_calls": [call]})), "Look. read{}\n{}");
    }
}
