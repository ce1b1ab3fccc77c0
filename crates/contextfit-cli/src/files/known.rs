//! Files that were read for an earlier request, for a server that answers many about the same tree.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use contextfit::kernel::Tokens;

use super::read::Unread;
use crate::decode::Text;

/// The most bytes of texts that are kept; of further files, nothing is.
const KEPT_BYTES: usize = 256 << 20;

/// The state of a file that changes with its text.
type State = (SystemTime, u64);

/// Texts of files and their tokens, for as long as the files have the same time and length.
#[derive(Debug, Default)]
pub(crate) struct KnownFiles(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    files: HashMap<PathBuf, KnownFile>,
    bytes: usize,
}

#[derive(Debug)]
struct KnownFile {
    state: State,
    text: Text,
    tokens: Option<Tokens>,
}

impl KnownFiles {
    /// The text of the file at `path`, by `read` if it is not known as it is now.
    pub(crate) fn read(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<Text, Unread>,
    ) -> Result<Text, Unread> {
        // The state before the text was read: a change in between is found by the next request.
        let state = state(path);
        let known = self
            .known()
            .files
            .get(path)
            .filter(|file| Some(file.state) == state)
            .map(|file| file.text.clone());
        if let Some(text) = known {
            return Ok(text);
        }
        let text = read()?;
        if let Some(state) = state {
            self.known().keep(path, KnownFile { state, text: text.clone(), tokens: None });
        }
        Ok(text)
    }

    /// The tokens of the file at `path` as it was last read, by `count` if they are not known.
    pub(crate) fn tokens(&self, path: &Path, count: impl FnOnce() -> Tokens) -> Tokens {
        if let Some(tokens) = self.known().files.get(path).and_then(|file| file.tokens) {
            return tokens;
        }
        let tokens = count();
        if let Some(file) = self.known().files.get_mut(path) {
            file.tokens = Some(tokens);
        }
        tokens
    }

    /// Does `work` with each file that is known and its text.
    #[cfg(feature = "mcp")]
    pub(crate) fn each(&self, work: impl Fn(&Path, &str)) {
        let paths: Vec<PathBuf> = self.known().files.keys().cloned().collect();
        for path in paths {
            // The lock is not held during the work.
            let text = self.known().files.get(&path).map(|file| file.text.text.clone());
            text.iter().for_each(|text| work(&path, text));
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A thread that panicked while holding the lock left complete entries.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn keep(&mut self, path: &Path, file: KnownFile) {
        let before = self.files.remove(path).map_or(0, |file| file.text.text.len());
        self.bytes = self.bytes.saturating_sub(before);
        if self.bytes + file.text.text.len() <= KEPT_BYTES {
            self.bytes += file.text.text.len();
            self.files.insert(path.to_path_buf(), file);
        }
    }
}

/// The state of the file at `path`. `None` for what is not a file, which can be read only once.
fn state(path: &Path) -> Option<State> {
    let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((about.modified().ok()?, about.len()))
}
