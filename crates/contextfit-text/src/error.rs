//! Why there is no such counter.

use std::{error::Error, io, path::PathBuf};

/// Why a token counter could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CounterError {
    /// Neither the name of a counter nor a file.
    #[error(
        "no token counter is called `{name}`{}; there are {}, or the path of a tokenizer.json",
        nearest.map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default(),
        known.join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The known name that comes closest to it, if any comes close.
        nearest: Option<&'static str>,
        /// All known names.
        known: &'static [&'static str],
    },
    /// `chars/N` with an `N` that is not a whole number above zero.
    #[error("`{spec}` needs a whole number of characters to a token, at least 1")]
    CharsPer {
        /// What was asked for.
        spec: String,
    },
    /// A known counter that this build leaves out.
    #[error("this build has no `{name}`: it needs the feature `{feature}`")]
    NotBuiltIn {
        /// What was asked for.
        name: String,
        /// The feature of `contextfit-text` that has it.
        feature: &'static str,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{} is not a tokenizer", path.display())]
    NotATokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}
