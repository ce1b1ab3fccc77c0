//! Servers that refuse, stall, stop early or return nonsense: each is a typed error, retryable or not.

use std::time::Duration;

use contextfit_kernel::LlmProvider as _;
use contextfit_kernel::ProviderError;
use contextfit_providers::{Endpoint, HttpError, Retry, RetryPolicy, Timeouts};
use serde_json::json;
use wiremock::ResponseTemplate;

use crate::server::{Api, BOTH, Then, endpoint, raw_server, request, serve, serve_events};

const STREAM: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

async fn fail(api: Api, endpoint: Endpoint, streaming: bool) -> ProviderError {
    let error = api.provider(endpoint, streaming).complete(&request()).await.unwrap_err();
    assert_eq!(error.model, "m");
    error
}

fn cause(error: &ProviderError) -> &HttpError {
    error.source.downcast_ref().unwrap()
}

/// The error message for this answer, and whether a retry can help.
async fn refused(api: Api, answer: ResponseTemplate, streaming: bool) -> (String, bool, Option<u16>) {
    let server = serve(api.path(), answer).await;
    let error = fail(api, endpoint(&server), streaming).await;
    (error.source.to_string(), error.retryable, error.status)
}

#[tokio::test]
async fn statuses_say_whether_asking_again_helps() {
    for status in [301, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529] {
        let retryable = matches!(status, 408 | 409 | 429) || status >= 500;
        for api in BOTH {
            for streaming in [false, true] {
                let body =
                    json!({ "type": "error", "error": { "type": "some_error", "message": "Not now." } });
                let answer = ResponseTemplate::new(status).set_body_json(body);
                let expect = (format!("status {status} (some_error): Not now."), retryable, Some(status));
                assert_eq!(refused(api, answer, streaming).await, expect, "{api:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_refusal_inside_an_answer_is_one() {
    let body = json!({ "error": { "code": 502, "message": "Upstream failed" } });
    let answer = ResponseTemplate::new(200).set_body_json(&body);
    let expect = ("status 502: Upstream failed".to_owned(), true, Some(502));
    assert_eq!(refused(Api::OpenAi, answer, false).await, expect);
    let events = ResponseTemplate::new(200).set_body_string(format!("data: {body}\n\n"));
    assert_eq!(refused(Api::OpenAi, events, true).await, expect);

    let body = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let answer = ResponseTemplate::new(200).set_body_json(&body);
    let expect = ("status 529 (overloaded_error): Overloaded".to_owned(), true, Some(529));
    assert_eq!(refused(Api::Anthropic, answer, false).await, expect);
    let events = ResponseTemplate::new(200).set_body_string(format!("event: error\ndata: {body}\n\n"));
    assert_eq!(refused(Api::Anthropic, events, true).await, expect);
}

#[tokio::test]
async fn retry_after_is_carried() {
    let date = [("date", "Sun, 22 Nov 2026 05:00:00 GMT"), ("retry-after", "Sun, 22 Nov 2026 05:00:42 GMT")];
    for (headers, expect) in [(vec![("retry-after", "42")], 42), (date.to_vec(), 42)] {
        let answer =
            headers.iter().fold(ResponseTemplate::new(429), |answer, (k, v)| answer.insert_header(*k, *v));
        let server = serve(Api::OpenAi.path(), answer).await;
        let error = fail(Api::OpenAi, endpoint(&server), false).await;
        assert_eq!(error.retry_after, Some(Duration::from_secs(expect)));
    }
}

#[tokio::test]
async fn a_429_is_asked_again() {
    let server =
        serve(Api::OpenAi.path(), ResponseTemplate::new(200).set_body_json(Api::OpenAi.answer("ok", "stop")))
            .await;
    let busy = ResponseTemplate::new(429).insert_header("retry-after", "0");
    wiremock::Mock::given(wiremock::matchers::any())
        .respond_with(busy)
        .up_to_n_times(2)
        .with_priority(1)
        .mount(&server)
        .await;
    let policy = RetryPolicy::default().with_first_delay(Duration::from_millis(1));
    let provider = Retry::new(Api::OpenAi.provider(endpoint(&server), false), policy);
    assert_eq!(provider.complete(&request()).await.unwrap().text, "ok");
    assert_eq!(server.received_requests().await.unwrap().len(), 3);
}

#[tokio::test]
async fn garbage_shows_how_it_begins() {
    for api in BOTH {
        let html = ResponseTemplate::new(200).set_body_string("<html>\n<h1>Welcome to the proxy</h1>");
        let (message, retryable, _) = refused(api, html.clone(), false).await;
        let expect = r#"the answer is not as expected at line 1, column 1; it begins "<html>\n<h1>Welcome to the proxy</h1>""#;
        assert_eq!((message.as_str(), retryable), (expect, false));
        let (message, retryable, _) = refused(api, html, true).await;
        assert_eq!((message.as_str(), retryable), ("the stream ended early, after 0 bytes of text", true));
        let garbage = ResponseTemplate::new(200).set_body_string("data: {\"choices\": 3\n\n");
        assert!(refused(api, garbage, true).await.0.starts_with("the answer is not as expected"));
        let binary = ResponseTemplate::new(200).set_body_bytes(vec![0xff; 100_000]);
        assert!(refused(api, binary, false).await.0.len() < 1_000, "only the beginning is shown");
    }
}

#[tokio::test]
async fn an_empty_answer_is_an_error() {
    for api in BOTH {
        for text in ["", " \n"] {
            let answer = ResponseTemplate::new(200).set_body_json(api.answer(text, "content_filter"));
            let (message, retryable, _) = refused(api, answer, false).await;
            assert_eq!((message.as_str(), retryable), ("the answer is empty: content_filter", false));
            let server = serve_events(api, &api.events(&[text], "content_filter")).await;
            let error = fail(api, endpoint(&server), true).await;
            assert_eq!(error.source.to_string(), "the answer is empty: content_filter");
        }
    }
    let nothing = ResponseTemplate::new(200).set_body_json(json!({ "choices": [] }));
    assert_eq!(refused(Api::OpenAi, nothing, false).await.0, "the answer is empty");
}

#[tokio::test]
async fn a_stream_that_ends_early_is_no_answer() {
    for api in BOTH {
        let events = api.events(&["one ", "two"], "stop");
        for n in 0..events.len() {
            let server = serve_events(api, &events[..n]).await;
            let error = fail(api, endpoint(&server), true).await;
            assert!(error.retryable, "{api:?} after {n} events");
            let HttpError::Interrupted { received } = cause(&error) else { panic!("{error:?}") };
            assert!([0, 4, 7].contains(received));
        }
    }
}

#[tokio::test]
async fn a_broken_connection_can_be_tried_again() {
    for api in BOTH {
        for (head, streaming) in
            [("HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{\"a\":", false), ("", false), (STREAM, true)]
        {
            let endpoint = Endpoint::new(&raw_server(vec![head.into()], Then::Close).await).unwrap();
            let error = fail(api, endpoint, streaming).await;
            assert!(error.retryable, "{error:?}");
        }
        // Nothing listens there any more.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        drop(listener);
        let error = fail(api, Endpoint::new(&base).unwrap(), false).await;
        assert!(error.retryable && matches!(cause(&error), HttpError::Connection(_)), "{error:?}");
    }
}

/// The clock is paused: it jumps to the next timeout whenever everything waits.
#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_is_a_timeout() {
    let timeouts = Timeouts::default().with_idle(Duration::from_secs(20));
    for api in BOTH {
        for (pieces, streaming) in
            [(vec![], false), (vec![], true), (vec![STREAM.into(), b"data:".to_vec()], true)]
        {
            let base = raw_server(pieces, Then::Stall).await;
            let error = fail(api, Endpoint::new(&base).unwrap().with_timeouts(timeouts), streaming).await;
            assert!(error.retryable && matches!(cause(&error), HttpError::Timeout { .. }), "{error:?}");
        }
        let policy = RetryPolicy::default().with_deadline(Duration::from_secs(5));
        let endpoint = Endpoint::new(&raw_server(vec![], Then::Stall).await).unwrap();
        let start = tokio::time::Instant::now();
        let error = Retry::new(api.provider(endpoint, false), policy).complete(&request()).await.unwrap_err();
        assert!(!error.retryable && start.elapsed() <= Duration::from_millis(5_001), "{error:?}");
    }
}
