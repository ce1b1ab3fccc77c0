//! `cargo xtask picture`: draws the picture in the README from a real run: the table of blocks, the summary, and a part
//! of the context, as SVG with its own background, readable on light and dark pages.

use std::{fmt::Write as _, fs, path::Path};

use crate::{
    binary::{Binary, Printed, without_times},
    figures::float,
    say::{self, Result},
    workspace,
};

/// The path of the picture, relative to the root.
const PICTURE: &str = "docs/images/files.svg";

/// The question of the README, about the crate that answers it, because every change of the whole repository would change
/// the picture.
const ARGUMENTS: [&str; 6] =
    ["files", "crates/contextfit-pipeline", "--query", "where is the budget enforced", "--budget", "1000"];

/// Runs the command and draws what it printed. `cargo xtask docs --check` compares.
///
/// # Errors
/// If the run fails, its output cannot be drawn, or the picture cannot be written.
pub(crate) fn run() -> Result {
    let root = workspace::root();
    refresh(&Binary::build_with_tests(&root)?, &root, false).map(drop)
}

/// Draws the picture by `binary`; with `is_check` only compares it, and returns what is wrong with it.
///
/// # Errors
/// If the run fails, its output cannot be drawn, or the picture cannot be written.
pub(crate) fn refresh(binary: &Binary, root: &Path, is_check: bool) -> Result<Option<String>> {
    let mut arguments = ARGUMENTS.to_vec();
    arguments.push("--explain");
    let printed = binary.run(&arguments)?;
    let fresh = draw(&lines(&command(&arguments), &printed)?);
    let picture = root.join(PICTURE);
    let drawn = fs::read_to_string(&picture).unwrap_or_default();
    if without_times(&drawn) == without_times(&fresh) {
        say::line(&format!("{PICTURE}: up to date"));
        return Ok(None);
    }
    if is_check {
        return Ok(Some(format!(
            "{PICTURE}: differs from what the current build prints; run `cargo xtask picture`"
        )));
    }
    if let Some(folder) = picture.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&picture, fresh).map_err(|error| format!("{PICTURE}: {error}"))?;
    say::line(&format!("{PICTURE}: written"));
    Ok(None)
}

/// The shell command, with arguments quoted if they contain spaces.
fn command(arguments: &[&str]) -> String {
    let quoted = arguments.iter().map(|argument| match argument.contains(' ') {
        true => format!("\"{argument}\""),
        false => (*argument).to_owned(),
    });
    ["contextfit".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}

/// The most rows of the table.
const ROWS: usize = 12;
/// The most lines of the context.
const EXCERPT: usize = 26;
/// Longer lines are cut off, as in a terminal.
const WIDTH: usize = 100;
/// Longer block names lose their start.
const NAME: usize = 48;

/// The style of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The command.
    Command,
    /// A heading of the table.
    Heading,
    /// Output of contextfit.
    Plain,
    /// The header of a block.
    Header,
    /// A marker for omitted text.
    Marker,
    /// The summary.
    Summary,
    /// A note on what the picture leaves out.
    Note,
}

/// A line of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    pub style: Style,
    pub text: String,
}

impl Line {
    fn new(style: Style, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        let text = match text.char_indices().nth(WIDTH).filter(|_| style != Style::Command) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
            None => text.to_owned(),
        };
        Self { style, text }
    }
}

/// A row of the table that `--explain` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row<'t> {
    block: &'t str,
    level: &'t str,
    tokens: &'t str,
    reason: &'t str,
}

impl<'t> Row<'t> {
    /// The row on `line`: columns are separated by at least two spaces.
    fn parse(line: &'t str) -> Option<Self> {
        let mut columns = line.split("  ").map(str::trim).filter(|column| !column.is_empty());
        let row = Self {
            block: columns.next()?,
            level: columns.next()?,
            tokens: columns.next()?,
            reason: columns.next()?,
        };
        let is_row = row.level == "-" || row.level.parse::<u8>().is_ok();
        is_row.then_some(row)
    }

    fn tokens(&self) -> usize {
        self.tokens.replace(',', "").parse().unwrap_or_default()
    }

    fn line(&self, width: usize) -> String {
        format!(" {:<width$}  {:>5}  {:>6}  {}", self.name(), self.level, self.tokens, self.reason)
    }

    /// The end of the block's name, which is more informative than its start.
    fn name(&self) -> String {
        let letters = self.block.chars().count();
        match letters.checked_sub(NAME) {
            None | Some(0) => self.block.to_owned(),
            Some(more) => format!("…{}", self.block.chars().skip(more + 1).collect::<String>()),
        }
    }
}

