//! Small implementations of the kernel's traits, with one property each, a language model with scripted answers, and a
//! log kept for inspection.

use std::{
    future, io,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use contextfit_kernel::{
    Action, Completion, CompletionRequest, EmbeddingProvider, Error, Hold, LlmProvider, Measured,
    MeasuredBlock, Plan, ProviderError, Reason, Step, Strategy, TokenCounter, Tokens,
};
use contextfit_text::{CharsPer, keep_shown};

/// Keeps pinned blocks and drops the rest, leaving markers for those that must be shown.
#[derive(Debug, Clone, Copy)]
pub struct DropAll;

impl Strategy for DropAll {
    fn name(&self) -> &str {
        "drop-all"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let steps = input.blocks.iter().zip(input.context.holds()).map(|(block, hold)| match hold {
            Hold::Pinned => Step::new(&block.block().id, Action::Keep, Reason::Pinned),
            _ => Step::new(&block.block().id, Action::Drop, Reason::Other("all are dropped".into())),
        });
        let mut plan = Plan { strategy: self.name().into(), steps: steps.collect() };
        keep_shown(&mut plan, input, Tokens::ZERO);
        Ok(plan)
    }
}

/// Keeps everything, however small the budget.
#[derive(Debug, Clone, Copy)]
pub struct Stubborn;

impl Strategy for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let keep = |block: &MeasuredBlock<'_>| Step::new(&block.block().id, Action::Keep, Reason::Fits);
        Ok(Plan { strategy: self.name().into(), steps: input.blocks.iter().map(keep).collect() })
    }
}

/// A counter that never splits: two bytes per token, so that the count of a text depends on all of it.
#[derive(Debug, Clone, Copy)]
pub struct PairCounter;

impl TokenCounter for PairCounter {
    fn name(&self) -> &str {
        "pairs"
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(text.len().div_ceil(2))
    }
}

/// An embedding model that only sees which words a text has: each word, in lower case, adds or subtracts one at the
/// position given by its hash, and the vector is scaled to unit length. Texts that share words are close, others are
/// roughly orthogonal; a text without words has the zero vector.
#[derive(Debug, Clone, Copy)]
pub struct HashEmbedder {
    /// The length of every vector, at least 1.
    pub dimension: usize,
}

impl HashEmbedder {
    /// The vectors of `texts`, in order.
    #[must_use]
    pub fn embed_texts(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        texts.iter().map(|text| self.embed_text(text)).collect()
    }

    fn embed_text(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0_f32; self.dimension];
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words {
            let hash = fnv1a(&word.to_lowercase());
            let place = (hash >> 1) % self.dimension as u64;
            vector[place as usize] += if hash.is_multiple_of(2) { 1.0 } else { -1.0 };
        }
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
        vector
    }
}

#[async_trait]
impl EmbeddingProvider for HashEmbedder {
    fn model(&self) -> &str {
        "hash"
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        Ok(self.embed_texts(texts))
    }
}

/// FNV-1a, <http://www.isthe.com/chongo/tech/comp/fnv/>: the same on every machine and in every version of Rust.
fn fnv1a(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

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
            Some(Reply::Silence) => future::pending().await,
        }
    }
}

/// Collects everything written to it or its clones: a writer for a log that a test reads.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// The text written so far, with invalid UTF-8 replaced.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
