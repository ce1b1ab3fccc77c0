//! `cargo xtask picture`: draws the picture in the README from a real run.

mod scene;
mod svg;

use std::fs;

use crate::{Result, binary::Binary, say, workspace};

/// The path of the picture, relative to the root.
const PICTURE: &str = "docs/images/files.svg";

/// The main example of the README, run on this repository.
const ARGUMENTS: [&str; 6] = ["files", ".", "--query", "where is the budget enforced", "--budget", "2000"];

/// Runs the command and draws what it printed.
///
/// # Errors
/// If the run fails, its output cannot be drawn, or the picture cannot be written.
pub(crate) fn run() -> Result {
    let root = workspace::root();
    let mut arguments = ARGUMENTS.to_vec();
    arguments.push("--explain");
    let printed = Binary::build(&root)?.run(&arguments)?;
    let lines = scene::lines(&command(&arguments), &printed)?;
    let picture = root.join(PICTURE);
    if let Some(folder) = picture.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&picture, svg::draw(&lines)).map_err(|error| format!("{PICTURE}: {error}"))?;
    say::line(&format!("{PICTURE}: written"));
    Ok(())
}

/// The shell command, with arguments quoted if they contain spaces.
fn command(arguments: &[&str]) -> String {
    let quoted = arguments.iter().map(|argument| match argument.contains(' ') {
        true => format!("\"{argument}\""),
        false => (*argument).to_owned(),
    });
    ["contextfit".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_as_it_is_shown() {
        let expect = "contextfit files . --query \"where is the budget enforced\" --budget 2000";
        assert_eq!(command(&ARGUMENTS), expect);
    }
}
