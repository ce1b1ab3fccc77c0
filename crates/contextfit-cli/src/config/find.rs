//! Finds the configuration files that apply.

use std::{
    env,
    path::{Path, PathBuf},
};

use super::{
    diagnose::{Diagnosis, diagnose},
    environment,
    format::Format,
    layer::Layer,
    origin::{File, Origin, Scope},
};
use crate::{console, error::CliError, folders, input, problem::Severity};

/// Instead of a file: read none.
const NONE: &str = "none";

/// The extensions of configuration files.
const EXTENSIONS: [&str; 4] = ["toml", "yaml", "yml", "json"];

/// The layers of the files that apply, the lowest first: the one `named` by `--config` or by `CONTEXTFIT_CONFIG`, or else
/// the user's and the project's.
pub(super) fn files(named: Option<&Path>) -> Result<Vec<Layer>, CliError> {
    let set = environment::text(environment::FILE)?.map(PathBuf::from);
    match named.or(set.as_deref()) {
        Some(path) if path == Path::new(NONE) => Ok(Vec::new()),
        Some(path) => Ok(vec![layer(Scope::Named, path)?]),
        None => {
            let found = [(Scope::User, user()?), (Scope::Project, project()?)];
            let found = found.into_iter().filter_map(|(scope, path)| Some((scope, path?)));
            found.map(|(scope, path)| layer(scope, &path)).collect()
        }
    }
}

/// The user's file, if there is one.
fn user() -> Result<Option<PathBuf>, CliError> {
    folders::config().map_or(Ok(None), |folder| only(&folder, "config"))
}

/// The project's file: the closest one in the working directory or above it, up to the repository or the home directory.
fn project() -> Result<Option<PathBuf>, CliError> {
    // A folder that was removed belongs to no project.
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let home = env::var_os("HOME").map(PathBuf::from);
    for folder in here.ancestors() {
        if let Some(found) = only(folder, "contextfit")? {
            return Ok(Some(found));
        }
        if folder.join(".git").exists() || home.as_deref() == Some(folder) {
            break;
        }
    }
    Ok(None)
}

/// The configuration file in `folder` called `stem`.
///
/// # Errors
/// [`CliError::Usage`] if there are several: one of them would be ignored.
fn only(folder: &Path, stem: &str) -> Result<Option<PathBuf>, CliError> {
    let mut found =
        EXTENSIONS.iter().map(|extension| folder.join(format!("{stem}.{extension}"))).filter(|p| p.is_file());
    match (found.next(), found.next()) {
        (Some(one), Some(other)) => Err(CliError::Usage(format!(
            "{} and {} are both configuration files for the same place; keep one of them",
            one.display(),
            other.display()
        ))),
        (first, _) => Ok(first),
    }
}

/// The layer of the file at `path`. Warns about settings that have no effect.
fn layer(scope: Scope, path: &Path) -> Result<Layer, CliError> {
    let (format, text) = (Format::of(path)?, input::read(path)?);
    let found = match scope {
        Scope::Named => None,
        Scope::User | Scope::Project => Some((scope, path.parent().unwrap_or(Path::new("")))),
    };
    let Diagnosis { document, base, problems, .. } = diagnose(format, &text, found);
    let (problems, warnings): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.severity == Severity::Error);
    if !problems.is_empty() {
        return Err(CliError::Config { path: path.display().to_string(), problems });
    }
    for warning in warnings {
        console::warning(format!("{}: {warning}", path.display()));
    }
    let file = File { scope, path: path.to_path_buf(), format, text, base };
    Ok(Layer::new(Origin::File(file), &document).with_cache_of_compression())
}
