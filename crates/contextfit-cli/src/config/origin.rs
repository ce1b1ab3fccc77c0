//! Where a setting comes from.

use std::{fmt, path::PathBuf};

use contextfit::presets::Profile;
use serde::Serialize;

use super::{
    format::Format,
    locate::{Step, steps},
};

/// Where a layer of settings comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The program itself.
    Default,
    /// A profile.
    Profile(Profile),
    /// A configuration file.
    File(File),
    /// An environment variable, by name.
    Variable(String),
    /// A flag, by name.
    Flag(&'static str),
}

/// Why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// It is the user's.
    User,
    /// It was found in the working directory or above.
    Project,
    /// `--config` or `CONTEXTFIT_CONFIG` names it.
    Named,
}

/// A configuration file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) scope: Scope,
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) text: String,
    /// The path of the configuration in the document: not empty in a `kb.config.json`.
    pub(crate) base: Vec<Step>,
}

/// The origin of one setting, for programs.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Place {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'static str>,
}

impl Scope {
    const fn name(self) -> &'static str {
        match self {
            Self::User => "user file",
            Self::Project => "project file",
            Self::Named => "file",
        }
    }
}

impl File {
    /// The line of the key at `path`, from 1; of its closest enclosing key if it is not in the file itself.
    fn line(&self, path: &[String]) -> Option<usize> {
        let full = [self.base.clone(), steps(path)].concat();
        let place = (0..full.len()).rev().find_map(|last| self.format.locate(&self.text, full.get(..=last)?));
        place.map(|(line, _)| line)
    }
}

impl Origin {
    /// The place of the key at `path`.
    pub(crate) fn place(&self, path: &[String]) -> Place {
        match self {
            Self::Default => Place { kind: "default", ..Place::default() },
            Self::Profile(profile) => Place { kind: "profile", profile: Some(*profile), ..Place::default() },
            Self::File(file) => Place {
                kind: file.scope.name(),
                file: Some(file.path.display().to_string()),
                line: file.line(path),
                ..Place::default()
            },
            Self::Variable(name) => {
                Place { kind: "environment", variable: Some(name.clone()), ..Place::default() }
            }
            Self::Flag(name) => Place { kind: "flag", flag: Some(name), ..Place::default() },
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        let profile = self.profile.map(Profile::name);
        let names = [profile, self.file.as_deref(), self.variable.as_deref(), self.flag];
        for name in names.into_iter().flatten() {
            write!(f, " {name}")?;
        }
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}
