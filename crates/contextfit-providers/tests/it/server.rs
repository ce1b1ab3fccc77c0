//! Servers on loopback: well-behaved ones with wiremock, and raw ones that send what a test specifies.

use contextfit_kernel::{CompletionRequest, LlmProvider, Tokens};
use contextfit_providers::{AnthropicMessages, Endpoint, OpenAiChat};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use wiremock::{
    Mock, MockServer, Request, Respond, ResponseTemplate,
    matchers::{method, path},
};

/// The two APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Api {
    OpenAi,
    Anthropic,
}

pub(crate) const BOTH: [Api; 2] = [Api::OpenAi, Api::Anthropic];

impl Api {
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/v1/chat/completions",
            Self::Anthropic => "/v1/messages",
        }
    }

    pub(crate) fn provider(self, endpoint: Endpoint, streaming: bool) -> Box<dyn LlmProvider> {
        match self {
            Self::OpenAi => Box::new(OpenAiChat::new("m", endpoint).unwrap().with_streaming(streaming)),
            Self::Anthropic => {
                Box::new(AnthropicMessages::new("m", endpoint).unwrap().with_streaming(streaming))
            }
        }
    }

    /// A whole answer.
    pub(crate) fn answer(self, text: &str, stop: &str) -> Value {
        match self {
            Self::OpenAi => json!({
                "object": "chat.completion",
                "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": stop }],
                "usage": { "prompt_tokens": 120, "completion_tokens": 7, "prompt_tokens_details": { "cached_tokens": 100 } },
            }),
            Self::Anthropic => json!({
                "type": "message",
                "content": [{ "type": "text", "text": text }],
                "stop_reason": stop,
                "usage": { "input_tokens": 15, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 100, "output_tokens": 7 },
            }),
        }
    }

    /// The events of a streamed answer, each with its empty line.
    pub(crate) fn events(self, pieces: &[&str], stop: &str) -> Vec<String> {
        let event = |name: &str, data: Value| match name {
            "" => format!("data: {data}\n\n"),
            _ => format!("event: {name}\ndata: {data}\n\n"),
        };
        match self {
            Self::OpenAi => {
                let piece = |text: &&str| {
                    event("", json!({ "choices": [{ "delta": { "content": text }, "finish_reason": null }] }))
                };
                let usage = self.answer("", "")["usage"].take();
                [": hello\n\n".to_owned()]
                    .into_iter()
                    .chain(pieces.iter().map(piece))
                    .chain([
                        event("", json!({ "choices": [{ "delta": {}, "finish_reason": stop }] })),
                        event("", json!({ "choices": [], "usage": usage })),
                        "data: [DONE]\n\n".into(),
                    ])
                    .collect()
            }
            Self::Anthropic => {
                let piece = |text: &&str| {
                    let delta = json!({ "type": "text_delta", "text": text });
                    event(
                        "content_block_delta",
                        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
                    )
                };
                let usage = self.answer("", "")["usage"].take();
                [
                    event("message_start", json!({ "type": "message_start", "message": { "usage": usage } })),
                    event("ping", json!({ "type": "ping" })),
                ]
                .into_iter()
                .chain(pieces.iter().map(piece))
                .chain([
                    event("message_delta", json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 7 } })),
                    event("message_stop", json!({ "type": "message_stop" })),
                ])
                .collect()
            }
        }
    }
}

pub(crate) fn request() -> CompletionRequest {
    CompletionRequest::new("be brief", "some text", Tokens::new(50))
}

pub(crate) fn endpoint(server: &MockServer) -> Endpoint {
    Endpoint::new(&format!("{}/v1", server.uri())).unwrap()
}

/// A server that answers every POST to `at` with `answer`.
pub(crate) async fn serve(at: &str, answer: impl Respond + 'static) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).and(path(at)).respond_with(answer).mount(&server).await;
    server
}

/// A server that streams `events`.
pub(crate) async fn serve_events(api: Api, events: &[String]) -> MockServer {
    serve(api.path(), ResponseTemplate::new(200).set_body_raw(events.concat(), "text/event-stream")).await
}

/// Answers with the size of what was sent, so that each request gets its own answer.
pub(crate) struct Echo(pub(crate) Api);

impl Respond for Echo {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let answer = format!("{} bytes", request.body.len());
        ResponseTemplate::new(200).set_body_json(self.0.answer(&answer, "stop"))
    }
}

/// What a raw server does after its pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Close,
    Stall,
}

/// A server for one connection that sends `pieces` verbatim, each flushed, whatever the request. Returns its base
/// address.
pub(crate) async fn raw_server(pieces: Vec<Vec<u8>>, then: Then) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let Ok((mut stream, _)) = listener.accept().await else { return };
        let _ = stream.set_nodelay(true);
        read_request(&mut stream).await;
        for piece in pieces {
            if stream.write_all(&piece).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
        if then == Then::Stall {
            std::future::pending::<()>().await;
        }
    });
    format!("http://{address}/v1")
}

/// Reads the whole request: closing a connection with unread data resets it, and the answer is lost.
async fn read_request(stream: &mut TcpStream) {
    let (mut request, mut part) = (Vec::new(), [0; 4_096]);
    loop {
        let n = stream.read(&mut part).await.unwrap_or(0);
        request.extend_from_slice(&part[..n]);
        let text = String::from_utf8_lossy(&request);
        let whole = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            length.is_none_or(|length| body.len() >= length.parse().unwrap())
        });
        if n == 0 || whole {
            return;
        }
    }
}
