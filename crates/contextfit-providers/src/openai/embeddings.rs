//! Embeddings.

use async_trait::async_trait;
use contextfit_kernel::{EmbeddingProvider, ProviderError, Values};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::http::{Client, Endpoint, EndpointError, HttpError, KeyIn};

const PATH: &str = "embeddings";

/// An embedding model served by [OpenAI's API](https://platform.openai.com/docs/api-reference/embeddings), which
/// Ollama, vLLM, llama.cpp, LM Studio and others share.
///
/// Texts are sent in batches, one after the other, and their vectors returned in the order of the texts. The empty text
/// is sent as one space, because servers refuse it. A text too long for the model is an error from the server: nothing
/// is truncated here.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{Endpoint, OpenAiEmbeddings};
///
/// let local = OpenAiEmbeddings::new("all-minilm", Endpoint::new("http://localhost:11434/v1")?)?
///     .with_dimension(384)
///     .with_batches(64, 100_000);
/// # let _ = local;
/// # Ok::<(), contextfit_providers::EndpointError>(())
/// ```
#[derive(Debug, Clone)]
pub struct OpenAiEmbeddings {
    model: String,
    client: Client,
    dimension: Option<usize>,
    batch: usize,
    batch_bytes: usize,
}

impl OpenAiEmbeddings {
    /// Uses `model`, as the server names it, with batches of at most 128 texts and 256 KiB.
    ///
    /// OpenAI accepts 2,048 texts and 300,000 tokens in a request; no token is shorter than a byte.
    ///
    /// # Errors
    /// [`EndpointError::Client`] if the HTTP client cannot be built.
    pub fn new(model: impl Into<String>, endpoint: Endpoint) -> Result<Self, EndpointError> {
        let client = Client::new(endpoint, KeyIn::Bearer)?;
        Ok(Self { model: model.into(), client, dimension: None, batch: 128, batch_bytes: 256 << 10 })
    }

    /// Requires vectors of this length.
    #[must_use]
    pub fn with_dimension(self, dimension: usize) -> Self {
        Self { dimension: Some(dimension), ..self }
    }

    /// Limits batches to this many texts and bytes; a batch has at least one text.
    #[must_use]
    pub fn with_batches(self, texts: usize, bytes: usize) -> Self {
        Self { batch: texts.max(1), batch_bytes: bytes, ..self }
    }

    async fn embed_batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let input: Vec<&str> = texts.iter().map(|text| if text.is_empty() { " " } else { text }).collect();
        let body = json!({ "model": self.model, "input": input, "encoding_format": "float" });
        let bytes = self.client.post(&self.model, PATH, &body).await?;
        self.vectors(&bytes, texts.len()).map_err(|error| error.of(&self.model))
    }

    fn vectors(&self, bytes: &[u8], expected: usize) -> Result<Vec<Vec<f32>>, HttpError> {
        let answer: Answer = self.client.parse(bytes)?;
        if answer.error.is_some_and(|error| !error.is_null()) {
            return Err(self.client.refused(200, bytes));
        }
        let mut vectors = vec![None; expected];
        let found = answer.data.len();
        for (at, entry) in answer.data.into_iter().enumerate() {
            vectors.set(entry.index.unwrap_or(at), Some(entry.embedding));
        }
        let vectors: Option<Vec<Vec<f32>>> = vectors.into_iter().collect();
        // The number is right, but an index is repeated or out of range.
        vectors.filter(|_| found == expected).ok_or(HttpError::Vectors { expected, found })
    }

    /// How many of the first `texts` are in a batch within both limits: at least one.
    fn batch(&self, texts: &[&str]) -> usize {
        let mut bytes = 0;
        let fits = |text: &&&str| {
            bytes += text.len();
            bytes <= self.batch_bytes
        };
        texts.iter().take(self.batch).take_while(fits).count().max(1)
    }
}

#[async_trait]
impl EmbeddingProvider for OpenAiEmbeddings {
    fn model(&self) -> &str {
        &self.model
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while let Some((batch, others)) = rest.split_at_checked(self.batch(rest)) {
            rest = others;
            vectors.extend(self.embed_batch(batch).await?);
        }
        let expected = self.dimension.or(vectors.first().map(Vec::len)).unwrap_or_default();
        match vectors.iter().map(Vec::len).find(|found| *found != expected || *found == 0) {
            Some(found) => Err(HttpError::Dimension { expected, found }.of(&self.model)),
            None => Ok(vectors),
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    data: Vec<Entry>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Entry {
    /// Finite numbers: JSON has no others, and values too large for an `f32` are refused.
    embedding: Vec<f32>,
    index: Option<usize>,
}
