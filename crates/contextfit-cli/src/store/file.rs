//! A store in a file, which any number of processes may use at once.

use std::{
    borrow::Cow,
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use contextfit_cache::{Digest, Disk, Originals, Space};
use contextfit_formats::AnswerBlock;
use contextfit_kernel::{Block, Context, Level, OriginalStore};
use contextfit_pipeline::Pipeline;
use tokio::runtime::{Builder, Runtime};

use super::{PlaceArgs, StoreArgs};
use crate::{
    console::{self, chain},
    error::CliError,
    folders,
};

/// The file in the folder of the store.
const FILE: &str = "originals.redb";

/// The most bytes of originals. When they are reached, no new ones are kept until the time of old ones is over.
const CAPACITY: u64 = 4 << 30;

/// The fewest digits of a handle that are looked for.
const SHORTEST: usize = 6;

/// Keeps originals while contexts are made.
#[derive(Clone)]
pub(crate) struct Store(Arc<Open>);

struct Open {
    originals: Originals,
    disk: Arc<Disk>,
    /// The commands are no tasks; this runs what the store has to wait for.
    runtime: Runtime,
}

impl StoreArgs {
    /// The store that is asked for, made if it is not there.
    ///
    /// # Errors
    /// [`CliError::Store`] when it cannot be opened: whoever asks for handles should not find out later.
    pub(crate) fn open(&self) -> Result<Option<Store>, CliError> {
        let Some(folder) = &self.store else { return Ok(None) };
        let folder = folder_or_usual(folder.as_deref())?;
        let made = make_private(&folder);
        made.map_err(|source| CliError::Write { path: folder.display().to_string(), source })?;
        Ok(Some(Store(Arc::new(open(&folder)?))))
    }
}

impl PlaceArgs {
    /// The text under `handle`, or the first digits of it.
    ///
    /// # Errors
    /// [`CliError::Usage`] for what is no handle, [`CliError::Failed`] when nothing is kept under it, or several texts are,
    /// [`CliError::Store`] when the store cannot be read or what it holds is damaged.
    pub(crate) fn load(&self, handle: &str) -> Result<String, CliError> {
        let is_handle =
            (SHORTEST..=64).contains(&handle.len()) && handle.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_handle {
            let expected =
                format!("expected {SHORTEST} to 64 hexadecimal digits, as in the marker or in the answer");
            return Err(CliError::Usage(format!("{handle:?} is no handle: {expected}")));
        }
        let folder = folder_or_usual(self.store.as_deref())?;
        let path = folder.join(FILE);
        // Opening would make one.
        fs::metadata(&path).map_err(|source| CliError::Read { path: path.display().to_string(), source })?;
        let Open { originals, disk, runtime } = open(&folder)?;
        let found = runtime.block_on(disk.starting(Space::Original, &handle.to_ascii_lowercase(), 2));
        let found = found.map_err(|source| failed(&folder, source))?;
        let nothing = || CliError::Failed(format!("nothing is kept under {handle} in {}", folder.display()));
        let digest = match found.as_slice() {
            [digest] => digest,
            [] => return Err(nothing()),
            [one, other, ..] => {
                let several = format!("{handle} is the beginning of {one} and of {other}: say more of it");
                return Err(CliError::Failed(several));
            }
        };
        let loaded = runtime.block_on(originals.load(&digest.to_string()));
        loaded.map_err(|source| failed(&folder, source))?.ok_or_else(nothing)
    }
}

impl Store {
    /// `pipeline`, its markers naming the short handle of what `original` gives for the id of a block of `context`.
    pub(crate) fn named_in(
        pipeline: Pipeline,
        context: &Context,
        original: impl Fn(&Block) -> Option<Cow<'_, str>>,
    ) -> Pipeline {
        let handle =
            |block: &Block| Some((block.id.clone(), Digest::of(original(block)?.as_bytes()).short()));
        let handles: HashMap<String, String> = context.blocks.iter().filter_map(handle).collect();
        pipeline.with_handles(move |block| handles.get(&block.id).cloned())
    }

    /// Keeps what `original` gives for the place of every one of `blocks` that is not shown whole, and names the handles in
    /// them. What cannot be kept has no handle; that is told, and the answer is as good as without.
    pub(crate) fn keep<'t>(
        &self,
        blocks: &mut [AnswerBlock],
        original: impl Fn(usize) -> Option<Cow<'t, str>>,
    ) {
        let shortened = blocks.iter_mut().enumerate().filter(|(_, shown)| shown.level != Some(Level::Full));
        let (texts, shortened): (Vec<Cow<'t, str>>, Vec<_>) = shortened
            .filter_map(|(at, shown)| Some((original(at).filter(|text| !text.is_empty())?, shown)))
            .unzip();
        let handles = self.keep_texts(texts.iter().map(AsRef::as_ref).collect());
        shortened.into_iter().zip(handles).for_each(|(shown, handle)| shown.original = Some(handle));
    }

    /// Keeps `texts`: their handles. None where they cannot be kept, which is told.
    pub(crate) fn keep_texts(&self, texts: Vec<&str>) -> Vec<String> {
        if texts.is_empty() {
            return Vec::new();
        }
        let Open { originals, runtime, .. } = &*self.0;
        runtime.block_on(originals.store_all(&texts)).unwrap_or_else(|error| {
            console::warning(format!(
                "no originals are kept, and the markers' handles lead nowhere: {}",
                chain(&error)
            ));
            Vec::new()
        })
    }
}

fn folder_or_usual(folder: Option<&Path>) -> Result<PathBuf, CliError> {
    folder.map(Path::to_path_buf).or_else(folders::state).ok_or_else(|| {
        CliError::Usage("neither XDG_STATE_HOME nor HOME is set: name the folder of the store".into())
    })
}

fn open(folder: &Path) -> Result<Open, CliError> {
    let runtime = Builder::new_current_thread().build().map_err(|source| failed(folder, source))?;
    let disk = runtime.block_on(Disk::open(folder.join(FILE), CAPACITY));
    let disk = Arc::new(disk.map_err(|source| failed(folder, source))?);
    make_file_private(&folder.join(FILE));
    Ok(Open { originals: Originals::new(disk.clone()), disk, runtime })
}

/// Makes a folder that nobody else can look into; one that is there stays as it is.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Originals are for whoever keeps them. A file of somebody else's stays as it is.
fn make_file_private(path: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    let _ = path;
}

fn failed(folder: &Path, source: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Store { path: folder.display().to_string(), source: Box::new(source) }
}
