//! Errors.

use contextfit_formats::FormatError;
use contextfit_kernel::{Error, Tokens};
use thiserror::Error;

/// Why a session operation failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The low mark is above the high mark.
    #[error("the low mark of {low} tokens is above the high mark of {high}")]
    Marks {
        /// The high mark.
        high: Tokens,
        /// The low mark.
        low: Tokens,
    },
    /// A compressor returned more than the high mark allows. The session is unchanged.
    #[error("the compressor returned {tokens} tokens, expected at most {high}, the high mark")]
    TooLong {
        /// The tokens of the request that it would have been.
        tokens: Tokens,
        /// The high mark.
        high: Tokens,
    },
    /// A request or a message could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The conversation cannot be made to fit. The session is unchanged.
    #[error(transparent)]
    Fit(#[from] Error),
}
