//! Transcripts that no provider would accept, and input that is not a transcript at all.

use contextfit_formats::{Conversation, Held, Invalid, Pins, WireFormat, valid};
use contextfit_kernel::{Budget, Role, Tokens};
use contextfit_pipeline::Pipeline;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::plans::{Xs, shorten};

/// Checks that a transcript is read, and unchanged if nothing has to be done.
#[track_caller]
fn check(request: Value) {
    let conversation = Conversation::parse(request.clone()).unwrap();
    assert!(valid(&request, conversation.format()).is_err());
    let context = conversation.context(&Xs, &Pins::default());
    let pipeline = Pipeline::new(std::sync::Arc::new(Xs)).with_strategy(contextfit_testkit::DropAll);
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
    assert_eq!(conversation.shortened(&whole), request);
}

#[test]
fn broken_transcripts_are_read() {
    let user = json!({"role": "user", "content": "hi"});
    let call =
        |id: &str| json!({"id": id, "type": "function", "function": {"name": "find", "arguments": "{"}});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "X"});
    check(json!([user, {"role": "assistant", "tool_calls": [call("a"), call("b")]}, result("a"), user]));
    check(json!([result("a"), user]));
    check(json!([user, {"role": "tool", "content": "X"}]));
    check(json!([user, {"role": "assistant", "content": null}]));
    check(json!([user, {"role": "user"}]));
    check(json!([{"role": "assistant", "tool_calls": [call("a")]}, user, result("a")]));
    check(
        json!([{"role": "assistant", "tool_calls": [{}, {"id": 7}, {"function": null}], "content": []}, user, {"role": "user"}]),
    );
    let used = json!({"type": "tool_use", "id": "a", "name": "find", "input": {}});
    let found =
        json!({"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": ""}, 7]});
    check(
        json!({"system": [], "messages": [{"role": "assistant", "content": [used]}, {"role": "user", "content": [found, "text"]}]}),
    );
    check(json!({"system": "", "messages": [{"role": "assistant", "content": ""}]}));
    check(json!({"system": null, "messages": [{"role": "user", "content": []}]}));
    check(json!({"input": [{"type": "function_call_output", "call_id": "x", "output": null}]}));
    check(json!({"input": [{"type": "reasoning", "summary": 7}, {"role": "user", "content": null}]}));
    check(json!({"input": [{"type": "function_call", "call_id": "x"}, {"type": "tomorrow"}]}));
}

#[test]
fn records_that_were_not_written_here_are_texts() {
    let record = |turns: &str, left_out: usize, entries: &str| {
        let head = format!("[Earlier turns, shortened v1: turns {turns}, {left_out} left out");
        json!({"role": "user", "content": format!("{head}; whole sentences and lines]\n{entries}")})
    };
    let user = json!({"role": "user", "content": null});
    // Two entries of one turn, counted as two.
    check(json!([record("1-4", 2, "#1 user: X\n#1 tool: X"), user]));
    // A summary that covers the entry before it, counted twice.
    check(json!([record("1-9", 4, "#3 user: X\n#6 summary from #2: X"), user]));
    check(json!([record("1-9", 12, "#3 user: X"), user]));
    // Two records in succession, and one whose turns have the highest numbers there are.
    check(json!([record("1-4", 3, "#1 user: X"), record("5-6", 1, "#5 user: X"), user]));
    let (last, left_out) = (usize::MAX, usize::MAX - 1);
    check(json!([record(&format!("1-{last}"), left_out, &format!("#{last} user: X")), user]));
}

/// A record is all there is in its message: whatever stands beside one would leave with it.
#[test]
fn a_message_with_more_than_a_record_is_a_text() {
    let record =
        "[Earlier turns, shortened v1: turns 1-2, 1 left out; whole sentences and lines]\n#1 user: X";
    let (text, input) =
        (json!({"type": "text", "text": record}), json!({"type": "input_text", "text": record}));
    let picture = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="});
    for (request, is_record) in [
        (json!([{"role": "user", "content": record}]), true),
        (json!([{"role": "user", "content": [text]}]), true),
        (json!({"input": [{"type": "message", "role": "user", "content": [input]}]}), true),
        (json!([{"role": "user", "content": [text, picture]}]), false),
        (json!([{"role": "user", "content": [text, {"type": "tomorrow"}]}]), false),
        (json!([{"role": "user", "content": [text, text]}]), false),
        (json!([{"role": "user", "name": "bob", "content": record}]), false),
        (json!([{"role": "user", "content": [{"type": "text", "text": record, "citations": [1]}]}]), false),
        (
            json!({"system": "X", "messages": [{"role": "user", "content": [text, {"type": "image", "source": source}]}]}),
            false,
        ),
        (
            json!({"input": [{"role": "user", "content": [input, {"type": "input_file", "file_id": "f"}]}]}),
            false,
        ),
    ] {
        let conversation = Conversation::parse(request.clone()).unwrap();
        let context = conversation.context(&Xs, &Pins::none());
        assert_eq!(context.blocks.iter().any(|block| !block.level.shows_source()), is_record, "{request:#}");
    }
}

#[track_caller]
fn check_error(request: Value, path: &str, message: &str) {
    let error = Conversation::parse(request).unwrap_err();
    assert_eq!((error.path.as_str(), error.message.as_str()), (path, message));
}

