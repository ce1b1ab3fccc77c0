//! Figures: counts as numbers, shares as text, and documents that have them between markers.

use std::{fs, path::Path};

use crate::say::{self, Result};

/// `n` as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) const fn float(n: usize) -> f64 {
    n as f64
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A document with a place for figures, between markers that name the command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Document {
    /// The file, relative to the root.
    pub path: &'static str,
    /// The `cargo xtask` command that writes there.
    pub command: &'static str,
}

impl Document {
    /// Replaces the text between the markers with `text`.
    ///
    /// # Errors
    /// If the document cannot be read or written, or has no markers.
    pub(crate) fn write(self, root: &Path, text: &str) -> Result {
        let Self { path, command } = self;
        let file = root.join(path);
        let before = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}"))?;
        let after = self
            .replaced(&before, text)
            .ok_or_else(|| format!("{path}: the markers of `cargo xtask {command}` are missing"))?;
        fs::write(&file, after).map_err(|error| format!("{path}: {error}"))?;
        say::line(&format!("{path}: written"));
        Ok(())
    }

    fn replaced(self, document: &str, text: &str) -> Option<String> {
        let marker = |end: &str| format!("<!-- {end}: cargo xtask {} -->", self.command);
        let (begin, end) = (marker("begin"), marker("end"));
        let (before, rest) = document.split_once(&begin)?;
        let (_, behind) = rest.split_once(&end)?;
        Some(format!("{before}{begin}\n\n{}\n\n{end}{behind}", text.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let document = Document { path: "docs/x.md", command: "x" };
        let (begin, end) = ("<!-- begin: cargo xtask x -->", "<!-- end: cargo xtask x -->");
        let before = format!("before\n{begin}\nold\n{end}\nbehind\n");
        let expect = format!("before\n{begin}\n\nnew\n\n{end}\nbehind\n");
        assert_eq!(document.replaced(&before, "new\n"), Some(expect.clone()));
        assert_eq!(document.replaced(&expect, "new"), Some(expect));
        assert_eq!(document.replaced("no markers", "new"), None);
        assert_eq!(Document { command: "y", ..document }.replaced(&before, "new"), None);
    }
}
