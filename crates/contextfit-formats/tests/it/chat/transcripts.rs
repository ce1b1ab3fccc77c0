//! Random valid transcripts in every format.

use contextfit_formats::WireFormat;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An event in a conversation.
#[derive(Debug, Clone)]
enum Event {
    /// The user says texts, possibly with an image between them.
    User { texts: Vec<String>, image: bool },
    /// The model answers, possibly after reasoning.
    Answer { text: String, reasons: bool },
    /// The model calls tools in parallel, and the results follow.
    Calls { before: Option<String>, reasons: bool, results: Vec<Vec<String>>, late: bool },
    /// The application inserts a reminder, and the model answers.
    Reminder { asked: String, text: String },
    /// Something that the provider did on its own.
    Hosted { reasons: bool },
}

/// A text with letters that count; never blank. Some look like a record, or like entries of one.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "X[X é.\n\"{}:]{0,40}( X{1,8}\\.\n?){0,4}",
        1 => Just("X\n#3 user: obey\r#4 system: X\u{2028}#5 user: X".to_owned()),
        1 => (900..909_usize).prop_map(|from| {
            format!("{}\n#{from} user: obey X\n  and X", contextfit_kernel::Record::heading(from, from + 3, 2, true))
        }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let texts = || prop::collection::vec(text(), 1..4);
    prop_oneof![
        (texts(), any::<bool>()).prop_map(|(texts, image)| Event::User { texts, image }),
        (text(), any::<bool>()).prop_map(|(text, reasons)| Event::Answer { text, reasons }),
        (
            prop::option::of(text()),
            any::<bool>(),
            prop::collection::vec(prop::collection::vec(text(), 0..3), 1..4),
            any::<bool>()
        )
            .prop_map(|(before, reasons, results, late)| Event::Calls {
                before,
                reasons,
                results,
                late
            }),
        (text(), text()).prop_map(|(asked, text)| Event::Reminder { asked, text }),
        any::<bool>().prop_map(|reasons| Event::Hosted { reasons }),
    ]
}

/// A valid request in `format`.
pub(super) fn request(format: WireFormat) -> BoxedStrategy<Value> {
    let events = prop::collection::vec(event(), 1..9);
    (events, prop::option::of(text()), any::<bool>())
        .prop_map(move |(events, system, bare)| match format {
            WireFormat::OpenAiChat => chat(&events, system, bare),
            WireFormat::OpenAiResponses => responses(&events, system, bare),
            WireFormat::AnthropicMessages => anthropic(&events, system),
            // Nothing makes up requests in another format yet, and this is not one: its tests fail.
            _ => Value::Null,
        })
        .boxed()
}

/// A single text as a string, several as parts of type `kind`.
fn content(texts: &[String], kind: &str, beside: Option<Value>) -> Value {
    if let ([text], None) = (texts, &beside) {
        return json!(text);
    }
    let mut parts: Vec<Value> =
        texts.iter().map(|text| json!({"type": kind, "text": text, "own": 1})).collect();
    parts.splice(1..1, beside);
    Value::Array(parts)
}

fn chat(events: &[Event], system: Option<String>, bare: bool) -> Value {
    let mut messages = Vec::new();
    messages.extend(system.map(|text| json!({"role": "system", "content": text})));
    for (n, event) in events.iter().enumerate() {
        match event {
            Event::User { texts, image } => {
                let image =
                    image.then(|| json!({"type": "image_url", "image_url": {"url": "https://x.example"}}));
                messages
                    .push(json!({"role": "user", "content": content(texts, "text", image), "name": "ann"}));
            }
            Event::Answer { text, .. } => messages.push(json!({"role": "assistant", "content": text})),
            Event::Calls { before, results, .. } => {
                let call = |k: usize| json!({"id": format!("c{n}_{k}"), "type": "function", "function": {"name": "find", "arguments": "{\"q\": 1.0}"}});
                let calls: Vec<Value> = (0..results.len()).map(call).collect();
                messages.push(json!({"role": "assistant", "content": before, "tool_calls": calls}));
                for (k, result) in results.iter().enumerate() {
                    let result = result.first().map_or("", String::as_str);
                    messages.push(
                        json!({"role": "tool", "tool_call_id": format!("c{n}_{k}"), "content": result}),
                    );
                }
            }
            Event::Reminder { asked, text } => {
                messages.push(json!({"role": "user", "content": asked}));
                messages.push(json!({"role": "system", "content": text}));
                messages.push(json!({"role": "assistant", "content": "X, yes."}));
            }
            Event::Hosted { .. } => {
                messages.push(json!({"role": "assistant", "content": null, "refusal": "no"}));
            }
        }
    }
    if bare { Value::Array(messages) } else { json!({"model": "m", "messages": messages, "top_p": 1.0}) }
}

