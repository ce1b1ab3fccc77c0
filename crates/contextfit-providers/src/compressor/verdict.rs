//! Whether a shorter text is accepted.

use std::collections::HashSet;

use contextfit_kernel::{Chunk, ChunkOutcome, CompressedChunk, KeptBecause, TokenCounter, Tokens};
use contextfit_text::{Judge, Language};

/// The criteria for answers.
pub(super) struct Terms<'a> {
    pub judge: &'a Judge,
    pub counter: &'a dyn TokenCounter,
    /// The target length of the answer.
    pub asked: Tokens,
}

/// Accepts `answer` in place of `chunk`, of `before` tokens, if it is not empty, is shorter, has every signature, and
/// can stand in for the chunk.
pub(super) fn judge(chunk: &Chunk<'_>, before: Tokens, answer: &str, terms: &Terms<'_>) -> CompressedChunk {
    let text = answer.trim();
    if text.is_empty() {
        return CompressedChunk::kept(chunk, KeptBecause::Empty);
    }
    let after = terms.counter.count(text);
    if after >= before || text.len() >= chunk.text.len() {
        return CompressedChunk::kept(chunk, KeptBecause::NotShorter { before, after });
    }
    if let Some(line) = lost_signature(chunk, text) {
        return CompressedChunk::kept(chunk, KeptBecause::LostSignature(line.into()));
    }
    match terms.judge.check(chunk.text, text, terms.asked) {
        Err(why) => CompressedChunk::kept(chunk, KeptBecause::Unfit(why)),
        Ok(()) => CompressedChunk { text: text.into(), outcome: ChunkOutcome::Shortened { before, after } },
    }
}

/// The first declaration that is not in `answer`, ignoring indentation and bodies.
fn lost_signature<'a>(chunk: &Chunk<'a>, answer: &str) -> Option<&'a str> {
    let language = chunk.path.and_then(Language::of_path)?;
    let there: HashSet<&str> = answer.lines().map(head).collect();
    let declared = chunk.text.lines().filter(|line| language.declares(line) && !is_value(line)).map(head);
    declared.filter(|line| !there.contains(line)).find(|line| !line.is_empty())
}

/// A line without its indentation and the start of a body.
fn head(line: &str) -> &str {
    let line = line.split_once('{').map_or(line, |(head, _)| head);
    line.trim().trim_end_matches(['.', ':', ';', ' ', '…'])
}

/// Whether the line names a value (`const LIMIT = 3`), which is not a signature.
fn is_value(line: &str) -> bool {
    line.split(['(', '{']).next().is_some_and(|head| head.contains('='))
}

#[cfg(test)]
mod tests {
    use contextfit_text::CharsPer;

    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, answer: &str, lost: Option<&str>) {
        assert_eq!(lost_signature(&Chunk { id: "", text, path: Some(path) }, answer), lost);
    }

    #[test]
    fn signatures_are_found_whatever_their_body() {
        let rust = "/// Adds.\npub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\nstruct S;\n";
        check("a.rs", rust, "pub fn add(a: u8, b: u8) -> u8 { sum }\nstruct S", None);
        check("a.rs", rust, "  pub fn add(a: u8, b: u8) -> u8 { ... }", Some("struct S"));
        check("a.rs", rust, "fn add(a, b)\nstruct S;", Some("pub fn add(a: u8, b: u8) -> u8"));
        let python = "def load(path, retries=3):\n    limit = 3\n    return open(path)\n";
        check("a.py", python, "def load(path, retries=3): ...", None);
        check("a.py", python, "loads a file", Some("def load(path, retries=3)"));
        check("a.ts", "export const LIMIT = 3;\n", "a limit", None);
        check("a.md", "# fn main() {}\nfn main() {}", "nothing", None);
    }

    #[test]
    fn only_shorter_and_not_empty() {
        let chunk = Chunk { id: "", text: "one two three four five", path: None };
        let counter = CharsPer::new(1).unwrap();
        let terms = Terms { judge: &Judge::new(), counter: &counter, asked: Tokens::new(7) };
        let outcome = |answer: &str| match judge(&chunk, counter.count(chunk.text), answer, &terms).outcome {
            ChunkOutcome::Shortened { before, after } => format!("{before} to {after}"),
            ChunkOutcome::Kept(because) => because.to_string(),
        };
        assert_eq!(outcome(" one to five\n"), "23 to 11");
        assert_eq!(outcome("one to 512"), "the answer contains a number that is not in the source: 512");
        assert_eq!(outcome(" \n"), "the answer is empty");
        assert_eq!(outcome(chunk.text), "the answer has 23 tokens, the chunk 23");
    }
}
