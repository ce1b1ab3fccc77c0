//! Marks, prefixes and storage.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use contextfit_bm25::Bm25;
use contextfit_conversational::{HierarchicalCompressor, SlidingWindowCompressor};
use contextfit_formats::{
    ErrorCode, Pins, Session, SessionError, SessionState, WaterMarks, WireFormat, valid,
};
use contextfit_kernel::{
    Budget, CompressionResult, Context, ContextCompressor, Error, ProviderError, TokenCounter, Tokens,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::{Bill, CharsPer, Prices, TokenUsage};
use serde_json::{Value, json};

fn counter() -> Arc<CharsPer> {
    Arc::new(CharsPer::new(4).unwrap())
}

fn pipeline() -> Pipeline {
    Pipeline::new(counter())
        .with_strategy(HierarchicalCompressor::new(Arc::new(Bm25::default())))
        .with_strategy(SlidingWindowCompressor::new())
}

/// One round of an agent: a request, a call, its result, an answer.
fn round(n: usize) -> [Value; 4] {
    let call = format!("call_{n}");
    [
        json!({"role": "user", "content": format!("Please look up order {n} for me, and say when it leaves.")}),
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": call, "type": "function",
            "function": {"name": "find_order", "arguments": format!("{{\"order\": {n}}}")}}]}),
        json!({"role": "tool", "tool_call_id": call, "content": format!("{{\"order\": {n}, \"leaves\": \"2026-12-{:02}\"}}", n % 28 + 1)}),
        json!({"role": "assistant", "content": format!("Order {n} leaves on December {}.", n % 28 + 1)}),
    ]
}

fn marks(high: usize, low: usize) -> WaterMarks {
    WaterMarks::new(Tokens::new(high), Tokens::new(low)).unwrap()
}

#[tokio::test]
async fn between_the_marks_the_prefix_stays() {
    let (counter, pipeline) = (counter(), pipeline());
    let body = json!({"model": "m", "messages": [{"role": "system", "content": "You help with orders."}]});
    let mut session = Session::new(body, marks(1500, 700), counter.clone()).unwrap();
    let mut sent: Vec<Value> = Vec::new();
    let mut shortened = 0;
    for message in (0..60).flat_map(round) {
        let calls = message.get("tool_calls").is_some();
        session.push(message).unwrap();
        let compaction = session.prepare(&pipeline).await.unwrap().cloned();
        assert!(session.tokens() <= Tokens::new(1500), "{}", session.tokens());
        assert!(calls || valid(session.request(), WireFormat::OpenAiChat).is_ok());
        let messages = session.request()["messages"].as_array().unwrap().clone();
        match compaction {
            None => assert_eq!(messages[..sent.len()], sent[..], "what was sent is sent again"),
            Some(compaction) => {
                shortened += 1;
                assert_eq!(messages[..compaction.same_prefix], sent[..compaction.same_prefix]);
                assert!(
                    compaction.tokens_after <= Tokens::new(700)
                        && compaction.tokens_changed < compaction.tokens_after
                );
            }
        }
        sent = messages;
    }
    assert_eq!(session.given(), 241);
    assert_eq!(session.compactions().len(), shortened);
    assert!((3..20).contains(&shortened), "{shortened}");
}

/// A pin that matches nothing yet is no error: it waits for its message.
#[tokio::test]
async fn a_pin_waits_for_a_match() {
    let (counter, pipeline) = (counter(), pipeline());
    let pins = Pins::default().with_marker("Never leave on a Sunday").with_tool("never_called");
    let mut session = Session::new(json!([]), marks(600, 300), counter).unwrap().with_pins(pins);
    let said = json!({"role": "user", "content": "Never leave on a Sunday."});
    for n in 0..20 {
        for message in round(n).into_iter().chain((n == 5).then(|| said.clone())) {
            session.push(message).unwrap();
            session.prepare(&pipeline).await.unwrap();
        }
    }
    assert!(session.compactions().len() > 1);
    assert!(session.request().as_array().unwrap().contains(&said));
}

/// The counts kept along the way equal those of the whole request.
#[test]
fn counts_add_up() {
    let counter = counter();
    for body in [
        json!({"messages": [{"role": "system", "content": "One."}], "tools": [{"type": "function", "function": {"name": "f"}}]}),
        json!([]),
        json!({"system": "Two.", "messages": []}),
    ] {
        let mut session = Session::new(body, marks(1 << 20, 0), counter.clone()).unwrap();
        for n in 0..5 {
            session.push(json!({"role": "user", "content": format!("turn {n}")})).unwrap();
        }
        let conversation = contextfit_formats::Conversation::parse(session.request().clone()).unwrap();
        let context = conversation.context(&*counter, &Pins::none());
        assert_eq!(session.tokens(), measure(&context, &*counter as &dyn TokenCounter).tokens);
    }
}