/// The lines of the picture.
///
/// # Errors
/// If the run printed no table or no summary.
fn lines(command: &str, printed: &Printed) -> Result<Vec<Line>> {
    let rows: Vec<Row> = printed.err.lines().filter_map(Row::parse).collect();
    let summary =
        printed.err.lines().rfind(|line| line.starts_with("kept ")).ok_or("no summary was printed")?;
    let mut shown: Vec<&Row> = rows.iter().filter(|row| row.level != "-").collect();
    let all = shown.len();
    // The largest blocks, in the order of the table.
    shown.sort_by_key(|row| std::cmp::Reverse(row.tokens()));
    // An extract shows more of what was done than a whole file.
    let extract = shown.iter().find(|row| row.level == "2").or(shown.first());
    let example = extract.map(|row| row.block).ok_or("no block is shown")?;
    shown.truncate(ROWS);
    let shown: Vec<&Row> =
        rows.iter().filter(|row| shown.iter().any(|other| std::ptr::eq(*row, *other))).collect();

    let width = shown.iter().map(|row| row.name().chars().count()).max().unwrap_or_default();
    let head = Row { block: "block", level: "level", tokens: "tokens", reason: "reason" };
    let mut lines = vec![Line::new(Style::Command, format!("$ {command}"))];
    lines.push(Line::new(Style::Heading, head.line(width)));
    lines.extend(shown.iter().map(|row| Line::new(Style::Plain, row.line(width))));
    if all > shown.len() {
        lines.push(Line::new(Style::Note, format!(" (and {} smaller ones)", all - shown.len())));
    }
    lines.extend(folded(summary).into_iter().map(|part| Line::new(Style::Summary, part)));
    lines.push(Line::new(Style::Note, ""));
    lines.extend(excerpt(&printed.out, example));
    Ok(lines)
}

