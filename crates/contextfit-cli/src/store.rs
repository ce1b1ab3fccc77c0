//! Stores originals of shortened texts: flags.

#[cfg(feature = "store")]
mod file;
#[cfg(not(feature = "store"))]
mod none;

use std::path::PathBuf;

use clap::ValueHint;

#[cfg(feature = "store")]
pub(crate) use self::file::Store;
#[cfg(not(feature = "store"))]
pub(crate) use self::none::Store;

/// Whether to keep originals, and where.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Originals")]
pub(crate) struct StoreArgs {
    /// Keep the text of every block that is not shown whole, for contextfit restore; the answer holds its handle
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 0..=1, require_equals = true)]
    store: Option<Option<PathBuf>>,
}

/// Where originals are kept.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PlaceArgs {
    /// Folder of the store [default: contextfit in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    store: Option<PathBuf>,
}
