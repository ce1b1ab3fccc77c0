//! Chat completions.

use async_trait::async_trait;
use contextfit_kernel::{Completion, CompletionRequest, LlmProvider, ProviderError, Tokens};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::http::{Client, Endpoint, EndpointError, HttpError, KeyIn, Progress};

const PATH: &str = "chat/completions";

/// A language model served by [chat completions](https://platform.openai.com/docs/api-reference/chat): OpenAI, Ollama,
/// vLLM, llama.cpp, LM Studio, OpenRouter, Azure.
///
/// The instructions become the system message, the input the user message. There are no retries or limits here: see
/// [`Retry`](crate::Retry) and the other decorators.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{Endpoint, OpenAiChat};
/// use serde_json::json;
///
/// let ollama = OpenAiChat::new("qwen3:8b", Endpoint::new("http://localhost:11434/v1")?)?
///     .with_parameter("temperature", json!(0));
/// # let _ = ollama;
/// # Ok::<(), contextfit_providers::EndpointError>(())
/// ```
#[derive(Debug, Clone)]
pub struct OpenAiChat {
    model: String,
    client: Client,
    streaming: bool,
    parameters: Map<String, Value>,
}

impl OpenAiChat {
    /// Uses `model`, as the server names it.
    ///
    /// # Errors
    /// [`EndpointError::Client`] if the HTTP client cannot be built.
    pub fn new(model: impl Into<String>, endpoint: Endpoint) -> Result<Self, EndpointError> {
        let client = Client::new(endpoint, KeyIn::Bearer)?;
        Ok(Self { model: model.into(), client, streaming: false, parameters: Map::new() })
    }

    /// Adds a parameter to the body of every request, such as `temperature`, `seed` or `reasoning_effort`, replacing a
    /// default of the same name; `null` removes the default.
    ///
    /// The limit on answers is `max_completion_tokens` at OpenAI itself, and `max_tokens` elsewhere.
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
            body.entry("stream_options").or_insert(json!({ "include_usage": true }));
        }
        let (mut text, mut usage, mut stopped) = (String::new(), None, None);
        let progress = self.client.stream(&self.model, PATH, &body, |data| {
            if data.trim() == "[DONE]" {
                return Ok(Progress::Done);
            }
            let piece: Answer = self.client.parse(data.as_bytes())?;
            if piece.error.is_some_and(|error| !error.is_null()) {
                return Err(self.client.refused(200, data.as_bytes()));
            }
            usage = piece.usage.or(usage.take());
            if let Some(choice) = piece.choices.into_iter().next() {
                stopped = choice.finish_reason.or(stopped.take());
                let new = choice.delta.unwrap_or_default().content();
                on_text(&new);
                text.push_str(&new);
            }
            Ok(Progress::More)
        });
        if progress.await? == Progress::More {
            return Err(HttpError::Interrupted { received: text.len() }.of(&self.model));
        }
        self.completion(text, stopped, usage).map_err(|error| error.of(&self.model))
    }

    fn body(&self, request: &CompletionRequest) -> Value {
        let length = match self.client.endpoint().base.host_str() {
            Some("api.openai.com") => "max_completion_tokens",
            _ => "max_tokens",
        };
        let mut body = json!({
            "model": self.model,
            "messages": [
                { "role": "system", "content": request.instructions },
                { "role": "user", "content": request.input },
            ],
            length: request.max_tokens.get(),
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
        usage: Option<Usage>,
    ) -> Result<Completion, HttpError> {
        if text.trim().is_empty() {
            return Err(HttpError::Empty { reason: stopped.map(|reason| self.client.start(&reason)) });
        }
        let usage = usage.unwrap_or_default();
        let tokens = |n: Option<usize>| n.map(Tokens::new);
        let mut completion =
            Completion::new(text).with_usage(tokens(usage.prompt_tokens), tokens(usage.completion_tokens));
        completion.tokens_cached =
            usage.prompt_tokens_details.and_then(|details| tokens(details.cached_tokens));
        completion.truncated = stopped.as_deref() == Some("length");
        Ok(completion)
    }
}

#[async_trait]
impl LlmProvider for OpenAiChat {
    fn model(&self) -> &str {
        &self.model
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        if self.streaming {
            return self.stream(request, |_| {}).await;
        }
        let bytes = self.client.post(&self.model, PATH, &self.body(request)).await?;
        let answer: Answer = self.client.parse(&bytes).map_err(|error| error.of(&self.model))?;
        if answer.error.is_some_and(|error| !error.is_null()) {
            return Err(self.client.refused(200, &bytes).of(&self.model));
        }
        let choice = answer.choices.into_iter().next().unwrap_or_default();
        let text = choice.message.unwrap_or_default().content();
        self.completion(text, choice.finish_reason, answer.usage).map_err(|error| error.of(&self.model))
    }
}

/// An answer, or a piece of a streamed one.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    choices: Vec<ChatChoice>,
    usage: Option<Usage>,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
struct ChatChoice {
    message: Option<Message>,
    delta: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Message {
    content: Option<Content>,
}

impl Message {
    fn content(self) -> String {
        match self.content {
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
            None => String::new(),
        }
    }
}

/// Some gateways answer in parts, the form in which messages may be sent.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

#[derive(Deserialize)]
struct ContentPart {
    text: Option<String>,
}

#[derive(Deserialize, Default)]
struct Usage {
    prompt_tokens: Option<usize>,
    completion_tokens: Option<usize>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<usize>,
}
