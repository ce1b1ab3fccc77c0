//! Shortened requests in each format.

use contextfit_formats::{ChatAnswer, ChatRequest, Conversation, Held, Pins, WireFormat, valid};
use contextfit_kernel::{Block, CompressionResult, Hold};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::plans::{Xs, shorten};

/// Numbers for `ByLot`: keep, cut to every second unit, replace with a line, drop.
const KEEP: u8 = 0;
const CUT: u8 = 0b1010_0100;
const LINE: u8 = 2;
const DROP: u8 = 3;

fn cut(conversation: &Conversation, lot: &[u8]) -> CompressionResult {
    let result = shorten(&conversation.context(&Xs, &Pins::default()), lot).unwrap();
    assert_eq!(result.strategy(), Some("by-lot"));
    result
}

#[track_caller]
fn check(request: Value, lot: &[u8]) -> String {
    let conversation = Conversation::parse(request.clone()).unwrap();
    assert_eq!(valid(&request, conversation.format()), Ok(()));
    let shortened = conversation.shortened(&cut(&conversation, lot));
    assert_eq!(valid(&shortened, conversation.format()), Ok(()));
    serde_json::to_string_pretty(&shortened).unwrap()
}

#[test]
fn chat_completions() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "find", "arguments": "{\"q\": 1}"}});
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "XX 1.\nXX 2.\nXX 3."});
    assert_snapshot!(check(
        json!({"model": "gpt-4o", "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "XXXX?", "name": "ann"},
            {"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")]},
            result("a"),
            result("b"),
            {"role": "assistant", "content": "XX."},
            {"role": "user", "content": [{"type": "text", "text": "XX one.\nXX two.\nXX three."}, {"type": "image_url", "image_url": {"url": "u"}}, {"type": "text", "text": "XX."}], "mine": 1.0},
            {"role": "user", "content": "And now?"},
        ], "top_p": 1.0}),
        &[KEEP, LINE, KEEP, CUT, CUT, DROP, CUT, KEEP],
    ));
}

#[test]
fn responses() {
    let output =
        |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "XX 1.\nXX 2.\nXX 3."});
    let call = |id: &str| json!({"type": "function_call", "id": "fc", "call_id": id, "name": "find", "arguments": "{}"});
    let reasoning = json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "gAAA"});
    assert_snapshot!(check(
        json!({"model": "gpt-5", "instructions": "Be brief.", "input": [
            {"role": "user", "content": "XXXX?"},
            reasoning, call("a"), call("b"), output("a"), output("b"),
            reasoning, call("c"), output("c"),
            reasoning, {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "XX one. XX two. XX three.", "annotations": []}]},
            {"role": "user", "content": [{"type": "input_text", "text": "And now?"}]},
        ]}),
        &[KEEP, DROP, LINE, LINE, LINE, LINE, LINE, KEEP, KEEP, CUT, KEEP, CUT, KEEP],
    ));
}

#[test]
fn anthropic() {
    let used = |id: &str| {
        json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "X", "signature": "sig"},
            {"type": "tool_use", "id": id, "name": "find", "input": {"q": 1.0}},
        ]})
    };
    let found = |id: &str, mark: bool| {
        let text = json!({"type": "text", "text": "XX 1.\nXX 2.\nXX 3."});
        let mut block =
            json!({"type": "tool_result", "tool_use_id": id, "content": [text], "is_error": false});
        if mark {
            block["cache_control"] = json!({"type": "ephemeral"});
        }
        json!({"role": "user", "content": [block]})
    };
    let request = json!({"model": "claude-sonnet-4-5", "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}], "messages": [
        {"role": "user", "content": "XXXX?"},
        used("a"), found("a", true),
        used("b"), found("b", true),
        {"role": "user", "content": "And now?"},
        used("c"), found("c", false),
    ]});
    assert_snapshot!(
        "anthropic_cut",
        check(request.clone(), &[KEEP, KEEP, LINE, LINE, CUT, CUT, KEEP, KEEP, CUT])
    );
    let mut answered = request;
    answered["messages"].as_array_mut().unwrap().push(json!({"role": "assistant", "content": "XX."}));
    assert_snapshot!(
        "anthropic_without_beginning_and_end",
        check(answered, &[KEEP, DROP, KEEP, KEEP, LINE, LINE, KEEP, LINE, LINE, LINE])
    );
}

/// Input that is a single string stays one as long as it is shown.
#[test]
fn a_string_stays_a_string() {
    let conversation = Conversation::parse(json!({"input": "XX 1.\nXX 2."})).unwrap();
    let context = conversation.context(&Xs, &Pins::none());
    let shortened = |lot: u8| conversation.shortened(&shorten(&context, &[lot]).unwrap());
    assert_eq!(shortened(0b1010_0100), json!({"input": "[...]"}));
    // The last user message is never replaced by a line.
    assert_eq!(shortened(LINE), json!({"input": "[... 2 lines]"}));
}

