//! Whether a block is machine output.

use contextfit_kernel::Block;
use contextfit_text::{CodeFence, Language};

use crate::Kind;

/// Whether `block` is machine output: a log, a diff, a table or JSON by its name, or by its [`Kind`] if the name does
/// not say. Source files and Markdown (by its name or a fenced block) are not, whatever they look like.
///
/// Linear in the length of JSON, otherwise constant.
#[must_use]
pub fn is_output(block: &Block) -> bool {
    match Language::of_block(block).map_or("text", |language| language.name) {
        "csv" | "diff" | "json" | "log" => true,
        "code" | "text" => match Kind::of(&block.text) {
            Kind::Json | Kind::Diff => true,
            Kind::Log | Kind::Table | Kind::Listing => {
                !block.text.lines().any(|line| CodeFence::after(None, line).is_some())
            }
            _ => false,
        },
        _ => false,
    }
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
        check("app.min.js", &"function f(){return g(1)};".repeat(200), false);
        check("app.js", &"function f() {\n  return g(1);\n}\n".repeat(200), false);
        check("book.txt", &prose.trim_end().repeat(200), false);
    }
}
