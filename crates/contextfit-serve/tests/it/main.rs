//! The routes of the server, in the process of an application.

#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::{future::pending, path::Path, sync::Arc};

use contextfit_serve::{
    contextfit::{Fitter, TokenCounter, Tokens, presets::Counting},
    http::{HttpOptions, router, serve},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A counter that fails on texts about a breach.
struct Fragile;

impl TokenCounter for Fragile {
    fn name(&self) -> &'static str {
        "fragile"
    }

    fn count(&self, text: &str) -> Tokens {
        assert!(!text.contains("breach"), "a breach");
        Tokens::new(text.len().div_ceil(4))
    }
}

/// The status and the body of the answer to `body`, of a server with `options` that counts by [`Fragile`].
async fn post(options: HttpOptions, path: &str, body: &str) -> (u16, String) {
    let fitter = Fitter::new(Counting::by(Arc::new(Fragile)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(serve(listener, router(fitter, options), pending()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    server.abort();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// What a gateway sends that had a tool print `line` often.
fn gateway(line: &str) -> (Value, String) {
    let log: String = (0..900).map(|n| format!("10:00:{:02} INFO {line} {}\n", n % 60, n % 7)).collect();
    let messages = json!([{"role": "user", "content": "Look."}, {"role": "tool", "content": log}]);
    let body = json!({"messages": messages, "config": {"mode": "ccr"}}).to_string();
    (messages, body)
}

async fn compressed(folder: &Path, line: &str) -> (Value, Value) {
    let (messages, body) = gateway(line);
    let (status, answer) = post(HttpOptions::new(folder.join("originals")), "/v1/compress", &body).await;
    assert_eq!(status, 200, "{answer}");
    (messages, serde_json::from_str(&answer).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_the_messages_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let (messages, answer) = compressed(folder.path(), "level").await;
    assert_ne!(answer["messages"], messages);
    assert_eq!(answer["messages"][0], messages[0]);
    // The library itself fails.
    let (messages, answer) = compressed(folder.path(), "breach").await;
    assert_eq!((&answer["messages"], &answer["ccr_hashes"]), (&messages, &json!([])));
    // The originals cannot be stored.
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (messages, answer) = compressed(&folder.path().join("file"), "level").await;
    assert_eq!((&answer["messages"], &answer["ccr_hashes"]), (&messages, &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_requests_are_told_of_failures() {
    let folder = tempfile::tempdir().unwrap();
    let options = || HttpOptions::new(folder.path()).with_body_bytes(1_000);
    let request = json!({"id": 7, "text": "a breach ".repeat(50), "budget": 9}).to_string();
    let (status, answer) = post(options(), "/v1/excerpt", &request).await;
    assert_eq!((status, answer.contains("\"code\":\"internal\"")), (500, true), "{answer}");
    let (status, _) = post(options(), "/v1/excerpt", &" ".repeat(1_001)).await;
    assert_eq!(status, 413);
}
