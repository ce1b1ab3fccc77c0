//! Anthropic's Messages API.

use async_trait::async_trait;
use contextfit_kernel::{Completion, CompletionRequest, LlmProvider, ProviderError, Tokens};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::http::{Client, Endpoint, EndpointError, HttpError, KeyIn, Progress};

const PATH: &str = "messages";
/// The API version: <https://docs.anthropic.com/en/api/versioning>.
const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// A language model served by [Anthropic's Messages API](https://docs.anthropic.com/en/api/messages).
///
/// The instructions become the system prompt, the input the user message. Input tokens include those written to or read
/// from the provider's cache, as OpenAI counts them.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{AnthropicMessages, ApiKey, Endpoint};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let endpoint = Endpoint::new("https://api.anthropic.com/v1")?.with_key(ApiKey::new("sk-ant-1234567890")?);
/// let claude = AnthropicMessages::new("claude-haiku-4-5", endpoint)?;
/// # let _ = claude;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct AnthropicMessages {
    model: String,
    client: Client,
    streaming: bool,
    parameters: Map<String, Value>,
}

impl AnthropicMessages {
    /// Uses `model`, as Anthropic names it.
    ///
    /// # Errors
    /// [`EndpointError::Client`] if the HTTP client cannot be built.
    pub fn new(model: impl Into<String>, mut endpoint: Endpoint) -> Result<Self, EndpointError> {
        if !endpoint.headers.contains_key(VERSION.0) {
            endpoint = endpoint.with_header(VERSION.0, VERSION.1)?;
        }
        let client = Client::new(endpoint, KeyIn::Header("x-api-key"))?;
        Ok(Self { model: model.into(), client, streaming: false, parameters: Map::new() })
    }

    /// Adds a parameter to the body of every request, replacing a default of the same name; `null` removes the default.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: Value) -> Self {
        self.parameters.insert(name.into(), value);
        self
    }

    /// Sets whether answers are streamed, so that a server that stops sending is noticed before the timeout of the
    /// whole request.
    #[must_use]
    pub fn with_streaming(self, streaming: bool) -> Self {
        Self { streaming, ..self }
    }

    /// Returns the model's answer, and passes each piece of its text to `on_text` as it arrives. Concatenated, the
    /// pieces are the text.
    ///
    /// # Errors
    /// [`ProviderError`] from [`HttpError`]. The pieces passed before the error are not a complete answer.
    pub async fn stream(
        &self,
        request: &CompletionRequest,
        mut on_text: impl FnMut(&str) + Send,
    ) -> Result<Completion, ProviderError> {
        let mut body = self.body(request);
        if let Some(body) = body.as_object_mut() {
            body.insert("stream".into(), json!(true));
        }
        let (mut text, mut usage, mut stopped) = (String::new(), Usage::default(), None);
        let progress = self.client.stream(&self.model, PATH, &body, |data| {
            let event: Event = self.client.parse(data.as_bytes())?;
            match event {
                Event::Start { message } => usage = message.usage.unwrap_or_default(),
                Event::Piece { delta: Delta { text: Some(new) } } => {
                    on_text(&new);
                    text.push_str(&new);
                }
                Event::End { delta, usage: last } => {
                    stopped = delta.stop_reason;
                    usage.output_tokens = last.and_then(|last| last.output_tokens).or(usage.output_tokens);
                }
                Event::Stop => return Ok(Progress::Done),
                Event::Error => return Err(self.client.refused(200, data.as_bytes())),
                Event::Piece { .. } | Event::Other => {}
            }
            Ok(Progress::More)
        });
        if progress.await? == Progress::More {
            return Err(HttpError::Interrupted { received: text.len() }.of(&self.model));
        }
        self.completion(text, stopped, usage).map_err(|error| error.of(&self.model))
    }

    fn body(&self, request: &CompletionRequest) -> Value {
        let mut body = json!({
            "model": self.model,
            "system": request.instructions,
            "messages": [{ "role": "user", "content": request.input }],
            "max_tokens": request.max_tokens.get(),
        });
        if let Some(body) = body.as_object_mut() {
            body.extend(self.parameters.clone());
            body.retain(|_, value| !value.is_null());
        }
        body
    }

    fn completion(
        &self,
        text: String,
        stopped: Option<String>,
        usage: Usage,
    ) -> Result<Completion, HttpError> {
        if text.trim().is_empty() {
            return Err(HttpError::Empty { reason: stopped.map(|reason| self.client.start(&reason)) });
        }
        let tokens = |n: Option<usize>| n.map(Tokens::new);
        let cached = tokens(usage.cache_read_input_tokens);
        let written = tokens(usage.cache_creation_input_tokens).unwrap_or_default();
        let read = tokens(usage.input_tokens).map(|read| read + written + cached.unwrap_or_default());
        let mut completion = Completion::new(text).with_usage(read, tokens(usage.output_tokens));
        completion.tokens_cached = cached;
        completion.truncated = stopped.as_deref() == Some("max_tokens");
        Ok(completion)
    }
}

#[async_trait]
impl LlmProvider for AnthropicMessages {
    fn model(&self) -> &str {
        &self.model
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        if self.streaming {
            return self.stream(request, |_| {}).await;
        }
        let bytes = self.client.post(&self.model, PATH, &self.body(request)).await?;
        let answer: Answer = self.client.parse(&bytes).map_err(|error| error.of(&self.model))?;
        if answer.kind.as_deref() == Some("error") {
            return Err(self.client.refused(200, &bytes).of(&self.model));
        }
        let text = answer.content.into_iter().filter_map(|part| part.text).collect();
        let usage = answer.usage.unwrap_or_default();
        self.completion(text, answer.stop_reason, usage).map_err(|error| error.of(&self.model))
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    content: Vec<Delta>,
    stop_reason: Option<String>,
    usage: Option<Usage>,
}

/// A part of an answer; only text parts have a text.
#[derive(Deserialize)]
struct Delta {
    text: Option<String>,
}

#[derive(Deserialize, Default)]
struct Usage {
    input_tokens: Option<usize>,
    output_tokens: Option<usize>,
    cache_read_input_tokens: Option<usize>,
    cache_creation_input_tokens: Option<usize>,
}

/// An event of a stream: <https://docs.anthropic.com/en/docs/build-with-claude/streaming>.
#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "message_start")]
    Start { message: Started },
    #[serde(rename = "content_block_delta")]
    Piece { delta: Delta },
    #[serde(rename = "message_delta")]
    End { delta: Ended, usage: Option<Usage> },
    #[serde(rename = "message_stop")]
    Stop,
    #[serde(rename = "error")]
    Error,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Started {
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Ended {
    stop_reason: Option<String>,
}
