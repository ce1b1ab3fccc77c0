//! One request, one answer, whole or streamed.

use std::{fmt, time::Duration};

use contextfit_kernel::ProviderError;
use reqwest::{
    RequestBuilder, Response,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
    redirect::Policy,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, timeout};
use tracing::debug;

use super::{Endpoint, EndpointError, HttpError, retry_after::retry_after, sse::SseReader};
use crate::http::error::refusal;

/// The maximum size of an answer. Vectors of the largest batches are some 30 MB of JSON.
const LARGEST_ANSWER_BYTES: usize = 128 << 20;
/// The length of the part of an unexpected answer that an error quotes, in characters.
const SHOWN_ANSWER_BYTES: usize = 200;

/// Where a provider expects the key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyIn {
    /// `Authorization: Bearer`.
    Bearer,
    /// A custom header.
    Header(&'static str),
}

/// Whether a stream continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Done,
}

/// A server and the connections to it.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    endpoint: Endpoint,
    key_in: KeyIn,
}

impl Client {
    pub(crate) fn new(endpoint: Endpoint, key_in: KeyIn) -> Result<Self, EndpointError> {
        // An application that has chosen its cryptography keeps it.
        _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = reqwest::Client::builder()
            .connect_timeout(endpoint.timeouts.connect)
            .timeout(endpoint.timeouts.request)
            .redirect(Policy::none());
        if endpoint.is_local() {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| EndpointError::Client(error.without_url()))?;
        Ok(Self { http, endpoint, key_in })
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Posts `body` to `path` and returns the whole answer.
    pub(crate) async fn post(&self, model: &str, path: &str, body: &Value) -> Result<Vec<u8>, ProviderError> {
        let response = self.send(model, path, body, "application/json").await?;
        self.read(response).await.map_err(|error| error.of(model))
    }

    /// Posts `body` to `path` and passes the data of every event of the streamed answer to `on_event`, until it returns
    /// that it is done. If the stream ends before that, the result is [`Progress::More`].
    pub(crate) async fn stream(
        &self,
        model: &str,
        path: &str,
        body: &Value,
        mut on_event: impl FnMut(String) -> Result<Progress, HttpError> + Send,
    ) -> Result<Progress, ProviderError> {
        let mut response = self.send(model, path, body, "text/event-stream").await?;
        let mut reader = SseReader::default();
        loop {
            let chunk = self.next(&mut response).await.map_err(|error| error.of(model))?;
            let Some(chunk) = chunk else { return Ok(Progress::More) };
            for event in reader.push(&chunk) {
                if on_event(event).map_err(|error| error.of(model))? == Progress::Done {
                    return Ok(Progress::Done);
                }
            }
            if reader.held() > LARGEST_ANSWER_BYTES {
                return Err(HttpError::TooLarge { limit: LARGEST_ANSWER_BYTES }.of(model));
            }
        }
    }

    /// Parses the JSON of an answer.
    pub(crate) fn parse<T: DeserializeOwned>(&self, answer: &[u8]) -> Result<T, HttpError> {
        serde_json::from_slice(answer).map_err(|error| {
            // The library's message would quote parts of the answer.
            let start = self.start(&String::from_utf8_lossy(answer));
            HttpError::Garbled { line: error.line(), column: error.column(), start }
        })
    }

    /// The error that a provider reports inside an answer.
    pub(crate) fn refused(&self, status: u16, answer: &[u8]) -> HttpError {
        let text = String::from_utf8_lossy(answer);
        let found = refusal(answer);
        let kind = found.as_ref().and_then(|found| found.kind.as_deref()).map(|kind| self.start(kind));
        let status = match found.as_ref().and_then(|found| found.status) {
            Some(inner) if status == 200 => inner,
            _ => status,
        };
        let message = self.start(found.as_ref().map_or(text.as_ref(), |found| &found.message));
        HttpError::Refused { status, kind, message }
    }

    /// The beginning of `text`, with secrets redacted.
    pub(crate) fn start(&self, text: &str) -> String {
        self.endpoint.redact(text).chars().take(SHOWN_ANSWER_BYTES).collect()
    }

    async fn send(
        &self,
        model: &str,
        path: &str,
        body: &Value,
        accept: &'static str,
    ) -> Result<Response, ProviderError> {
        let started = Instant::now();
        let request = self.http.post(self.endpoint.url(path)).headers(self.endpoint.headers.clone());
        let request = self.with_key(request).header(ACCEPT, accept);
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let response = request.send().await.map_err(|error| self.failed(error).of(model))?;
        let status = response.status();
        let host = self.endpoint.base.host_str().unwrap_or_default();
        debug!(model, host, path, status = status.as_u16(), elapsed = ?started.elapsed(), "answer begins");
        if status.is_success() {
            return Ok(response);
        }
        let wait = retry_after(response.headers());
        let answer = self.read(response).await.unwrap_or_default();
        let mut error = self.refused(status.as_u16(), &answer).of(model);
        error.retry_after = wait;
        Err(error)
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        let Some(key) = &self.endpoint.key else { return request };
        let (name, value) = match (&self.endpoint.key_header, self.key_in) {
            (Some(name), _) => (name.clone(), key.expose().to_owned()),
            (None, KeyIn::Header(name)) => (HeaderName::from_static(name), key.expose().to_owned()),
            (None, KeyIn::Bearer) => (AUTHORIZATION, format!("Bearer {}", key.expose())),
        };
        // An ApiKey holds only characters that are valid in a header.
        let Ok(mut value) = HeaderValue::from_str(&value) else { return request };
        value.set_sensitive(true);
        request.header(name, value)
    }

    async fn read(&self, mut response: Response) -> Result<Vec<u8>, HttpError> {
        let mut answer = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.failed(error))? {
            answer.extend_from_slice(&chunk);
            if answer.len() > LARGEST_ANSWER_BYTES {
                return Err(HttpError::TooLarge { limit: LARGEST_ANSWER_BYTES });
            }
        }
        Ok(answer)
    }

    async fn next(&self, response: &mut Response) -> Result<Option<Vec<u8>>, HttpError> {
        let idle = self.endpoint.timeouts.idle;
        let chunk = timeout(idle, response.chunk()).await.map_err(|_| HttpError::Timeout { within: idle })?;
        Ok(chunk.map_err(|error| self.failed(error))?.map(|chunk| chunk.to_vec()))
    }

    fn failed(&self, error: reqwest::Error) -> HttpError {
        let within = |within: Duration| HttpError::Timeout { within };
        match (error.is_timeout(), error.is_connect()) {
            (true, true) => within(self.endpoint.timeouts.connect),
            (true, false) => within(self.endpoint.timeouts.request),
            // The query of the address may hold secrets.
            _ => HttpError::Connection(error.without_url()),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.endpoint.fmt(f)
    }
}
