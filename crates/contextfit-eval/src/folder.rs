//! The files of a data set.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{EvalError, Item};

/// A folder with the files of one split: `SPLIT.PART.jsonl` for each part, `SPLIT.jsonl` for the empty part.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) split: String,
}

/// A line of a file.
pub(crate) struct Line<T> {
    pub(crate) number: usize,
    pub(crate) value: T,
}

impl Folder {
    /// The splits of `path` that have every one of `parts`, in the order of their names.
    ///
    /// # Errors
    /// [`EvalError::Read`] if the folder cannot be listed.
    pub(crate) fn splits(path: &Path, parts: &[&str]) -> Result<Vec<Self>, EvalError> {
        let unread = |source| EvalError::Read { path: path.display().to_string(), source };
        let mut names = BTreeSet::new();
        for entry in fs::read_dir(path).map_err(unread)? {
            names.extend(entry.map_err(unread)?.file_name().into_string());
        }
        let has = |split: &str| parts.iter().all(|part| names.contains(&format!("{split}{}", ending(part))));
        let first = parts.first().map(|part| ending(part)).unwrap_or_default();
        let splits = names.iter().filter_map(|name| name.strip_suffix(&first)).filter(|split| has(split));
        Ok(splits.map(|split| Self { path: path.into(), split: split.into() }).collect())
    }

    /// The lines of one part; blank lines are skipped.
    ///
    /// # Errors
    /// [`EvalError::Read`], and [`EvalError::Malformed`] for the first line that is not a `T`.
    pub(crate) fn read<T: DeserializeOwned>(&self, part: &str) -> Result<Vec<Line<T>>, EvalError> {
        let path = self.file(part);
        let text = fs::read_to_string(&path)
            .map_err(|source| EvalError::Read { path: path.display().to_string(), source })?;
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        self.items(part, lines.map(|(value, number)| Line { number, value }), parse)
    }

    /// What `item` makes of each of `lines` of `part`; on error, it returns the field and a message.
    ///
    /// # Errors
    /// [`EvalError::Malformed`] for the first line of which it makes nothing.
    pub(crate) fn items<T, U>(
        &self,
        part: &str,
        lines: impl IntoIterator<Item = Line<T>>,
        item: impl Fn(T) -> Result<U, (String, String)>,
    ) -> Result<Vec<Line<U>>, EvalError> {
        let made = |Line { number, value }| match item(value) {
            Ok(value) => Ok(Line { number, value }),
            Err((field, message)) => Err(self.malformed(part, number, field, message)),
        };
        lines.into_iter().map(made).collect()
    }

    /// The first line of one part; `None` if there is none or it is not JSON.
    pub(crate) fn first(&self, part: &str) -> Option<Value> {
        let mut lines = BufReader::new(File::open(self.file(part)).ok()?).lines().map_while(Result::ok);
        let first = lines.find(|line| !line.trim().is_empty())?;
        serde_json::from_str(&first).ok()
    }

    /// The error for line `line` of `part`.
    pub(crate) fn malformed(
        &self,
        part: &str,
        line: usize,
        field: impl Into<String>,
        message: impl Into<String>,
    ) -> EvalError {
        let path = self.file(part).display().to_string();
        EvalError::Malformed { path, line, field: field.into(), message: message.into() }
    }

    pub(crate) fn file(&self, part: &str) -> PathBuf {
        self.path.join(format!("{}{}", self.split, ending(part)))
    }
}

/// All values of `lines` with several each, in order.
pub(crate) fn flattened<T>(lines: Vec<Line<Vec<T>>>) -> Vec<Line<T>> {
    let values =
        |Line { number, value }: Line<Vec<T>>| value.into_iter().map(move |value| Line { number, value });
    lines.into_iter().flat_map(values).collect()
}

/// Requires some evidence; on error, the field and a message.
pub(crate) fn some<T>(field: &str, evidence: &[T]) -> Result<(), (String, String)> {
    match evidence {
        [] => Err((field.to_owned(), "expected at least one entry, found none".to_owned())),
        _ => Ok(()),
    }
}

/// The end of the file name of `part`.
fn ending(part: &str) -> String {
    if part.is_empty() { ".jsonl".into() } else { format!(".{part}.jsonl") }
}

/// Parses one document; on error, the field and a message.
fn parse<T: DeserializeOwned>(line: &str) -> Result<T, (String, String)> {
    let mut document = serde_json::Deserializer::from_str(line);
    let mut track = serde_path_to_error::Track::new();
    let value = T::deserialize(serde_path_to_error::Deserializer::new(&mut document, &mut track));
    let value = value.and_then(|value| document.end().map(|()| value));
    value.map_err(|error| {
        // Lines are parsed one by one, so serde_json's line number is always 1.
        let message = error.to_string().replace(" at line 1 column ", " at column ");
        // The path is `.` for the root and `?` for a field whose name has not been read yet; neither means anything to
        // people.
        (track.path().to_string().trim_end_matches('?').trim_end_matches('.').to_owned(), message)
    })
}

/// The contents of a data set's files.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) items: Vec<Line<Item>>,
    /// The number of skipped items for each reason.
    pub(crate) skipped: BTreeMap<String, usize>,
}

impl Loaded {
    pub(crate) fn skip(&mut self, reason: String) {
        *self.skipped.entry(reason).or_default() += 1;
    }
}
