//! The tokens of messages in addition to their texts.

use contextfit_formats::{Conversation, Pins, WireFormat};
use contextfit_kernel::Context;
use contextfit_pipeline::measure;
use contextfit_text::counter;
use serde_json::{Value, json};

fn context(request: Value) -> Context {
    Conversation::parse(request).unwrap().context(&*counter("o200k_base").unwrap(), &Pins::default())
}

/// The tokens of a single message in addition to its text.
#[track_caller]
fn check_message(message: Value, expect: usize) {
    let context = context(json!([message]));
    assert_eq!(context.blocks.first().unwrap().as_turn().unwrap().framing.get(), expect);
}

/// Tokens of a whole request.
#[track_caller]
fn check_request(request: Value, expect: usize) {
    let counter = counter("o200k_base").unwrap();
    let context = Conversation::parse(request).unwrap().context(&*counter, &Pins::default());
    assert_eq!(measure(&context, &*counter).tokens.get(), expect);
}

#[test]
fn messages_of_chat_completions() {
    check_message(json!({"role": "user", "content": "hello world"}), 4);
    check_message(json!({"role": "developer", "content": ""}), 4);
    check_message(json!({"role": "user", "name": "ann", "content": "hello"}), 4 + 1 + 1);
    check_message(json!({"role": "tool", "tool_call_id": "call_123456", "content": "hello"}), 4);
    let call =
        json!({"id": "call_123456", "type": "function", "function": {"name": "find", "arguments": "{}"}});
    check_message(json!({"role": "assistant", "content": null, "tool_calls": [call]}), 4 + 9 + 1 + 1);
    check_message(
        json!({"role": "assistant", "content": null, "tool_calls": [call, call]}),
        4 + 9 + 2 + 13 + 2,
    );
    check_message(
        json!({"role": "assistant", "function_call": {"name": "find", "arguments": "{}"}}),
        4 + 9 + 2,
    );
    let image = |detail: &str| json!({"type": "image_url", "image_url": {"url": "data:", "detail": detail}});
    check_message(json!({"role": "user", "content": [image("low")]}), 4 + 85);
    check_message(json!({"role": "user", "content": [image("high")]}), 4 + 1_445);
}

#[test]
fn a_plain_request_takes_what_the_cookbook_says() {
    // 3 for the start of the answer, 4 for each message, and their texts.
    check_request(
        json!({"messages": [{"role": "system", "content": "hello world"}, {"role": "user", "content": "hello"}]}),
        3 + 4 + 2 + 4 + 1,
    );
    check_request(json!([]), 3);
}

/// The example of the cookbook: a function with two properties, one of them an enum. By its formula: 7 for the function
/// and its line; 3 for properties; 3 and its line for each; for the enum -3, and 3 plus its tokens for each item; and
/// 12.
#[test]
fn definitions_of_functions() {
    let counter = counter("o200k_base").unwrap();
    let count = |text: &str| counter.count(text).get();
    let tool = json!({"type": "function", "function": {
        "name": "get_current_weather", "description": "Get the current weather in a given location.",
        "parameters": {"type": "object", "properties": {
            "location": {"type": "string", "description": "The city and state"},
            "unit": {"type": "string", "description": "The unit of temperature", "enum": ["celsius", "fahrenheit"]},
        }, "required": ["location"]},
    }});
    let expect = 7
        + count("get_current_weather:Get the current weather in a given location")
        + 3
        + 3
        + count("location:string:The city and state")
        + 3
        + (6 - 3)
        + count("celsius")
        + count("fahrenheit")
        + count("unit:string:The unit of temperature")
        + 12;
    check_request(json!({"messages": [], "tools": [tool.clone()]}), 3 + expect);
    check_request(json!({"messages": [], "functions": [tool["function"]]}), 3 + expect);
    let mut flat = tool["function"].clone();
    flat["type"] = json!("function");
    check_request(json!({"input": [], "tools": [flat]}), 3 + expect);
}

/// The harmony format writes a call as `<|start|>assistant<|channel|>commentary to=functions.NAME
/// <|constrain|>json<|message|> ARGUMENTS<|call|>`. Start, role, message and end are those of a message; the rest, with
/// two special tokens, is bounded.
#[test]
fn a_call_takes_what_harmony_writes() {
    let counter = counter("o200k_base").unwrap();
    let count = |text: &str| counter.count(text).get();
    for name in ["find", "get_current_weather", "searchDirectFlights"] {
        let around = 2 + count(&format!("commentary to=functions.{name} ")) + count("json") - count(name);
        assert!(around <= 9, "{around}");
    }
}

/// The counts of two requests are at least those on Anthropic's page about token counting.
#[test]
fn published_examples_of_anthropic_are_bounded() {
    let counter = counter("o200k_base").unwrap();
    let tokens = |request: Value| {
        let conversation = Conversation::parse_as(request, WireFormat::AnthropicMessages).unwrap();
        measure(&conversation.context(&*counter, &Pins::default()), &*counter).tokens.get()
    };
    let scientist =
        json!({"system": "You are a scientist", "messages": [{"role": "user", "content": "Hello, Claude"}]});
    assert!((14..24).contains(&tokens(scientist)));
    let weather = json!({
        "tools": [{"name": "get_weather", "description": "Get the current weather in a given location", "input_schema": {
            "type": "object", "required": ["location"],
            "properties": {"location": {"type": "string", "description": "The city and state, e.g. San Francisco, CA"}},
        }}],
        "messages": [{"role": "user", "content": "What's the weather like in San Francisco?"}],
    });
    assert!((403..650).contains(&tokens(weather)));
}
