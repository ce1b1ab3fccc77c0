//! Joins the chunks of a request that come from one document.

use std::collections::HashMap;

use contextfit_kernel::{Block, BlockKind, ByteRange, Context, Passage, Symbols, Values};
use serde::{Deserialize, Serialize};

use crate::{
    SearchChunk,
    join::{Joined, join},
};

/// The order in which documents are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// In the order of the request, with the chunks of each document together, in document order as far as lines and
    /// overlaps show it.
    #[default]
    Document,
    /// By the retriever's scores, best first.
    Score,
}

contextfit_kernel::names!(Order, "order": Document => "document", Score => "score");

/// A context made of chunks, and the position of each chunk in it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Documents {
    /// The context, in which chunks of one document that overlap or touch are one block.
    pub context: Context,
    /// The position of each chunk of the answer.
    pub places: Vec<Place>,
}

/// The position of a chunk, or of a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Its id.
    pub id: String,
    /// The index of its block.
    pub block: usize,
    /// Its range in the text of that block, in bytes.
    pub range: ByteRange,
}

/// A future block, with the numbers in the request of the chunks in it, from 0.
struct Draft {
    block: Block,
    members: Vec<(usize, Place)>,
}

impl Documents {
    /// The documents of `context`, with one of `places` for each chunk.
    #[must_use]
    pub const fn new(context: Context, places: Vec<Place>) -> Self {
        Self { context, places }
    }

    /// The documents of `chunks` in `order`. Linearithmic in the number of chunks, linear in their length.
    pub(crate) fn of(chunks: Vec<SearchChunk>, order: Order) -> Self {
        let mut drafts = Vec::with_capacity(chunks.len());
        for document in documents(chunks) {
            let mut pieces = document.into_drafts();
            if pieces.iter().all(|piece| piece.start_line().is_some()) {
                pieces.sort_by_key(Draft::start_line);
            }
            drafts.extend(pieces);
        }
        if order == Order::Score {
            let score = |draft: &Draft| {
                draft.passage().and_then(|passage| passage.score).unwrap_or(f64::NEG_INFINITY)
            };
            drafts.sort_by(|a, b| score(b).total_cmp(&score(a)));
        }
        tell_apart(&mut drafts);
        let mut documents = Self::default();
        let mut places = Vec::new();
        for (n, draft) in drafts.into_iter().enumerate() {
            documents.context.blocks.push(draft.block);
            places
                .extend(draft.members.into_iter().map(|(chunk, place)| (chunk, Place { block: n, ..place })));
        }
        places.sort_by_key(|(chunk, place)| (*chunk, place.range.start()));
        documents.places = places.into_iter().map(|(_, place)| place).collect();
        documents
    }

    /// The text of chunk `n` of the answer.
    #[must_use]
    pub fn text(&self, n: usize) -> Option<&str> {
        let place = self.places.get(n)?;
        place.range.of(&self.context.blocks.get(place.block)?.text)
    }

    /// The texts made of more than one chunk.
    pub fn joined(&self) -> impl Iterator<Item = &str> {
        let blocks = self.context.blocks.iter().zip(self.by_block());
        blocks.filter(|(_, members)| members.len() > 1).map(|(block, _)| block.text.as_str())
    }

    /// The headers and repeated texts that the chunks would add to the context if each were shown separately.
    #[must_use]
    pub fn repeated(&self) -> String {
        let mut repeated = String::new();
        for members in self.by_block() {
            let mut shown = 0;
            for (nth, (_, place)) in members.iter().enumerate() {
                let Some(block) = self.context.blocks.get(place.block).filter(|_| nth > 0) else {
                    shown = place.range.end();
                    continue;
                };
                let twice = ByteRange::new(place.range.start(), place.range.end().min(shown));
                let twice = twice.and_then(|range| range.of(&block.text)).unwrap_or_default();
                let separator = &self.context.layout.separator;
                repeated.extend([block.header().as_str(), twice, "\n", separator, "\n"]);
                shown = shown.max(place.range.end());
            }
        }
        repeated
    }

    /// For each block, its chunks with their numbers, in the order of its text.
    pub(crate) fn by_block(&self) -> Vec<Vec<(usize, &Place)>> {
        let mut blocks = vec![Vec::new(); self.context.blocks.len()];
        for (n, place) in self.places.iter().enumerate() {
            blocks.change(place.block, |members| members.push((n, place)));
        }
        blocks.iter_mut().for_each(|members| members.sort_by_key(|(_, place)| place.range.start()));
        blocks
    }
}

/// The chunks of one document, with their positions in the request.
#[derive(Default)]
struct Document {
    positions: Vec<usize>,
    chunks: Vec<SearchChunk>,
}

