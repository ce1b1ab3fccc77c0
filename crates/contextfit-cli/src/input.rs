//! Reads requests from files and standard input.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use contextfit::formats::FormatError;

use crate::{
    error::CliError,
    repaired::{Json, Sent},
};

/// The name of standard input on the command line.
pub(crate) const STDIN: &str = "-";

/// The file, or `None` for standard input.
fn file(path: &Path) -> Option<&Path> {
    Some(path).filter(|path| *path != Path::new(STDIN))
}

/// The name of the source in messages.
pub(crate) fn name(path: &Path) -> String {
    file(path).map_or_else(|| "standard input".into(), |path| path.display().to_string())
}

/// Reads the whole source, which must be UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, CliError> {
    String::from_utf8(bytes(path)?).map_err(|error| CliError::NotUtf8 {
        path: name(path),
        valid_up_to: error.utf8_error().valid_up_to(),
    })
}

fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = match file(path) {
        Some(file) => File::open(file).and_then(|mut file| file.read_to_end(&mut bytes)),
        None => io::stdin().lock().read_to_end(&mut bytes),
    };
    read.map_err(|source| CliError::Read { path: name(path), source })?;
    Ok(bytes)
}

/// Reads the source as a single request, and warns of what had to be repaired.
pub(crate) fn request<R>(
    path: &Path,
    parse: impl Fn(&str) -> Result<R, FormatError>,
) -> Result<Sent<R>, CliError> {
    let bytes = bytes(path)?;
    let json = Json::read(&bytes)
        .ok_or_else(|| CliError::Input(format!("cannot use {}: expected JSON, found binary", name(path))))?;
    json.repairs.tell(&name(path));
    json.parse(parse).map_err(|mut source| {
        if source.message.starts_with("trailing characters") {
            source.message.push_str(" after the request; use --jsonl to read one request per line");
        }
        CliError::Request { path: name(path), source }
    })
}

/// Opens the source, to be read line by line on another thread.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, CliError> {
    match file(path) {
        Some(file) => {
            let opened = File::open(file).map_err(|source| CliError::Read { path: name(path), source })?;
            Ok(Box::new(BufReader::with_capacity(1 << 20, opened)))
        }
        None => Ok(Box::new(BufReader::with_capacity(1 << 16, io::stdin()))),
    }
}