#[test]
fn a_line_of_many_is_answered() {
    let line = r#"{"id": 7, "budget": 1e3, "strategy": "auto", "messages": [
        {"role": "user", "content": "XX."}, {"role": "assistant", "content": "XX 1.\nXX 2."},
        {"role": "user", "content": "X?", "seed": 115792089237316195423570985008687907853, "top": 1e400}]}"#;
    let request = ChatRequest::parse(line).unwrap();
    assert_eq!(request.budget.unwrap().get(), 1000);
    let context = request.conversation.context(&Xs, &request.pins);
    let result = cut(&request.conversation, &[DROP, KEEP, KEEP]);
    let answer = ChatAnswer::new(&request, "auto", &context, &result).unwrap();
    assert_snapshot!("answer_open", serde_json::to_string_pretty(&answer).unwrap());
    check_read_back(&answer);

    let line = r#"{"id": "q", "budget": 10, "pins": {"markers": ["2"]}, "request":
        {"messages": [{"role": "assistant", "content": "XX 1.\nXX 2."}, {"role": "user", "content": "X?"}], "top": 1.10}}"#;
    let request = ChatRequest::parse(line).unwrap();
    let context = request.conversation.context(&Xs, &request.pins);
    assert_eq!(context.holds(), [Hold::Pinned, Hold::Shown]);
    let result = cut(&request.conversation, &[CUT, KEEP]);
    let answer = ChatAnswer::new(&request, "auto", &context, &result).unwrap();
    assert_snapshot!("answer_wrapped", serde_json::to_string(&answer).unwrap());
    check_read_back(&answer);
}

/// An answer is read back with every number as it was written.
#[track_caller]
fn check_read_back(answer: &ChatAnswer) {
    let written = serde_json::to_string(answer).unwrap();
    let read: ChatAnswer = serde_json::from_str(&written).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), written);
}

/// A bare array is answered with `messages`, a body without messages with `request`.
#[test]
fn other_lines_are_answered() {
    let check = |line: &str, expect: &str| {
        let request = ChatRequest::parse(line).unwrap();
        let context = request.conversation.context(&Xs, &request.pins);
        let answer =
            ChatAnswer::new(&request, "auto", &context, &cut(&request.conversation, &[CUT, KEEP])).unwrap();
        let shown = answer.messages.or(answer.request).unwrap();
        assert_eq!(shown.get(), expect);
    };
    check(
        r#"[{"role": "assistant", "content": "XX 1.\nXX 2."}, {"role": "user", "content": "X?"}]"#,
        r#"[{"role":"assistant","content":"[...]"},{"role":"user","content":"X?"}]"#,
    );
    check(
        r#"{"budget": 7, "input": [{"role": "assistant", "content": "XX 1.\nXX 2."}, {"role": "user", "content": "X?"}]}"#,
        r#"{"input":[{"role":"assistant","content":"[...]"},{"role":"user","content":"X?"}]}"#,
    );
}

#[track_caller]
fn check_request_error(line: &str, expect: &str) {
    assert_eq!(ChatRequest::parse(line).unwrap_err().to_string(), expect);
}

