//! A counter over a vocabulary of tiktoken-rs.

use std::{fmt, sync::Arc};

use contextfit_kernel::{TokenCounter, Tokens};
use tiktoken_rs::CoreBPE;

/// Counts with a [`CoreBPE`] that the application already holds: any encoding of tiktoken-rs, or the application's own.
///
/// Special tokens in a text are counted as plain text. It never splits a text, so more text is counted again than with
/// [`Tiktoken`](crate::Tiktoken), which has the same counts for `o200k_base` and `cl100k_base` and is two to four times
/// as fast.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::{TokenCounter, Tokens}; pub use ::contextfit_text as text; }
/// use contextfit::{TokenCounter, Tokens, text::TiktokenRs};
///
/// let counter = TiktokenRs::new("p50k_base", tiktoken_rs::p50k_base()?);
/// assert_eq!(counter.count("Hello, world"), Tokens::new(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TiktokenRs {
    name: String,
    bpe: Arc<CoreBPE>,
}

impl TiktokenRs {
    /// Counts with `bpe` under `name`, which appears in results and errors. `bpe` may also be an `Arc<CoreBPE>`.
    pub fn new(name: impl Into<String>, bpe: impl Into<Arc<CoreBPE>>) -> Self {
        Self { name: name.into(), bpe: bpe.into() }
    }
}

impl fmt::Debug for TiktokenRs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TiktokenRs").field("name", &self.name).finish_non_exhaustive()
    }
}

impl TokenCounter for TiktokenRs {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(self.bpe.count_ordinary(text))
    }
}

#[cfg(test)]
mod tests {
    use contextfit_testkit::check_counter;

    use super::*;

    #[test]
    fn any_encoding_of_tiktoken_rs() {
        let bpe = [tiktoken_rs::r50k_base(), tiktoken_rs::o200k_harmony()];
        for (name, bpe) in ["r50k_base", "o200k_harmony"].into_iter().zip(bpe) {
            let counter = TiktokenRs::new(name, Arc::new(bpe.unwrap()));
            check_counter(&counter);
            assert_eq!(counter.name(), name);
        }
    }
}
