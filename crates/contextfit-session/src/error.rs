//! What can go wrong.

use contextfit_formats::FormatError;
use contextfit_kernel::{Error, Tokens};
use thiserror::Error;

/// Why a session could not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// A low mark above the high one.
    #[error("a low mark of {low} tokens is above the high mark of {high}")]
    Marks {
        /// The high mark.
        high: Tokens,
        /// The low mark.
        low: Tokens,
    },
    /// A request or a message that cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The conversation cannot be made to fit. It is as it was.
    #[error(transparent)]
    Fit(#[from] Error),
}