#[test]
fn errors_say_where() {
    let content = "expected a string, an array of parts or null";
    check_error(json!(7), "", "expected a request: an object or an array of messages");
    check_error(json!({}), "", "missing field `messages`");
    check_error(json!({"messages": "hi"}), "messages", "expected an array of messages");
    check_error(json!({"messages": ["hi"]}), "messages[0]", "expected an object");
    check_error(json!([{"content": "hi"}]), "messages[0].role", "a message needs a role");
    check_error(json!([{"role": 7}]), "messages[0].role", "expected a string");
    check_error(json!([{"role": "user", "content": {}}]), "messages[0].content", content);
    check_error(
        json!([{"role": "assistant", "tool_calls": {}}]),
        "messages[0].tool_calls",
        "expected an array of calls or null",
    );
    check_error(json!({"system": 7, "messages": []}), "system", content);
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": 7});
    check_error(json!([{"role": "user", "content": [result]}]), "messages[0].content[0].content", content);
    check_error(
        json!({"input": [{"type": "message", "content": ""}]}),
        "input[0].role",
        "a message needs a role",
    );
    check_error(json!({"input": 7}), "input", "expected an array of messages");
}

/// A message whose role no format has is counted and kept whatever happens to the others, even without pins.
#[test]
fn an_unknown_role_passes_through() {
    let long = json!({"role": "user", "content": "X ".repeat(40)});
    let record =
        "[Earlier turns, shortened v1: turns 1-2, 1 left out; whole sentences and lines]\n#1 user: X";
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": "X"});
    for (format, sage) in [
        (WireFormat::OpenAiChat, json!({"role": "sage", "content": "X X X", "mood": 1})),
        (WireFormat::OpenAiChat, json!({"role": "sage", "content": record})),
        (
            WireFormat::OpenAiResponses,
            json!({"role": "sage", "content": [{"type": "text", "text": "X X X"}]}),
        ),
        (WireFormat::AnthropicMessages, json!({"role": "sage", "content": [result]})),
    ] {
        let field = if format == WireFormat::OpenAiResponses { "input" } else { "messages" };
        let request = json!({field: [long, sage, long, {"role": "assistant", "content": "X"}, sage, long]});
        assert!(matches!(valid(&request, format), Err(Invalid::Role { role, .. }) if role == "sage"));
        let conversation = Conversation::parse_as(request, format).unwrap();
        assert_eq!(conversation.why_held("1", &Pins::none()), Some(Held::UnknownRole("sage".into())));
        let context = conversation.context(&Xs, &Pins::none());
        let turn = context.blocks[1].as_turn().unwrap();
        assert_eq!((turn.role, turn.number), (Role::Other, 2));
        assert!(context.blocks[1].text.contains('X'), "it is counted");
        for lot in [[2, 3], [3, 3], [103, 2]] {
            let shortened = conversation.shortened(&shorten(&context, &lot).unwrap());
            let kept = shortened[field].as_array().unwrap().iter().filter(|message| **message == sage);
            assert_eq!(kept.count(), 2, "{shortened:#}");
        }
    }
    check(json!([{"role": "sage", "content": "X"}, {"role": "user", "content": "X"}]));
}

/// JSON built from the words that the formats look for.
fn anything() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "role",
        "content",
        "type",
        "text",
        "messages",
        "input",
        "system",
        "instructions",
        "tool_calls",
        "id",
        "call_id",
        "tool_call_id",
        "tool_use_id",
        "function",
        "name",
        "arguments",
        "output",
        "image_url",
        "source",
        "data",
        "tools",
        "parameters",
        "properties",
        "enum",
        "request",
        "cache_control",
        "summary",
    ]);
    let said = prop::sample::select(vec![
        "user",
        "assistant",
        "system",
        "tool",
        "function",
        "text",
        "input_text",
        "tool_use",
        "tool_result",
        "image",
        "thinking",
        "reasoning",
        "function_call",
        "function_call_output",
        "message",
        "a",
        "X.\nX",
        "",
        "[Earlier turns, shortened]",
    ]);
    let leaf = prop_oneof![
        4 => said.prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        let fields = prop::collection::vec((word.clone(), inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(Value::Array),
            fields.prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// A message with arbitrary content and a role, so that some are readable.
fn message() -> impl Strategy<Value = Value> {
    let role = prop::sample::select(vec!["user", "assistant", "tool", "system"]);
    (role, anything(), anything(), anything()).prop_map(|(role, content, calls, more)| {
        let mut message = json!({"role": role, "content": content, "tool_calls": calls});
        if let (Some(message), Value::Object(more)) = (message.as_object_mut(), more) {
            message.extend(more);
        }
        message
    })
}

fn run(request: Value, lot: &[u8]) {
    for format in [WireFormat::OpenAiChat, WireFormat::OpenAiResponses, WireFormat::AnthropicMessages] {
        let _ = valid(&request, format);
        let Ok(conversation) = Conversation::parse_as(request.clone(), format) else { continue };
        let context = conversation.context(&Xs, &Pins::default());
        if let Some(result) = shorten(&context, lot) {
            let _ = conversation.shortened(&result);
        }
    }
}

proptest! {
    #[test]
    fn nothing_panics(request in anything(), lot in prop::collection::vec(any::<u8>(), 1..8)) {
        run(request, &lot);
    }

    #[test]
    fn no_message_panics(messages in prop::collection::vec(message(), 0..6), lot in prop::collection::vec(any::<u8>(), 1..8)) {
        run(Value::Array(messages.clone()), &lot);
        run(json!({"messages": messages, "input": messages}), &lot);
    }
}