#[test]
fn bad_lines_say_where() {
    check_request_error("", "line 1: the input is empty");
    check_request_error("{}", "missing field `messages` or `request`");
    check_request_error(r#"{"request": null, "budget": 7}"#, "missing field `messages` or `request`");
    check_request_error(
        r#"{"request": 7}"#,
        "request: expected a request: an object or an array of messages",
    );
    check_request_error(r#"{"request": [7]}"#, "request.messages[0]: expected an object");
    check_request_error(r#"{"messages": {}}"#, "messages: expected an array of messages");
    check_request_error(
        "{\"messages\": [],\n\"budget\": -1}",
        "line 2, column 12: budget: invalid value: integer `-1`, expected a whole number of tokens from 0 to 1000000000000",
    );
    check_request_error(
        r#"{"messages": [], "format": "x"}"#,
        "line 1, column 30: format: unknown value \"x\" (known: openai-chat, openai-responses, anthropic-messages)",
    );
}

/// Checks the error for an unknown key at the top level of `line`.
#[track_caller]
fn check_unknown(line: &str, field: &str, meant: &str) {
    let error = ChatRequest::parse(line).unwrap_err();
    let wrong = field.rsplit('.').next().unwrap();
    let told = format!("unknown key {wrong:?}{meant} (known: ");
    assert!(error.path == field && error.message.starts_with(&told), "{error}");
}

#[test]
fn unknown_keys_of_the_envelope_are_told() {
    check_unknown(r#"{"budgte": 7, "messages": []}"#, "budgte", r#", did you mean "budget"?"#);
    check_unknown(r#"{"mesages": []}"#, "mesages", r#", did you mean "messages"?"#);
    check_unknown(r#"{"zz": 7, "request": {"messages": []}}"#, "zz", "");
    check_unknown(r#"{"Query": "?", "request": {"input": "a"}}"#, "Query", r#", did you mean "query"?"#);
    check_unknown(
        r#"{"pins": {"lastUser": true}, "input": "a"}"#,
        "pins.lastUser",
        r#", did you mean "last_user"?"#,
    );
    check_request_error(
        r#"{"temperature": 1, "messages": []}"#,
        "temperature: unknown key \"temperature\" (known: id, budget, reserve, strategy, query, format, pins, messages, \
         request, system, tools, functions, model, response_format, output_format, anthropic_version); a provider's body \
         goes into `request`",
    );
}

#[test]
fn fields_of_providers_pass() {
    for line in [
        r#"{"id": 1, "budget": 7, "model": "claude", "system": "s", "tools": [], "messages": [{"role": "user", "content": "a", "x": 1}]}"#,
        r#"{"request": {"x": 1, "messages": [{"role": "user", "content": [{"type": "text", "text": "a", "y": 1}]}]}}"#,
        r#"{"budget": 7, "x": 1, "input": "a"}"#,
        r#"[{"role": "user", "content": "a", "x": 1}]"#,
    ] {
        ChatRequest::parse(line).unwrap();
    }
}

/// Two parallel calls between messages of all roles.
fn agent() -> Conversation {
    let call = |id: &str, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    Conversation::parse(json!([
        {"role": "system", "content": "s"},
        {"role": "user", "content": "KEEP this"},
        {"role": "assistant", "content": null, "tool_calls": [call("a", "find"), call("b", "open")]},
        {"role": "tool", "tool_call_id": "a", "content": "r"},
        {"role": "tool", "tool_call_id": "b", "content": "r"},
        {"role": "developer", "content": "d"},
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "x", "id": "msg"},
    ]))
    .unwrap()
}

/// Which blocks are pinned, and which must be shown.
#[track_caller]
fn check_pins(pins: &Pins, expect: &[&str], shown: &[&str]) {
    let conversation = agent();
    let context = conversation.context(&Xs, pins);
    let held = |hold: Hold| -> Vec<&str> {
        context.blocks.iter().filter(|block| block.hold == hold).map(|block| block.id.as_str()).collect()
    };
    assert_eq!((held(Hold::Pinned).as_slice(), held(Hold::Shown).as_slice()), (expect, shown));
    for block in &context.blocks {
        let why = conversation.why_held(&block.id, pins).filter(|why| !matches!(why, Held::With { .. }));
        assert_eq!(why.map_or(Hold::Free, |why| why.hold()), block.hold, "{:?}", block.id);
    }
    let groups: Vec<Option<&str>> = context.blocks.iter().map(|block| block.group.as_deref()).collect();
    let calls = Some("turns from 2");
    assert_eq!(groups, [None, None, calls, calls, calls, None, None, None]);
    let tools = |block: &Block| block.as_turn().unwrap().parts.iter().find_map(|part| part.tool.clone());
    assert_eq!(context.blocks.get(3).and_then(tools).as_deref(), Some("find"));
}

#[test]
fn pins_hold() {
    check_pins(&Pins::default(), &["0", "5"], &["6"]);
    check_pins(&Pins::none(), &[], &["6"]);
    check_pins(&serde_json::from_value(json!({"last_user": true})).unwrap(), &["0", "5", "6"], &[]);
    check_pins(&Pins::none().with_index(1).with_index(99), &["1"], &["6"]);
    check_pins(&Pins::none().with_id("a").with_id("msg"), &["2", "3", "7"], &["6"]);
    check_pins(&Pins::none().with_tool("open"), &["2", "4"], &["6"]);
    check_pins(&Pins::none().with_marker("KEEP").with_marker(""), &["1"], &["6"]);
}

/// A result that is only a picture is the result of its tool too.
#[test]
fn a_picture_is_the_result_of_its_tool() {
    let source = json!({"type": "base64", "media_type": "image/png", "data": "AAAA"});
    let result =
        json!({"type": "tool_result", "tool_use_id": "a", "content": [{"type": "image", "source": source}]});
    let messages = json!([
        {"role": "user", "content": "X?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "shoot", "input": {}}]},
        {"role": "user", "content": [result]},
        {"role": "user", "content": "X."},
    ]);
    let conversation = Conversation::parse_as(messages, WireFormat::AnthropicMessages).unwrap();
    let why = conversation.why_held("2", &Pins::none().with_tool("shoot"));
    assert!(matches!(why, Some(Held::Tool { .. })), "{why:?}");
}

#[test]
fn pins_that_match_nothing_are_named() {
    let pins = Pins::default().with_index(7).with_index(8).with_id("b").with_id("c").with_tool("open");
    let pins = pins.with_tool("close").with_marker("KEEP").with_marker("keep").with_marker("");
    let unmatched = agent().unmatched(&pins);
    assert_eq!((unmatched.indices.as_slice(), unmatched.known.messages), ([8].as_slice(), 8));
    assert_eq!(
        (unmatched.ids.as_slice(), unmatched.tools.as_slice()),
        (["c".into()].as_slice(), ["close".into()].as_slice())
    );
    assert_eq!(unmatched.markers, ["keep", ""]);
    assert_eq!(unmatched.known.turns, Some((1, 8)));
    assert_eq!(unmatched.known.ids.iter().collect::<Vec<_>>(), ["a", "b", "msg"]);
    assert_eq!(unmatched.known.tools.iter().collect::<Vec<_>>(), ["find", "open"]);
    assert!(agent().unmatched(&Pins::default()).is_empty());
}

/// Checks how the messages of an Anthropic conversation are held, and why message `id` is.
#[track_caller]
fn check_held(messages: Value, expect: &[Hold], id: &str, why: Option<Held>) {
    let conversation = Conversation::parse_as(messages, WireFormat::AnthropicMessages).unwrap();
    assert_eq!(conversation.context(&Xs, &Pins::default()).holds(), expect);
    assert_eq!(conversation.why_held(id, &Pins::default()), why);
}

#[test]
fn what_the_model_is_about_to_read_is_shown() {
    const PINNED: Hold = Hold::Pinned;
    const SHOWN: Hold = Hold::Shown;
    const FREE: Hold = Hold::Free;
    let user = json!({"role": "user", "content": "X?"});
    let system = json!({"role": "system", "content": "X."});
    let assistant = json!({"role": "assistant", "content": "X."});
    let used = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "find", "input": {}}]});
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": "X"});
    let found = json!({"role": "user", "content": [result]});
    let words = json!({"role": "user", "content": [result, {"type": "text", "text": "X?"}]});
    // The model has not read the result yet; its call is kept with it.
    let with = |id: &str, held| Some(Held::With { id: id.into(), held: Box::new(held) });
    check_held(json!([user, used, found]), &[SHOWN, SHOWN, SHOWN], "2", Some(Held::Unread));
    check_held(json!([user, used, found]), &[SHOWN, SHOWN, SHOWN], "1", with("2", Held::Unread));
    check_held(json!([user, used, found, user]), &[FREE, SHOWN, SHOWN, SHOWN], "0", None);
    // The beginning of an answer is not what has been read.
    check_held(json!([user, used, found, assistant]), &[SHOWN, FREE, FREE, SHOWN], "2", None);
    check_held(json!([user, assistant]), &[SHOWN, SHOWN], "1", Some(Held::Prefill));
    // Text next to a result belongs to the user, and so does the last text without one.
    check_held(
        json!([user, used, words, assistant]),
        &[SHOWN, SHOWN, SHOWN, SHOWN],
        "2",
        Some(Held::LastUser),
    );
    // A system message pins only itself.
    check_held(
        json!([user, system, assistant, user]),
        &[FREE, PINNED, FREE, SHOWN],
        "1",
        Some(Held::Instructions),
    );
}

#[test]
fn a_system_message_stands_between_user_and_assistant_whatever_is_left_out() {
    let request = json!([
        {"role": "user", "content": "XX one."}, {"role": "assistant", "content": "XX two."},
        {"role": "user", "content": "XX three."}, {"role": "system", "content": "Be brief."},
        {"role": "assistant", "content": "XX four."}, {"role": "user", "content": "And now?"},
    ]);
    let conversation = Conversation::parse_as(request, WireFormat::AnthropicMessages).unwrap();
    let shortened = |lot: &[u8]| {
        let shortened = conversation.shortened(&cut(&conversation, lot));
        assert_eq!(valid(&shortened, conversation.format()), Ok(()));
        let messages = shortened.as_array().unwrap().iter();
        messages
            .map(|message| format!("{}: {}", message["role"], message["content"]))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert_snapshot!(
        [
            shortened(&[KEEP, KEEP, DROP, KEEP, KEEP, KEEP]),
            shortened(&[KEEP, KEEP, KEEP, KEEP, DROP, KEEP]),
            shortened(&[KEEP, LINE, LINE, KEEP, LINE, KEEP]),
            shortened(&[DROP, DROP, DROP, KEEP, DROP, KEEP]),
        ]
        .join("\n\n")
    );
}
