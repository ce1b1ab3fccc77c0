//! Writing figures into a document, between markers.

use std::{fs, path::Path};

use crate::{Result, say};

/// The document, relative to the root.
const DOCUMENT: &str = "docs/savings.md";
/// What stands before the figures and behind them.
const BEGIN: &str = "<!-- begin: cargo xtask savings -->";
const END: &str = "<!-- end: cargo xtask savings -->";

/// Puts `text` in place of what stands between the markers.
///
/// # Errors
/// When the document cannot be read or written, or has no markers.
pub(crate) fn write(root: &Path, text: &str) -> Result {
    let path = root.join(DOCUMENT);
    let before = fs::read_to_string(&path).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let after =
        replaced(&before, text).ok_or_else(|| format!("{DOCUMENT}: no line `{BEGIN}` or no line `{END}`"))?;
    fs::write(&path, after).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    say::line(&format!("{DOCUMENT}: written"));
    Ok(())
}

fn replaced(document: &str, text: &str) -> Option<String> {
    let (before, rest) = document.split_once(BEGIN)?;
    let (_, behind) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n\n{}\n\n{END}{behind}", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let document = format!("before\n{BEGIN}\nold\n{END}\nbehind\n");
        let expect = format!("before\n{BEGIN}\n\nnew\n\n{END}\nbehind\n");
        assert_eq!(replaced(&document, "new\n"), Some(expect.clone()));
        assert_eq!(replaced(&expect, "new"), Some(expect));
        assert_eq!(replaced("no markers", "new"), None);
    }
}
