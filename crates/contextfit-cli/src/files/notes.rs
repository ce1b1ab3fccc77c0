//! Notes about files that were found but not used.

use std::collections::{BTreeMap, HashSet};

use contextfit::{code::lacking_grammar, kernel::Block, text::Language};
use serde_json::{Value, json};

use super::{gather::Gathered, read::Unread};
use crate::{
    console,
    error::CliError,
    summary::{counted, grouped},
};

/// How to list the files that a note counts.
const HINT: &str = " (--verbose lists them)";

/// Fails if a file named on the command line cannot be used: whoever names a file wants it in the context.
///
/// # Errors
/// [`CliError::Usage`] with the reason for each file.
pub(crate) fn refuse(skipped: &[(String, Unread)], named: &HashSet<String>) -> Result<(), CliError> {
    let lines: Vec<String> = skipped
        .iter()
        .filter(|(path, _)| named.contains(path))
        .map(|(path, why)| format!("cannot use {path}: {why}"))
        .collect();
    if lines.is_empty() { Ok(()) } else { Err(CliError::Usage(lines.join("\n"))) }
}

/// Lists what was left out because it is hidden or not a regular file.
pub(crate) fn name(passed: &[(String, &'static str)], hidden: &[String]) {
    for (path, what) in passed {
        console::note(format!("left out {path}: {what}"));
    }
    for path in hidden {
        console::note(format!("left out {path}: hidden (--hidden reads it)"));
    }
}

/// Names the files that are read although contextfit wrote them.
pub(crate) fn tell_own(own: &[(String, &'static str)]) {
    for (path, what) in own {
        console::note(format!("note: {path} is {what}; it is read because the command line names it"));
    }
}

/// Names the languages whose files are cut by indentation because this build lacks their grammars.
pub(crate) fn tell_lacking(blocks: &[Block]) {
    let mut lacking: BTreeMap<&str, usize> = BTreeMap::new();
    for feature in blocks.iter().filter_map(|block| lacking_grammar(Language::of_block(block)?)) {
        *lacking.entry(feature).or_default() += 1;
    }
    if !lacking.is_empty() {
        let files = counted(lacking.values().sum(), "file", "files");
        let languages: Vec<&str> = lacking.into_keys().collect();
        console::note(format!(
            "cut {files} in {} by indentation: build contextfit-cli with `--features code,code-heavy` for grammars",
            languages.join(", "),
        ));
    }
}

/// Reports how many files were read in a guessed encoding; with `verbose`, which.
pub(crate) fn tell_guessed(guessed: &[String], verbose: bool) {
    if guessed.is_empty() {
        return;
    }
    let read = |what: &str| format!("read {what} as Windows-1252: not UTF-8");
    let all = read(&counted(guessed.len(), "file", "files"));
    tell_each(guessed.iter().map(|path| read(path)), verbose, &all);
}

/// Prints a note about `all` files, and before it, with `verbose`, one about each.
fn tell_each(each: impl Iterator<Item = String>, verbose: bool, all: &str) {
    if verbose {
        each.for_each(console::note);
    }
    console::note(format!("{all}{}", if verbose { "" } else { HINT }));
}

/// Reports how many files were skipped and why; with `verbose`, which.
pub(crate) fn tell(skipped: &[(String, Unread)], verbose: bool) {
    if skipped.is_empty() {
        return;
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, why) in skipped {
        *kinds.entry(why.kind()).or_default() += 1;
    }
    let parts: Vec<String> = kinds.into_iter().map(|(kind, n)| format!("{} {kind}", grouped(n))).collect();
    let all = format!("skipped {}: {}", counted(skipped.len(), "file", "files"), parts.join(", "));
    tell_each(skipped.iter().map(|(path, why)| format!("skipped {path}: {why}")), verbose, &all);
}

/// The same facts for the report.
pub(crate) fn source(gathered: &Gathered, considered: usize) -> Value {
    let Gathered { omitted, omitted_tokens, skipped, guessed, .. } = gathered;
    let skipped: Vec<Value> =
        skipped.iter().map(|(path, why)| json!({"path": path, "reason": why.to_string()})).collect();
    json!({"files": considered + omitted, "considered": considered, "omitted": omitted,
           "omittedTokens": omitted_tokens, "skipped": skipped, "readAsWindows1252": guessed})
}