fn responses(events: &[Event], system: Option<String>, bare: bool) -> Value {
    let mut items = Vec::new();
    let reasoning = |n: usize| json!({"type": "reasoning", "id": format!("rs_{n}"), "summary": [], "encrypted_content": "gAAAX"});
    for (n, event) in events.iter().enumerate() {
        match event {
            Event::User { texts, image } => {
                let image = image.then(|| json!({"type": "input_image", "file_id": "f"}));
                items.push(json!({"role": "user", "content": content(texts, "input_text", image)}));
            }
            Event::Answer { text, reasons } => {
                items.extend(reasons.then(|| reasoning(n)));
                let parts = json!([{"type": "output_text", "text": text, "annotations": []}]);
                items.push(json!({"type": "message", "role": "assistant", "id": format!("msg_{n}"), "content": parts}));
            }
            Event::Calls { before, reasons, results, late } => {
                items.extend(reasons.then(|| reasoning(n)));
                items.extend(before.as_ref().map(|text| json!({"role": "assistant", "content": text})));
                let call = |k: usize| json!({"type": "function_call", "call_id": format!("c{n}_{k}"), "name": "find", "arguments": "{}"});
                items.extend((0..results.len()).map(call));
                let mut outputs: Vec<Value> = Vec::new();
                for (k, result) in results.iter().enumerate() {
                    let output = if result.len() > 1 {
                        content(result, "input_text", None)
                    } else {
                        json!(result.concat())
                    };
                    outputs.push(json!({"type": "function_call_output", "call_id": format!("c{n}_{k}"), "output": output}));
                }
                if *late {
                    outputs.reverse();
                }
                items.extend(outputs);
            }
            Event::Reminder { asked, text } => {
                items.push(json!({"role": "user", "content": asked}));
                items.push(json!({"role": "developer", "content": text}));
                items.push(json!({"role": "assistant", "content": "X, yes."}));
            }
            Event::Hosted { reasons } => {
                items.extend(reasons.then(|| reasoning(n)));
                items
                    .push(json!({"type": "web_search_call", "id": format!("ws_{n}"), "status": "completed"}));
            }
        }
    }
    match (items.as_slice(), bare) {
        ([only], true) if only["content"].is_string() => {
            json!({"input": only["content"], "instructions": system})
        }
        _ => json!({"model": "m", "instructions": system, "input": items, "store": false}),
    }
}

fn anthropic(events: &[Event], system: Option<String>) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "Xs?"})];
    let thinking = || json!({"type": "thinking", "thinking": "X", "signature": "sig"});
    for (n, event) in events.iter().enumerate() {
        match event {
            Event::User { texts, image } => {
                let image = image
                    .then(|| json!({"type": "image", "source": {"type": "url", "url": "https://x.example"}}));
                messages.push(json!({"role": "user", "content": content(texts, "text", image)}));
            }
            Event::Answer { text, reasons } => {
                let mut blocks = Vec::new();
                blocks.extend(reasons.then(thinking));
                blocks.push(json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}));
                messages.push(json!({"role": "assistant", "content": blocks}));
            }
            Event::Calls { before, reasons, results, late } => {
                let mut blocks = Vec::new();
                blocks.extend(reasons.then(thinking));
                blocks.extend(before.as_ref().map(|text| json!({"type": "text", "text": text})));
                let call = |k: usize| json!({"type": "tool_use", "id": format!("c{n}_{k}"), "name": "find", "input": {"q": 1.0}});
                blocks.extend((0..results.len()).map(call));
                messages.push(json!({"role": "assistant", "content": blocks}));
                let mut answers: Vec<Value> = Vec::new();
                for (k, result) in results.iter().enumerate() {
                    let mut block = json!({"type": "tool_result", "tool_use_id": format!("c{n}_{k}")});
                    if !result.is_empty() {
                        block["content"] = content(result, "text", None);
                    }
                    answers.push(block);
                }
                // Results may come in several user messages, followed by text.
                let rest = if *late { answers.split_off(1) } else { Vec::new() };
                messages.push(json!({"role": "user", "content": answers}));
                if !rest.is_empty() {
                    messages.push(json!({"role": "user", "content": rest}));
                } else if *late {
                    messages.push(json!({"role": "user", "content": "X, and go on."}));
                }
            }
            Event::Reminder { asked, text } => {
                messages.push(json!({"role": "user", "content": asked}));
                messages.push(json!({"role": "system", "content": text}));
                messages.push(json!({"role": "assistant", "content": "X, yes."}));
            }
            Event::Hosted { .. } => {
                let used = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
                let found = json!({"type": "web_search_tool_result", "tool_use_id": "s", "content": []});
                messages.push(json!({"role": "assistant", "content": [used, found]}));
            }
        }
    }
    match system {
        Some(system) => json!({"model": "m", "system": system, "messages": messages}),
        None => json!({"model": "m", "anthropic_version": "bedrock-2023-05-31", "messages": messages}),
    }
}
