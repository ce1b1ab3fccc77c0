//! The faults that `valid` finds.

use contextfit_formats::{WireFormat, valid};
use serde_json::{Value, json};

#[track_caller]
fn check(request: Value, format: WireFormat, expect: Option<&str>) {
    assert_eq!(valid(&request, format).err().map(|fault| fault.to_string()).as_deref(), expect);
}

#[test]
fn chat_completions() {
    let check = |request, expect| check(request, WireFormat::OpenAiChat, expect);
    let call =
        |id: &str| json!({"id": id, "type": "function", "function": {"name": "find", "arguments": "{}"}});
    let calls = |ids: &[&str]| json!({"role": "assistant", "tool_calls": ids.iter().map(|id| call(id)).collect::<Vec<_>>()});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": ""});
    let user = json!({"role": "user", "content": ""});
    check(json!([user, user, calls(&["a", "b"]), result("b"), result("a"), user]), None);
    check(json!([]), Some("expected at least one message, found none"));
    check(json!([calls(&["a", "b"]), result("b"), user]), Some("messages[0]: the call \"a\" has no result"));
    check(json!([calls(&["a"])]), Some("messages[0]: the call \"a\" has no result"));
    check(json!([user, result("a")]), Some("messages[1]: the result has no matching call \"a\""));
    check(
        json!([calls(&["a"]), result("a"), user, result("a")]),
        Some("messages[3]: the result has no matching call \"a\""),
    );
    check(
        json!([user, {"role": "assistant", "content": null}]),
        Some("messages[1]: expected content, found none"),
    );
    check(json!([{"role": "sage"}]), Some("messages[0]: unknown role \"sage\""));
}

#[test]
fn responses() {
    let check = |request, expect| check(request, WireFormat::OpenAiResponses, expect);
    let call = json!({"type": "function_call", "call_id": "a", "name": "find", "arguments": "{}"});
    let output = json!({"type": "function_call_output", "call_id": "a", "output": ""});
    let reasoning = json!({"type": "reasoning", "id": "rs", "summary": []});
    let user = json!({"role": "user", "content": "hi"});
    check(json!({"input": "hi"}), None);
    check(json!({"input": [user, reasoning, call, output]}), None);
    check(json!({"input": [user, call]}), Some("input[1]: the call \"a\" has no result"));
    check(json!({"input": [output, user]}), Some("input[0]: the result has no matching call \"a\""));
    check(json!({"input": [output, user], "previous_response_id": "resp"}), None);
    check(json!({"input": [{"type": "item_reference", "id": "fc"}, output]}), None);
    let asks = json!({"type": "mcp_approval_request", "id": "m", "name": "find", "arguments": "{}"});
    let approves = json!({"type": "mcp_approval_response", "approval_request_id": "m", "approve": true});
    let approved =
        json!({"type": "mcp_call", "id": "mcp", "approval_request_id": "m", "name": "find", "output": ""});
    check(json!({"input": [user, asks, approves, approved]}), None);
    check(
        json!({"input": [user, {"type": "local_shell_call", "call_id": "a"}, {"type": "local_shell_call_output", "id": "a", "output": ""}]}),
        None,
    );
    check(
        json!({"input": [reasoning, user]}),
        Some("input[0]: reasoning must be followed by the output that belongs to it"),
    );
}

#[test]
fn anthropic() {
    let check =
        |messages: Value, expect| check(json!({"messages": messages}), WireFormat::AnthropicMessages, expect);
    let user = json!({"role": "user", "content": "hi"});
    let used = |ids: &[&str]| {
        let blocks = ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "find", "input": {}}));
        json!({"role": "assistant", "content": blocks.collect::<Vec<_>>()})
    };
    let found = |id: &str| json!({"type": "tool_result", "tool_use_id": id});
    let text = |text: &str| json!({"type": "text", "text": text});
    let says = |blocks: Value| json!({"role": "user", "content": blocks});
    check(json!([user, used(&["a"]), says(json!([found("a"), text("go on")]))]), None);
    check(
        json!([user, used(&["a"]), used(&["b"]), says(json!([found("b")])), says(json!([found("a")])), user]),
        None,
    );
    check(
        json!([used(&["a"]), says(json!([found("a")]))]),
        Some("messages[0]: the first message must have the role user"),
    );
    check(json!([user, used(&["a"]), user, used(&["b"])]), Some("messages[1]: the call \"a\" has no result"));
    check(
        json!([user, used(&["a"]), says(json!([text("so"), found("a")]))]),
        Some("messages[2]: results must come before anything else in the message"),
    );
    check(
        json!([user, used(&["a"]), user, says(json!([found("a")]))]),
        Some("messages[3]: results must come before anything else in the message"),
    );
    check(
        json!([user, says(json!([found("a")]))]),
        Some("messages[1]: results must come before anything else in the message"),
    );
    check(json!([says(json!([found("a")]))]), Some("messages[0]: the result has no matching call \"a\""));
    check(json!([says(json!([text("")]))]), Some("messages[0].content[0]: expected content, found none"));
    check(json!([user, {"role": "assistant", "content": ""}]), None);
    let system = json!({"role": "system", "content": "Be brief."});
    check(json!([user, system]), None);
    check(json!([user, system, {"role": "assistant", "content": "ok"}]), None);
    let system_place = "messages[1]: a system message must follow a user message, and be last or precede an assistant message";
    check(json!([user, system, user]), Some(system_place));
}
