//! What may be shown of an output, whatever the agent.

use std::path::PathBuf;

use contextfit::{
    kernel::{TextKind, Tokens},
    presets::{is_long_output, output_kind},
};
use contextfit_serve::{SavedOutputs, is_excerpt};

use crate::{
    args::FitArgs,
    programs::{are_among, name, words},
    shortened::{Shown, WHY, discard, shortened},
};

/// Beyond this many characters, an agent itself would cut the output without looking at it.
const CUT_CHARS: usize = 30_000;

/// What is shown of an output that the agent would cut.
const CUT_TOKENS: Tokens = Tokens::new(2_000);

/// What the names of saved outputs begin with.
const PREFIX: &str = "contextfit-";

/// An output that a tool printed.
pub(super) struct Printed<'a> {
    /// All of it.
    pub(super) text: String,
    /// The file in which the agent saved it.
    pub(super) saved: Option<PathBuf>,
    /// Where the agent saves outputs, and may read without asking.
    pub(super) folder: Option<PathBuf>,
    /// The id of the call.
    pub(super) call: &'a str,
    /// Whether the command is known to have failed.
    pub(super) failed: bool,
    /// What the last line of an excerpt says first.
    pub(super) note: &'a str,
}

impl Printed<'_> {
    /// What is shown of it instead, if that is shorter; `command` is what was run.
    pub(super) fn shortened(self, command: &str) -> Option<String> {
        let text = self.text;
        let is_long = is_long_output(text.as_bytes());
        // Source code may be a file, which the agent needs letter by letter, whatever program printed it.
        if !is_long || is_excerpt(&text) || output_kind(&text) == TextKind::Code {
            return None;
        }
        let is_ours = self.saved.is_none();
        let path = match self.saved {
            Some(path) => path,
            None => {
                let outputs = SavedOutputs::new(self.folder?);
                let path =
                    outputs.save(&format!("{PREFIX}{}.txt", file_name(self.call)?), text.as_bytes()).ok()?;
                outputs.prune(|name| name.starts_with(PREFIX), &path);
                path
            }
        };
        let budget = (text.chars().count() > CUT_CHARS).then_some(CUT_TOKENS);
        let query = self.failed.then(|| WHY.to_owned());
        let flags = FitArgs { budget, query, ..FitArgs::default() };
        let bytes = text.len();
        match shortened(text, &path, &words(command).collect::<Vec<_>>(), &flags, self.note) {
            Ok(Shown::Excerpt(output)) if output.shown > 0 && output.text.len() < bytes => Some(output.text),
            _ => {
                if is_ours {
                    discard(&path);
                }
                None
            }
        }
    }
}

/// The id of a call, if it can be the name of a file.
fn file_name(call: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    Some(call).filter(|id| !id.is_empty() && id.chars().all(is_name))
}

/// Whether `command` may print a file as it is, or what was saved or shortened before: the agent may need the exact text.
/// What is not sure counts as such, because an output that stays long does no harm.
pub(super) fn reads_a_file(command: &str) -> bool {
    let is_reader = |part: &str| are_among("readers of files", words(part)) || redirects(part);
    let mut statements =
        command.split([';', '\n']).flat_map(|part| part.split("&&")).flat_map(|part| part.split("||"));
    is_saved(command)
        || words(command).any(|word| name(word) == "contextfit")
        || statements.any(|statement| {
            let of_revision = |part: &str| {
                words(part).any(|word| name(word) == "git") && words(part).any(|word| word.contains(':'))
            };
            statement.split('|').enumerate().any(|(n, part)| {
                let passes_on = n == 0 || words(part).any(|word| matches!(name(word), "xargs" | "parallel"));
                passes_on && (of_revision(part) || is_reader(part))
            })
        })
}

/// Whether a file is the input of `part`: `<` and a name, not `<<` or `<(`.
fn redirects(part: &str) -> bool {
    let mut signs = part.split('<').skip(1).map(str::trim_start);
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || "./~$\"'_".contains(c));
    !part.contains("<<") && signs.any(is_name)
}

/// Whether `text` names a file that holds a whole output.
pub(super) fn is_saved(text: &str) -> bool {
    ["tool-results/", "tool-output/", "contextfit/runs/"].iter().any(|folder| text.contains(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_print_files() {
        let check = |expect: bool, commands: &[&str]| {
            commands.iter().for_each(|command| assert_eq!(reads_a_file(command), expect, "{command}"));
        };
        check(true, &["cat a.rs", "sed -n 1,400p a.rs", "head -n 900 a.rs", "nl a.rs", "/bin/cat a b"]);
        check(
            true,
            &[
                "git show HEAD:a.rs",
                "git -C x cat-file -p main:src/a.rs",
                "cd src && cat a.rs",
                "LANG=C cat a",
            ],
        );
        check(
            true,
            &["test -f a || cat b", "(cat a.rs)", "for f in a b; do cat $f; done", "if x; then cat a; fi"],
        );
        check(
            true,
            &["sed -nE '/a|b/p' f", "cat a; git log | head -3", "cat a | head -300", "cat<a", "awk 'NR<9' f"],
        );
        check(
            true,
            &[
                "timeout 5 cat f",
                "bash -c \"cat f\"",
                "find . -exec cat {} +",
                "ls *.rs | xargs cat",
                "! cat a",
            ],
        );
        check(
            true,
            &["contextfit  restore 12ab", "contextfit run -- cargo test", "/usr/bin/contextfit files ."],
        );
        check(
            true,
            &[
                "grep -n x /p/tool-results/contextfit-toolu_1.txt",
                "grep x ~/.local/state/contextfit/runs/run-a.log",
            ],
        );
        check(
            true,
            &[
                "git cat-file -p 12ab",
                "git blame a.rs",
                "dd if=a.rs",
                "echo \"$(<a.rs)\"",
                "while read l; do echo $l; done < a.rs",
                "jq . a.json",
                "find . | parallel cat",
                "tac a.csv",
                "tee /dev/null < a",
                "cut -d, -f1- a.csv",
                "sort a.csv",
                "paste a.csv",
                "expand a",
                "fold a",
                "pr a",
                "strings a",
                "yq . a.yaml",
                "xxd a",
                "od a",
                "hexdump -C a",
                "base64 a",
                "zcat a.gz",
                "gunzip -c a.gz",
                "xzcat a.xz",
                "unzip -p a.zip b",
                "batcat a",
                "python -m json.tool a.json",
            ],
        );
        check(
            false,
            &[
                "cargo test",
                "cargo test 2>&1 | tail -n 900",
                "git show HEAD",
                "git log",
                "ls -lR",
                "grep -rn cats .",
                "curl -s https://a.b/c | jq .",
                "diff <(a) <(b)",
                "psql <<< 'select 1'",
            ],
        );
    }
}
