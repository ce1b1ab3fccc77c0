//! Embeddings over HTTP: batches, order, and malformed vectors.

use contextfit_kernel::EmbeddingProvider;
use contextfit_providers::{HttpError, OpenAiEmbeddings};
use contextfit_testkit::{HashEmbedder, check_embedder};
use serde_json::{Value, json};
use wiremock::{MockServer, Request, Respond, ResponseTemplate};

use crate::server::{endpoint, serve};

const PATH: &str = "/v1/embeddings";

/// Embeds by hash, and returns the vectors in reverse order, as a server may: only the index identifies them.
struct Hashing;

impl Respond for Hashing {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let vectors = HashEmbedder { dimension: 16 }
            .embed_texts(&texts(request).iter().map(String::as_str).collect::<Vec<_>>());
        let entry =
            |(index, embedding): (usize, &Vec<f32>)| json!({ "index": index, "embedding": embedding });
        let data: Vec<Value> = vectors.iter().enumerate().rev().map(entry).collect();
        ResponseTemplate::new(200).set_body_json(json!({ "object": "list", "data": data }))
    }
}

fn texts(request: &Request) -> Vec<String> {
    let body: Value = request.body_json().unwrap();
    body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn model(server: &MockServer) -> OpenAiEmbeddings {
    OpenAiEmbeddings::new("m", endpoint(server)).unwrap()
}

#[tokio::test]
async fn the_contract_is_kept() {
    let server = serve(PATH, Hashing).await;
    check_embedder(&model(&server).with_batches(3, 10_000).with_dimension(16)).await;
    let sent = server.received_requests().await.unwrap();
    assert!(sent.iter().flat_map(texts).all(|text| !text.is_empty()), "servers refuse empty texts");
}

#[tokio::test]
async fn batches_keep_both_limits() {
    let server = serve(PATH, Hashing).await;
    let long = "x".repeat(50);
    let all = ["a", "b", "c", "d", "e", &long, "f", "g"];
    let vectors = model(&server).with_batches(3, 20).embed(&all).await.unwrap();
    assert_eq!(vectors, HashEmbedder { dimension: 16 }.embed_texts(&all));
    let sizes: Vec<usize> =
        server.received_requests().await.unwrap().iter().map(|sent| texts(sent).len()).collect();
    assert_eq!(sizes, [3, 2, 1, 2]);
}

/// The error when the server answers two texts with `data`.
async fn check(data: Value, expect: &str) {
    let server = serve(PATH, ResponseTemplate::new(200).set_body_json(json!({ "data": data }))).await;
    let error = model(&server).with_dimension(2).embed(&["a", "b"]).await.unwrap_err();
    assert_eq!((error.source.to_string().as_str(), error.retryable), (expect, false), "{data}");
    assert!(error.source.is::<HttpError>());
}

#[tokio::test]
async fn wrong_vectors_are_errors() {
    check(json!([]), "0 vectors for 2 texts").await;
    check(json!([{ "embedding": [1, 2] }]), "1 vectors for 2 texts").await;
    let (one, two) = (json!({ "embedding": [1, 2], "index": 0 }), json!({ "embedding": [1, 2], "index": 1 }));
    check(json!([one, one]), "2 vectors for 2 texts, not one for each").await;
    check(json!([one, two, two]), "3 vectors for 2 texts").await;
    let far = json!({ "embedding": [1, 2], "index": 7 });
    check(json!([one, far]), "2 vectors for 2 texts, not one for each").await;
    check(json!([one, { "embedding": [1, 2, 3], "index": 1 }]), "a vector has 3 numbers, but must have 2")
        .await;
    check(json!([one, { "embedding": [], "index": 1 }]), "a vector has 0 numbers, but must have 2").await;
    let too_large = "the answer is not as expected at line 1, column 59; it begins \
                     \"{\\\"data\\\":[{\\\"embedding\\\":[1,2],\\\"index\\\":0},{\\\"embedding\\\":[1e+300,0],\\\"index\\\":1}]}\"";
    check(json!([one, { "embedding": [1e300, 0], "index": 1 }]), too_large).await;
}

#[tokio::test]
async fn dimensions_agree_across_batches() {
    let server = serve(PATH, |request: &Request| {
        let embedding = vec![1.0; texts(request)[0].len()];
        ResponseTemplate::new(200).set_body_json(json!({ "data": [{ "embedding": embedding }] }))
    })
    .await;
    let error = model(&server).with_batches(1, 100).embed(&["ab", "abc"]).await.unwrap_err();
    assert_eq!(error.source.to_string(), "a vector has 3 numbers, but must have 2");
}

#[tokio::test]
async fn refusals_are_errors() {
    let refusal = json!({ "error": { "message": "This model has no embeddings", "type": "invalid" } });
    let server = serve(PATH, ResponseTemplate::new(400).set_body_json(refusal)).await;
    let error = model(&server).embed(&["a"]).await.unwrap_err();
    assert_eq!(error.to_string(), "model m failed: status 400 (invalid): This model has no embeddings");
    assert_eq!((error.status, error.retryable), (Some(400), false));
    assert!(model(&server).embed(&[]).await.unwrap().is_empty(), "no texts, no request");
}
