//! A provider that follows a test's script and records its calls.

use std::{
    collections::VecDeque,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use contextfit_kernel::{
    Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError, Tokens,
};
use tokio::time::{Instant, sleep};

/// One step of the script.
pub(crate) enum Act {
    Say(&'static str),
    Report(&'static str, usize, usize),
    CutOff(&'static str),
    Fail { retryable: bool, wait: Option<Duration> },
    Stall,
}

/// The script, and the calls received. Once the script is used up, it answers "fine".
#[derive(Default)]
pub(crate) struct Scripted {
    pub script: Mutex<VecDeque<Act>>,
    pub takes: Duration,
    pub calls: Mutex<Vec<(Instant, CompletionRequest)>>,
    pub running: AtomicUsize,
    pub most: AtomicUsize,
}

impl Scripted {
    pub(crate) fn new(script: impl IntoIterator<Item = Act>) -> Self {
        Self { script: Mutex::new(script.into_iter().collect()), ..Self::default() }
    }

    /// When the calls came, in milliseconds after `start`.
    pub(crate) fn times(&self, start: Instant) -> Vec<u128> {
        self.calls.lock().unwrap().iter().map(|(at, _)| (*at - start).as_millis()).collect()
    }

    async fn act(&self, request: CompletionRequest) -> Result<Completion, ProviderError> {
        self.calls.lock().unwrap().push((Instant::now(), request));
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        sleep(self.takes).await;
        self.running.fetch_sub(1, Ordering::SeqCst);
        let act = self.script.lock().unwrap().pop_front();
        match act.unwrap_or(Act::Say("fine")) {
            Act::Say(text) => Ok(Completion::new(text)),
            Act::Report(text, read, written) => {
                Ok(Completion::new(text).with_usage(Some(Tokens::new(read)), Some(Tokens::new(written))))
            }
            Act::CutOff(text) => {
                let mut completion = Completion::new(text);
                completion.truncated = true;
                Ok(completion)
            }
            Act::Fail { retryable, wait } => {
                let error = ProviderError::new("scripted", retryable, "as the script says").with_status(429);
                Err(match wait {
                    Some(wait) => error.with_retry_after(wait),
                    None => error,
                })
            }
            Act::Stall => std::future::pending().await,
        }
    }
}

#[async_trait]
impl LlmProvider for Scripted {
    fn model(&self) -> &str {
        "scripted"
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        self.act(request.clone()).await
    }
}

#[async_trait]
impl EmbeddingProvider for Scripted {
    fn model(&self) -> &str {
        "scripted"
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        self.act(CompletionRequest::new("", texts.concat(), Tokens::ZERO)).await?;
        Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
    }
}
