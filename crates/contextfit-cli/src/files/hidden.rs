//! Finds the hidden files and folders that were left out, for `--verbose`.

use std::{
    collections::HashSet,
    mem,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use ignore::DirEntry;

use super::{
    read::label,
    walk::{Found, builder, is_git_folder, tidy},
};

/// The hidden paths under `roots` that contain none of `files`, without ignored ones.
pub(crate) fn left_out(roots: &[PathBuf], no_ignore: bool, files: &[Found]) -> Vec<String> {
    let roots: Vec<PathBuf> = roots.iter().filter(|root| root.is_dir()).cloned().collect();
    let Some(mut walk) = builder(&roots, true, no_ignore) else { return Vec::new() };
    let shown: HashSet<PathBuf> =
        files.iter().flat_map(|file| file.path.ancestors().map(PathBuf::from)).collect();
    let hidden = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&hidden);
    walk.filter_entry(move |entry| {
        let goes_on = !is_hidden(entry) || shown.contains(&tidy(entry.path()));
        if !goes_on && !is_git_folder(entry) {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(label(&tidy(entry.path())));
        }
        goes_on
    });
    walk.build().for_each(drop);
    let mut hidden = mem::take(&mut *hidden.lock().unwrap_or_else(PoisonError::into_inner));
    hidden.sort();
    hidden
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".")
}