/// The summary, wrapped between figures onto as many lines as it takes.
fn folded(summary: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in summary.split_inclusive(" · ") {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.trim_end().chars().count() <= WIDTH => {
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// The first lines of `block` as the context shows it.
fn excerpt(context: &str, block: &str) -> Vec<Line> {
    let header = format!("File: {block}");
    let all: Vec<&str> = context.lines().collect();
    let from = all.iter().position(|line| *line == header).unwrap_or(all.len());
    let own = all.get(from..).unwrap_or_default();
    // A file may contain such a line too; it is a separator only before another block.
    let parts =
        |pair: &[&str]| matches!(pair, ["---", next] if next.starts_with("File: ") || next.starts_with('['));
    let own = own.get(..own.windows(2).position(parts).unwrap_or(own.len())).unwrap_or_default();
    let mut lines: Vec<Line> =
        own.iter().take(EXCERPT).map(|line| Line::new(style(line, &header), line)).collect();
    if own.len() > EXCERPT {
        lines.push(Line::new(Style::Note, "(and so on)"));
    }
    lines
}

fn style(line: &str, header: &str) -> Style {
    match line {
        _ if line == header => Style::Header,
        _ if is_marker(line) || is_fold(line) => Style::Marker,
        _ => Style::Plain,
    }
}

/// Whether `line` is a fold marker of an outline: `//12 lines...`, `//12...`.
fn is_fold(line: &str) -> bool {
    let said = line.trim_start_matches(|c: char| !c.is_alphanumeric()).strip_suffix("...");
    let numbered = said.map(|said| said.trim_start_matches(|c: char| c.is_ascii_digit()));
    said != numbered && matches!(numbered, Some("" | " line" | " lines"))
}

/// Whether `line` is a marker of omitted text: `// ... 12 lines`.
fn is_marker(line: &str) -> bool {
    line.split_once("... ").is_some_and(|(before, behind)| {
        !before.contains(char::is_alphanumeric) && behind.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// The font size and the line height, in pixels.
const FONT: f64 = 12.5;
const LINE: f64 = 18.0;
/// The width of a letter in common fixed-width fonts, to size the panel.
const LETTER: f64 = FONT * 0.61;
const MARGIN: f64 = 18.0;

/// Draws the picture.
fn draw(lines: &[Line]) -> String {
    let longest = lines.iter().map(|line| line.text.chars().count()).max().unwrap_or_default();
    let width = (float(longest) * LETTER + 2.0 * MARGIN).ceil();
    let height = (float(lines.len()) * LINE + 2.0 * MARGIN).ceil();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>A run of contextfit: the outcome for each file, the summary, and a part of the context</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#1b222c\" stroke=\"#6b7685\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"{FONT}\" xml:space=\"preserve\">\n",
        width - 1.0,
        height - 1.0
    );
    for (n, line) in lines.iter().enumerate().filter(|(_, line)| !line.text.is_empty()) {
        let y = MARGIN + float(n) * LINE + FONT;
        let (fill, weight) = look(line.style);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{fill}\"{weight} xml:space=\"preserve\">{}</text>",
            escaped(&line.text)
        );
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The colour of a style, and its other attributes.
const fn look(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Command => ("#7ee0a2", " font-weight=\"bold\""),
        Style::Heading => ("#93a1b3", ""),
        Style::Plain => ("#d6dde6", ""),
        Style::Header => ("#79b8ff", " font-weight=\"bold\""),
        Style::Marker => ("#f0b866", ""),
        Style::Summary => ("#ffffff", " font-weight=\"bold\""),
        Style::Note => ("#93a1b3", " font-style=\"italic\""),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_as_it_is_shown() {
        let expect = "contextfit files crates/contextfit-pipeline --query \"where is the budget enforced\" --budget 1000";
        assert_eq!(command(&ARGUMENTS), expect);
    }

    const TABLE: &str = " block      level   tokens   reason          \n──────────\n src/a.rs       2      1,5   no room for all: kept 9 of 158\n b c.rs         -        0   no room for its 5 tokens\nkept 1 of 2 files · 0.1 s\n";

    #[test]
    fn rows_are_told_from_everything_else() {
        let rows: Vec<_> = TABLE.lines().filter_map(Row::parse).collect();
        assert_eq!(
            rows.iter().map(|row| (row.block, row.level, row.tokens())).collect::<Vec<_>>(),
            [("src/a.rs", "2", 15), ("b c.rs", "-", 0)]
        );
    }

    #[test]
    fn the_picture_shows_the_run() {
        let out = "File: x\n\nx\n---\nFile: src/a.rs\n\nfn a() {\n---\n// ... 3 lines\n}\n---\nFile: y\n";
        let lines = lines("contextfit", &Printed { out: out.into(), err: TABLE.into() }).unwrap();
        let texts: Vec<_> = lines.iter().map(|line| (line.style, line.text.as_str())).collect();
        assert_eq!(
            texts,
            [
                (Style::Command, "$ contextfit"),
                (Style::Heading, " block     level  tokens  reason"),
                (Style::Plain, " src/a.rs      2     1,5  no room for all: kept 9 of 158"),
                (Style::Summary, "kept 1 of 2 files · 0.1 s"),
                (Style::Note, ""),
                (Style::Header, "File: src/a.rs"),
                (Style::Plain, ""),
                (Style::Plain, "fn a() {"),
                (Style::Plain, "---"),
                (Style::Marker, "// ... 3 lines"),
                (Style::Plain, "}"),
            ]
        );
    }

    #[test]
    fn folds_are_markers() {
        for (line, expect) in
            [("    //12...", true), ("#1 line...", true), ("    ... #7...", true), ("a...", false)]
        {
            assert_eq!(is_fold(line), expect, "{line}");
        }
    }

    #[test]
    fn long_names_and_summaries_are_made_to_fit() {
        let long = format!("crates/{}.rs", "x".repeat(80));
        let row = Row { block: &long, level: "2", tokens: "1", reason: "r" };
        assert_eq!(row.name().chars().count(), NAME);
        assert!(row.name().starts_with("…x") && row.name().ends_with("x.rs"));
        let parts = [30, 60, 9, 90].map(|n| "y".repeat(n));
        let lines = folded(&parts.join(" · "));
        assert_eq!(lines.concat(), parts.join(" · "));
        assert_eq!(lines.len(), 3);
        assert_eq!(folded("short"), ["short"]);
    }

    #[track_caller]
    fn check_marker(line: &str, expect: bool) {
        assert_eq!(is_marker(line), expect, "{line}");
    }

    #[test]
    fn markers_count_what_is_missing() {
        check_marker("// ... 12 lines", true);
        check_marker("[... 3 sentences]", true);
        check_marker("    let x = [a, ..b];", false);
        check_marker("// and so on ...", false);
    }

    #[test]
    fn a_run_that_printed_something_else_is_an_error() {
        assert!(lines("x", &Printed { out: String::new(), err: String::new() }).is_err());
    }

    #[test]
    fn every_line_with_text_is_drawn() {
        let line = |style, text: &str| Line { style, text: text.into() };
        let svg = draw(&[
            line(Style::Command, "$ x"),
            line(Style::Note, ""),
            line(Style::Plain, "fn a<T>(x: &T) -> T"),
        ]);
        assert_eq!(svg.matches("<text ").count(), 2);
        assert!(svg.contains(">fn a&lt;T&gt;(x: &amp;T) -&gt; T</text>"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
