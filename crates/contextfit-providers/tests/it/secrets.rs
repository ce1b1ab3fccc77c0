//! Planted secrets, which must not appear in anything that is ever printed.

use std::{
    error::Error,
    fmt::{Debug, Write as _},
    sync::Arc,
    time::Duration,
};

use contextfit_kernel::{EmbeddingProvider as _, LlmProvider as _};
use contextfit_providers::{
    AnthropicMessages, ApiKey, ApiKeyError, Concurrent, Endpoint, EndpointError, LlmCompressor,
    LlmCompressorOptions, Metered, OpenAiChat, OpenAiEmbeddings, RateLimited, Retry, RetryPolicy, Timeouts,
};
use contextfit_testkit::Log;
use contextfit_text::CharsPer;
use serde_json::json;
use wiremock::{MockServer, ResponseTemplate, matchers::any};

use crate::server::{Api, BOTH, Then, raw_server, request};

const KEY: &str = "sk-planted/Key+0123456789==";
const HEADER: &str = "planted-header-value-4711";
const QUERY: &str = "planted-query-value-0815";

fn plant(base: &str) -> Endpoint {
    Endpoint::new(base)
        .unwrap()
        .with_key(ApiKey::new(KEY).unwrap())
        .with_header("x-gateway-token", HEADER)
        .unwrap()
        .with_query("token", QUERY)
        .with_timeouts(Timeouts::default().with_connect(Duration::from_secs(5)))
}

fn print(all: &mut String, value: &dyn Debug) {
    let _ = write!(all, "{value:?}\n{value:#?}\n");
}

/// Every form of an error: for programs, for people, and its sources.
fn print_error(all: &mut String, error: &(dyn Error + 'static)) {
    let mut next = Some(error);
    while let Some(error) = next {
        let _ = writeln!(all, "{error}");
        print(all, &error);
        next = error.source();
    }
}

#[track_caller]
fn check(name: &str, text: &str) {
    for secret in [KEY, HEADER, QUERY, "planted"] {
        let at = text.find(secret);
        let around = at.map(|at| {
            text.get(at.saturating_sub(200)..).unwrap_or(text).chars().take(300).collect::<String>()
        });
        assert!(at.is_none(), "{secret} is in the {name}: {}", around.unwrap());
    }
}

/// Servers that echo every secret in their answers, each in a different place.
fn echoes() -> Vec<ResponseTemplate> {
    let all = format!("{KEY} {HEADER} {QUERY}");
    let escaped = format!("{{\"error\": \"{}\"", KEY.replace('/', "\\/"));
    let error = json!({ "error": { "message": format!("bad key {all}"), "type": all, "code": KEY } });
    vec![
        ResponseTemplate::new(401).set_body_json(&error),
        ResponseTemplate::new(200).set_body_json(&error),
        ResponseTemplate::new(403).set_body_string(format!("{}{all}", "x".repeat(190))),
        ResponseTemplate::new(500).set_body_string(&escaped),
        ResponseTemplate::new(200).set_body_string(&escaped),
        ResponseTemplate::new(200).set_body_string(&all),
        ResponseTemplate::new(200).set_body_json(json!({ "choices": all, "content": all, "data": all })),
        ResponseTemplate::new(200).set_body_string(format!("data: {error}\n\n")),
        ResponseTemplate::new(200).set_body_string(format!("data: {all}\n\n")),
        ResponseTemplate::new(200).set_body_json(Api::OpenAi.answer("", KEY)),
        ResponseTemplate::new(200).set_body_json(Api::Anthropic.answer("", HEADER)),
        ResponseTemplate::new(302)
            .insert_header("location", format!("http://127.0.0.1:1/?k={QUERY}").as_str()),
        ResponseTemplate::new(429).insert_header("retry-after", KEY).set_body_json(&error),
    ]
}

/// Makes every possible call to a server at `base`.
async fn ask_all(base: &str, all: &mut String) {
    for api in BOTH {
        for streaming in [false, true] {
            let policy = RetryPolicy::default().with_attempts(2).with_first_delay(Duration::ZERO);
            let provider = Retry::new(api.provider(plant(base), streaming), policy);
            if let Err(error) = provider.complete(&request()).await {
                print_error(all, &error);
            }
        }
    }
    let embeddings = OpenAiEmbeddings::new("m", plant(base)).unwrap();
    if let Err(error) = embeddings.embed(&["a"]).await {
        print_error(all, &error);
    }
}

#[tokio::test]
async fn no_log_error_or_debug_output_has_a_secret() {
    let log = Log::default();
    let to = log.clone();
    let _ = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || to.clone())
        .with_ansi(false)
        .try_init();

    let mut errors = String::new();
    for echo in echoes() {
        let server = MockServer::start().await;
        wiremock::Mock::given(any()).respond_with(echo).mount(&server).await;
        ask_all(&format!("{}/v1", server.uri()), &mut errors).await;
    }
    for base in ["http://127.0.0.1:1/v1", "https://127.0.0.1:1/v1"] {
        ask_all(base, &mut errors).await;
    }
    let base = raw_server(vec![format!("HTTP/1.1 {KEY}\r\n{HEADER}\r\n\r\n").into()], Then::Close).await;
    ask_all(&base, &mut errors).await;
    assert!(errors.contains("[redacted]") && errors.contains("status 401"), "the echoes came: {errors}");
    check("errors", &errors);

    let log = log.text();
    assert!(log.contains("answer begins") && log.contains("asking again"), "the log is there: {log}");
    // Only the log of the client counts, not that of the test servers.
    let ours: String =
        log.lines().filter(|line| !line.contains("wiremock")).map(|line| format!("{line}\n")).collect();
    check("log", &ours);
}

