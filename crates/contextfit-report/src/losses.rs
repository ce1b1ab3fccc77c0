//! What the input says and the output no longer does: names, and instructions.

use std::collections::{HashMap, HashSet};

use aho_corasick::AhoCorasick;
use contextfit_kernel::{Block, ByteRange, Role, Values};
use contextfit_text::{
    Analyzer, CodeFence, Language, Lexicon, NaturalLanguage, Sentence, Shape, binding, standing_rules,
    unit_ends, words,
};
use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use crate::{
    compression::Compression,
    names::{Inventory, Names, Occurrences},
    outcome::Fate,
};

/// The most names in a [`Loss`].
pub const MAX_LOST_NAMES: usize = 50;

/// The most bytes of a name or a sentence that are quoted.
const LONGEST_QUOTE_BYTES: usize = 200;

/// Something lost.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LostName {
    /// The name, or the sentence; shortened if it is very long.
    pub name: String,
    /// How often the input has it.
    pub times: usize,
    /// The id of the first block that has it, a shown one if there is one.
    pub block: String,
}

/// Names of one kind that were lost: the input has them, the output does not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Loss {
    /// The number of different names lost.
    pub total: usize,
    /// The number of different names in the input.
    pub of: usize,
    /// The lost ones, at most [`MAX_LOST_NAMES`]: first those in blocks that are shown otherwise, and of both the most
    /// frequent first, or sentences in the order of the input.
    pub names: Vec<LostName>,
}

/// What was lost, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Losses {
    /// Words that only programs, paths, addresses or catalogues have: `max_len`, `HashMap`, `src/lib.rs`, `A-7731`.
    pub identifiers: Loss,
    /// Numbers of two digits or more, with their units; dates and times.
    pub numbers: Loss,
    /// Strings in quotation marks within a line.
    pub quotations: Loss,
    /// Different sentences that say what must or must not be done. Those that a later one in the conversation replaces are not
    /// counted.
    pub instructions: Loss,
    /// Words of the query that occur in the input, in any form.
    pub query_words: Loss,
}

impl Losses {
    /// All that `compression` lost. Linear in the length of the input, apart from sorting the names.
    pub(crate) fn of(compression: &Compression<'_>) -> Self {
        let input = compression.input();
        let (mut before, mut after) = (Inventory::default(), Inventory::default());
        // Blocks that are shown come first: what is missing from them is missed most.
        let (shown, dropped): (Vec<_>, Vec<_>) =
            input.blocks.iter().enumerate().partition(|(n, _)| !is_dropped(compression, *n));
        for (n, block) in shown.into_iter().chain(dropped) {
            for text in texts(compression, n) {
                before.read(n, text);
                // Calls are not part of the text of the result.
                if text.as_ptr() != block.text.as_ptr() && compression.is_shown(n) {
                    after.read(n, text);
                }
            }
        }
        after.read(0, compression.text);
        let lost = |before: &Names<'_>, after: &Names<'_>| lost(compression, before, after);
        Self {
            identifiers: lost(&before.identifiers, &after.identifiers),
            numbers: lost(&before.numbers, &after.numbers),
            quotations: lost(&before.quotations, &after.quotations),
            instructions: lost_instructions(compression),
            query_words: lost_words(compression),
        }
    }

    /// Each kind with at most [`MAX_LOST_NAMES`] names.
    pub(crate) fn named(mut self) -> Self {
        self.each_mut().into_iter().for_each(|loss| loss.names.truncate(MAX_LOST_NAMES));
        self
    }

    /// What is lost here and not in `other`, which has the same input.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut own = self.clone();
        for (loss, (_, other)) in own.each_mut().into_iter().zip(other.each()) {
            let theirs: HashSet<&LostName, FixedState> = other.names.iter().collect();
            loss.names.retain(|name| !theirs.contains(name));
            loss.total = loss.names.len();
        }
        own
    }

    /// Each kind with its name, in the order of the fields.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, &Loss)> {
        [
            ("identifiers", &self.identifiers),
            ("numbers", &self.numbers),
            ("quotations", &self.quotations),
            ("instructions", &self.instructions),
            ("words of the query", &self.query_words),
        ]
        .into_iter()
    }

    const fn each_mut(&mut self) -> [&mut Loss; 5] {
        let Self { identifiers, numbers, quotations, instructions, query_words } = self;
        [identifiers, numbers, quotations, instructions, query_words]
    }
}

/// The texts of block `n`: the arguments of its calls, the path in its header, and its own text.
fn texts<'a>(compression: &Compression<'a>, n: usize) -> impl Iterator<Item = &'a str> {
    let block = compression.input().blocks.get(n);
    let calls = block.and_then(|block| block.as_turn()).into_iter().flat_map(|turn| &turn.calls);
    let path = block.and_then(|block| block.as_passage()?.path.as_deref());
    let path = path.filter(|_| compression.input().layout.headers);
    let text = block.map(|block| block.text.as_str());
    calls.map(|call| call.arguments.as_str()).chain(path).chain(text)
}

/// Whether nothing of block `n` is shown.
fn is_dropped(compression: &Compression<'_>, n: usize) -> bool {
    Fate::of(compression.step(n)) == Fate::Dropped
}

