//! A language model with scripted answers.

use std::sync::Mutex;

use async_trait::async_trait;
use contextfit_kernel::{Completion, CompletionRequest, LlmProvider, ProviderError, TokenCounter, Tokens};
use contextfit_text::CharsPer;

/// A reply of a [`FakeModel`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// A short text: the number of the request, then the first words of its subject.
    Short,
    /// This text.
    Text(String),
    /// The input of the request.
    Echo,
    /// An error.
    Failure,
    /// No reply, ever.
    Silence,
}

/// A language model with scripted answers that records its requests. The last reply is repeated for all further
/// requests.
#[derive(Debug)]
pub struct FakeModel {
    replies: Vec<Reply>,
    asked: Mutex<Vec<CompletionRequest>>,
}

impl FakeModel {
    /// A model that gives `replies` in order.
    #[must_use]
    pub fn new(replies: Vec<Reply>) -> Self {
        Self { replies, asked: Mutex::default() }
    }

    /// The requests so far.
    #[must_use]
    pub fn asked(&self) -> Vec<CompletionRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// Tokens of all requests so far, at one token per four characters.
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
