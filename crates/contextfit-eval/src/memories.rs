//! Memories that replace, contradict and qualify each other: are the words that hold today still shown?

use contextfit_formats::{MemoryEntry, MemoryRequest};
use contextfit_kernel::Importance;
use serde::Deserialize;

use crate::{
    EvalError, Input, Item,
    excerpts::Facts,
    folder::{Folder, Line, some},
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
    folder.items("memories", folder.read("memories")?, |case: CaseLine| {
        some("memories", &case.memories)?;
        some("must", &case.must)?;
        let memories = case.memories.into_iter().map(MemoryEntry::from).collect();
        let memories = MemoryRequest::new(memories).into_records();
        let input = Input::Memories { memories, query: case.question };
        Ok(Item { id: case.id, input, gold: Box::new(Facts::of_words(case.must)) })
    })
}
