//! Reads files that may turn out not to be text.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use contextfit::kernel::{TokenCounter, Tokens, one_line};
use thiserror::Error;

use super::{known::KnownFiles, secrets};
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
    /// The reason for whoever has no command line and must not get around it.
    #[cfg(feature = "mcp")]
    pub(crate) fn without_hint(&self) -> String {
        match self {
            Self::Secret(kind) => format!("contains a secret: {kind}"),
            other => other.to_string(),
        }
    }

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

/// A path for display: on one line, quoted and escaped if necessary, even if its bytes are not text.
pub(crate) fn label(path: &Path) -> String {
    path.to_str().map_or_else(|| format!("{path:?}"), |path| one_line(path).into_owned())
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

/// What may be read, and what has been.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Whether files with secrets are read.
    pub(crate) allow_secrets: bool,
    /// The files and streams that are named, as displayed. They are read even if contextfit wrote them.
    pub(crate) named: HashSet<String>,
    /// The files of earlier requests.
    pub(crate) known: Option<Arc<KnownFiles>>,
}

impl Reading {
    /// Reads `path`; fails if it holds a secret that may not be read, or if contextfit wrote it.
    pub(crate) fn read(&self, path: &Path) -> Result<Text, Unread> {
        match &self.known {
            // A named file may be one that is otherwise left out.
            Some(known) if !self.named.contains(&label(path)) => {
                known.read(path, || read_allowed(path, self.allow_secrets, &self.named))
            }
            _ => read_allowed(path, self.allow_secrets, &self.named),
        }
    }

    /// The tokens of `text`, which was read from `path`.
    pub(crate) fn count(&self, path: &Path, text: &str, counter: &dyn TokenCounter) -> Tokens {
        let count = || counter.count(text);
        self.known.as_ref().map_or_else(count, |known| known.tokens(path, count))
    }
}

/// Reads `path`; fails if it holds a secret, unless `allow_secrets`, or if contextfit wrote it, unless it is `named`.
fn read_allowed(path: &Path, allow_secrets: bool, named: &HashSet<String>) -> Result<Text, Unread> {
    let secret = |kind: Option<&'static str>| match kind {
        Some(kind) if !allow_secrets => Err(Unread::Secret(kind)),
        _ => Ok(()),
    };
    secret(secrets::by_name(path))?;
    let found = if named.contains(&label(path)) { read_named(path, Nuls::Binary) } else { read(path) }?;
    secret(if allow_secrets { None } else { secrets::within(path, &found.text) })?;
    Ok(found)
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
