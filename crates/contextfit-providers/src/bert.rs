//! BERT from files: a network that reads a text and returns a vector, such as MiniLM.

mod error;
mod files;
mod network;

use std::{fmt, path::Path, sync::Arc};

use async_trait::async_trait;
use candle_core::{Device, Tensor};
use contextfit_kernel::{EmbeddingProvider, ProviderError, Scorer, Values, nearness};
use tokenizers::Tokenizer;

use self::{
    files::Folder,
    network::{Network, Pooling},
};

pub use self::error::BertEmbeddingsError;

/// A BERT for sentences, such as [all-MiniLM-L6-v2](https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2): a
/// folder with `config.json`, `tokenizer.json` and `model.safetensors`. Where to get one: docs/embeddings.md.
///
/// A word's vector depends on its context, which takes about a thousand times the work of `StaticEmbeddings`, on the
/// CPU only.
///
/// A text's vector is the mean of its tokens' vectors (or the first token's, if `1_Pooling/config.json` of
/// sentence-transformers says so), always at unit length. **Text beyond [`max_tokens`](Self::max_tokens) is not read**:
/// the vector is that of the beginning. Texts of similar length go through the network together. A text's vector
/// depends on its batch by less than 1e-5; the same texts in the same order give the same vectors. Nothing is
/// downloaded.
///
/// Clones share the weights.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{BertEmbeddings, BertEmbeddingsError};
///
/// fn similarity(folder: &str, left: &str, right: &str) -> Result<f32, BertEmbeddingsError> {
///     let model = BertEmbeddings::from_folder(folder)?;
///     let vectors = model.embed_texts(&[left, right])?;
///     // The cosine: vectors have unit length.
///     Ok(vectors[0].iter().zip(&vectors[1]).map(|(l, r)| l * r).sum())
/// }
///
/// assert!(similarity("no/such/folder", "car", "automobile").is_err());
/// ```
#[derive(Clone)]
pub struct BertEmbeddings {
    model: Arc<Model>,
}

/// Shared between clones.
struct Model {
    name: String,
    tokenizer: Tokenizer,
    network: Network,
    pooling: Pooling,
    dimension: usize,
    max_tokens: usize,
}

impl BertEmbeddings {
    /// Loads the model in `folder`; its name is the path.
    ///
    /// Reads all weights into memory in single precision: 90 MB for MiniLM with six layers.
    ///
    /// # Errors
    /// [`BertEmbeddingsError`] if a file is missing, has other contents, needs something unsupported, or does not match
    /// the other files.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, BertEmbeddingsError> {
        let name = folder.as_ref().display().to_string();
        let folder = Folder(folder.as_ref());
        let config = folder.config()?;
        let max_tokens = folder.max_tokens(&config)?;
        let model = Self {
            model: Arc::new(Model {
                name,
                pooling: folder.pooling()?,
                tokenizer: folder.tokenizer(&config, max_tokens)?,
                network: folder.network(&config)?,
                dimension: config.hidden_size,
                max_tokens,
            }),
        };
        // Some faults, such as unknown tokens in the frame, are only noticed when the network runs, so it runs once
        // here.
        model.embed_texts(&[""])?;
        Ok(model)
    }

    /// The length of every vector.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.model.dimension
    }

    /// The maximum tokens of a text that are read, in the model's tokens, including the two of the frame around it.
    #[must_use]
    pub fn max_tokens(&self) -> usize {
        self.model.max_tokens
    }

    /// The vectors of `texts`, in order: [`EmbeddingProvider::embed`] for synchronous callers.
    ///
    /// Uses all cores. Linear in the number of tokens read; quadratic in the tokens of each text.
    ///
    /// # Errors
    /// [`BertEmbeddingsError::Network`] if the tokenizer or the network fails, [`BertEmbeddingsError::NotFinite`] if a
    /// vector contains an infinity or NaN.
    pub fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, BertEmbeddingsError> {
        let model = &*self.model;
        let vectors = model
            .embed(texts)
            .map_err(|source| BertEmbeddingsError::Network { path: model.name.clone().into(), source })?;
        match vectors.iter().position(|vector| !vector.iter().all(|x| x.is_finite())) {
            Some(text) => Err(BertEmbeddingsError::NotFinite { path: model.name.clone().into(), text }),
            None => Ok(vectors),
        }
    }
}