/// The documents, in the order of their first chunks. A chunk with exact text or without a path is a separate document.
fn documents(chunks: Vec<SearchChunk>) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    let mut known: HashMap<(String, Option<String>, Option<String>), usize> = HashMap::new();
    for (position, chunk) in chunks.into_iter().enumerate() {
        let new = documents.len();
        let path = chunk.path.clone().filter(|_| chunk.exact.is_none());
        let name = path.map(|path| (path, chunk.title.clone(), chunk.language.clone()));
        let n = name.map_or(new, |name| *known.entry(name).or_insert(new));
        if n == new {
            documents.push(Document::default());
        }
        if let Some(document) = documents.get_mut(n) {
            document.positions.push(position);
            document.chunks.push(chunk);
        }
    }
    documents
}

impl Document {
    fn into_drafts(self) -> Vec<Draft> {
        let Self { positions, mut chunks } = self;
        if let [position] = positions.as_slice() {
            let blocks = chunks.pop().map(|chunk| chunk.into_blocks(position + 1)).unwrap_or_default();
            return blocks.into_iter().map(|block| Draft::of(block, *position)).collect();
        }
        let mut joined = join(&chunks);
        joined.sort_by_key(|joined| joined.members.iter().map(|(n, _)| *n).min());
        joined.into_iter().filter_map(|joined| Draft::joined(joined, &chunks, &positions)).collect()
    }
}

impl Draft {
    /// A single chunk, or a part of one.
    fn of(block: Block, position: usize) -> Self {
        let place = Place { id: block.id.clone(), block: 0, range: ByteRange::whole(&block.text) };
        Self { block, members: vec![(position, place)] }
    }

    /// Several chunks as one block, with the metadata that is true of all of them.
    fn joined(joined: Joined, chunks: &[SearchChunk], positions: &[usize]) -> Option<Self> {
        let mut block: Option<Block> = None;
        let mut members = Vec::with_capacity(joined.members.len());
        for (n, start) in joined.members {
            let (chunk, position) = (chunks.get(n)?, *positions.get(n)?);
            let one = chunk.clone().into_blocks(position + 1).pop()?;
            let range = ByteRange::new(start, start + one.text.len())?;
            members.push((position, Place { id: one.id.clone(), block: 0, range }));
            block = Some(match block.take() {
                Some(first) => both(first, one),
                None => one,
            });
        }
        let mut block = block?;
        block.text = joined.text;
        Some(Self { block, members })
    }

    fn passage(&self) -> Option<&Passage> {
        self.block.as_passage()
    }

    fn start_line(&self) -> Option<usize> {
        self.passage()?.start_line
    }
}

/// The metadata of both blocks: both ids, the better score, the sum of what is added around them, the first to the last
/// line, and the symbols that they share.
fn both(mut first: Block, second: Block) -> Block {
    if let (BlockKind::Passage(one), BlockKind::Passage(other)) = (&mut first.kind, second.kind) {
        let best = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        let same =
            |a: &mut Option<String>, b: Option<String>| *a = a.take().filter(|a| b.as_ref() == Some(a));
        one.score = best(one.score, other.score);
        one.overhead = one.overhead.into_iter().chain(other.overhead).reduce(|a, b| a + b);
        one.start_line = one.start_line.zip(other.start_line).map(|(a, b)| a.min(b));
        one.end_line = one.end_line.zip(other.end_line).map(|(a, b)| a.max(b));
        let Symbols { class, function, type_name, section } = other.symbols;
        same(&mut one.symbols.class, class);
        same(&mut one.symbols.function, function);
        same(&mut one.symbols.type_name, type_name);
        same(&mut one.symbols.section, section);
    }
    first.id = [&first.id, "+", &second.id].concat();
    first
}

/// Numbers blocks with the same name and no line numbers, so that each can be cited.
fn tell_apart(drafts: &mut [Draft]) {
    let mut all: HashMap<String, usize> = HashMap::new();
    let name = |passage: &Passage| passage.path.clone().or_else(|| passage.title.clone());
    for name in drafts.iter().filter_map(|draft| name(draft.passage()?)) {
        *all.entry(name).or_default() += 1;
    }
    all.retain(|_, n| *n > 1);
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for draft in drafts {
        let BlockKind::Passage(passage) = &mut draft.block.kind else { continue };
        if let Some(name) = name(passage).filter(|name| all.contains_key(name)) {
            let number = numbers.entry(name).or_default();
            *number += 1;
            passage.part = Some(*number).filter(|_| passage.start_line.is_none());
        }
    }
}
