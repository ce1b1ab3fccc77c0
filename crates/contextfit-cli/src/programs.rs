//! Programs by what they print.

use std::sync::LazyLock;

use contextfit::text::WordLists;

/// The lists of programs.
static PROGRAMS: LazyLock<WordLists> = LazyLock::new(|| WordLists::new([include_str!("programs.txt")]));

/// Whether one of `words`, or two in a row, is a program of the list called `list`.
pub(crate) fn are_among<'w>(list: &str, words: impl IntoIterator<Item = &'w str>) -> bool {
    let known = PROGRAMS.list(list).phrases();
    let names: Vec<&str> = words.into_iter().map(name).collect();
    names.iter().any(|name| known.contains(name))
        || names.windows(2).any(|pair| known.contains(&pair.join(" ").as_str()))
}

/// The words of a command, without the signs of the shell.
pub(crate) fn words(command: &str) -> impl Iterator<Item = &str> {
    let divides = |c: char| c.is_whitespace() || "'\"`(){}[]<>;&|!$\\".contains(c);
    command.split(divides).filter(|word| !word.is_empty())
}

/// The name of a program without its folder.
pub(crate) fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}
