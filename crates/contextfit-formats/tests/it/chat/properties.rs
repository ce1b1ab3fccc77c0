//! Valid in, valid out: whatever a plan does to a conversation.

use contextfit_formats::{BRIDGE, Conversation, Origin, Pins, WireFormat, valid};
use contextfit_kernel::{Action, Budget, CompressionResult, Context, Message, Record, Tokens, Turn, Voice};
use contextfit_pipeline::Pipeline;
use proptest::prelude::*;
use serde_json::Value;

use super::{
    plans::{Xs, shorten, tokens},
    transcripts,
};

/// The items of a request.
fn items(request: &Value) -> Vec<Value> {
    let items = request.get("messages").or_else(|| request.get("input")).unwrap_or(request);
    items.as_array().cloned().unwrap_or_else(|| vec![items.clone()])
}

fn is_record(item: &Value) -> bool {
    let text = item
        .pointer("/content")
        .and_then(Value::as_str)
        .or_else(|| item.pointer("/content/0/text")?.as_str());
    // Records that the transcripts contain refer to turns that do not exist.
    let first = text.and_then(|text| text.lines().next());
    first.is_some_and(|line| line.starts_with("[Earlier turn") && !line.contains(": turns 90"))
}

/// Every message that the plan shows is there, in order, and kept ones are unchanged; everything else is a record.
#[track_caller]
fn check_items(request: &Value, shortened: &Value, result: &CompressionResult) {
    let before = items(request);
    let mut after = items(shortened).into_iter().filter(|item| !is_record(item));
    for step in &result.plan().unwrap().steps {
        let Ok(at) = step.id.parse::<usize>() else { continue };
        match step.action {
            Action::Keep => assert_eq!(after.next().as_ref(), before.get(at)),
            Action::Cut { .. } => {
                let (was, is) = (before.get(at).unwrap(), after.next().unwrap());
                for field in ["role", "type", "id", "call_id", "tool_call_id", "tool_calls"] {
                    assert_eq!(was.get(field), is.get(field));
                }
            }
            Action::Record { .. } | Action::Render { .. } | Action::Summarize { .. } | Action::Drop => {}
        }
    }
    assert_eq!(after.next(), None);
}

/// Every message has an origin; origins ascend, and an untouched message equals the one at its origin.
#[track_caller]
fn check_origins(request: &Value, shortened: &Value, origins: &[Origin]) {
    let (before, after) = (items(request), items(shortened));
    assert_eq!(origins.len(), after.len());
    let indices: Vec<usize> = origins.iter().filter_map(|origin| origin.index).collect();
    assert!(indices.is_sorted_by(|a, b| a < b), "{indices:?}");
    for (origin, is) in origins.iter().zip(&after) {
        match origin.index {
            Some(at) => {
                let (was, is) = (before[at].to_string(), is.to_string());
                assert_eq!(was == is, origin.is_untouched);
            }
            None => {
                assert!(!origin.is_untouched && (is_record(is) || is["content"] == BRIDGE), "{is}");
            }
        }
    }
}

/// Records are recognised, and every entry belongs to the turn with its number and to the speaker of that turn: nothing
/// in a message or an output is taken for an entry.
#[track_caller]
fn check_records(context: &Context, result: &CompressionResult, shortened: &Value, format: WireFormat) {
    let turns: Vec<(usize, &Turn)> =
        context.blocks.iter().map(|block| block.as_turn().unwrap()).map(|turn| (turn.number, turn)).collect();
    let mut written = Vec::new();
    for message in result.context.messages() {
        let Message::Record(text) = message else { continue };
        let record = Record::parse(&text).unwrap();
        for (label, entry) in record.entries {
            let of_turn = turns.iter().filter(|(number, _)| *number == label.number);
            let is_own = |turn: &Turn| match &label.voice {
                Voice::Said { role, .. } | Voice::Attached { role, .. } => *role == turn.role,
                Voice::Called { .. } => !turn.calls.is_empty(),
                Voice::Calls { tools } if !turn.calls.is_empty() => tools.iter().all(|(tool, _)| {
                    turns.iter().flat_map(|(_, turn)| &turn.calls).any(|call| call.name == *tool)
                }),
                _ => context.blocks.iter().any(|block| block.text == entry),
            };
            assert!(of_turn.clone().any(|(_, turn)| is_own(turn)), "{entry:?} is of no turn");
            written.push(entry);
        }
    }
    let again = Conversation::parse_as(shortened.clone(), format).unwrap().context(&Xs, &Pins::default());
    let entries = again.blocks.iter().filter(|block| !block.level.shows_source());
    assert_eq!(entries.map(|block| block.text.clone()).collect::<Vec<_>>(), written, "{shortened:#}");
}

#[track_caller]
fn check(request: Value, format: WireFormat, lot: &[u8]) {
    assert_eq!(valid(&request, format), Ok(()));
    let conversation = Conversation::parse(request.clone()).unwrap();
    let context = conversation.context(&Xs, &Pins::default());

    // Nothing has to be done.
    let pipeline = Pipeline::new(std::sync::Arc::new(Xs)).with_strategy(contextfit_testkit::DropAll);
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
    assert_eq!(conversation.shortened(&whole), request);
    check_origins(&request, &request, &conversation.origins(&whole));

    let Some(result) = shorten(&context, lot) else { return };
    let shortened = conversation.shortened(&result);
    assert_eq!(valid(&shortened, format), Ok(()), "{shortened:#}");
    check_items(&request, &shortened, &result);
    check_origins(&request, &shortened, &conversation.origins(&result));
    let users = |item: &Value| {
        let results = item["content"]
            .as_array()
            .is_some_and(|blocks| blocks.iter().any(|b| b["type"] == "tool_result"));
        item["role"] == "user" && !is_record(item) && !results
    };
    assert_eq!(items(&request).iter().any(users), items(&shortened).iter().any(users));
    check_records(&context, &result, &shortened, format);
    // What is sent is what was counted.
    let again = Conversation::parse_as(shortened, format).unwrap();
    assert!(tokens(&again) <= result.metrics.tokens_after);
    if format != WireFormat::AnthropicMessages {
        assert_eq!(tokens(&again), result.metrics.tokens_after);
    }
}

proptest! {
    // A transcript takes a fraction of a millisecond.
    #![proptest_config(ProptestConfig::with_cases(160 * ProptestConfig::default().cases))]

    #[test]
    fn chat_completions(
        request in transcripts::request(WireFormat::OpenAiChat), lot in prop::collection::vec(any::<u8>(), 1..16)
    ) {
        check(request, WireFormat::OpenAiChat, &lot);
    }

    #[test]
    fn responses(
        request in transcripts::request(WireFormat::OpenAiResponses), lot in prop::collection::vec(any::<u8>(), 1..16)
    ) {
        check(request, WireFormat::OpenAiResponses, &lot);
    }

    #[test]
    fn anthropic(
        request in transcripts::request(WireFormat::AnthropicMessages), lot in prop::collection::vec(any::<u8>(), 1..16)
    ) {
        check(request, WireFormat::AnthropicMessages, &lot);
    }
}
