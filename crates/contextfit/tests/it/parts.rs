//! The parts of a message stay apart, however a text is divided into them, in every wire format.

use contextfit::{
    Budget, Tokens, counter,
    formats::{Conversation, Pins},
    kernel::{Label, Message, Record},
    pipeline::{Claim, verify},
    preset,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A text, and the tool whose result it is; without one the user says it.
type Part = (String, Option<usize>);

const TOOLS: [&str; 3] = ["read_file", "run_tests", "search"];

/// Texts in which every word and number occurs once in each place, so that a seam shows.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("The limit is 10 retries. "),
        Just("Never delete the database.\n"),
        Just("def pay(): return 1\n"),
        Just("1 failed, 200 passed\n"),
        Just("error: expected 4096, found 40\n"),
        Just("{\"user\": \"mia_3668\", \"n\": 12}\n"),
        Just("第三句。他走了。"),
        Just("\n\n"),
        Just("Keep src/a.rs as it is, please; ask before you touch src/b.rs. "),
    ];
    prop::collection::vec(piece, 1..14).prop_map(|pieces| pieces.concat())
}

/// A text divided anywhere, also within words and numbers.
fn parts() -> impl Strategy<Value = Vec<Part>> {
    (text(), prop::collection::vec((0.0..1.0, prop::option::of(0..TOOLS.len())), 1..5)).prop_map(
        |(text, mut cuts): (String, Vec<(f64, Option<usize>)>)| {
            cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut from = 0;
            let mut parts: Vec<Part> = Vec::new();
            for (share, tool) in cuts {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss
                )]
                let to = text.floor_char_boundary((text.len() as f64 * share) as usize).max(from);
                parts.push((text.get(from..to).unwrap().to_owned(), tool));
                from = to;
            }
            parts.push((text.get(from..).unwrap().to_owned(), None));
            parts
        },
    )
}

/// The messages of a session in which `parts` come as one message, or in one for the tools and one for the user.
fn messages(format: usize, parts: &[Part], filler: &str) -> Value {
    let results =
        || parts.iter().enumerate().filter_map(|(n, (text, tool))| Some((n, text, TOOLS[(*tool)?])));
    let said = || parts.iter().filter(|(_, tool)| tool.is_none()).map(|(text, _)| text);
    let id = |n: usize| format!("call_{n}");
    let mut messages = vec![json!({"role": "user", "content": "Please mend the payment."})];
    match format {
        0 => {
            let calls = results().map(
                |(n, _, tool)| json!({"type": "tool_use", "id": id(n), "name": tool, "input": {"n": n}}),
            );
            messages.push(json!({"role": "assistant", "content": calls.chain([json!({"type": "text", "text": "Looking."})]).collect::<Value>()}));
            let content = parts.iter().enumerate().map(|(n, (text, tool))| match tool {
                Some(_) => json!({"type": "tool_result", "tool_use_id": id(n), "content": [{"type": "text", "text": text}]}),
                None => json!({"type": "text", "text": text}),
            });
            messages.push(json!({"role": "user", "content": content.collect::<Value>()}));
        }
        1 => {
            let calls = results().map(|(n, _, tool)| json!({"id": id(n), "type": "function", "function": {"name": tool, "arguments": json!({"n": n}).to_string()}}));
            let calls: Vec<Value> = calls.collect();
            if !calls.is_empty() {
                messages.push(json!({"role": "assistant", "content": null, "tool_calls": calls}));
            }
            for (n, text, _) in results() {
                let (a, b) = text.split_at(text.floor_char_boundary(text.len() / 2));
                messages.push(json!({"role": "tool", "tool_call_id": id(n), "content": [{"type": "text", "text": a}, {"type": "text", "text": b}]}));
            }
            messages.push(json!({"role": "user", "content": said().map(|text| json!({"type": "text", "text": text})).collect::<Value>()}));
        }
        _ => {
            for (n, _, tool) in results() {
                messages.push(json!({"type": "function_call", "call_id": id(n), "name": tool, "arguments": json!({"n": n}).to_string()}));
            }
            for (n, text, _) in results() {
                let (a, b) = text.split_at(text.floor_char_boundary(text.len() / 2));
                messages.push(json!({"type": "function_call_output", "call_id": id(n), "output": [{"type": "input_text", "text": a}, {"type": "input_text", "text": b}]}));
            }
            messages.push(json!({"role": "user", "content": said().map(|text| json!({"type": "input_text", "text": text})).collect::<Value>()}));
        }
    }
    messages.push(json!({"role": "assistant", "content": filler}));
    messages.push(json!({"role": "user", "content": "And now?"}));
    match format {
        0 => json!({"system": "Be brief.", "messages": messages}),
        1 => json!({"messages": messages}),
        _ => json!({"input": messages}),
    }
}

