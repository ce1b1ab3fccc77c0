//! Answers of language models, whole and streamed.

use contextfit_kernel::Tokens;
use contextfit_providers::{AnthropicMessages, ApiKey, Endpoint, OpenAiChat};
use contextfit_testkit::check_llm;
use serde_json::{Value, json};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{body_partial_json, header, path, query_param},
};

use crate::server::{Api, BOTH, Echo, Then, endpoint, raw_server, request, serve, serve_events};

#[tokio::test]
async fn answers_carry_text_and_usage() {
    for api in BOTH {
        for (stop, truncated) in
            [("stop", false), (if api == Api::OpenAi { "length" } else { "max_tokens" }, true)]
        {
            let whole =
                serve(api.path(), ResponseTemplate::new(200).set_body_json(api.answer("Grüße 👋", stop)))
                    .await;
            let streamed = serve_events(api, &api.events(&["Grü", "ße", " 👋"], stop)).await;
            for (server, streaming) in [(whole, false), (streamed, true)] {
                let answer = api.provider(endpoint(&server), streaming).complete(&request()).await.unwrap();
                assert_eq!((answer.text.as_str(), answer.truncated), ("Grüße 👋", truncated), "{api:?}");
                let counts = [answer.tokens_in, answer.tokens_cached, answer.tokens_out];
                assert_eq!(counts, [120, 100, 7].map(|n| Some(Tokens::new(n))), "{api:?} {streaming}");
            }
        }
    }
}

#[tokio::test]
async fn streams_may_be_cut_anywhere() {
    for api in BOTH {
        let body = api.events(&["汉", "字👍🏽", "\n\n", "end"], "stop").concat();
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        for size in [1, 7, 1_000] {
            let mut pieces = vec![head.as_bytes().to_vec()];
            pieces.extend(body.as_bytes().chunks(size).map(<[u8]>::to_vec));
            let endpoint = Endpoint::new(&raw_server(pieces, Then::Close).await).unwrap();
            let answer = api.provider(endpoint, true).complete(&request()).await.unwrap();
            assert_eq!(answer.text, "汉字👍🏽\n\nend", "{api:?} in pieces of {size}");
        }
    }
}

#[tokio::test]
async fn pieces_are_handed_out_as_they_come() {
    let server = serve_events(Api::OpenAi, &Api::OpenAi.events(&["a", "b", "c"], "stop")).await;
    let mut pieces = Vec::new();
    let chat = OpenAiChat::new("m", endpoint(&server)).unwrap();
    let answer = chat.stream(&request(), |piece| pieces.push(piece.to_owned())).await.unwrap();
    pieces.retain(|piece| !piece.is_empty());
    assert_eq!((pieces, answer.text.as_str()), (vec!["a".into(), "b".into(), "c".into()], "abc"));
}

#[tokio::test]
async fn both_keep_the_contract() {
    for api in BOTH {
        let server = serve(api.path(), Echo(api)).await;
        check_llm(&*api.provider(endpoint(&server), false)).await;
        let server = serve_events(api, &api.events(&["fine"], "stop")).await;
        check_llm(&*api.provider(endpoint(&server), true)).await;
    }
}

#[tokio::test]
async fn requests_are_in_the_form_of_openai() {
    let server = MockServer::start().await;
    let body = json!({
        "model": "m",
        "messages": [{ "role": "system", "content": "be brief" }, { "role": "user", "content": "some text" }],
        "max_tokens": 50,
        "temperature": 0,
    });
    Mock::given(path("/openai/deployments/d/chat/completions"))
        .and(query_param("api-version", "2024-10-21"))
        .and(query_param("tenant", "a b"))
        .and(header("api-key", "secret-key"))
        .and(header("x-title", "contextfit"))
        .and(body_partial_json(body))
        .respond_with(ResponseTemplate::new(200).set_body_json(Api::OpenAi.answer("ok", "stop")))
        .mount(&server)
        .await;
    let base = format!("{}/openai/deployments/d/?api-version=2024-10-21", server.uri());
    let endpoint = Endpoint::new(&base)
        .unwrap()
        .with_query("tenant", "a b")
        .with_key(ApiKey::new("secret-key").unwrap())
        .with_key_header("api-key")
        .unwrap()
        .with_header("x-title", "contextfit")
        .unwrap();
    let chat = OpenAiChat::new("m", endpoint).unwrap().with_parameter("temperature", json!(0));
    assert_eq!(contextfit_kernel::LlmProvider::complete(&chat, &request()).await.unwrap().text, "ok");
    let sent: Value = server.received_requests().await.unwrap()[0].body_json().unwrap();
    assert_eq!(sent.as_object().unwrap().len(), 4, "nothing else is sent: {sent}");
}

#[tokio::test]
async fn requests_are_in_the_form_of_anthropic() {
    let server = MockServer::start().await;
    let body = json!({
        "model": "m", "system": "be brief", "max_tokens": 50,
        "messages": [{ "role": "user", "content": "some text" }],
    });
    Mock::given(path("/v1/messages"))
        .and(header("x-api-key", "secret-key"))
        .and(header("anthropic-version", "2023-06-01"))
        .and(body_partial_json(body))
        .respond_with(ResponseTemplate::new(200).set_body_json(Api::Anthropic.answer("ok", "end_turn")))
        .mount(&server)
        .await;
    let endpoint = endpoint(&server).with_key(ApiKey::new("secret-key").unwrap());
    let claude = AnthropicMessages::new("m", endpoint).unwrap();
    assert_eq!(contextfit_kernel::LlmProvider::complete(&claude, &request()).await.unwrap().text, "ok");
}

#[tokio::test]
async fn a_key_is_a_bearer_and_need_not_be() {
    let server = serve(Api::OpenAi.path(), Echo(Api::OpenAi)).await;
    let keyed = endpoint(&server).with_key(ApiKey::new(" k1\n").unwrap());
    for endpoint in [keyed, endpoint(&server)] {
        Api::OpenAi.provider(endpoint, false).complete(&request()).await.unwrap();
    }
    let sent = server.received_requests().await.unwrap();
    assert_eq!(sent[0].headers["authorization"], "Bearer k1");
    assert!(!sent[1].headers.contains_key("authorization"));
}
