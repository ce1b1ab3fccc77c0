//! The page of each package on the registry: its documentation's first lines, for readers who are not in a browser of
//! documentation.

use std::{fs, path::Path, sync::LazyLock};

use regex::{Captures, Regex};

use crate::{
    say::Result,
    workspace::{self, Package},
};

/// The page of the facade is that of the project.
const FACADE: &str = "contextfit";

/// A link. To an item it has no target, or a path of Rust.
static LINK: LazyLock<std::result::Result<Regex, regex::Error>> =
    LazyLock::new(|| Regex::new(r"\[(?<shown>[^\[\]\n]+)\](?:\((?<target>[^()\s]+)\))?"));

/// The pages, each with its path relative to `root`.
///
/// # Errors
/// If a crate cannot be read.
pub(crate) fn all(root: &Path) -> Result<Vec<(String, String)>> {
    let packages = workspace::load(root)?.members;
    let has_page = |package: &&Package| package.name.starts_with("contextfit-");
    packages.iter().filter(has_page).map(|package| page(root, package)).collect()
}

fn page(root: &Path, package: &Package) -> Result<(String, String)> {
    let (name, folder) = (&package.name, package.manifest.trim_end_matches("Cargo.toml"));
    let source = format!("{folder}src/lib.rs");
    let source = fs::read_to_string(root.join(&source)).map_err(|error| format!("{source}: {error}"))?;
    let documentation = documentation(&source)?;
    let page = format!(
        "# {name}\n\n{documentation}\n\
         Part of [{FACADE}](https://github.com/contextfit/contextfit), which fits context for a language model into a \
         token budget.\n\
         [Which crates go together](https://github.com/contextfit/contextfit/blob/main/docs/book/one-crate.md) ·\n\
         [documentation](https://docs.rs/{name}) · MIT OR Apache-2.0\n"
    );
    Ok((format!("{folder}README.md"), page))
}

/// The documentation of the crate with this `source`, as a page can show it: without lines that rustdoc hides, and with
/// links to items as their names.
fn documentation(source: &str) -> Result<String> {
    let link = LINK.as_ref().map_err(ToString::to_string)?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let (mut page, mut in_code) = (String::new(), false);
    for line in lines.map(|line| line.strip_prefix(' ').unwrap_or(line)) {
        let is_fence = line.starts_with("```");
        in_code ^= is_fence;
        if in_code && (line == "#" || line.starts_with("# ")) {
            continue;
        }
        match in_code {
            _ if is_fence && in_code => page += "```rust",
            true => page += line,
            false => {
                page += &link.replace_all(line, |found: &Captures<'_>| {
                    let is_item = found.name("target").is_none_or(|target| !target.as_str().contains('/'));
                    let part = if is_item { found.name("shown") } else { found.get(0) };
                    part.map_or_else(String::new, |part| part.as_str().to_owned())
                });
            }
        }
        page.push('\n');
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_rustdoc_knows_is_left_out() {
        let source = "//! A [`Fitter`] and a [memory](kernel::Memory).\n//!\n//! ```\n//! # hidden();\n//! let a = [1];\n\
                      //! ```\n//!\n//! [page](https://example.org)\nmod a;\n//! more\n";
        let expect =
            "A `Fitter` and a memory.\n\n```rust\nlet a = [1];\n```\n\n[page](https://example.org)\n";
        assert_eq!(documentation(source).unwrap(), expect);
    }
}
