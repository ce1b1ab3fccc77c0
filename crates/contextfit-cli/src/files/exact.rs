//! Files, and lines of files, to keep verbatim, such as those that will be edited.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    str::FromStr,
};

use contextfit::{
    formats::{Exact, Lines},
    kernel::{Block, Passage},
};

use super::{
    gather::Gathered,
    read::{Reading, label},
    walk::{Found, tidy},
};
use crate::{decode::Text, error::CliError, own, settings::Settings};

/// `PATH` or `PATH:FROM-TO`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExactArg {
    pub(super) path: PathBuf,
    /// `None` for the whole file. Of lines, it becomes several blocks.
    pub(super) lines: Option<Lines>,
}

impl FromStr for ExactArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_range = |range: &str| {
            !range.is_empty() && range.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        };
        let Some((path, range)) = text.rsplit_once(':').filter(|(_, range)| is_range(range)) else {
            return Ok(Self { path: text.into(), lines: None });
        };
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let lines = from.parse().ok().zip(to.parse().ok()).and_then(|(from, to)| Lines::new(from, to));
        let lines = lines
            .ok_or_else(|| format!("expected a range of lines FROM-TO, counting from 1, found {range}"))?;
        Ok(Self { path: path.into(), lines: Some(lines) })
    }
}

/// Whether each of `exact` is among `files`.
pub(crate) fn among(exact: &[ExactArg], files: &[Found]) -> Vec<bool> {
    exact.iter().map(|exact| files.iter().any(|file| is_same(&exact.path, &file.path))).collect()
}

/// Whether two paths lead to the same file.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b
        || (a.file_name() == b.file_name()
            && fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b)))
}

/// Pins what `exact` names, adding files that are not among the gathered ones. `known` says which of `exact` the walk
/// found.
///
/// # Errors
/// [`CliError::Usage`] if a file cannot be read as text or does not have the lines.
pub(crate) fn pin(
    exact: &[ExactArg],
    known: &[bool],
    gathered: &mut Gathered,
    settings: &Settings,
    allow_secrets: bool,
) -> Result<(), CliError> {
    // A file is called by its path until it is divided.
    let mut wanted: HashMap<String, Vec<&ExactArg>> = HashMap::new();
    for (arg, known) in exact.iter().zip(known) {
        let found = gathered.blocks.iter().find(|block| is_same(&arg.path, Path::new(&block.id)));
        let path = match found {
            Some(block) => block.id.clone(),
            None => {
                let found = read_exact(&arg.path, allow_secrets)?;
                let name = label(&tidy(&arg.path));
                // What contextfit wrote has been skipped, not counted.
                let before = gathered.skipped.len();
                gathered.skipped.retain(|(path, _)| *path != name);
                if *known && before == gathered.skipped.len() {
                    gathered.omitted = gathered.omitted.saturating_sub(1);
                    let tokens = settings.fitter.counting.counter.count(&found.text);
                    gathered.omitted_tokens = gathered.omitted_tokens.saturating_sub(tokens);
                }
                gathered.guessed.extend(found.guessed.map(|_| name.clone()));
                gathered.own.extend(own::written(found.text.as_bytes()).map(|what| (name, what)));
                let path = arg.path.display().to_string();
                let raw = found.raw.filter(|_| settings.store.is_some());
                gathered.raw.extend(raw.map(|bytes| (path.clone(), bytes)));
                let passage = Passage::at(path.clone());
                gathered.blocks.push(Block::passage(path.clone(), passage, found.text));
                path
            }
        };
        wanted.entry(path).or_default().push(arg);
    }
    gathered.blocks.sort_by(|a, b| Path::new(&a.id).cmp(Path::new(&b.id)));
    for block in std::mem::take(&mut gathered.blocks) {
        match wanted.get(&block.id) {
            Some(args) => gathered.blocks.extend(lines(args, &block)?.pin(block)),
            None => gathered.blocks.push(block),
        }
    }
    Ok(())
}

fn read_exact(path: &Path, allow_secrets: bool) -> Result<Text, CliError> {
    let reading = Reading { allow_secrets, named: HashSet::from([label(path)]), known: None };
    reading.read(path).map_err(|error| CliError::Usage(format!("--exact {}: {error}", label(path))))
}

/// Which lines of the file `block` to keep verbatim.
fn lines(args: &[&ExactArg], block: &Block) -> Result<Exact, CliError> {
    let all = block.text.lines().count();
    let mut runs = Vec::new();
    for arg in args {
        match arg.lines {
            Some(lines) if lines.last() > all => {
                let noun = if all == 1 { "line" } else { "lines" };
                let path = &block.id;
                return Err(CliError::Usage(format!("--exact {path}: the file has only {all} {noun}")));
            }
            Some(lines) => runs.push(lines),
            None => return Ok(Exact::Whole(true)),
        }
    }
    Ok(Exact::Lines(runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<(&str, Option<(usize, usize)>)>) {
        let expect = expect.map(|(path, lines)| ExactArg {
            path: path.into(),
            lines: lines.and_then(|(from, to)| Lines::new(from, to)),
        });
        assert_eq!(text.parse::<ExactArg>().ok(), expect);
    }

    #[test]
    fn paths_and_lines() {
        check("src/a.rs", Some(("src/a.rs", None)));
        check("src/a.rs:3-9", Some(("src/a.rs", Some((3, 9)))));
        check("src/a.rs:3", Some(("src/a.rs", Some((3, 3)))));
        check("C:/a.rs", Some(("C:/a.rs", None)));
        check("a:b", Some(("a:b", None)));
        check("a.rs:9-3", None);
        check("a.rs:0-3", None);
        check("a.rs:-", None);
    }
}
