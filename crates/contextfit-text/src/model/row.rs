//! A row of the table of models.

use contextfit_kernel::Tokens;

use super::TokenFactor;

/// A language model: its encoding and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Model {
    /// The name without provider and version, such as `gpt-4o`.
    pub name: &'static str,
    /// The encoding to count with, such as `o200k_base`.
    pub encoding: &'static str,
    /// Whether the encoding is the model's own. If not, it is the nearest stand-in, which may count only half as many
    /// tokens; the model's own count is then estimated with its [`factor`](Self::factor).
    pub exact: bool,
    /// The number of the model's tokens to assume for those of the stand-in; `None` if the encoding is exact.
    pub ratio: Option<TokenRatio>,
    /// The maximum tokens of prompt and answer together.
    pub window: Tokens,
    /// The maximum tokens of one answer: the whole window if the vendor sets no limit, zero for an embedding model.
    pub output: Tokens,
}

impl Model {
    /// The number of tokens the provider is assumed to count for one token of [`encoding`](Self::encoding), from
    /// published comparisons; `None` if the encoding is the model's own. Figures learned from the provider's reports
    /// replace it.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_kernel::Tokens; pub use ::contextfit_text as text; }
    /// use contextfit::{Tokens, text::model};
    ///
    /// let factor = model("claude-sonnet-4-5")?.factor().unwrap();
    /// // 7,407 tokens by our count are safe within 10,000 of Claude's, and 1,000 of ours are about 1,350 of Claude's.
    /// assert_eq!(factor.safe(Tokens::new(10_000)), Some(Tokens::new(7_407)));
    /// assert_eq!(factor.estimate(Tokens::new(1_000)), Some(Tokens::new(1_350)));
    /// assert!(model("gpt-4o")?.factor().is_none());
    /// # Ok::<(), contextfit_text::UnknownModel>(())
    /// ```
    #[must_use]
    pub fn factor(&self) -> Option<TokenFactor> {
        self.ratio.map(TokenFactor::from)
    }
}

/// The number of a vendor's tokens to assume per hundred tokens of the encoding that is used instead of its own.
///
/// A conservative figure: nineteen in twenty texts of prose, code, JSON and program output count less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenRatio {
    /// The vendor's tokens per hundred of the stand-in: 135 is 1.35 per token.
    pub percent: u32,
    /// The address of the tokenizer or publication that the figure comes from.
    pub source: &'static str,
    /// The day the figure was checked, such as `2026-11-23`.
    pub checked: &'static str,
}

impl From<TokenRatio> for TokenFactor {
    fn from(ratio: TokenRatio) -> Self {
        Self::assumed(f64::from(ratio.percent) / 100.0)
    }
}
