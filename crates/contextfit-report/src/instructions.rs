//! The instructions in a context: sentences that say what must or must not be done.

use contextfit_kernel::{Block, ByteRange, Role};
use contextfit_text::{CodeFence, Language, Sentence, Shape, binding, standing_rules, unit_ends};

use crate::compression::Compression;

/// From this strength on a sentence is an instruction, as [`binding`] says.
const BINDING: f64 = 0.5;

/// Longer sentences are data.
const LONGEST_SENTENCE_BYTES: usize = 1_000;

/// An instruction: the block it is in, and its range there.
pub(crate) struct Instruction {
    pub(crate) block: usize,
    pub(crate) range: ByteRange,
}

/// The instructions of the input, in order: in a conversation those that no later one replaces, in other texts each
/// sentence, and in code those in comments. What tools answer instructs nobody. Linear in the length of the input.
pub(crate) fn instructions(compression: &Compression<'_>) -> Vec<Instruction> {
    let blocks = compression.input().blocks.iter().enumerate();
    if compression.input().layout.framing.is_some() {
        let spoken = blocks.filter_map(|(n, block)| Some((n, block, block.as_turn()?)));
        let spoken = spoken.filter(|(_, _, turn)| turn.role != Role::Tool);
        let sentences = spoken.flat_map(|(block, text, turn)| {
            let (role, name) = (turn.role, turn.name.as_deref());
            sentences(&text.text).map(move |(range, text)| Sentence { block, range, text, role, name })
        });
        let sentences: Vec<Sentence<'_>> = sentences.collect();
        let rules = standing_rules(&sentences).into_iter();
        let rules = rules.filter(|rule| rule.strength >= BINDING && !rule.replaced);
        return rules.map(|rule| Instruction { block: rule.block, range: rule.range }).collect();
    }
    let mut found = Vec::new();
    for (n, block) in blocks {
        let instructs = |(range, text): (ByteRange, &str)| {
            (binding(text) >= BINDING).then_some(Instruction { block: n, range })
        };
        match code(block) {
            Some(language) => found.extend(comments(&block.text, language).filter_map(instructs)),
            None => found.extend(sentences(&block.text).filter_map(instructs)),
        }
    }
    found
}

/// The language of `block`, if it is code or data.
fn code(block: &Block) -> Option<&'static Language> {
    Language::of_block(block).filter(|language| language.shape != Shape::Prose)
}

/// The sentences of `text`, without white space around them.
fn sentences(text: &str) -> impl Iterator<Item = (ByteRange, &str)> {
    ranges(text, unit_ends(text, Shape::Prose))
}

/// The lines of `text` that are comments, without their marks and without code in fences.
fn comments<'a>(text: &'a str, language: &'a Language) -> impl Iterator<Item = (ByteRange, &'a str)> {
    let ends = if language.comment_open.is_empty() { Vec::new() } else { unit_ends(text, Shape::Code) };
    let is_open = |text: &str| text.starts_with(language.comment_open) || text.starts_with("* ");
    let lines = ranges(text, ends).filter(move |(_, text)| is_open(text));
    let mut open = None;
    lines.filter_map(move |(range, text)| {
        let bare = text.trim_start_matches(['/', '*', '#', '-', ';', '%', '!', ' ']);
        let before = open;
        open = CodeFence::after(before, bare);
        // One or two words are the end of a sentence that began on an earlier line.
        bare.split_whitespace().nth(2).filter(|_| before.or(open).is_none())?;
        ByteRange::new(range.end() - bare.len(), range.end()).map(|range| (range, bare))
    })
}

/// The units of `text` that end at `ends`, without white space around them.
fn ranges(text: &str, ends: Vec<usize>) -> impl Iterator<Item = (ByteRange, &str)> {
    let mut start = 0;
    ends.into_iter().filter_map(move |end| {
        let from = std::mem::replace(&mut start, end);
        let unit = text.get(from..end)?;
        let bare = unit.trim();
        let start = from + (unit.len() - unit.trim_start().len());
        let is_said = !bare.is_empty() && bare.len() <= LONGEST_SENTENCE_BYTES;
        ByteRange::new(start, start + bare.len()).filter(|_| is_said).map(|range| (range, bare))
    })
}