#[tokio::test]
async fn stored_and_loaded_it_goes_on_the_same() {
    let (counter, pipeline) = (counter(), pipeline());
    let start = || Session::new(json!([]), marks(600, 300), counter.clone()).unwrap();
    let (mut whole, mut stored) = (start(), start());
    for message in (0..20).flat_map(round) {
        for session in [&mut whole, &mut stored] {
            session.push(message.clone()).unwrap();
            session.prepare(&pipeline).await.unwrap();
        }
        let state: SessionState =
            serde_json::from_str(&serde_json::to_string(stored.state()).unwrap()).unwrap();
        stored = Session::resume(state, counter.clone()).unwrap();
        assert_eq!((whole.state(), whole.tokens()), (stored.state(), stored.tokens()));
    }
}

#[tokio::test]
async fn what_is_frozen_is_never_touched() {
    let (counter, pipeline) = (counter(), pipeline());
    let head: Vec<Value> = (0..3).flat_map(round).collect();
    let mut session =
        Session::new(Value::Array(head.clone()), marks(700, 400), counter.clone()).unwrap().frozen();
    for message in (3..30).flat_map(round) {
        session.push(message).unwrap();
        session.prepare(&pipeline).await.unwrap();
        assert_eq!(session.request().as_array().unwrap()[..head.len()], head[..]);
    }
    assert!(session.compactions().iter().all(|compaction| compaction.same_prefix >= head.len()));
    assert!(!session.compactions().is_empty());
}

#[tokio::test]
async fn what_cannot_fit_is_an_error_and_loses_nothing() {
    let (counter, pipeline) = (counter(), pipeline());
    let mut session = Session::new(json!([]), marks(50, 20), counter.clone()).unwrap();
    session.push(json!({"role": "system", "content": "word ".repeat(200)})).unwrap();
    let before = session.clone();
    assert!(matches!(session.prepare(&pipeline).await, Err(SessionError::Fit(_))));
    assert_eq!((session.state(), session.tokens()), (before.state(), before.tokens()));
    assert!(session.push(json!({"role": 7})).is_err());
    assert_eq!((session.state(), session.tokens()), (before.state(), before.tokens()));
}

