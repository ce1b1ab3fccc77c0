//! Programs by what they print.

use std::sync::LazyLock;

use contextfit::text::WordLists;

/// The lists of programs.
pub(crate) static PROGRAMS: LazyLock<WordLists> =
    LazyLock::new(|| WordLists::new([include_str!("programs.txt")]));

/// The words of a command, without the signs of the shell.
pub(crate) fn words(command: &str) -> impl Iterator<Item = &str> {
    let divides = |c: char| c.is_whitespace() || "'\"`(){}[]<>;&|!$\\".contains(c);
    command.split(divides).filter(|word| !word.is_empty())
}

/// The name of a program without its folder.
pub(crate) fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
