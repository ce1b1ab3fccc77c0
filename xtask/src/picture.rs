//! `cargo xtask picture`: draws the picture in the README from a real run: the table of blocks, the summary, and the
//! beginning of the context, as SVG with its own background, readable on light and dark pages.

use std::{fs, path::Path};

use anstyle_svg::Term;

use crate::{
    binary::{Binary, Printed, without_times},
    say::{self, Result},
    workspace,
};

/// The path of the picture, relative to the root.
const PICTURE: &str = "docs/images/files.svg";

/// The question of the README, about the crate that answers it, because every change of the whole repository would change
/// the picture.
const ARGUMENTS: [&str; 6] =
    ["files", "crates/contextfit-pipeline", "--query", "where is the budget enforced", "--budget", "1000"];

/// The most lines of the context.
const CONTEXT_LINES: usize = 28;
/// Longer lines are cut off, as in a terminal.
const WIDTH: usize = 118;

/// The escape sequences of styles.
const COMMAND: &str = "\x1b[1;92m";
const HEADER: &str = "\x1b[1;94m";
const MARKER: &str = "\x1b[93m";
const SUMMARY: &str = "\x1b[1;97m";
const NOTE: &str = "\x1b[3;90m";
const PLAIN: &str = "\x1b[0m";

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
/// If the run fails, or the picture cannot be written.
pub(crate) fn refresh(binary: &Binary, root: &Path, is_check: bool) -> Result<Option<String>> {
    let mut arguments = ARGUMENTS.to_vec();
    arguments.push("--explain");
    let printed = binary.run(&arguments)?;
    let fresh = Term::new().render_svg(&screen(&command(&arguments), &printed));
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

/// What a terminal shows of the run, in colours: the command, the table of blocks without the scores below it, the
/// summary, and the first lines of the context.
fn screen(command: &str, printed: &Printed) -> String {
    let mut screen = format!("{COMMAND}$ {command}{PLAIN}\n");
    let mut add = |style: &str, line: &str| {
        let cut: String = line.chars().take(WIDTH).collect();
        let more = if cut.len() < line.len() { "…" } else { "" };
        screen.push_str(&format!("{style}{cut}{more}{PLAIN}\n"));
    };
    let is_score = |line: &&str| line.contains("  (") && line.ends_with(')');
    let (summary, table) =
        printed.err.trim_end().rsplit_once('\n').map_or(("", ""), |(table, last)| (last, table));
    table.lines().filter(|line| !is_score(line)).for_each(|line| add("", line.trim_end()));
    add(SUMMARY, summary);
    let mut context = printed.out.lines();
    for line in context.by_ref().take(CONTEXT_LINES) {
        let style = match line {
            _ if line.starts_with("File: ") => HEADER,
            _ if line.contains("... ") && line.trim_start().starts_with("//") || line.contains("/* ... ") => {
                MARKER
            }
            _ => "",
        };
        add(style, line);
    }
    if context.next().is_some() {
        add(NOTE, "(and so on)");
    }
    screen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_as_it_is_shown() {
        let expect = "contextfit files crates/contextfit-pipeline --query \"where is the budget enforced\" --budget 1000";
        assert_eq!(command(&ARGUMENTS), expect);
    }

    #[test]
    fn the_picture_shows_the_run() {
        let err = " block      level   tokens   reason          \n──────────\n src/a.rs       2      1,5   no room for all: kept 9 of 158\n 11.33  src/a.rs:133 fit  (words +2.48)\nkept 1 of 2 files · 0.1 s\n";
        let out =
            "File: src/a.rs\n\nfn a() {\n    // ... 3 lines\n}\n".to_owned() + &"x\n".repeat(CONTEXT_LINES);
        let screen = screen("contextfit", &Printed { out, err: err.into() });
        let bare: Vec<&str> = screen.lines().take(9).collect();
        let expect = [
            "\x1b[1;92m$ contextfit\x1b[0m",
            " block      level   tokens   reason\x1b[0m",
            "──────────\x1b[0m",
            " src/a.rs       2      1,5   no room for all: kept 9 of 158\x1b[0m",
            "\x1b[1;97mkept 1 of 2 files · 0.1 s\x1b[0m",
            "\x1b[1;94mFile: src/a.rs\x1b[0m",
            "\x1b[0m",
            "fn a() {\x1b[0m",
            "\x1b[93m    // ... 3 lines\x1b[0m",
        ];
        assert_eq!(bare, expect);
        assert!(screen.ends_with("(and so on)\x1b[0m\n"));
    }
}