/// Every text of `request`, with the tool whose result it is.
fn texts(conversation: &Conversation) -> Vec<(String, Option<String>)> {
    let context = conversation.context(&*counter("chars/1").unwrap(), &Pins::default());
    // Not the entries of a record.
    let turns = context.blocks.iter().filter(|block| block.level.shows_source());
    let texts = turns.flat_map(|block| {
        let turn = block.as_turn().unwrap();
        let texts = turn.texts(&block.text);
        texts
            .map(|(range, tool)| (range.of(&block.text).unwrap().to_owned(), tool.map(str::to_owned)))
            .collect::<Vec<_>>()
    });
    texts.collect()
}

/// Fails unless each line of each entry of `record` is in one of `texts`, under the right label.
fn check_record(record: &str, texts: &[(String, Option<String>)], calls: &str) {
    let record = Record::parse(record).unwrap();
    for (_, entry) in &record.entries {
        let (label, _) = Label::parse(entry).unwrap();
        let shown = label.to_string();
        let body = contextfit::kernel::entry_body(entry);
        if shown.contains("assistant called") || body.is_empty() {
            assert!(body.lines().all(|line| calls.contains(line.trim_end_matches('…').trim())), "{entry:?}");
            continue;
        }
        let tool = TOOLS.iter().find(|tool| shown.ends_with(*tool));
        for line in body.lines() {
            let line = line.trim_end_matches('…').trim_end();
            // Members of JSON on one line are of one text too.
            let is_from = |text: &str| {
                text.contains(line)
                    || line.split(", ").all(|quote| text.contains(quote.trim_end_matches(" …")))
            };
            let found = texts.iter().any(|(text, of)| of.as_deref() == tool.copied() && is_from(text));
            assert!(found, "{line:?} of {entry:?} is in no part of {tool:?}: {texts:?}");
        }
    }
}

/// A line that comes several times in a row, and how often: `waiting [x12]`.
fn repeated(line: &str) -> Option<(&str, usize)> {
    let (line, times) = line.strip_suffix(']')?.rsplit_once(" [x")?;
    Some((line, times.parse().ok()?))
}

proptest! {
    #[test]
    fn no_line_spans_two_parts(parts in parts(), format in 0..3_usize, strategy in 0..6_usize, share in 1..9_usize) {
        let strategy = ["auto", "hierarchical", "summarize", "semantic", "sliding-window", "hybrid"][strategy];
        let filler = "I read it all and found the cause in the second module. ".repeat(12);
        let request = messages(format, &parts, &filler);
        let conversation = Conversation::parse(request.clone()).unwrap();
        let tokens = counter("chars/4").unwrap();
        let context = conversation.context(&*tokens, &Pins::default());
        let pipeline = preset(strategy, tokens.clone()).unwrap();
        let whole = contextfit::pipeline::measure(&context, &*tokens).tokens.get();
        let budget = Budget::new(Tokens::new(whole * share / 9));
        let Ok(result) = pipeline.fit(&context, &budget) else { return Ok(()) };
        verify(&context, &Claim::from(&result), &budget, &*tokens).unwrap();
        let texts = texts(&conversation);
        for message in result.context.messages() {
            if let Message::Record(record) = message {
                check_record(&record, &texts, &request.to_string().replace("\\\"", "\""));
            }
        }
        // A shown message has the parts it had, each with lines of its own and markers.
        let shortened = Conversation::parse(conversation.shortened(&result)).unwrap();
        for (text, tool) in self::texts(&shortened).iter().filter(|(text, _)| Record::parse(text).is_none()) {
            let own = |line: &str, times: usize| {
                texts.iter().any(|(text, of)| of == tool && text.matches(line).count() >= times)
            };
            for line in text.lines().map(|line| line.split("[...").next().unwrap_or_default().trim()) {
                let (line, times) = repeated(line).unwrap_or((line, 1));
                let known = own(line, times) || line.contains("...");
                prop_assert!(known, "{line:?} (x{times}) of {text:?} is in no part of {tool:?}");
            }
        }
    }
}
