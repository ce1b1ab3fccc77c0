//! What commands say and return.

use std::{
    error::Error,
    io::{self, Write as _},
};

use strsim::damerau_levenshtein;

/// At most this many names are suggested.
const SUGGESTIONS: usize = 3;

/// The result of every command; error messages are for people.
pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Writes a line to standard error, as cargo does, so that the order is kept.
pub(crate) fn line(text: &str) {
    // If standard error is closed, there is nobody left to inform.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a line to standard output: what a command was asked for, without its progress.
pub(crate) fn result(text: &str) {
    // If standard output is closed, nobody wants to know.
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// That no `what` is called `name`, and the nearest names: first those that contain it, then those with the fewest
/// differences, with the prefix that most crates share or without.
pub(crate) fn unknown<'k>(what: &str, name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let distance = |of: &str| {
        let short = of.strip_prefix("contextfit-").unwrap_or(of);
        (!short.contains(name), damerau_levenshtein(of, name).min(damerau_levenshtein(short, name)))
    };
    let mut names: Vec<&str> = known.collect();
    names.sort_by_key(|of| distance(of));
    names.truncate(SUGGESTIONS);
    format!("no {what} is called `{name}`; the nearest names are {}", names.join(", "))
}