#[test]
fn a_low_mark_above_the_high_one() {
    assert!(matches!(WaterMarks::new(Tokens::new(1), Tokens::new(2)), Err(SessionError::Marks { .. })));
    assert!(serde_json::from_str::<WaterMarks>(r#"{"high": 1, "low": 2}"#).is_err());
}

/// The bill compares a session, call by call, with one that is never shortened.
#[tokio::test]
async fn the_bill_counts_the_broken_prompt_cache() {
    let (counter, pipeline) = (counter(), pipeline());
    let prices = Prices::new(2_000_000, Some(200_000), 0);
    let mut session = Session::new(json!([]), marks(600, 300), counter.clone()).unwrap();
    let mut whole = Session::new(json!([]), marks(1 << 20, 0), counter.clone()).unwrap();
    let mut bill = Bill::default();
    let usage = |input, cached| TokenUsage { cached, ..TokenUsage::of_input(input) };
    let (mut sent, mut sent_whole) = (Tokens::ZERO, Tokens::ZERO);
    for message in (0..60).flat_map(round) {
        session.push(message.clone()).unwrap();
        whole.push(message).unwrap();
        let done = session.prepare(&pipeline).await.unwrap();
        let cached =
            done.map_or(sent, |done| done.tokens_after.saturating_sub(done.tokens_changed).min(sent));
        bill.save(&prices, usage(whole.tokens(), sent_whole), usage(session.tokens(), cached));
        (sent, sent_whole) = (session.tokens(), whole.tokens());
        whole.prepare(&pipeline).await.unwrap();
    }
    assert!(session.compactions().len() > 2);
    assert_eq!(session.bill(&prices), bill);
    assert!(bill.saved < session.bill(&Prices::new(2_000_000, None, 0)).saved);
    assert_eq!(whole.bill(&prices), Bill::default());
}

/// Gives one answer to whatever is asked of it, and counts how often that was.
struct Fixed {
    counter: CharsPer,
    calls: AtomicUsize,
    answer: fn(&Context) -> Result<CompressionResult, Error>,
}

#[async_trait]
impl ContextCompressor for Fixed {
    async fn compress_with_metrics(&self, context: &Context, _: &Budget) -> Result<CompressionResult, Error> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        (self.answer)(context)
    }

    fn counter(&self) -> &dyn TokenCounter {
        &self.counter
    }
}

/// `words` are the user's last, at marks of 100 and 50; `expect` holds the calls that fail.
async fn check_calls(answer: fn(&Context) -> Result<CompressionResult, Error>, words: usize, expect: usize) {
    let fixed = Fixed { counter: CharsPer::new(4).unwrap(), calls: AtomicUsize::new(0), answer };
    let mut session = Session::new(json!([]), marks(100, 50), counter()).unwrap();
    session.push(json!({"role": "assistant", "content": "word ".repeat(200)})).unwrap();
    session.push(json!({"role": "user", "content": "word ".repeat(words)})).unwrap();
    let before = session.state().clone();
    let error = session.prepare(&fixed).await.unwrap_err();
    assert!(matches!(error, SessionError::Fit(_) | SessionError::TooLong { .. }), "{error}");
    assert_eq!(fixed.calls.load(Ordering::Relaxed), expect);
    assert_eq!(*session.state(), before);
}

/// A session and a compressor that count in different tokens would lose nearly everything, or nothing.
#[tokio::test]
async fn counters_must_be_the_same() {
    let mut session = Session::new(json!([]), marks(100, 50), counter()).unwrap();
    session.push(json!({"role": "user", "content": "word ".repeat(200)})).unwrap();
    let before = session.state().clone();
    let other = Pipeline::new(Arc::new(CharsPer::new(1).unwrap()));
    let error = session.prepare(&other).await.unwrap_err();
    let expect = "the session counts with chars/4, the compressor with chars/1: give both the same counter";
    assert_eq!((error.to_string().as_str(), error.code()), (expect, ErrorCode::Internal));
    assert_eq!(*session.state(), before);
}

/// Without a runtime, and without a session, the same is done.
#[tokio::test]
async fn with_or_without_a_runtime() {
    let (counter, pipeline) = (counter(), pipeline());
    let start = || Session::new(json!([]), marks(600, 300), counter.clone()).unwrap();
    let (mut awaited, mut called) = (start(), start());
    for message in (0..20).flat_map(round) {
        awaited.push(message.clone()).unwrap();
        called.push(message).unwrap();
        let before = called.request().clone();
        let expect = awaited.prepare(&pipeline).await.unwrap().cloned();
        let compaction =
            called.prepare_with(|context, budget| pipeline.fit(context, budget)).unwrap().cloned();
        assert_eq!((&compaction, called.state()), (&expect, awaited.state()));

        let (request, once) = Session::shorten_once(
            before,
            marks(600, 300),
            Pins::default(),
            counter.clone(),
            |context, budget| pipeline.fit(context, budget),
        )
        .unwrap();
        assert_eq!((&request, once.is_some()), (called.request(), compaction.is_some()));
    }
    assert!(called.compactions().len() > 1);
}

/// Breakpoints that the application moves before each call do not count as changes.
#[test]
fn a_compaction_keeps_the_prefix_with_its_breakpoints() {
    let (counter, pipeline) = (counter(), pipeline());
    let mark = json!({"type": "ephemeral"});
    let said =
        |n: usize| json!([{"type": "text", "text": format!("Message {n} of many."), "cache_control": mark}]);
    let mut messages = vec![json!({"role": "user", "content": said(0), "id": "first"})];
    messages.extend(
        (1..80).map(|n| json!({"role": if n % 2 == 1 { "assistant" } else { "user" }, "content": said(n)})),
    );
    let body = json!({"system": "Be brief.", "messages": messages});
    let pins = Pins::default().with_id("first");
    let (request, compaction) =
        Session::shorten_once(body, marks(500, 250), pins, counter, |context, budget| {
            pipeline.fit(context, budget)
        })
        .unwrap();
    assert_eq!(compaction.unwrap().same_prefix, 1);
    assert_eq!(request["messages"][0], messages[0]);
}

#[tokio::test]
async fn only_what_is_infeasible_is_tried_again() {
    let infeasible = |_: &Context| {
        Err(Error::Infeasible { needed: 60.into(), available: 20.into(), blockers: Vec::new() })
    };
    check_calls(infeasible, 5, 2).await;
    check_calls(infeasible, 50, 1).await;
    check_calls(|_| Err(Error::from(ProviderError::new("model", false, "no credit"))), 5, 1).await;
}

#[tokio::test]
async fn what_exceeds_the_high_mark_is_never_sent() {
    check_calls(|context| pipeline().fit(context, &Budget::new(1 << 20)), 5, 1).await;
}

#[tokio::test]
async fn the_question_is_whole_if_the_high_mark_allows_it() {
    let question = "Tell me which of the three environments has been migrated already. ".repeat(4);
    let mut session = Session::new(json!([]), marks(200, 60), counter()).unwrap();
    session.push(json!({"role": "assistant", "content": "word ".repeat(200)})).unwrap();
    session.push(json!({"role": "user", "content": question})).unwrap();
    session.prepare(&pipeline()).await.unwrap();
    assert_eq!(session.request().as_array().unwrap().last().unwrap()["content"], question);
    assert!(session.tokens() <= Tokens::new(200));
}