fn lost(compression: &Compression<'_>, before: &Names<'_>, after: &Names<'_>) -> Loss {
    let mut lost: Vec<_> = before.iter().filter(|(name, _)| !after.contains_key(**name)).collect();
    lost.sort_unstable_by_key(|(_, found)| {
        (is_dropped(compression, found.block), std::cmp::Reverse(found.times), found.order)
    });
    let names = lost.into_iter().map(|(name, found)| named(compression, name, found.times, found.block));
    let names: Vec<LostName> = names.collect();
    Loss { total: names.len(), of: before.len(), names }
}

fn named(compression: &Compression<'_>, name: &str, times: usize, block: usize) -> LostName {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let head = name.get(..name.floor_char_boundary(LONGEST_QUOTE_BYTES)).unwrap_or_default();
    let name = if head.len() < name.len() { format!("{head}…") } else { name };
    let block = compression.input().blocks.get(block).map_or_else(String::new, |block| block.id.clone());
    LostName { name, times, block }
}

/// Different instructions that are neither shown nor said again in the same words.
fn lost_instructions(compression: &Compression<'_>) -> Loss {
    let all = instructions(compression);
    let text = |n: usize| compression.input().blocks.get(n).map_or("", |block| block.text.as_str());
    let is_shown =
        |of: &Instruction| compression.shown.get(of.block).is_some_and(|shown| shown.covers(of.range));
    let mut different: HashMap<String, Occurrences, FixedState> = HashMap::default();
    let mut lost: Vec<(String, &str)> = Vec::new();
    for instruction in &all {
        let said = instruction.range.of(text(instruction.block)).unwrap_or_default();
        let (order, folded) = (different.len(), folded(said));
        let found = different.entry(folded.clone()).or_insert(Occurrences {
            times: 0,
            block: instruction.block,
            order,
        });
        found.times += 1;
        if found.times == 1 && !is_shown(instruction) {
            lost.push((folded, said));
        }
    }
    let said = said_again(compression.text, lost.iter().map(|(folded, _)| folded.as_str()).collect());
    let lost = lost.iter().zip(said).filter(|(_, is_said)| !is_said);
    let mut lost: Vec<(&Occurrences, &str)> =
        lost.filter_map(|((folded, said), _)| Some((different.get(folded)?, *said))).collect();
    lost.sort_by_key(|(found, _)| is_dropped(compression, found.block));
    let names = lost.into_iter().map(|(found, said)| named(compression, said, found.times, found.block));
    let names: Vec<LostName> = names.collect();
    Loss { total: names.len(), of: different.len(), names }
}

/// Whether each of `sentences`, folded, occurs in `text`. Linear in the length of all.
fn said_again(text: &str, sentences: Vec<&str>) -> Vec<bool> {
    let mut said = vec![false; sentences.len()];
    // Sentences too many for an automaton do not occur in one text.
    let Ok(automaton) = AhoCorasick::new(sentences) else { return said };
    for found in automaton.find_overlapping_iter(&folded(text)) {
        said.set(found.pattern().as_usize(), true);
    }
    said
}

/// `text` in lowercase, with single spaces.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Words of the query that occur in the input but not in the output.
fn lost_words(compression: &Compression<'_>) -> Loss {
    let query = compression.input().query.as_deref().unwrap_or_default();
    let blocks = &compression.input().blocks;
    let language = NaturalLanguage::of_texts(blocks.iter().map(|block| block.text.as_str()));
    let mut lexicon = Lexicon::new(Analyzer::new(Some(language)));
    let mut asked: Vec<&str> = Vec::new();
    let mut read = Vec::new();
    for word in words(query) {
        lexicon.read(word, &mut read);
        // Only the first form of each word is new.
        if read.len() > asked.len() && read.last().is_some_and(|term| *term as usize == asked.len()) {
            asked.push(word);
        }
        read.truncate(asked.len());
    }
    let mut found: Vec<(usize, usize)> = vec![(0, 0); asked.len()];
    let mut count = |n: usize, text: &str, found: &mut Vec<(usize, usize)>| {
        read.clear();
        lexicon.read(text, &mut read);
        for term in &read {
            if let Some((times, block)) = found.get_mut(*term as usize) {
                *block = if *times == 0 { n } else { *block };
                *times += 1;
            }
        }
    };
    for n in 0..if asked.is_empty() { 0 } else { blocks.len() } {
        texts(compression, n).for_each(|text| count(n, text, &mut found));
    }
    let mut after = vec![(0, 0); asked.len()];
    count(0, compression.text, &mut after);
    let asked = asked.iter().zip(found).zip(after).filter(|((_, (times, _)), _)| *times > 0);
    let (mut of, mut names) = (0, Vec::new());
    for ((word, (times, block)), (left, _)) in asked {
        of += 1;
        if left == 0 {
            names.push(named(compression, word, times, block));
        }
    }
    Loss { total: names.len(), of, names }
}

/// From this strength on a sentence is an instruction, as [`binding`] says.
const BINDING: f64 = 0.5;

/// Longer sentences are data.
const LONGEST_SENTENCE_BYTES: usize = 1_000;

/// An instruction: the block it is in, and its range there.
struct Instruction {
    pub(crate) block: usize,
    pub(crate) range: ByteRange,
}

/// The instructions of the input, in order: in a conversation those that no later one replaces, in other texts each
/// sentence, and in code those in comments. What tools answer instructs nobody. Linear in the length of the input.
fn instructions(compression: &Compression<'_>) -> Vec<Instruction> {
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
