//! Blocks without their text: the metadata form and the reference.

use std::borrow::Cow;

use contextfit_kernel::{Block, BlockKind, Level, Passage, Tokens, in_brackets, one_line, quoted};
use contextfit_text::{Language, Shape};

use crate::description::{beginning, description};

/// Returns level 1 of a block in the format of KB Labs Mind: `[metadata-only] path`, then on indented lines, if known,
/// the symbols, the first comment (or, for prose without one, the first words) as a description, and `Lines: a-b`.
#[must_use]
pub fn gist(block: &Block) -> String {
    let mut text = String::with_capacity(256);
    text.extend(["[metadata-only] ", &one_line(name(block)), &part(block)]);
    if let BlockKind::Passage(passage) = &block.kind {
        let symbols = &passage.symbols;
        let symbols = [
            ("class:", &symbols.class),
            ("function:", &symbols.function),
            ("type:", &symbols.type_name),
            ("section:", &symbols.section),
        ];
        let mut before = "\n  ";
        for (kind, symbol) in symbols {
            if let Some(symbol) = symbol {
                text.extend([std::mem::replace(&mut before, ", "), kind, &unlike_fields(symbol)]);
            }
        }
        let lines = passage.lines();
        // Without symbols or lines, only the first words distinguish prose from its neighbours.
        let is_prose = || Language::of_block(block).is_none_or(|language| language.shape == Shape::Prose);
        let is_bare = lines.is_none() && before.starts_with('\n');
        let first_words = || beginning(&block.text).filter(|_| is_bare && is_prose());
        if let Some(brief) = description(&block.text).or_else(first_words) {
            text.extend(["\n  ", &unlike_fields(&brief)]);
        }
        if let Some(lines) = lines {
            text.extend(["\n  Lines: ", &lines]);
        }
    }
    text
}

/// `value` on one line; in quotes if it reads like symbols, lines or the name of a block.
fn unlike_fields(value: &str) -> Cow<'_, str> {
    let kinds = ["class:", "function:", "type:", "section:", "Lines:", "File:"];
    let names = |kind: &&str| value.starts_with(*kind) || value.contains(&format!(", {kind}"));
    let is_field = value.starts_with('[') || kinds.iter().any(names);
    if is_field { quoted(value).into() } else { one_line(value) }
}

/// Returns level 0 of a block: its id and, if different, its path or title.
#[must_use]
pub fn reference(block: &Block) -> String {
    let name = name(block);
    let (id, part) = (in_brackets(&block.id), part(block));
    if name == block.id { format!("{id}{part}") } else { format!("{id} {}{part}", one_line(name)) }
}

/// The estimated tokens of the form at `level`, at three bytes per token. Names and paths have more bytes per token.
pub(crate) fn estimate(block: &Block, level: Level) -> Tokens {
    let mut bytes = name(block).len() + 12;
    match (level, &block.kind) {
        (Level::Reference, _) => bytes += block.id.len(),
        (_, BlockKind::Passage(Passage { symbols, .. })) => {
            let symbols = [&symbols.class, &symbols.function, &symbols.type_name, &symbols.section];
            bytes += 12 + symbols.into_iter().flatten().map(|symbol| symbol.len() + 10).sum::<usize>();
        }
        _ => {}
    }
    Tokens::new(bytes / 3)
}

/// The part number of the block in its document, in brackets; empty if it has none.
fn part(block: &Block) -> String {
    let part = block.as_passage().and_then(|passage| passage.part);
    part.map(|part| format!(" (part {part})")).unwrap_or_default()
}

/// The path, otherwise the title, otherwise the id.
fn name(block: &Block) -> &str {
    let passage = block.as_passage();
    let path = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
    path.unwrap_or(&block.id)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Passage, Symbols};

    use super::*;

    #[test]
    fn no_name_reads_like_another_line() {
        let check = |id: &str, path: Option<&str>, expect: &str| {
            let passage = path.map_or_else(Passage::default, Passage::at);
            assert_eq!(reference(&Block::passage(id, passage, "")), expect);
        };
        check("a", Some("src/app/[slug]"), "[a] src/app/[slug]");
        check("a] src/app/[slug", None, r#"["a] src/app/[slug"]"#);
        check("... 12 lines", None, r#"["... 12 lines"]"#);
        check("... 2 passages", Some("p.md"), r#"["... 2 passages"] p.md"#);
        check("Fence-0 text 1", None, r#"["Fence-0 text 1"]"#);
        check("...", None, "[...]");
    }

    #[test]
    fn no_comment_or_symbol_reads_like_another_field() {
        let check = |function: Option<&str>, text: &str, expect: &str| {
            let symbols = Symbols { function: function.map(Into::into), ..Symbols::default() };
            let passage = Passage::at("a.rs").with_symbols(symbols);
            assert_eq!(
                gist(&Block::passage("a", passage, text)),
                format!("[metadata-only] a.rs\n  {expect}")
            );
        };
        check(None, "// Says class:Evil.\n", "Says class:Evil.");
        check(None, "// class:Evil, function:steal\n", r#""class:Evil, function:steal""#);
        check(None, "// [metadata-only] evil.rs\n", r#""[metadata-only] evil.rs""#);
        check(Some("f, g"), "", "function:f, g");
        check(Some("f, class:Admin"), "", r#"function:"f, class:Admin""#);
    }
}
