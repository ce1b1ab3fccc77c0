//! A counter that reads a `tokenizer.json`.

use std::{fmt, fs, path::Path};

use contextfit_kernel::{TokenCounter, Tokens};
use tokenizers::Tokenizer;

use crate::CounterError;

/// Counts like the tokenizer in a `tokenizer.json`, the format in which models are published on Hugging Face.
///
/// It adds no special tokens, and neither truncates nor pads. It is slow, a few megabytes per second, and never splits
/// a text.
pub struct HuggingFace {
    tokenizer: Tokenizer,
    name: String,
}

impl HuggingFace {
    /// Loads the tokenizer in the file at `path`; its name is the path.
    ///
    /// # Errors
    ///
    /// [`CounterError::Unreadable`] or [`CounterError::NotATokenizer`].
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, CounterError> {
        let path = path.as_ref();
        let json =
            fs::read(path).map_err(|source| CounterError::Unreadable { path: path.to_owned(), source })?;
        let not_a_tokenizer = |source| CounterError::NotATokenizer { path: path.to_owned(), source };
        let mut tokenizer = Tokenizer::from_bytes(json).map_err(not_a_tokenizer)?;
        tokenizer.with_truncation(None).map_err(not_a_tokenizer)?.with_padding(None);
        Ok(Self { tokenizer, name: path.display().to_string() })
    }
}

impl fmt::Debug for HuggingFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HuggingFace").field("name", &self.name).finish_non_exhaustive()
    }
}

impl TokenCounter for HuggingFace {
    fn name(&self) -> &str {
        &self.name
    }

    /// If the tokenizer fails on a text because its pattern gives up, every byte counts as a token, so that a text that
    /// cannot be counted never exceeds a budget unnoticed.
    fn count(&self, text: &str) -> Tokens {
        Tokens::new(self.tokenizer.encode_fast(text, false).map_or(text.len(), |encoding| encoding.len()))
    }
}
