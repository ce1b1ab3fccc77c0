//! Reading files that may turn out to be no text.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use thiserror::Error;

/// A file with a zero byte this near its start is binary: what git and ripgrep go by.
const SNIFFED: usize = 8 << 10;

/// No file longer than this is read: the texts of all cores together must fit into memory.
const LONGEST: u64 = 1 << 30;

/// Why a file is no text.
#[derive(Debug, Error)]
pub(crate) enum Unread {
    #[error("binary")]
    Binary,
    #[error("not UTF-8 (at byte {0})")]
    NotUtf8(usize),
    #[error("larger than 1 GiB")]
    TooLong,
    #[error("{0}")]
    Unreadable(io::Error),
}

impl Unread {
    /// The kind of reason, in a word or two.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::NotUtf8(_) => "not UTF-8",
            Self::TooLong => "too large",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

/// The text of the file at `path`.
pub(crate) fn read_text(path: &Path) -> Result<String, Unread> {
    let mut file = File::open(path).map_err(Unread::Unreadable)?;
    let found = file.metadata().map_err(Unread::Unreadable)?;
    if found.len() > LONGEST {
        return Err(Unread::TooLong);
    }
    // Of a binary file only the start is read.
    let length = usize::try_from(found.len()).unwrap_or_default();
    let mut bytes = Vec::with_capacity(length + 1);
    file.by_ref().take(SNIFFED as u64).read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    if is_binary(&bytes) {
        return Err(Unread::Binary);
    }
    file.read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    as_text(bytes)
}

/// The text of something that has no length and can be read once: standard input for `-`, otherwise a pipe.
pub(crate) fn read_stream(path: &Path) -> Result<String, Unread> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut pipe| pipe.read_to_end(&mut bytes))
    };
    read.map_err(Unread::Unreadable)?;
    as_text(bytes)
}

/// `bytes` as text.
fn as_text(bytes: Vec<u8>) -> Result<String, Unread> {
    if is_binary(&bytes) {
        return Err(Unread::Binary);
    }
    String::from_utf8(bytes).map_err(|error| Unread::NotUtf8(error.utf8_error().valid_up_to()))
}

fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes.get(..SNIFFED).unwrap_or(bytes)).is_some()
}
