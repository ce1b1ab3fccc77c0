//! A store in a file that any number of processes may use at once.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use contextfit_cache::{Digest, Disk, Originals, Space};
use contextfit_formats::AnswerBlock;
use contextfit_kernel::{Block, Context, Level};
use contextfit_pipeline::Pipeline;
use tokio::runtime::{Builder, Runtime};

use super::{PlaceArgs, StoreArgs};
use crate::{
    console::{self, chain},
    error::CliError,
    folders,
};

/// The name of the file in the store's folder.
const FILE: &str = "originals.redb";

/// The most bytes of originals. When full, the store keeps no new ones until old ones expire.
const CAPACITY: u64 = 4 << 30;

/// The fewest digits of a handle to look up.
const SHORTEST: usize = 6;

/// Stores originals while contexts are being compressed.
#[derive(Clone)]
pub(crate) struct Store(Arc<Open>);

struct Open {
    originals: Originals,
    disk: Arc<Disk>,
    /// Runs asynchronous work of the store for the commands, which are synchronous.
    runtime: Runtime,
}

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
        Ok(Some(Store(Arc::new(open(&folder)?))))
    }
}

impl PlaceArgs {
    /// Loads the bytes of the text for `handle`, which may be shortened to its first digits.
    ///
    /// # Errors
    /// [`CliError::Usage`] if `handle` is not a handle or there is no store, [`CliError::Failed`] if no text or several
    /// texts match it, [`CliError::Store`] if the store cannot be read or is damaged.
    pub(crate) fn load(&self, handle: &str) -> Result<Vec<u8>, CliError> {
        let is_handle =
            (SHORTEST..=64).contains(&handle.len()) && handle.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_handle {
            let expected = format!("expected {SHORTEST} to 64 hexadecimal digits from a marker or an answer");
            return Err(CliError::Usage(format!("{handle:?} is not a handle: {expected}")));
        }
        let folder = folder_or_usual(self.store.as_deref())?;
        let path = folder.join(FILE);
        // Opening the store would create the file.
        fs::metadata(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => CliError::Usage(format!(
                "nothing is stored in {}: shorten with --store first, or name the folder with --store",
                folder.display()
            )),
            _ => CliError::Read { path: path.display().to_string(), source },
        })?;
        let Open { originals, disk, runtime } = open(&folder)?;
        let found = runtime.block_on(disk.starting(Space::Original, &handle.to_ascii_lowercase(), 2));
        let found = found.map_err(|source| failed(&folder, source))?;
        let nothing = || {
            CliError::Failed(format!(
                "no text is stored for {handle} in {}; check the handle and --store",
                folder.display()
            ))
        };
        let digest = match found.as_slice() {
            [digest] => digest,
            [] => return Err(nothing()),
            [one, other, ..] => {
                let several = format!("{handle} is ambiguous: it matches {one} and {other}; add more digits");
                return Err(CliError::Failed(several));
            }
        };
        let loaded = runtime.block_on(originals.load_bytes(&digest.to_string()));
        loaded.map_err(|source| failed(&folder, source))?.ok_or_else(nothing)
    }
}

impl Store {
    /// `pipeline` with markers that hold the short handle of each block's original, as `original` gives it.
    pub(crate) fn named_in(
        pipeline: Pipeline,
        context: &Context,
        original: impl Fn(&Block) -> Option<Digest>,
    ) -> Pipeline {
        // A model may have shortened the texts of the blocks by then; ids need not be unique.
        let handle = |block: &Block| original(block).map(|digest| digest.short());
        let handles: Vec<Option<String>> = context.blocks.iter().map(handle).collect();
        pipeline.with_handles(move |index, _| handles.get(index).cloned().flatten())
    }

    /// Stores the original of every one of `blocks` that is not shown whole, as `original` gives it for its index, and
    /// sets the handles. If originals cannot be stored, warns and sets no handles; the answer is still valid.
    pub(crate) fn keep<'t>(
        &self,
        blocks: &mut [AnswerBlock],
        original: impl Fn(usize) -> Option<Cow<'t, [u8]>>,
    ) {
        let shortened = blocks.iter_mut().enumerate().filter(|(_, shown)| shown.level != Some(Level::Full));
        let (texts, shortened): (Vec<Cow<'t, [u8]>>, Vec<_>) = shortened
            .filter_map(|(at, shown)| Some((original(at).filter(|text| !text.is_empty())?, shown)))
            .unzip();
        let handles = self.keep_texts(texts.iter().map(AsRef::as_ref).collect());
        shortened.into_iter().zip(handles).for_each(|(shown, handle)| shown.original = Some(handle));
    }

    /// Stores `texts` and returns their handles. If they cannot be stored, warns and returns none.
    pub(crate) fn keep_texts(&self, texts: Vec<&[u8]>) -> Vec<String> {
        if texts.is_empty() {
            return Vec::new();
        }
        let Open { originals, runtime, .. } = &*self.0;
        runtime.block_on(originals.store_bytes(&texts)).unwrap_or_else(|error| {
            console::warning(format!(
                "cannot store originals, so the handles in markers cannot be restored: {}",
                chain(&error)
            ));
            Vec::new()
        })
    }
}

fn folder_or_usual(folder: Option<&Path>) -> Result<PathBuf, CliError> {
    folder.map(Path::to_path_buf).or_else(folders::state).ok_or_else(|| {
        CliError::Usage(
            "no folder for the store, as neither XDG_STATE_HOME nor HOME is set: pass --store=FOLDER".into(),
        )
    })
}

fn open(folder: &Path) -> Result<Open, CliError> {
    let runtime = Builder::new_current_thread().build().map_err(|source| failed(folder, source))?;
    let disk = runtime.block_on(Disk::open(folder.join(FILE), CAPACITY));
    let disk = Arc::new(disk.map_err(|source| failed(folder, source))?);
    make_file_private(&folder.join(FILE));
    Ok(Open { originals: Originals::new(disk.clone()), disk, runtime })
}

/// Makes the file readable for its owner only. A file of another user stays as it is.
fn make_file_private(path: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    let _ = path;
}

fn failed(folder: &Path, source: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Store { path: folder.display().to_string(), source: Box::new(source) }
}
