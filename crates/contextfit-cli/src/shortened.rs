//! The output of a command as an agent is shown it: an excerpt, and where the whole is.

use std::{fs, path::Path};

use contextfit::{
    kernel::{Error, TextKind, Tokens},
    presets::{FINDINGS_TOKENS, FitError, ShownOutput, usual_output_budget},
    text::text_kind,
};
use contextfit_serve::LAST_LINE;

use crate::{
    args::FitArgs,
    error::CliError,
    programs::are_among,
    settings::Settings,
    summary::{counted, grouped},
};

/// The question to the output of a command that failed, if nobody asked one.
pub(crate) const WHY: &str = "why does it fail";

/// Removes a saved output that nothing names. One that cannot be removed does no harm.
pub(crate) fn discard(saved: &Path) {
    let _ = fs::remove_file(saved);
}

/// What is shown of an output.
pub(crate) enum Shown {
    /// All of it: it fits.
    Whole,
    /// An excerpt, and the last line.
    Excerpt(ShownOutput),
    /// Nothing: even the shortest excerpt and the last line need this much.
    Nothing {
        /// Tokens needed.
        needed: Tokens,
    },
}

/// The usual budget for `text`, which the command of these words printed.
fn usual_budget(text: &str, command: &[&str]) -> Tokens {
    let finds = || are_among("compilers and linters", command.iter().copied());
    match text_kind(text) {
        TextKind::Log if finds() => FINDINGS_TOKENS,
        kind => usual_output_budget(kind),
    }
}

/// The excerpt of `text`, with a last line that has the `note` and says where the whole is `saved`. Both are within the
/// budget.
///
/// # Errors
/// [`CliError`] if the settings are invalid.
pub(crate) fn shortened(
    text: String,
    saved: &Path,
    command: &[&str],
    flags: &FitArgs,
    note: &str,
) -> Result<Shown, CliError> {
    let fitter = Settings::resolve(flags)?.fitter;
    let budget = flags.budget.unwrap_or_else(|| usual_budget(&text, command));
    let last = |shown, of| {
        // If something of every line is shown, "5 of 5" would say that nothing is missing.
        let lines = match shown == of {
            true => format!("parts of {}", counted(of, "line", "lines")),
            false => format!("{} of {} lines", grouped(shown), grouped(of)),
        };
        format!("{LAST_LINE}{note}{lines}. Full output saved to: {}]", saved.display())
    };
    match fitter.output(text, Some(budget), last) {
        Err(FitError::Fit(Error::Infeasible { needed, .. })) => Ok(Shown::Nothing { needed }),
        shown => Ok(shown?.map_or(Shown::Whole, Shown::Excerpt)),
    }
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
        check("/usr/bin/cargo build", &errors, FINDINGS_TOKENS);
        check("cargo test", &errors, Tokens::new(1_000));
        check("tsc -p .", &errors, FINDINGS_TOKENS);
        check("cd x && RUSTFLAGS=-Dwarnings timeout 60 cargo build", &errors, FINDINGS_TOKENS);
        check("", &errors, Tokens::new(1_000));
        check("rg x", &"src/a.rs:3: fn a() {}\nsrc/b.rs:14: fn b() {}\n".repeat(9), FINDINGS_TOKENS);
    }
}
