//! `cargo xtask codegen`: sources generated from data, and the page of each package from its documentation.

mod models;
mod pages;
mod vocabulary;

use std::{fs, path::Path};

use crate::{
    program::format,
    say::{self, Result},
    workspace,
};

/// The data, relative to the root.
const SOURCE: &str = "crates/contextfit-text/models.toml";
/// The generated table, relative to the root.
const TABLE: &str = "crates/contextfit-text/src/model/table.rs";
const PRICES: &str = "crates/contextfit-text/src/model/price_table.rs";

/// The arguments of `codegen`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail if a generated file is not up to date
    #[arg(long)]
    check: bool,
}

/// Generates the files, or checks the existing ones.
///
/// # Errors
/// If the data is invalid, a file cannot be written, or a checked file is out of date.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let text = fs::read_to_string(root.join(SOURCE)).map_err(|error| format!("{SOURCE}: {error}"))?;
    let source = models::parse(&text).map_err(|error| format!("{SOURCE}: {error}"))?;
    bring_up_to_date(&root, TABLE, &models::table(&source), args)?;
    bring_up_to_date(&root, PRICES, &models::prices(&source), args)?;
    for (name, bytes) in vocabulary::generate(&root)? {
        let path = root.join(&name);
        let is_stale = fs::read(&path).ok().as_ref() != Some(&bytes);
        if is_stale && args.check {
            return Err(format!("{name}: differs from tiktoken-rs; run `cargo xtask codegen`").into());
        }
        if is_stale {
            fs::write(&path, bytes).map_err(|error| format!("{name}: {error}"))?;
        }
        say::line(&format!("{name}: {}", if is_stale { "written" } else { "up to date" }));
    }
    for (name, page) in pages::all(&root)? {
        replace(&root, &name, &page, args)?;
    }
    Ok(())
}

fn bring_up_to_date(root: &Path, name: &str, code: &str, args: &Args) -> Result {
    replace(root, name, &format(code, root)?, args)
}

/// Writes the file `name` if it is not `fresh`, or checks that it is.
fn replace(root: &Path, name: &str, fresh: &str, args: &Args) -> Result {
    let path = root.join(name);
    let stale = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    match first_difference(&stale, fresh) {
        None => {
            say::line(&format!("{name}: up to date"));
            Ok(())
        }
        Some(line) if args.check => {
            Err(format!("{name}:{line}: differs from its source; run `cargo xtask codegen`").into())
        }
        Some(_) => {
            fs::write(&path, fresh).map_err(|error| format!("{name}: {error}"))?;
            say::line(&format!("{name}: written"));
            Ok(())
        }
    }
}

/// Checks that the generated files are up to date.
///
/// # Errors
/// The same as for [`run`].
pub(crate) fn check() -> Result {
    run(&Args { check: true })
}

/// The number of the first line that differs, from 1.
fn first_difference(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return None;
    }
    Some(1 + a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_difference(a: &str, b: &str, expect: Option<usize>) {
        assert_eq!(first_difference(a, b), expect, "{a:?} {b:?}");
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        check_difference("a\nb\n", "a\nb\n", None);
        check_difference("a\nb\n", "a\nc\n", Some(2));
        check_difference("", "a\n", Some(1));
        check_difference("a\n", "a\nb\n", Some(2));
    }

    #[test]
    fn what_is_generated_is_up_to_date() {
        check().unwrap();
    }
}
