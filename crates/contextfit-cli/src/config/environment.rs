//! Settings in environment variables: `CONTEXTFIT_` and the key in capitals, such as `CONTEXTFIT_BUDGET` for `budget` and
//! `CONTEXTFIT_BM25_MIN_RELEVANCE` for `bm25.minRelevance`.

use std::env;

use serde_json::Value;

use super::{
    diagnose::diagnose,
    format::Format,
    layer::{Layer, document, keys},
    origin::Origin,
};
use crate::{
    error::CliError,
    log::VARIABLE as LOG,
    problem::{Problem, Severity},
};

/// Names a configuration file, as `--config` does.
pub(super) const FILE: &str = "CONTEXTFIT_CONFIG";

/// The token that requests to `serve` must bear.
pub(crate) const TOKEN: &str = "CONTEXTFIT_TOKEN";

/// One layer for each variable that is set. Empty variables count as not set.
///
/// # Errors
/// [`CliError::Variable`] for a value that its key does not allow.
pub(super) fn layers() -> Result<Vec<Layer>, CliError> {
    let mut set = Vec::new();
    for path in keys() {
        let name = variable(&path);
        if let Some(text) = text(&name)? {
            set.push((path, name, text));
        }
    }
    // A tokenizer takes precedence over the model's, so it comes after it.
    set.sort_by(|(_, a, _), (_, b, _)| a.cmp(b));
    set.into_iter().map(|(path, name, text)| layer(&path, name, &text)).collect()
}

/// The variables that look like settings, but are none.
pub(super) fn unknown() -> Vec<String> {
    let known: Vec<String> = keys().iter().map(|path| variable(path)).collect();
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_unknown = |name: &String| {
        let is_known = [FILE, LOG, TOKEN].contains(&name.as_str()) || known.contains(name);
        name.starts_with("CONTEXTFIT_") && !is_known
    };
    names.filter(is_unknown).collect()
}

/// The text of the variable called `name`, unless it is empty or not set.
///
/// # Errors
/// [`CliError::Variable`] if it is not UTF-8.
pub(super) fn text(name: &str) -> Result<Option<String>, CliError> {
    let Some(value) = env::var_os(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    let text = value.into_string().map_err(|_| CliError::Variable {
        name: name.into(),
        message: "expected UTF-8, found other bytes".into(),
    })?;
    Ok(Some(text))
}

/// The variable of the key at `path`.
pub(super) fn variable(path: &[String]) -> String {
    let mut name = "CONTEXTFIT".to_owned();
    for key in path {
        name.push('_');
        for letter in key.chars() {
            if letter.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(letter.to_ascii_uppercase());
        }
    }
    name
}

/// The layer of a variable: its text as a number or a truth value if its key takes one, or else as it is.
fn layer(path: &[String], name: String, text: &str) -> Result<Layer, CliError> {
    let scalar =
        serde_json::from_str(text).ok().filter(|value: &Value| value.is_number() || value.is_boolean());
    let mut problem = None;
    for value in scalar.into_iter().chain([text.into()]) {
        let document = document(path.iter().map(String::as_str), value);
        match wrong(&document) {
            None => return Ok(Layer::new(Origin::Variable(name), &document)),
            Some(found) => problem = Some(found.message),
        }
    }
    Err(CliError::Variable { name, message: problem.unwrap_or_default() })
}

/// The first error in `document`.
fn wrong(document: &Value) -> Option<Problem> {
    let problems = diagnose(Format::Json, &document.to_string(), None).problems;
    problems.into_iter().find(|problem| problem.severity == Severity::Error)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_has_its_own_variable() {
        let names: BTreeSet<String> = keys().iter().map(|path| variable(path)).collect();
        assert_eq!(names.len(), keys().len());
        for name in [
            "CONTEXTFIT_BUDGET",
            "CONTEXTFIT_BM25_MIN_RELEVANCE",
            "CONTEXTFIT_COMPRESSION_METADATA_ONLY_SCORE_MODE",
        ] {
            assert!(names.contains(name), "{name}");
        }
        assert!(!names.contains(FILE) && !names.contains("CONTEXTFIT_LOG"));
    }

    #[track_caller]
    fn check(key: &[&str], text: &str, expect: Result<(), &str>) {
        let path: Vec<String> = key.iter().map(ToString::to_string).collect();
        let found = layer(&path, variable(&path), text).map(drop).map_err(|error| error.to_string());
        assert_eq!(found, expect.map_err(str::to_owned));
    }

    #[test]
    fn values_have_the_type_of_their_key() {
        check(&["budget"], "8000", Ok(()));
        check(&["tokenizer"], "chars/4", Ok(()));
        check(&["feedback", "project"], "5", Ok(()));
        check(&["compression", "enabled"], "false", Ok(()));
        check(
            &["budget"],
            "-3",
            Err("CONTEXTFIT_BUDGET: invalid type: string \"-3\", expected a whole number from 0"),
        );
        check(
            &["compression", "enabled"],
            "yes",
            Err("CONTEXTFIT_COMPRESSION_ENABLED: invalid type: string \"yes\", expected a boolean"),
        );
        check(
            &["profile"],
            "qality",
            Err("CONTEXTFIT_PROFILE: unknown value \"qality\", did you mean \"quality\"? \
                 (known: fast, balanced, quality, cost-optimized)"),
        );
    }
}
