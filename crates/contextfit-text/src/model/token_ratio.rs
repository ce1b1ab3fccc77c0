//! A vendor's tokenizer compared with its stand-in.

/// How many of a vendor's tokens to assume per hundred tokens of the encoding that stands in for its own.
///
/// A conservative figure: nineteen in twenty texts of prose, code, JSON and program output count less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TokenRatio {
    /// The vendor's tokens per hundred of the stand-in: 135 means 1.35 for one.
    pub percent: u32,
    /// The address of the tokenizer or publication behind the figure.
    pub source: &'static str,
    /// The day it was checked, as `2026-11-23`.
    pub checked: &'static str,
}
