//! `cargo xtask docs`: what documents say that commands print is what they print.
//!
//! A block of a document with lines that begin with `$ ` is a session: each such line is run in a folder that has what the
//! root has, one for each document, and the lines after it are its output, standard output first. `...` alone on a line
//! stands for any lines, and times are not compared. A page of the book is complete in itself: its `sh` blocks run in one
//! empty folder, and the `text` block after one is its output. What cannot be run here comes after the line
//! `<!-- example -->`. Every command in a block must have the flags that it is called with.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use regex::Regex;
use tempfile::TempDir;

use crate::{
    binary::{Binary, without_times},
    picture,
    say::{self, Result},
    workspace::{self, slashes},
};

/// The arguments of `docs`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail if an output or the picture differs from that of the current build
    #[arg(long)]
    check: bool,
}

/// Runs the commands in the documents and writes, or with `--check` compares, their outputs and the picture.
///
/// # Errors
/// What differs, with its place.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let binary = Binary::build_with_tests(&root)?;
    let mut shell = Shell { binary, root: root.clone(), home: tempfile::tempdir()?, helps: BTreeMap::new() };
    let mut report = Report::default();
    for path in pages(&root)? {
        let text = fs::read_to_string(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
        let fresh = Page { path: &path, text: &text }.refreshed(&mut shell, &mut report)?;
        if fresh != text && !args.check {
            fs::write(root.join(&path), fresh).map_err(|error| format!("{path}: {error}"))?;
            say::line(&format!("{path}: written"));
        } else if fresh != text {
            let line = 1 + text.lines().zip(fresh.lines()).take_while(|(old, new)| old == new).count();
            let new = fresh.lines().nth(line - 1).unwrap_or_default();
            report.problems.push(format!("{path}:{line}: the command prints: {new}"));
        }
    }
    report.problems.extend(picture::refresh(&shell.binary, &root, args.check)?);
    let Report { problems, compared, flagged, examples } = report;
    say::line(&format!(
        "docs: {compared} outputs compared, {flagged} commands with known flags, {examples} examples not run"
    ));
    match problems.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("{}\nrun `cargo xtask docs` to bring outputs up to date", problems.join("\n")).into())
        }
    }
}

/// Checks that the documents are up to date.
///
/// # Errors
/// Those of [`run`].
pub(crate) fn check() -> Result {
    run(&Args { check: true })
}

/// What was checked, and what is wrong.
#[derive(Debug, Default)]
struct Report {
    problems: Vec<String>,
    compared: usize,
    flagged: usize,
    examples: usize,
}

/// The documents with commands, relative to the root.
fn pages(root: &Path) -> Result<Vec<String>> {
    let mut pages = Vec::new();
    for entry in workspace::files(root) {
        let entry = entry?;
        let path = slashes(entry.path().strip_prefix(root)?);
        let is_ours = !path.contains('/') || path.starts_with("docs/");
        // Decisions are of their day.
        if is_ours && path.ends_with(".md") && !path.starts_with("docs/adr/") {
            pages.push(path);
        }
    }
    pages.sort();
    Ok(pages)
}

