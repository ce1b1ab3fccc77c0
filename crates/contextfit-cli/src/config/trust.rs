//! What differs in a file that nobody named: its paths, and what it may not set.

use std::path::Path;

use serde_json::Value;

use super::locate::{Step, remove, steps};

/// What a project's file may not set unless it is named: where texts and keys are sent, and which files are written.
/// Whoever works in a folder has not agreed to what is in it.
const RESTRICTED: [&[&str]; 5] =
    [&["llm"], &["cache"], &["compression", "llm"], &["compression", "cache"], &["feedback", "file"]];

/// Keys that hold paths. A tokenizer is one if there is such a file.
const PATHS: [&[&str]; 4] = [&["llm", "keyFile"], &["cache", "path"], &["feedback", "file"], &["tokenizer"]];

/// Removes what a project's file may not set. Returns the paths of it.
pub(super) fn restrict(document: &mut Value) -> Vec<Vec<Step>> {
    let paths = RESTRICTED.iter().map(|path| steps(path));
    paths.filter(|path| remove(document, path)).collect()
}

/// Makes the paths in `document` relative to the `folder` of its file.
pub(super) fn rebase(document: &mut Value, folder: &Path) {
    for keys in PATHS {
        let Some(value) = keys.iter().try_fold(&mut *document, |value, key| value.get_mut(key)) else {
            continue;
        };
        let Some(path) = value.as_str().map(|text| folder.join(text)) else { continue };
        if keys != ["tokenizer"] || path.is_file() {
            *value = path.display().to_string().into();
        }
    }
}
