//! Exact counts for the encodings of OpenAI's models.

mod engine;
mod hash;
mod merge;
mod scan;
mod seam;
mod tables;

use std::fmt;

use contextfit_kernel::{TokenCounter, Tokens};

/// An encoding: a vocabulary, and a pattern that divides a text into the pieces to look up in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and later models.
    O200kBase,
    /// `cl100k_base`: GPT-4, GPT-3.5 and the embedding models of their time.
    Cl100kBase,
}

contextfit_kernel::names!(Encoding, "encoding": O200kBase => "o200k_base", Cl100kBase => "cl100k_base");

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Counts the tokens of an [`Encoding`] as OpenAI's tokenizer does, reading the text of special tokens as plain text.
///
/// The vocabularies are part of the program and are used where they are, so that there is nothing to load. Counting takes
/// no lock and is linear in the length of the text, but for pieces without a seam, such as random letters, which take `n
/// log n`. A single piece of more than 4 MiB, such as a genome on one line, is counted in parts.
///
/// ```
/// use contextfit_kernel::{TokenCounter, Tokens};
/// use contextfit_text::Tiktoken;
///
/// let counter = Tiktoken::o200k_base();
/// assert_eq!(counter.count("The quick brown fox jumps."), Tokens::new(6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tiktoken {
    encoding: Encoding,
}

impl Tiktoken {
    /// The counter of `encoding`.
    #[must_use]
    pub const fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }

    /// The counter of `o200k_base`.
    #[must_use]
    pub const fn o200k_base() -> Self {
        Self::new(Encoding::O200kBase)
    }

    /// The counter of `cl100k_base`.
    #[must_use]
    pub const fn cl100k_base() -> Self {
        Self::new(Encoding::Cl100kBase)
    }

    /// The encoding it counts in.
    #[must_use]
    pub const fn encoding(self) -> Encoding {
        self.encoding
    }
}

impl TokenCounter for Tiktoken {
    fn name(&self) -> &str {
        self.encoding.name()
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(engine::count(self.encoding, text))
    }

    /// Splits where no piece of either pattern can reach across, whatever else is in the text: before a space after a
    /// word, before most punctuation after a word, and at the start of a line with something visible on it, unless it
    /// begins with a slash.
    fn splits_at(&self, text: &str, at: usize) -> bool {
        seam::is_seam(text, at)
    }
}
