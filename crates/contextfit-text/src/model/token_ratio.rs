//! What a vendor's tokenizer counts, as comparisons have it.

/// How many tokens of a vendor to reckon with for a hundred of the encoding that stands in for its own.
///
/// A figure on the safe side: nineteen in twenty texts of prose, code, JSON and output of programs count less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenRatio {
    /// The vendor's tokens for a hundred of the stand-in: 135 are 1.35 for one.
    pub percent: u32,
    /// The address of what was counted with or read.
    pub source: &'static str,
    /// The day that was done, as `2026-11-23`.
    pub checked: &'static str,
}
