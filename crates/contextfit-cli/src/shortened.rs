//! The output of a command as an agent is shown it: an excerpt, and where the whole is.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use contextfit::{
    kernel::{Error, TextKind, Tokens},
    presets::FitError,
    text::text_kind,
};

use crate::{
    args::FitArgs,
    error::CliError,
    excerpt::shown_lines,
    folders,
    programs::{PROGRAMS, name},
    settings::Settings,
    summary::grouped,
};

/// An output with at most this many characters is shown as it is. On 13 real sessions of coding agents, longer ones are
/// 1.4 % of the results and 31 % of their characters can be saved.
pub(crate) const SHORT_CHARS: usize = 8_000;

/// What is shown of an output that is mostly repetition: logs, test runs, JSON.
const FEW_TOKENS: Tokens = Tokens::new(1_000);

/// What is shown of an output whose every line is a finding: compilers, linters, lines found, diffs, listings.
const MORE_TOKENS: Tokens = Tokens::new(3_000);

/// Whether `text` has more characters than are shown as they are.
pub(crate) fn is_long(text: &[u8]) -> bool {
    // Every character has one byte that does not continue another.
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).nth(SHORT_CHARS).is_some()
}

/// Saves `text` in the file `name` in `folder`, which is made if it is not there, for its owner alone.
///
/// # Errors
/// If it cannot be written; nothing is left of it then.
pub(crate) fn save(folder: &Path, name: &str, text: &[u8]) -> io::Result<PathBuf> {
    folders::make_private(folder)?;
    let path = folder.join(name);
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text)?;
    file.persist(&path)?;
    Ok(path)
}

/// Removes a saved output that nothing names. One that cannot be removed does no harm.
pub(crate) fn discard(saved: &Path) {
    let _ = fs::remove_file(saved);
}

/// What is shown of an output.
pub(crate) enum Shown {
    /// All of it: it fits.
    Whole,
    /// An excerpt, and the last line.
    Excerpt(String),
    /// Nothing: even the shortest excerpt and the last line need this much.
    Nothing {
        /// Tokens needed.
        needed: Tokens,
    },
}

/// The usual budget for `text`, which the command of these words printed.
fn usual_budget(text: &str, command: &[&str]) -> Tokens {
    let known = PROGRAMS.list("compilers and linters").phrases();
    let names: Vec<&str> = command.iter().map(|word| name(word)).collect();
    let is_known = |name: &str| known.contains(&name);
    let finds =
        || names.iter().any(|name| is_known(name)) || names.windows(2).any(|pair| is_known(&pair.join(" ")));
    match text_kind(text) {
        TextKind::Log if finds() => MORE_TOKENS,
        TextKind::Log | TextKind::Json | TextKind::Other => FEW_TOKENS,
        _ => MORE_TOKENS,
    }
}

/// The excerpt of `text`, with a last line that says where the whole is `saved`. Both are within the budget.
///
/// # Errors
/// [`CliError`] if the settings are invalid.
pub(crate) fn shortened(
    text: String,
    saved: &Path,
    command: &[&str],
    flags: &FitArgs,
) -> Result<Shown, CliError> {
    let mut settings = Settings::resolve(flags)?;
    let budget = flags.budget.unwrap_or_else(|| usual_budget(&text, command));
    let counter = settings.fitter.counting.counter.clone();
    if counter.count(&text) <= budget {
        return Ok(Shown::Whole);
    }
    let of = text.lines().count();
    let last = |shown: usize| {
        let (shown, of) = (grouped(shown), grouped(of));
        format!("[contextfit: {shown} of {of} lines. Full output saved to: {}]\n", saved.display())
    };
    // A line feed before the last line may be one token more.
    let around = counter.count(&last(of)) + Tokens::new(1);
    settings.fitter.budget = Some(budget.saturating_sub(around));
    settings.fitter.reserve = None;
    let excerpt = match settings.fitter.excerpt(text, None) {
        Err(FitError::Fit(Error::Infeasible { needed, .. })) => {
            return Ok(Shown::Nothing { needed: needed + around });
        }
        excerpt => excerpt?,
    };
    let feed = if excerpt.result.text.ends_with('\n') { "" } else { "\n" };
    Ok(Shown::Excerpt([excerpt.result.text.as_str(), feed, &last(shown_lines(&excerpt))].concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_have_more_room() {
        let check = |command: &str, text: &str, expect: Tokens| {
            let command: Vec<&str> = command.split_whitespace().collect();
            assert_eq!(usual_budget(text, &command), expect, "{command:?}");
        };
        let errors = "error[E0308]: mismatched types\n  --> src/lib.rs:3:5\n".repeat(20);
        check("/usr/bin/cargo build", &errors, MORE_TOKENS);
        check("cargo test", &errors, FEW_TOKENS);
        check("tsc -p .", &errors, MORE_TOKENS);
        check("cd x && RUSTFLAGS=-Dwarnings timeout 60 cargo build", &errors, MORE_TOKENS);
        check("", &errors, FEW_TOKENS);
        check("rg x", &"src/a.rs:3: fn a() {}\nsrc/b.rs:14: fn b() {}\n".repeat(9), MORE_TOKENS);
    }
}
