//! Texts that begin in the middle of fenced code, torn out of a document.

use contextfit_kernel::TextKind;
use memchr::memmem;

use super::lines::{CodeFence, Kind, kind};
use crate::text_kind;

/// The byte after the closing fence of code that begins before `text`; 0 if `text` begins outside of code.
///
/// The first fence closes code if it names no language, it cannot open any (the fences are not in pairs, or the next
/// one opens too), and the text before it is code or, if there is none, the text after it prose. Linear.
pub(super) fn torn(text: &str) -> usize {
    // ablate: text.torn => 0
    if memmem::find(text.as_bytes(), b"```").is_none() {
        return 0;
    }
    let mut at = 0;
    let mut fences = text.split_inclusive('\n').filter_map(|line| {
        at += line.len();
        let fence = CodeFence::of_backticks(line)?;
        Some((at - line.len()..at, fence.is_closed_by(line)))
    });
    let Some((first, true)) = fences.next() else { return 0 };
    let next_opens = fences.next().map(|(_, is_bare)| !is_bare);
    let is_odd = next_opens.is_none() || fences.count() % 2 == 1;
    let before = text.get(..first.start).unwrap_or_default();
    let after = || text.get(first.end..).unwrap_or_default().lines().find(|line| !line.trim().is_empty());
    let is_torn = (is_odd || next_opens == Some(true))
        && match before.trim() {
            "" => after().is_some_and(|line| kind(line) == Kind::Heading || is_prose(line)),
            _ => !before.contains("~~~") && text_kind(before) == TextKind::Code,
        };
    if is_torn { first.end } else { 0 }
}

/// Whether `line` has at least eight words and is prose.
fn is_prose(line: &str) -> bool {
    line.split_whitespace().nth(7).is_some() && text_kind(line) == TextKind::Prose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(text.get(..torn(text)), Some(expect), "{text}");
    }

    #[test]
    fn code_before_its_closing_fence() {
        check("f(x);\n}\n```\n\nProse.\n", "f(x);\n}\n```\n");
        check("f(x);\n}\n```\n\nProse.\n\n```\ng()\n```\n", "f(x);\n}\n```\n");
        check("f(x);\n}\n```\n\nProse.\n\n```rust\ng()\n", "f(x);\n}\n```\n");
        check("```\n## Errors\n", "```\n");
        check("```\n\nThis is what comes after the code that came before.\n", "```\n");
    }

    #[test]
    fn other_fences_open_code() {
        check("", "");
        check("Run it:\n```\nf(x);\n```\n", "");
        check("Run it:\n```\nf(x);\n", "");
        check("f(x);\n}\n```rust\nf(x);\n", "");
        check("f(x);\n}\n```\ng(x);\n```\n", "");
        check("```\nf(x);\n", "");
        check("Write it so:\n```\n```rust\nf(x);\n```\n```\n", "");
    }
}
