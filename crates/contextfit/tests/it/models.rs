//! Conversations summarized by a model over HTTP, with a cache in front of it: faulty servers of every kind, a thousand
//! concurrent calls, a second run.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use contextfit::{
    Budget, CompressionResult, Context, ContextCompressor, Pipeline, TokenCounter, Tokens,
    caches::{Cached, CompressionCache, Disk, InMemory, Recipe},
    chat::SummarizingCompressor,
    kernel::{NoSummary, SummarySource},
    models::{Endpoint, LlmProvider, OpenAiChat, Retry, RetryPolicy, Summarizer},
    pipeline::measure,
    text::CharsPer,
};
use contextfit_testkit::{check_result, conversation_of};
use serde_json::json;
use tempfile::tempdir;
use tokio::task::JoinSet;
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::method};

/// Deadline for all attempts of a call: generous, because test machines are busy.
const LONG: Duration = Duration::from_secs(60);

/// A valid summary of the test conversation.
const GOOD: &str = "state: told in short, the orders are on their way and should arrive within three days";

fn answer(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 30 },
    }))
}

/// A server that answers the first call with `first`, and all others with `then`.
async fn serve(first: ResponseTemplate, then: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(first).up_to_n_times(1).mount(&server).await;
    Mock::given(method("POST")).respond_with(then).mount(&server).await;
    server
}

async fn calls(server: &MockServer) -> usize {
    server.received_requests().await.unwrap().len()
}

fn counter() -> Arc<dyn TokenCounter> {
    Arc::new(CharsPer::new(4).unwrap())
}

/// The model on `server`, with retries.
fn model(server: &MockServer, streaming: bool, deadline: Duration) -> Retry<OpenAiChat> {
    let chat = OpenAiChat::new("m", Endpoint::new(&format!("{}/v1", server.uri())).unwrap()).unwrap();
    let first_delay = Duration::from_millis(1);
    let policy =
        RetryPolicy::default().with_attempts(3).with_first_delay(first_delay).with_deadline(deadline);
    Retry::new(chat.with_streaming(streaming), policy)
}

fn pipeline(provider: Arc<dyn LlmProvider>) -> Pipeline {
    Pipeline::new(counter())
        .with_strategy(SummarizingCompressor::new())
        .with_summarizer(Summarizer::new(provider))
}

fn budget_of(context: &Context) -> Budget {
    Budget::new(Tokens::new(measure(context, &*counter()).tokens.get() * 30 / 100))
}

async fn compress(pipeline: &Pipeline, context: &Context) -> CompressionResult {
    let budget = budget_of(context);
    let result = pipeline.compress_with_metrics(context, &budget).await.unwrap();
    check_result(context, budget.available(), pipeline.counter(), &result);
    result
}

/// Checks that the result always fits and is valid, and that the trace says what happened, when the server answers this
/// way.
async fn check(first: ResponseTemplate, then: ResponseTemplate, expect: Option<&str>) {
    check_within(LONG, false, first, then, expect).await;
}

async fn check_within(
    deadline: Duration,
    streaming: bool,
    first: ResponseTemplate,
    then: ResponseTemplate,
    expect: Option<&str>,
) {
    let server = serve(first, then).await;
    let context = conversation_of(60);
    let started = Instant::now();
    let result = compress(&pipeline(Arc::new(model(&server, streaming, deadline))), &context).await;
    assert!(started.elapsed() < LONG, "a stalled server must not block the call");
    let summaries = &result.stages.last().unwrap().summaries;
    assert_eq!(summaries.len(), 1);
    match (&summaries[0].source, expect) {
        (SummarySource::Model { .. }, None) => assert!(result.text.contains("told in short")),
        (SummarySource::Fallback(NoSummary::Failed(why)), Some(expect)) => {
            assert!(why.contains(expect), "{why}");
        }
        (SummarySource::Fallback(why), Some(expect)) => assert_eq!(why.to_string(), expect),
        (told, expect) => panic!("{told:?}, not {expect:?}"),
    }
}

#[tokio::test]
async fn whatever_the_server_does_the_result_fits_and_the_trace_says_why() {
    let good = || answer(GOOD);
    let status = ResponseTemplate::new;
    let stalled = || good().set_delay(Duration::from_secs(600));
    let stream = |text: &str| ResponseTemplate::new(200).set_body_raw(text.as_bytes(), "text/event-stream");
    check(good(), good(), None).await;
    check(status(500), good(), None).await;
    check(status(500), status(500), Some("status 500")).await;
    check(status(401), good(), Some("status 401")).await;
    check(status(429).insert_header("retry-after", "0"), good(), None).await;
    check(status(429).insert_header("retry-after", "900"), good(), Some("status 429")).await;
    check_within(Duration::from_millis(300), false, stalled(), good(), Some("no answer within 300ms")).await;
    check(status(200).set_body_string("<html>"), good(), Some("not as expected")).await;
    check(answer(""), good(), Some("the answer is empty")).await;
    check(answer("\u{0}\u{1b}\n"), good(), Some("the answer was empty")).await;
    let longer = answer(&"on and on and on ".repeat(9_999));
    check(longer, good(), Some("the answer was no shorter than its source")).await;
    let half = "data: {\"choices\":[{\"delta\":{\"content\":\"state: tol\"}}]}\n\n";
    check_within(LONG, true, stream(half), stream(half), Some("the stream ended early")).await;
}

/// The model with `cache` in front of it.
fn cached(server: &MockServer, cache: CompressionCache) -> Pipeline {
    let recipe =
        Recipe::new("test", "m").with_prompt_version(contextfit::pipeline::PROMPT_VERSION.to_string());
    pipeline(Arc::new(Cached::new(Arc::new(model(server, false, LONG)), Arc::new(cache), recipe)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_compressions_of_one_conversation_make_one_call() {
    let server = serve(answer(GOOD), ResponseTemplate::new(500)).await;
    let pipeline = Arc::new(cached(&server, CompressionCache::new(Arc::new(InMemory::new(1 << 20)))));
    let context = Arc::new(conversation_of(60));
    let mut all = JoinSet::new();
    for _ in 0..1_000 {
        let (pipeline, context) = (Arc::clone(&pipeline), Arc::clone(&context));
        all.spawn(async move { compress(&pipeline, &context).await.text });
    }
    let texts = all.join_all().await;
    assert!(texts.iter().all(|text| text == &texts[0] && text.contains("told in short")));
    assert_eq!(calls(&server).await, 1);
}

#[tokio::test]
async fn a_second_run_makes_no_calls() {
    let server = serve(answer(GOOD), answer(&format!("{GOOD} once more"))).await;
    let folder = tempdir().unwrap();
    let run = async |path: &Path| {
        let disk = Disk::open(path.join("cache.redb"), 1 << 20).await.unwrap();
        compress(&cached(&server, CompressionCache::new(Arc::new(disk))), &conversation_of(60)).await.text
    };
    let first = run(folder.path()).await;
    assert_eq!(run(folder.path()).await, first);
    assert_eq!(calls(&server).await, 1);
}
