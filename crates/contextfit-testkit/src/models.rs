//! A language model that answers as it is told to.

use std::sync::Mutex;

use async_trait::async_trait;
use contextfit_kernel::{Completion, CompletionRequest, LlmProvider, ProviderError, TokenCounter, Tokens};
use contextfit_text::CharsPer;

/// How a [`FakeModel`] answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// With a short text that begins with the number of the request and goes on with the first words of what it is about.
    Short,
    /// With this text.
    Text(String),
    /// With what it was given.
    Echo,
    /// With an error.
    Failure,
    /// Never.
    Silence,
}

/// A language model that answers as it is told to, and remembers what it was asked. The last reply goes on for all requests
/// behind it.
#[derive(Debug)]
pub struct FakeModel {
    replies: Vec<Reply>,
    asked: Mutex<Vec<CompletionRequest>>,
}

impl FakeModel {
    /// A model that gives `replies` in turn.
    #[must_use]
    pub fn new(replies: Vec<Reply>) -> Self {
        Self { replies, asked: Mutex::default() }
    }

    /// The requests so far.
    #[must_use]
    pub fn asked(&self) -> Vec<CompletionRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// Tokens of all requests so far, at four characters a token.
    #[must_use]
    pub fn tokens_in(&self) -> Tokens {
        let counter = CharsPer::new(4).unwrap();
        let count = |request: &CompletionRequest| {
            counter.count(&request.instructions) + counter.count(&request.input)
        };
        self.asked.lock().unwrap().iter().map(count).sum()
    }
}

#[async_trait]
impl LlmProvider for FakeModel {
    fn model(&self) -> &str {
        "fake"
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let n = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(request.clone());
            asked.len()
        };
        match self.replies.get(n - 1).or(self.replies.last()) {
            None | Some(Reply::Failure) => Err(ProviderError::new("fake", false, "out of order")),
            Some(Reply::Short) => {
                let source = request.source.and_then(|source| source.of(&request.input)).unwrap_or_default();
                let words: Vec<&str> = source.split_whitespace().take(24).collect();
                Ok(Completion::new(format!("state: part {n} was told.\n{}.", words.join(" "))))
            }
            Some(Reply::Text(text)) => Ok(Completion::new(text)),
            Some(Reply::Echo) => Ok(Completion::new(&request.input)),
            Some(Reply::Silence) => std::future::pending().await,
        }
    }
}
