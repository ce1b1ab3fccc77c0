//! From token vectors to the vector of a text.

use candle_core::{Result, Tensor};
use serde_json::{Map, Value};

/// How the vectors of a text's tokens become one.
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
