//! Learned factors: a provider's tokens per token of the stand-in, for models whose tokenizer is not published.

use std::{collections::BTreeMap, fs, io, path::PathBuf};

use contextfit::text::{Model, TokenFactor};

use crate::{console, error::CliError, folders, report};

/// The file in the state folder.
const FILE: &str = "token-factors.json";

/// Factors by the name of the model.
type Factors = BTreeMap<String, TokenFactor>;

/// The factor of `model`: the built-in one until enough has been learned; `None` if its tokenizer is known.
pub(crate) fn of(model: &Model) -> Option<TokenFactor> {
    let assumed = model.factor()?;
    Some(assumed.merged(learned(model).unwrap_or_default()))
}

/// The factor learned for `model`.
fn learned(model: &Model) -> Option<TokenFactor> {
    let loaded = load(&path()?);
    let tell = |error: &CliError| {
        console::warning_of(format!("ignoring the learned token factor of {}", model.name), error);
    };
    loaded.inspect_err(tell).ok()?.remove(model.name)
}

/// Merges `learned` into the stored factor of `model` and returns the result.
///
/// # Errors
/// [`CliError`] if the file cannot be read or written.
pub(crate) fn learn(model: &Model, learned: TokenFactor) -> Result<TokenFactor, CliError> {
    let path = path().ok_or_else(|| {
        CliError::Usage(
            "cannot store token factors: neither XDG_STATE_HOME nor HOME is set; set one of them".into(),
        )
    })?;
    let mut factors = load(&path)?;
    let factor = factors.entry(model.name.to_owned()).or_default();
    *factor = factor.merged(learned);
    let factor = *factor;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|source| CliError::Write { path: folder.display().to_string(), source })?;
    }
    report::write_json(&path, &factors)?;
    Ok(factor)
}

fn path() -> Option<PathBuf> {
    Some(folders::state()?.join(FILE))
}

fn load(path: &PathBuf) -> Result<Factors, CliError> {
    let read = |source| CliError::Read { path: path.display().to_string(), source };
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| read(error.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Factors::new()),
        Err(error) => Err(read(error)),
    }
}
