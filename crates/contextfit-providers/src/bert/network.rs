//! The network: from the tokens of texts to a vector per token, and from those to one per text.
//!
//! BERT as described by Devlin et al. 2018 (<https://arxiv.org/abs/1810.04805>), on the encoder of Vaswani et al. 2017
//! (<https://arxiv.org/abs/1706.03762>). Tensors have the names used in Hugging Face's files.

use candle_core::{Module, Result, Tensor};
use candle_nn::{
    Embedding, LayerNorm, Linear, VarBuilder, embedding, layer_norm, linear, ops::softmax_last_dim,
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The contents of `config.json`.
#[derive(Deserialize)]
pub(super) struct Config {
    pub(super) model_type: Option<String>,
    pub(super) vocab_size: usize,
    pub(super) hidden_size: usize,
    pub(super) num_attention_heads: usize,
    pub(super) max_position_embeddings: usize,
    num_hidden_layers: usize,
    intermediate_size: usize,
    type_vocab_size: usize,
    layer_norm_eps: f64,
    hidden_act: Activation,
    /// Read only because other values are not supported.
    #[serde(default, rename = "position_embedding_type")]
    _positions: Positions,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Activation {
    Gelu,
    /// The tanh approximation.
    GeluNew,
    Relu,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Positions {
    #[default]
    Absolute,
}

/// The weights.
pub(super) struct Network {
    words: Embedding,
    /// Added at each position: (positions, width).
    places: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

impl Network {
    /// Builds the network of `config`; tensor names may have the prefix `bert.`.
    ///
    /// # Errors
    /// A tensor is missing or has the wrong shape.
    pub(super) fn new(weights: &VarBuilder<'_>, config: &Config) -> Result<Self> {
        const WORDS: &str = "embeddings.word_embeddings";
        let behind = weights.pp("bert");
        let weights = if behind.contains_tensor(&format!("{WORDS}.weight")) { &behind } else { weights };
        let width = config.hidden_size;
        let table = |name: &str, rows: usize| embedding(rows, width, weights.pp(name));
        let places = table("embeddings.position_embeddings", config.max_position_embeddings)?;
        // All tokens of a single text are of type 0.
        let kinds = table("embeddings.token_type_embeddings", config.type_vocab_size)?;
        let places = places.embeddings().broadcast_add(&kinds.embeddings().narrow(0, 0, 1)?)?;
        let layer = |n| Layer::new(&weights.pp(format!("encoder.layer.{n}")), config);
        Ok(Self {
            words: table(WORDS, config.vocab_size)?,
            places,
            norm: layer_norm(width, config.layer_norm_eps, weights.pp("embeddings.LayerNorm"))?,
            layers: (0..config.num_hidden_layers).map(layer).collect::<Result<_>>()?,
        })
    }

    /// Token vectors (texts, tokens, width) for `ids` (texts, tokens). `mask` has the same shape: 1 for a token, 0 for
    /// padding, which no token attends to.
    pub(super) fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let places = self.places.narrow(0, 0, ids.dim(1)?)?;
        let words = self.words.forward(ids)?.broadcast_add(&places)?;
        // Added to the attention scores: zero, or so negative that its exponential is zero.
        let unseen = (mask.to_dtype(words.dtype())? - 1.0)?.affine(f64::from(f32::MAX), 0.0)?;
        let unseen = unseen.unsqueeze(1)?.unsqueeze(1)?;
        let words = self.norm.forward(&words)?;
        self.layers.iter().try_fold(words, |tokens, layer| layer.forward(&tokens, &unseen))
    }
}

/// Attention followed by two dense layers.
struct Layer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    widened: Linear,
    activation: Activation,
    narrowed: Linear,
    norm: LayerNorm,
}

impl Layer {
    fn new(weights: &VarBuilder<'_>, config: &Config) -> Result<Self> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let dense = |from, to, name: &str| linear(from, to, weights.pp(name));
        let norm = |name: &str| layer_norm(width, config.layer_norm_eps, weights.pp(name));
        Ok(Self {
            heads: config.num_attention_heads,
            query: dense(width, width, "attention.self.query")?,
            key: dense(width, width, "attention.self.key")?,
            value: dense(width, width, "attention.self.value")?,
            attended: dense(width, width, "attention.output.dense")?,
            attended_norm: norm("attention.output.LayerNorm")?,
            widened: dense(width, inner, "intermediate.dense")?,
            activation: config.hidden_act,
            narrowed: dense(inner, width, "output.dense")?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, tokens: &Tensor, unseen: &Tensor) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attention(tokens, unseen)?)?;
        let tokens = self.attended_norm.forward(&(attended + tokens)?)?;
        let widened = self.widened.forward(&tokens)?;
        let active = match self.activation {
            Activation::Gelu => widened.gelu_erf(),
            Activation::GeluNew => widened.gelu(),
            Activation::Relu => widened.relu(),
        };
        self.norm.forward(&(self.narrowed.forward(&active?)? + tokens)?)
    }

    /// Attention: for each token, the mean of the values weighted by how well its query matches the keys. Each head
    /// takes a share of the width.
    fn attention(&self, tokens: &Tensor, unseen: &Tensor) -> Result<Tensor> {
        let (texts, length, width) = tokens.dims3()?;
        let divided = |dense: &Linear| {
            let parts = dense.forward(tokens)?.reshape((texts, length, self.heads, ()))?;
            parts.transpose(1, 2)?.contiguous()
        };
        let (query, key, value) = (divided(&self.query)?, divided(&self.key)?, divided(&self.value)?);
        let scale = ((width / self.heads) as f64).sqrt();
        let fit = (query.matmul(&key.t()?)? / scale)?.broadcast_add(unseen)?;
        let seen = softmax_last_dim(&fit)?.matmul(&value)?;
        seen.transpose(1, 2)?.reshape((texts, length, width))
    }
}

/// The way in which the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Their mean.
    Mean,
    /// The vector of the first token, which represents the whole text.
    First,
}

impl Pooling {
    /// Reads the configuration of sentence-transformers.
    ///
    /// # Errors
    /// The mode found, if it is neither.
    pub(super) fn of(modes: &Map<String, Value>) -> std::result::Result<Self, String> {
        let asked = |(name, on): (&'_ String, &Value)| {
            (name.starts_with("pooling_mode_") && on == &Value::Bool(true)).then(|| name.clone())
        };
        let asked: Vec<String> = modes.iter().filter_map(asked).collect();
        match asked.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] | ["pooling_mode_mean_tokens"] => Ok(Self::Mean),
            ["pooling_mode_cls_token"] => Ok(Self::First),
            _ => Err(format!("`{}`", asked.join("` and `"))),
        }
    }

    /// One unit-length row per text, from `tokens` (texts, tokens, dimension) and `mask` (texts, tokens), which is 1
    /// for a token and 0 for padding.
    pub(super) fn apply(self, tokens: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let pooled = match self {
            Self::Mean => {
                let mask = mask.to_dtype(tokens.dtype())?.unsqueeze(2)?;
                tokens.broadcast_mul(&mask)?.sum(1)?.broadcast_div(&mask.sum(1)?)?
            }
            Self::First => tokens.narrow(1, 0, 1)?.squeeze(1)?,
        };
        let length = pooled.sqr()?.sum_keepdim(1)?.sqrt()?;
        // As in PyTorch: the zero vector stays zero.
        pooled.broadcast_div(&length.maximum(1e-12)?)
    }
}
