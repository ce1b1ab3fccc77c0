//! The formats of configuration files.

use std::{ffi::OsStr, path::Path};

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::locate::{Probe, Step, line_and_column};
use crate::{
    error::CliError,
    problem::{Problem, Severity},
};

/// A format, recognised by the file extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Toml,
    Yaml,
    Json,
}

impl Format {
    /// The format of the file at `path`.
    pub(crate) fn of(path: &Path) -> Result<Self, CliError> {
        match path.extension().and_then(OsStr::to_str) {
            Some("toml") => Ok(Self::Toml),
            Some("yaml" | "yml") => Ok(Self::Yaml),
            Some("json") => Ok(Self::Json),
            _ => Err(CliError::Usage(format!(
                "{}: configuration is TOML, YAML or JSON; use a file name that ends in .toml, .yaml, .yml or .json",
                path.display()
            ))),
        }
    }

    /// The document as data.
    pub(crate) fn read(self, text: &str) -> Result<Value, Problem> {
        match self {
            Self::Toml => toml::from_str(text).map_err(|error| {
                let place = error.span().and_then(|span| line_and_column(text, span.start));
                problem(place, error.message().to_owned())
            }),
            Self::Yaml => serde_saphyr::from_str(text).map_err(|error| {
                let place = yaml_place(&error);
                problem(place, first_line(&error.without_snippet().to_string()))
            }),
            Self::Json => serde_json::from_str(text).map_err(|error| {
                let (line, column) = (error.line(), error.column());
                let message = error.to_string();
                let place = format!(" at line {line} column {column}");
                problem(Some((line, column)), message.strip_suffix(&place).unwrap_or(&message).to_owned())
            }),
        }
    }

    /// `document` as text.
    #[cfg(test)]
    pub(crate) fn write(self, document: &impl serde::Serialize) -> String {
        match self {
            Self::Toml => toml::to_string(document).unwrap(),
            Self::Yaml => serde_saphyr::to_string(document).unwrap(),
            Self::Json => serde_json::to_string_pretty(document).unwrap(),
        }
    }

    /// The position of the value at `path`, as line and column from 1.
    pub(crate) fn locate(self, text: &str, path: &[Step]) -> Option<(usize, usize)> {
        let probe = Probe { path };
        match self {
            Self::Toml => {
                let error = probe.deserialize(toml::Deserializer::parse(text).ok()?).err()?;
                line_and_column(text, error.span()?.start)
            }
            Self::Yaml => {
                let found =
                    serde_saphyr::with_deserializer_from_str(text, |document| probe.deserialize(document));
                yaml_place(&found.err()?)
            }
            Self::Json => {
                let error = probe.deserialize(&mut serde_json::Deserializer::from_str(text)).err()?;
                // The parser stops at the quote after a key; the key starts at the quote before it.
                let back = match path.last() {
                    Some(Step::Key(key)) => key.len() + 1,
                    _ => 0,
                };
                Some((error.line(), error.column().saturating_sub(back).max(1))).filter(|(line, _)| *line > 0)
            }
        }
    }
}

fn problem(place: Option<(usize, usize)>, message: String) -> Problem {
    Problem { severity: Severity::Error, place, field: String::new(), message }
}

fn yaml_place(error: &serde_saphyr::Error) -> Option<(usize, usize)> {
    let location = error.location()?;
    Some((usize::try_from(location.line()).ok()?, usize::try_from(location.column()).ok()?))
}

/// The first line of a message, without the position, which is reported separately.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.split(" at line ").next().unwrap_or(line).to_owned()
}
