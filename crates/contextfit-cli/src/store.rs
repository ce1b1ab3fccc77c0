//! Originals of shortened texts: flags, and the folder of the store.

#[cfg(feature = "store")]
use std::path::Path;
use std::path::PathBuf;

use clap::ValueHint;
use contextfit::formats::AnswerBlock;
use contextfit::presets::Original;
#[cfg(feature = "store")]
use contextfit::presets::RestoreError;
#[cfg(feature = "store")]
pub(crate) use contextfit::presets::Store;

use crate::error::CliError;
#[cfg(feature = "store")]
use crate::{console, folders};

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

/// Stores `originals` and sets the handles of `blocks`. If they cannot be stored, warns and sets no handles; the answer
/// is still valid.
#[cfg(feature = "store")]
pub(crate) fn keep(store: Option<&Store>, originals: &[Original], blocks: &mut [AnswerBlock]) {
    if let Some(Err(error)) = store.map(|store| store.keep(originals, blocks)) {
        let what = "cannot store originals, so the handles in markers cannot be restored";
        console::warning_of(what, &error);
    }
}

#[cfg(feature = "store")]
impl StoreArgs {
    /// Opens the requested store, creating it if it does not exist.
    ///
    /// # Errors
    /// [`CliError::Store`] if it cannot be opened: whoever asks for handles should not find out later.
    pub(crate) fn open(&self) -> Result<Option<Store>, CliError> {
        let Some(folder) = &self.store else { return Ok(None) };
        let folder = folder_or_usual(folder.as_deref())?;
        let made = folders::make_private(&folder);
        made.map_err(|source| CliError::Write { path: folder.display().to_string(), source })?;
        let store = Store::open(&folder);
        store
            .map(Some)
            .map_err(|source| CliError::Store { path: folder.display().to_string(), source: source.source })
    }
}

#[cfg(feature = "store")]
impl PlaceArgs {
    /// Loads the bytes of the text for `handle`, which may be shortened to its first digits.
    ///
    /// # Errors
    /// [`CliError::Usage`] if `handle` is not a handle or there is no store, [`CliError::Failed`] if no text or several
    /// texts match it, [`CliError::Store`] if the store cannot be read or is damaged.
    pub(crate) fn load(&self, handle: &str) -> Result<Vec<u8>, CliError> {
        let folder = folder_or_usual(self.store.as_deref())?;
        Store::restore(&folder, handle).map_err(|error| match error {
            RestoreError::NoStore { .. } => CliError::Usage(format!(
                "{error}: shorten with --store first, or name the folder with --store"
            )),
            RestoreError::Unknown { .. } => {
                CliError::Failed(format!("{error}; check the handle and --store"))
            }
            RestoreError::Ambiguous { .. } => CliError::Failed(error.to_string()),
            RestoreError::Unreadable { path, source } => {
                CliError::Read { path: path.display().to_string(), source }
            }
            RestoreError::Store(error) => {
                CliError::Store { path: folder.display().to_string(), source: error.source }
            }
            _ => CliError::Usage(error.to_string()),
        })
    }
}

#[cfg(feature = "store")]
fn folder_or_usual(folder: Option<&Path>) -> Result<PathBuf, CliError> {
    let folder = folder.map(Path::to_path_buf).or_else(folders::state);
    folder.ok_or_else(|| folders::missing("folder for the store", "XDG_STATE_HOME", "pass --store=FOLDER"))
}

/// No store: this build cannot keep originals.
#[cfg(not(feature = "store"))]
#[derive(Debug, Clone)]
pub(crate) enum Store {}

#[cfg(not(feature = "store"))]
impl Store {
    pub(crate) fn short_handle(_: &[u8]) -> String {
        String::new()
    }
}

#[cfg(not(feature = "store"))]
pub(crate) fn keep(_: Option<&Store>, _: &[Original], _: &mut [AnswerBlock]) {}

#[cfg(not(feature = "store"))]
impl StoreArgs {
    pub(crate) fn open(&self) -> Result<Option<Store>, CliError> {
        if self.store.is_some() { Err(missing()) } else { Ok(None) }
    }
}

#[cfg(not(feature = "store"))]
impl PlaceArgs {
    pub(crate) fn load(&self, _: &str) -> Result<Vec<u8>, CliError> {
        Err(missing())
    }
}

#[cfg(not(feature = "store"))]
fn missing() -> CliError {
    CliError::Usage("this build cannot store originals: build contextfit-cli with `--features store`".into())
}