#[test]
fn no_debug_output_has_a_secret() {
    let mut all = String::new();
    let chat = OpenAiChat::new("m", plant("https://example.com/v1")).unwrap();
    print(&mut all, &ApiKey::new(KEY).unwrap());
    print(&mut all, &plant(&format!("https://example.com/v1?token={QUERY}#{KEY}")));
    print(&mut all, &AnthropicMessages::new("m", plant("https://example.com/v1")).unwrap());
    print(&mut all, &OpenAiEmbeddings::new("m", plant("https://example.com/v1")).unwrap());
    print(&mut all, &Retry::new(chat.clone(), RetryPolicy::default()));
    print(&mut all, &Concurrent::new(RateLimited::new(Metered::new(chat.clone()), 1), 1));
    let counter = Arc::new(CharsPer::new(4).unwrap());
    print(&mut all, &LlmCompressor::new(chat, counter, LlmCompressorOptions::default()));
    assert!(all.contains("example.com"));
    check("debug output", &all);
}

#[test]
fn no_error_of_configuration_has_a_secret() {
    let mut all = String::new();
    for bad in [format!("{KEY}\u{7f}"), format!("{KEY} {KEY}"), format!("{KEY}ü")] {
        let error: ApiKeyError = ApiKey::new(&bad).unwrap_err();
        print_error(&mut all, &error);
    }
    for bad in [format!("https://user:{KEY}@example.com/v1"), format!("{KEY}://x"), KEY.to_owned()] {
        let error: EndpointError = Endpoint::new(&bad).unwrap_err();
        print_error(&mut all, &error);
    }
    let endpoint = Endpoint::new("https://example.com").unwrap();
    print_error(&mut all, &endpoint.with_header("x-token", &format!("{HEADER}\n")).unwrap_err());
    check("errors", &all);
}

#[test]
fn keys_come_from_files_and_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    assert!(matches!(ApiKey::from_file(&path), Err(ApiKeyError::Unreadable { .. })));
    std::fs::write(&path, " \n").unwrap();
    assert!(matches!(ApiKey::from_file(&path), Err(ApiKeyError::Empty)));
    std::fs::write(&path, format!("{KEY}\n")).unwrap();
    assert!(ApiKey::from_file(&path).is_ok());
    assert!(matches!(ApiKey::from_env("CONTEXTFIT_NO_SUCH_KEY"), Err(ApiKeyError::Unset { .. })));
    // A variable that is always set and has no characters that are invalid in a header.
    assert!(ApiKey::from_env("CARGO_PKG_NAME").is_ok());
}
