//! What is told of files that were found and not used.

use std::collections::BTreeMap;

use contextfit_kernel::Tokens;
use serde_json::{Value, json};

use super::read::Unread;
use crate::{
    console,
    summary::{counted, grouped},
};

/// Tells how many files were skipped and why; with `verbose`, which.
pub(crate) fn tell(skipped: &[(String, Unread)], verbose: bool) {
    if skipped.is_empty() {
        return;
    }
    if verbose {
        for (path, why) in skipped {
            console::note(format!("skipped {path}: {why}"));
        }
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, why) in skipped {
        *kinds.entry(why.kind()).or_default() += 1;
    }
    let parts: Vec<String> = kinds.into_iter().map(|(kind, n)| format!("{} {kind}", grouped(n))).collect();
    let hint = if verbose { "" } else { " (--verbose names them)" };
    console::note(format!("skipped {}: {}{hint}", counted(skipped.len(), "file", "files"), parts.join(", ")));
}

/// The same for the report.
pub(crate) fn source(
    skipped: &[(String, Unread)],
    considered: usize,
    omitted: usize,
    tokens: Tokens,
) -> Value {
    let skipped: Vec<Value> =
        skipped.iter().map(|(path, why)| json!({"path": path, "reason": why.to_string()})).collect();
    json!({"files": considered + omitted, "considered": considered, "omitted": omitted, "omittedTokens": tokens,
           "skipped": skipped})
}
