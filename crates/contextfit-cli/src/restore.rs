//! `restore`: the original text for a handle.

use std::{fmt::Write as _, path::PathBuf};

use clap::ValueHint;
use contextfit::{feedback::Event, formats::Lines};
use regex::Regex;
use serde_json::Value;

use crate::{
    decode::{Nuls, decode},
    error::CliError,
    feedback,
    history::HistoryArgs,
    output, store,
};

/// The flags of `restore`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit search request.json --budget 1200 --store > answer.json
  contextfit restore $(jq -r '.blocks[2].original' answer.json)
  contextfit restore 7f3a9c1b --lines 100-180
  contextfit restore $HANDLE --grep 'timed? out'
  contextfit restore 7f3a9c1b --report result.json

Prints the text byte for byte. A damaged text is an error and is never printed. Messages are stored as JSON; --text, \
--lines and --grep work on their text.")]
pub(crate) struct RestoreArgs {
    /// Handle from a marker (`restore 7f3a9c1b`) or an answer (`blocks[].original`), or at least its first six digits
    handle: String,
    /// Print the text of a message instead of its JSON
    #[arg(long)]
    text: bool,
    /// Print only these lines, counting from 1
    #[arg(long, value_name = "FROM-TO", value_parser = lines)]
    lines: Option<Lines>,
    /// Print only the lines that match a regular expression, with their numbers
    #[arg(long, value_name = "PATTERN", conflicts_with = "lines")]
    grep: Option<Regex>,
    /// The report of the run that gave the handle: record that the block was needed (see contextfit feedback)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    report: Option<PathBuf>,
    #[command(flatten)]
    history: HistoryArgs,
    #[command(flatten)]
    place: store::PlaceArgs,
}

/// Parses a range of lines: `100-180`, `100-` or `100`.
fn lines(text: &str) -> Result<Lines, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let range = match text.split_once('-') {
        Some((from, "")) => number(from).map(|from| (from, usize::MAX)),
        Some((from, to)) => number(from).zip(number(to)),
        None => number(text).map(|line| (line, line)),
    };
    let lines = range.and_then(|(from, to)| Lines::new(from, to));
    lines.ok_or_else(|| "expected FROM-TO, such as 100-180".into())
}

/// Prints the original, or the requested part of it.
///
/// # Errors
/// [`CliError::Failed`] if there is no such line, or none matches, or the report has no such handle.
pub(crate) fn run(args: &RestoreArgs) -> Result<(), CliError> {
    if args.report.is_none() && args.history.is_given() {
        return Err(CliError::Usage(
            "--history and --config need --report, which says what was restored".into(),
        ));
    }
    let original = args.place.load(&args.handle)?;
    let part = match args.text || args.lines.is_some() || args.grep.is_some() {
        true => part(&text_of(original), args.lines, args.grep.as_ref())?.into_bytes(),
        false => original,
    };
    output::bytes(&part)?;
    match &args.report {
        Some(report) => feedback::record_handle(report, &args.handle, Event::Restored, &args.history),
        None => Ok(()),
    }
}

/// The text that `original` was read as, but with its NULs; of a message, what it says.
pub(crate) fn text_of(original: Vec<u8>) -> String {
    // What was stored has been read as text, so it is not binary.
    let text = decode(original, Nuls::Kept).unwrap_or_default().text;
    message_text(&text).unwrap_or(text)
}

/// The text of a message, its parts joined; `None` if `original` is not a message.
fn message_text(original: &str) -> Option<String> {
    let message: Value =
        serde_json::from_str(original).ok().filter(|value: &Value| value.get("role").is_some())?;
    let said = message.get("content").or_else(|| message.get("output"))?;
    let mut text = String::new();
    collect(said, &mut text);
    Some(text)
}

/// Appends the texts of a message's content, or of a part of it.
fn collect(content: &Value, text: &mut String) {
    match content {
        Value::String(said) => text.push_str(said),
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, text)),
        Value::Object(part) => {
            ["text", "content"].iter().filter_map(|key| part.get(*key)).for_each(|part| collect(part, text));
        }
        _ => {}
    }
}

/// The `lines` of `text` or all, and of these the ones that match `pattern`, with their numbers.
///
/// # Errors
/// [`CliError::Failed`] if there is no such line, or none matches.
pub(crate) fn part(text: &str, lines: Option<Lines>, pattern: Option<&Regex>) -> Result<String, CliError> {
    let (from, to) = lines.map_or((1, usize::MAX), <(usize, usize)>::from);
    let asked = text.split_inclusive('\n').zip(1..).skip(from - 1).take_while(|(_, n)| *n <= to);
    let Some(pattern) = pattern else {
        let part: String = asked.map(|(line, _)| line).collect();
        if part.is_empty() && lines.is_some() {
            let all = text.lines().count();
            return Err(CliError::Failed(format!("line {from} does not exist: the text ends at line {all}")));
        }
        return Ok(part);
    };
    let mut found = String::new();
    for (line, n) in asked {
        let line = line.trim_end_matches(['\n', '\r']);
        if pattern.is_match(line) {
            // Writing to a string cannot fail.
            let _ = writeln!(found, "{n}:{line}");
        }
    }
    match found.is_empty() {
        true => Err(CliError::Failed(format!("no line matches {pattern}"))),
        false => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<(usize, usize)>) {
        assert_eq!(lines(text).ok().map(<(usize, usize)>::from), expect, "{text}");
    }

    #[test]
    fn ranges_of_lines() {
        check("100-180", Some((100, 180)));
        check("7", Some((7, 7)));
        check("7-", Some((7, usize::MAX)));
        check("0-3", None);
        check("9-3", None);
        check("-3", None);
        check("x", None);
    }

    #[test]
    fn texts_of_messages() {
        let check =
            |original: &str, expect: Option<&str>| assert_eq!(message_text(original).as_deref(), expect);
        check(r#"{"role": "tool", "content": "a\nb"}"#, Some("a\nb"));
        check(
            r#"{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "x"}]}]}"#,
            Some("x"),
        );
        check(r#"{"content": "a"}"#, None);
        check("plain", None);
    }
}