/// The lines of an output as they are compared.
fn compared(text: &str) -> Vec<String> {
    without_times(text.trim_end()).lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Whether `actual` is what `expected` says, in which `...` stands for any lines.
fn matches(expected: &[String], actual: &[String]) -> bool {
    let Some(gap) = expected.iter().position(|line| line == "...") else { return expected == actual };
    let (before, after) =
        (expected.get(..gap).unwrap_or_default(), expected.get(gap + 1..).unwrap_or_default());
    actual.starts_with(before)
        && (gap..=actual.len()).any(|at| matches(after, actual.get(at..).unwrap_or_default()))
}

/// A shell in which `contextfit` is the program under test.
struct Shell {
    binary: Binary,
    root: PathBuf,
    /// Where settings and states would be, of which there are none.
    home: TempDir,
    /// The help of each command.
    helps: BTreeMap<String, String>,
}

impl Shell {
    /// What `script` prints in `folder`: on standard output, and on standard error.
    fn run(&self, folder: &Path, script: &str) -> Result<(String, String, bool)> {
        let mut command = Command::new("sh");
        self.binary.isolate(&mut command)?;
        // Pages have settings of their own.
        command.env_remove("CONTEXTFIT_CONFIG").env("HOME", self.home.path());
        for state in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env(state, self.home.path());
        }
        let output = command.args(["-e", "-c", script]).current_dir(folder).output()?;
        Ok((String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?, output.status.success()))
    }

    /// The flags in `line`, a command of contextfit, that its help does not have.
    fn unknown_flags(&mut self, line: &str) -> Result<Vec<String>> {
        let words = words(line);
        let flags: Vec<&String> =
            words.iter().filter(|word| word.starts_with("--") && word.len() > 2).collect();
        let named =
            words.iter().skip(1).take_while(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        let named: Vec<&str> = named.take_while(|word| !word.starts_with('-')).map(String::as_str).collect();
        // `hook install` is a command; `chat request` is not.
        let mut help = String::new();
        for length in (0..=named.len().min(2)).rev() {
            help = self.help(named.get(..length).unwrap_or_default())?;
            if !help.is_empty() {
                break;
            }
        }
        let has = |flag: &str| {
            help.contains(&format!("{flag} "))
                || help.contains(&format!("{flag}\n"))
                || help.contains(&format!("{flag}["))
        };
        let known = ["--help", "--version", "--verbose"];
        let name = |flag: &String| flag.split('=').next().unwrap_or_default().to_owned();
        Ok(flags.into_iter().map(name).filter(|flag| !has(flag) && !known.contains(&flag.as_str())).collect())
    }

    /// The help of the command called `named`; empty if there is none.
    fn help(&mut self, named: &[&str]) -> Result<String> {
        let key = named.join(" ");
        if !self.helps.contains_key(&key) {
            let (help, _, is_known) = self.run(&self.root, &format!("contextfit {key} --help"))?;
            self.helps.insert(key.clone(), if is_known { help } else { String::new() });
        }
        Ok(self.helps.get(&key).cloned().unwrap_or_default())
    }
}

/// Quoted texts of a command.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""[^"]*"?|'[^']*'?"#).ok());

/// The words of a command up to a pipe, a redirection, a comment or another command, without quoted texts.
fn words(line: &str) -> Vec<String> {
    let plain = QUOTED.as_ref().map_or(line.into(), |quoted| quoted.replace_all(line, "\"\""));
    let is_end = |word: &&str| {
        matches!(*word, "|" | "&&" | ";" | ">" | "<" | "#" | "--" | "&") || word.starts_with(['>', '<', '#'])
    };
    plain.split_whitespace().take_while(|word| !is_end(word)).map(str::to_owned).collect()
}

/// A folder with links to what `root` has: what commands write into it does not end up in the repository.
fn linked(root: &Path) -> Result<TempDir> {
    let folder = tempfile::tempdir()?;
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name() != ".git" && entry.file_name() != "target" {
            #[cfg(unix)]
            std::os::unix::fs::symlink(entry.path(), folder.path().join(entry.file_name()))?;
        }
    }
    Ok(folder)
}

/// A document.
struct Page<'p> {
    path: &'p str,
    text: &'p str,
}

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block<'p> {
    /// The number of its first line, from 0, without that of the fence.
    first: usize,
    /// Its lines, as they are.
    lines: Vec<&'p str>,
    /// How far they are indented.
    indent: &'static str,
    language: &'p str,
    is_example: bool,
}

impl<'p> Page<'p> {
    /// The blocks of code, in order.
    fn blocks(&self) -> Vec<Block<'p>> {
        let mut blocks: Vec<Block<'p>> = Vec::new();
        let (mut open, mut is_example, mut before): (Option<Block<'p>>, bool, &str) = (None, false, "");
        for (n, line) in self.text.lines().enumerate() {
            let is_fence = line.starts_with("```");
            match &mut open {
                Some(_) if is_fence => blocks.extend(open.take()),
                Some(block) if block.indent.is_empty() => block.lines.push(line),
                Some(block) if line.starts_with("    ") || line.is_empty() => block.lines.push(line),
                _ => {
                    blocks.extend(open.take());
                    let block =
                        |first, lines, indent, language| Block { first, lines, indent, language, is_example };
                    if is_fence {
                        open = Some(block(n + 1, Vec::new(), "", line.trim_start_matches('`')));
                    } else if line.starts_with("    ") && before.is_empty() {
                        open = Some(block(n, vec![line], "    ", ""));
                    }
                    if !line.is_empty() {
                        is_example = line == "<!-- example -->";
                    }
                }
            }
            before = line;
        }
        blocks.extend(open);
        blocks
    }

    /// The page with the outputs of the current build.
    fn refreshed(&self, shell: &mut Shell, report: &mut Report) -> Result<String> {
        let mut lines: Vec<String> = self.text.lines().map(str::to_owned).collect();
        let is_book = self.path.starts_with("docs/book/");
        let folder = if is_book { tempfile::tempdir()? } else { linked(&shell.root)? };
        let mut printed: Option<String> = None;
        // From the end, so that the numbers of lines before stay.
        let mut changes: Vec<(usize, usize, Vec<String>)> = Vec::new();
        for block in self.blocks() {
            self.check_flags(&block, shell, report)?;
            if block.is_example {
                report.examples += 1;
                continue;
            }
            match block.language {
                "sh" if is_book => {
                    let (out, err, is_done) = shell.run(folder.path(), &block.lines.join("\n"))?;
                    if !is_done {
                        report
                            .problems
                            .push(format!("{}:{}: the commands fail: {err}", self.path, block.first));
                    }
                    printed = Some(out);
                }
                "text" if is_book => {
                    let out = printed.take().unwrap_or_default();
                    report.compared += 1;
                    let end = block.first + block.lines.len();
                    changes.extend(self.change(&block.lines, &out, (block.first, end), "", report));
                }
                _ => changes.extend(self.sessions(&block, (shell, folder.path()), report)?),
            }
        }
        for (from, to, fresh) in changes.into_iter().rev() {
            lines.splice(from..to, fresh);
        }
        let end = if self.text.ends_with('\n') { "\n" } else { "" };
        Ok(lines.join("\n") + end)
    }

