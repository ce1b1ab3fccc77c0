//! Memories that replace, contradict and qualify each other: are the words that hold today still shown?

use contextfit_formats::{MemoryEntry, MemoryRequest};
use contextfit_kernel::{CompressionResult, Context, Importance, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, some},
    ratio::fraction,
};

#[derive(Deserialize)]
struct CaseLine {
    id: String,
    question: String,
    memories: Vec<MemoryLine>,
    /// Words of the memories that hold today.
    must: Vec<String>,
}

#[derive(Deserialize)]
struct MemoryLine {
    id: String,
    time: String,
    #[serde(rename = "type")]
    memory_type: String,
    importance: Importance,
    tags: Vec<String>,
    text: String,
    #[serde(default)]
    replaces: Vec<String>,
}

impl From<MemoryLine> for MemoryEntry {
    fn from(line: MemoryLine) -> Self {
        Self {
            id: Some(line.id),
            memory_type: Some(line.memory_type),
            importance: Some(line.importance),
            date: Some(line.time),
            knowledge: Some(line.text),
            tags: Some(line.tags),
            replaces: Some(line.replaces),
            ..Self::default()
        }
    }
}

/// The cases of a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    let item = |Line { number, value: case }: Line<CaseLine>| {
        let checked = some("memories", &case.memories).and_then(|()| some("must", &case.must));
        checked.map_err(|(field, message)| folder.malformed("memories", number, field, message))?;
        let memories = case.memories.into_iter().map(MemoryEntry::from).collect();
        let memories = MemoryRequest::new(memories).into_records();
        let input = Input::Memories { memories, query: case.question };
        Ok(Line { number, value: Item { id: case.id, input, gold: Box::new(Words(case.must)) } })
    };
    folder.read::<CaseLine>("memories")?.into_iter().map(item).collect()
}

/// The words that must be shown.
struct Words(Vec<String>);

impl Gold for Words {
    fn base(&self, context: &Context, counter: &dyn TokenCounter) -> Base {
        let shared = context.blocks.iter().map(|block| counter.count(&block.text)).sum();
        Base { fixed: Tokens::ZERO, shared }
    }

    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept::default() };
        let kept = self.0.iter().filter(|words| result.text.contains(words.as_str())).count();
        Kept { all: kept == self.0.len(), fraction: fraction(kept, self.0.len()), ..Kept::default() }
    }
}
