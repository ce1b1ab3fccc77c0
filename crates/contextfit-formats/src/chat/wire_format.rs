//! The wire formats of conversations, and how to detect them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entry::kind;

/// A provider's conversation format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WireFormat {
    /// OpenAI chat completions: `{"messages": […]}` or the bare array.
    #[serde(rename = "openai-chat")]
    OpenAiChat,
    /// OpenAI responses: `{"input": "…" | […]}` or the bare array of items.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic messages: `{"system"?, "messages": […]}` or the bare array.
    AnthropicMessages,
}

/// Content blocks that only Anthropic has.
const ANTHROPIC_BLOCKS: &[&str] = &[
    "tool_use",
    "tool_result",
    "server_tool_use",
    "thinking",
    "redacted_thinking",
    "image",
    "document",
    "search_result",
];

/// Content parts that only OpenAI responses have.
const RESPONSES_PARTS: &[&str] = &["input_text", "output_text", "input_image", "input_file"];

contextfit_kernel::names!(
    WireFormat, "format": OpenAiChat => "openai-chat", OpenAiResponses => "openai-responses",
    AnthropicMessages => "anthropic-messages",
);

impl WireFormat {
    /// The format that `request` looks like. Linear in the number of content parts.
    ///
    /// A body with `input` and no `messages` is OpenAI responses. Messages are Anthropic's if the body has a `system`
    /// or `anthropic_version` field, if a content block has a type specific to Anthropic, or if the body names a Claude
    /// model and no message has features specific to OpenAI. Bare arrays are judged by their elements. Everything else
    /// is OpenAI chat: if nothing distinguishes the formats, they are read in the same way.
    #[must_use]
    pub fn detect(request: &Value) -> Self {
        if let Some(items) = request.as_array() {
            return of_messages(items).unwrap_or(Self::OpenAiChat);
        }
        let Some(messages) = request.get("messages") else {
            return if request.get("input").is_some() { Self::OpenAiResponses } else { Self::OpenAiChat };
        };
        if request.get("system").is_some() || request.get("anthropic_version").is_some() {
            return Self::AnthropicMessages;
        }
        let messages = messages.as_array().map(Vec::as_slice).unwrap_or_default();
        let claude = request.get("model").and_then(Value::as_str).is_some_and(|name| name.contains("claude"));
        match of_messages(messages) {
            Some(Self::OpenAiResponses) => Self::OpenAiChat,
            Some(format) => format,
            None if claude => Self::AnthropicMessages,
            None => Self::OpenAiChat,
        }
    }
}

/// The format, judged only by the messages.
fn of_messages(messages: &[Value]) -> Option<WireFormat> {
    messages.iter().find_map(|message| {
        let role = message.get("role").and_then(Value::as_str);
        let parts = message.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let has = |types: &[&str]| parts.iter().any(|part| types.contains(&kind(part)));
        if matches!(role, Some("system" | "developer" | "tool" | "function")) && !has(RESPONSES_PARTS) {
            // A bare array of responses items may have such roles too, so its other items decide.
            let only_chat = matches!(role, Some("tool" | "function"));
            return only_chat.then_some(WireFormat::OpenAiChat);
        }
        if message.get("tool_calls").is_some_and(Value::is_array) {
            return Some(WireFormat::OpenAiChat);
        }
        if (role.is_none() && !kind(message).is_empty()) || kind(message) == "message" || has(RESPONSES_PARTS)
        {
            return Some(WireFormat::OpenAiResponses);
        }
        has(ANTHROPIC_BLOCKS).then_some(WireFormat::AnthropicMessages)
    })
}
