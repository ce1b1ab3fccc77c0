//! What providers count for one token of ours, learned and kept: for models whose tokenizer is not published.

use std::{collections::BTreeMap, fs, io, path::PathBuf};

use contextfit_text::{Model, TokenFactor};

use crate::{console, error::CliError, folders, report};

/// The file in the folder for what outlives the process.
const FILE: &str = "token-factors.json";

/// By the name of the model.
type Factors = BTreeMap<String, TokenFactor>;

/// What `model` is taken to count, until enough was learned of it; nothing where its tokenizer is known.
pub(crate) fn of(model: &Model) -> Option<TokenFactor> {
    let assumed = model.factor()?;
    Some(assumed.merged(learned(model).unwrap_or_default()))
}

/// What was learned of `model`.
fn learned(model: &Model) -> Option<TokenFactor> {
    match load(&path()?) {
        Ok(mut factors) => factors.remove(model.name),
        Err(error) => {
            console::warning(format!(
                "what was learned of {} is not used: {}",
                model.name,
                console::chain(&error)
            ));
            None
        }
    }
}

/// Adds what was learned of `model` to what is kept, and gives all of it.
///
/// # Errors
/// [`CliError`] when the file cannot be read or written.
pub(crate) fn learn(model: &Model, learned: TokenFactor) -> Result<TokenFactor, CliError> {
    let path = path().ok_or_else(|| {
        CliError::Usage(
            "neither XDG_STATE_HOME nor HOME is set: there is no place for what is learned".into(),
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
    let mut text = serde_json::to_vec_pretty(&factors).map_err(CliError::Json)?;
    text.push(b'\n');
    report::write(&path, &text)?;
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