    /// The changes that the sessions in `block` need.
    fn sessions(
        &self,
        block: &Block<'p>,
        (shell, folder): (&Shell, &Path),
        report: &mut Report,
    ) -> Result<Vec<(usize, usize, Vec<String>)>> {
        let plain = |line: &'p str| line.strip_prefix(block.indent).unwrap_or(line);
        let mut changes = Vec::new();
        let mut at = 0;
        while let Some(line) = block.lines.get(at).copied().map(plain) {
            at += 1;
            let Some(command) = line.strip_prefix("$ ") else { continue };
            let mut command = command.to_owned();
            while command.ends_with('\\')
                && let Some(more) = block.lines.get(at).copied().map(plain)
            {
                command = format!("{command}\n{more}");
                at += 1;
            }
            let rest = block.lines.get(at..).unwrap_or_default();
            let mut length = rest.iter().take_while(|line| !plain(line).starts_with("$ ")).count();
            // Blank lines at the end are between blocks.
            while length > 0 && rest.get(length - 1).is_some_and(|line| line.is_empty()) {
                length -= 1;
            }
            let (out, err, _) = shell.run(folder, &command)?;
            let gap = if out.is_empty() || out.ends_with('\n') { "" } else { "\n" };
            let expected: Vec<&str> = rest.iter().take(length).copied().map(plain).collect();
            let place = (block.first + at, block.first + at + length);
            report.compared += 1;
            let output = format!("{out}{gap}{err}");
            changes.extend(self.change(&expected, &output, place, block.indent, report));
            at += length;
        }
        Ok(changes)
    }

    /// The lines to replace if `expected` is not the output `actual`.
    fn change(
        &self,
        expected: &[&str],
        actual: &str,
        (from, to): (usize, usize),
        indent: &str,
        report: &mut Report,
    ) -> Option<(usize, usize, Vec<String>)> {
        let wanted = compared(&expected.join("\n"));
        if matches(&wanted, &compared(actual)) {
            return None;
        }
        if wanted.iter().any(|line| line == "...") {
            report.problems.push(format!(
                "{}:{}: the command prints something else; `...` has to be placed by hand:\n{actual}",
                self.path,
                from + 1
            ));
            return None;
        }
        let indented = |line: &str| match line.trim_end() {
            "" => String::new(),
            line => format!("{indent}{line}"),
        };
        Some((from, to, actual.trim_end().lines().map(indented).collect()))
    }

    /// Finds commands with flags that they do not have.
    fn check_flags(&self, block: &Block<'p>, shell: &mut Shell, report: &mut Report) -> Result {
        for (n, line) in block.lines.iter().enumerate() {
            let line = line.trim_start().trim_start_matches("$ ");
            let Some((_, command)) = line
                .split_once("contextfit ")
                .filter(|(before, _)| before.is_empty() || before.ends_with("| ") || before.ends_with("&& "))
            else {
                continue;
            };
            report.flagged += 1;
            for flag in shell.unknown_flags(&format!("contextfit {command}"))? {
                let place = block.first + n + 1;
                report
                    .problems
                    .push(format!("{}:{place}: contextfit {command}: there is no {flag}", self.path));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stand_for_any_lines() {
        let lines = |text: &str| compared(text);
        for (expected, actual, expect) in [
            ("a\nb", "a\nb\n", true),
            ("a 0.12 s", "a 3.40 s", true),
            ("a\n...\nd", "a\nb\nc\nd", true),
            ("a\n...\nb", "a\nb", true),
            ("...\nb\n...", "a\nb", true),
            ("a\n...", "b\na", false),
            ("a", "a\nb", false),
        ] {
            assert_eq!(matches(&lines(expected), &lines(actual)), expect, "{expected:?} {actual:?}");
        }
    }

    #[test]
    fn blocks_are_fenced_or_indented() {
        let text = "a\n\n    $ x\n    1\n\n    2\n\n<!-- example -->\n\n    $ y\n\nb\n```sh\nls\n```\n- list\n    not code\n";
        let blocks = Page { path: "", text }.blocks();
        let found: Vec<_> =
            blocks.iter().map(|block| (block.first, block.lines.join("|"), block.is_example)).collect();
        let expect = [(2, "    $ x|    1||    2|", false), (9, "    $ y|", true), (13, "ls", false)];
        assert_eq!(found, expect.map(|(n, lines, is_example)| (n, lines.to_owned(), is_example)));
    }

    #[test]
    fn words_of_a_command() {
        let line = "contextfit files . --query \"a --b | c\" --budget 2000 | contextfit count --json";
        assert_eq!(words(line).len(), 7);
        assert_eq!(words("contextfit run -- cargo test --all"), ["contextfit", "run"]);
    }
}