impl Model {
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Box<dyn std::error::Error + Send + Sync>> {
        let encoded = self.tokenizer.encode_batch_fast(texts.to_vec(), true)?;
        let tokens: Vec<&[u32]> = encoded.iter().map(tokenizers::Encoding::get_ids).collect();
        // A text without tokens (possible if the tokenizer adds no frame) keeps the zero vector.
        let mut vectors = vec![vec![0.0; self.dimension]; texts.len()];
        let lengths: Vec<usize> = tokens.iter().map(|tokens| tokens.len()).collect();
        for batch in batches(&lengths) {
            let tokens: Vec<&[u32]> = batch.iter().filter_map(|&place| tokens.get(place)).copied().collect();
            for (place, vector) in batch.into_iter().zip(self.run(&tokens)?) {
                vectors.change(place, |slot| slot.clone_from(&vector));
            }
        }
        Ok(vectors)
    }

    /// The vectors of a batch of texts, each of at least one token.
    fn run(&self, batch: &[&[u32]]) -> candle_core::Result<Vec<Vec<f32>>> {
        let longest = batch.iter().map(|tokens| tokens.len()).max().unwrap_or(0);
        let padded = |fill: &dyn Fn(&[u32]) -> Vec<u32>| {
            let mut all = Vec::with_capacity(batch.len() * longest);
            for (n, tokens) in batch.iter().enumerate() {
                all.extend(fill(tokens));
                all.resize((n + 1) * longest, 0);
            }
            Tensor::from_vec(all, (batch.len(), longest), &Device::Cpu)
        };
        let ids = padded(&<[u32]>::to_vec)?;
        let mask = padded(&|tokens| vec![1; tokens.len()])?;
        let tokens = self.network.forward(&ids, &mask)?;
        self.pooling.apply(&tokens, &mask)?.to_vec2()
    }
}

impl fmt::Debug for BertEmbeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BertEmbeddings")
            .field("name", &self.model.name)
            .field("dimension", &self.model.dimension)
            .field("max_tokens", &self.model.max_tokens)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl EmbeddingProvider for BertEmbeddings {
    fn model(&self) -> &str {
        &self.model.name
    }

    /// Computes on the caller's thread without yielding. A server that must answer other requests meanwhile can call
    /// [`embed_texts`](BertEmbeddings::embed_texts) of a clone on a blocking thread (`tokio::task::spawn_blocking`).
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        self.embed_texts(texts).map_err(|error| ProviderError::new(&self.model.name, false, error))
    }
}

impl Scorer for BertEmbeddings {
    /// The [`nearness`] of each text to `query`; 0 for all texts if the network fails.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let all: Vec<&str> = [query].into_iter().chain(texts.iter().copied()).collect();
        let vectors = self.embed_texts(&all).unwrap_or_default();
        let vectors: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        vectors.split_first().map_or_else(|| vec![0.0; texts.len()], |(asked, rest)| nearness(asked, rest))
    }
}

/// The maximum tokens in a batch, including padding, which keeps activations at some tens of megabytes.
const BATCH_TOKENS: usize = 4096;

/// Groups texts of similar length into batches, to keep padding low. Takes the token count of each text and returns
/// their indices. Ties keep their order; texts without tokens are in no batch. O(n log n).
fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> =
        lengths.iter().copied().enumerate().filter(|&(_, length)| length > 0).collect();
    order.sort_by_key(|&(place, length)| (length, place));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (place, length) in order {
        match batches.last_mut().filter(|batch| (batch.len() + 1) * length <= BATCH_TOKENS) {
            Some(batch) => batch.push(place),
            None => batches.push(vec![place]),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[usize], expect: &[&[usize]]) {
        assert_eq!(batches(lengths), expect, "{lengths:?}");
    }

    #[test]
    fn like_goes_with_like() {
        check(&[], &[]);
        check(&[7], &[&[0]]);
        check(&[9, 3, 9, 4], &[&[1, 3, 0, 2]]);
        check(&[0, 5, 0], &[&[1]]);
        check(&[2048, 1, 2048, 2048], &[&[1, 0], &[2, 3]]);
        check(&[5000, 4000, 5000], &[&[1], &[0], &[2]]);
    }
}
