//! Detecting the format of a request.

use contextfit_formats::{Conversation, WireFormat};
use serde_json::{Value, json};

#[track_caller]
fn check(request: Value, expect: WireFormat) {
    assert_eq!(WireFormat::detect(&request), expect);
    assert_eq!(Conversation::parse(request).unwrap().format(), expect);
}

#[test]
fn formats_are_told_apart() {
    use WireFormat::{AnthropicMessages, OpenAiChat, OpenAiResponses};

    let user = json!({"role": "user", "content": "hi"});
    check(json!([]), OpenAiChat);
    check(json!([user]), OpenAiChat);
    check(json!({"messages": [user]}), OpenAiChat);
    check(json!({"messages": [user], "model": "claude-sonnet-4-5"}), AnthropicMessages);
    let tool = json!({"role": "tool", "tool_call_id": "c", "content": "r"});
    check(json!({"messages": [user, tool], "model": "claude-sonnet-4-5"}), OpenAiChat);
    check(json!({"messages": [user], "system": "s"}), AnthropicMessages);
    let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c"}]});
    check(json!({"messages": [user, result]}), AnthropicMessages);
    check(json!([user, result]), AnthropicMessages);
    check(json!({"input": "hi"}), OpenAiResponses);
    check(json!({"input": [user], "instructions": "i"}), OpenAiResponses);
    check(
        json!([user, {"type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"}]),
        OpenAiResponses,
    );
    check(
        json!([{"role": "developer", "content": "d"}, {"role": "user", "content": [{"type": "input_text", "text": "x"}]}]),
        OpenAiResponses,
    );
    let image = json!({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u"}}]});
    check(json!({"messages": [image]}), OpenAiChat);
    for format in [OpenAiChat, OpenAiResponses, AnthropicMessages] {
        assert_eq!(serde_json::to_value(format).unwrap(), format.name());
    }
}
