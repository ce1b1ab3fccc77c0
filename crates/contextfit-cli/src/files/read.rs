//! Reads files that may turn out not to be text.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use thiserror::Error;

use crate::{
    decode::{Nuls, SNIFFED, Text, decode, starts_binary},
    input, own,
};

/// The longest file to read: the texts of all cores together must fit into memory.
const LONGEST: u64 = 1 << 30;

/// Why a file is not used.
#[derive(Debug, Error)]
pub(crate) enum Unread {
    #[error("binary")]
    Binary,
    #[error("larger than 1 GiB")]
    TooLong,
    #[error("{0}")]
    Unreadable(io::Error),
    #[error("{0}")]
    Own(&'static str),
    #[error("contains a secret: {0} (--allow-secrets reads it anyway)")]
    Secret(&'static str),
}

impl Unread {
    /// The reason in a word or two.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLong => "too large",
            Self::Unreadable(_) => "unreadable",
            Self::Own(_) => "written by contextfit",
            Self::Secret(_) => "with secrets",
        }
    }
}

/// Reads the file at `path` as text, unless contextfit wrote it.
pub(crate) fn read(path: &Path) -> Result<Text, Unread> {
    let mut file = open(path)?;
    // Read only the start of a binary file.
    let mut bytes = Vec::with_capacity(SNIFFED);
    file.by_ref().take(SNIFFED as u64).read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    if starts_binary(&bytes) {
        return Err(Unread::Binary);
    }
    if let Some(own) = own::written(&bytes) {
        return Err(Unread::Own(own));
    }
    file.read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    decode(bytes, Nuls::Binary).ok_or(Unread::Binary)
}

/// Reads what the command line names: a file, a pipe, or standard input for `-`, whatever files exist.
pub(crate) fn read_named(path: &Path, nuls: Nuls) -> Result<Text, Unread> {
    let mut bytes = Vec::new();
    let read = if path == Path::new(input::STDIN) {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        open(path)?.read_to_end(&mut bytes)
    };
    read.map_err(Unread::Unreadable)?;
    decode(bytes, nuls).ok_or(Unread::Binary)
}

/// Opens a file that is not too long, or a pipe.
fn open(path: &Path) -> Result<File, Unread> {
    let file = File::open(path).map_err(Unread::Unreadable)?;
    let found = file.metadata().map_err(Unread::Unreadable)?;
    if found.len() > LONGEST { Err(Unread::TooLong) } else { Ok(file) }
}
