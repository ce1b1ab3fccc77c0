//! Whether a block is machine output.

use contextfit_kernel::Block;
use contextfit_text::Language;

use crate::{Kind, run::is_run};

/// Whether `block` is machine output: a log, a diff, a table or JSON by its name, or by its [`Kind`] if the name does
/// not say. Source files and Markdown (by its name or a fenced block) are not, whatever they look like, except code in
/// giant lines, which has no recognizable structure.
///
/// Linear in the length of JSON and of lines of code, otherwise constant.
#[must_use]
pub fn is_output(block: &Block) -> bool {
    let by_kind = || match Kind::of(&block.text) {
        Kind::Json | Kind::Diff | Kind::Explain | Kind::Session => true,
        Kind::Log | Kind::Table | Kind::Listing => !has_fence(&block.text),
        _ => false,
    };
    let language = Language::of_block(block);
    let is_run = || is_run(&block.text, language);
    match language.map_or("text", |language| language.name) {
        "csv" | "diff" | "json" | "log" => true,
        "code" | "text" => by_kind() || is_run(),
        _ => is_run(),
    }
}

/// Whether `text` contains a fenced block of Markdown.
fn has_fence(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("```"))
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::Passage;

    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, expect: bool) {
        let path = (!path.is_empty()).then(|| path.to_owned());
        let block = Block::passage("a", Passage { path, ..Passage::default() }, text);
        assert_eq!(is_output(&block), expect, "{block:?}");
    }

    #[test]
    fn outputs() {
        let log = "2024-05-01 12:00:00 INFO ready\n2024-05-01 12:00:01 ERROR disk full\n";
        let prose = "It lies on a wide river, and has two schools. Both of them are old.\n";
        check("a.json", "no JSON", true);
        check("a.log", prose, true);
        for path in ["a.txt", "a", ""] {
            check(path, log, true);
            check(path, "{\"a\": 1}", true);
            check(path, prose, false);
        }
        check("a.md", log, false);
        check("", &format!("What it prints:\n\n```text\n{log}```\n"), false);
        check("a.py", log, false);
        check("app.min.js", &"function f(){return g(1)};".repeat(200), true);
        check("app.js", &"function f() {\n  return g(1);\n}\n".repeat(200), false);
        check("book.txt", &prose.trim_end().repeat(200), false);
    }
}
