//! The four levels of a memory as data; the fields are those of Cortex.

use contextfit_kernel::{CodeSnippet, Evidence, Importance, Level, MemoryRecord, Tokens};
use serde::{Deserialize, Serialize};

/// A memory at one level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompressedMemory {
    /// The level.
    pub level: Level,
    /// The content shown at that level.
    #[serde(flatten)]
    pub output: LevelOutput,
    /// The content as text, for a prompt. Not part of the JSON, so it is empty in a memory that was read from JSON.
    #[serde(skip)]
    pub text: String,
}

/// The content shown at one of the levels. Each level includes the one below. The highest comes first, because the JSON
/// of each level could be read as a lower one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LevelOutput {
    /// Level 3.
    Full(Box<Level3Output>),
    /// Level 2.
    Extract(Level2Output),
    /// Level 1.
    Gist(Level1Output),
    /// Level 0.
    Reference(Level0Output),
}

/// Level 0: the memory exists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level0Output {
    /// The memory's id.
    pub id: String,
    /// Its type.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// Its importance.
    pub importance: Importance,
    /// Tokens of the text at the level shown, as actually counted.
    pub tokens: Tokens,
}

/// Level 1: what it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Level1Output {
    /// Level 0.
    #[serde(flatten)]
    pub base: Level0Output,
    /// A line: the summary, otherwise the first sentence of the knowledge; cut after a word if it is too long.
    pub one_liner: String,
    /// The first three tags.
    pub tags: Vec<String>,
    /// Its confidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The date from which it is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The id of the memory in the batch that replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older_than: Option<String>,
}

/// Level 2: enough to act on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level2Output {
    /// Level 1.
    #[serde(flatten)]
    pub base: Level1Output,
    /// The details that level 2 adds.
    pub details: Details,
}

/// The details that level 2 adds.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Details {
    /// The knowledge: its first sentences, and a marker for those left out.
    pub knowledge: String,
    /// The code of the best example.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The two most certain pieces of evidence.
    pub evidence: Vec<String>,
}

/// Level 3: all of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level3Output {
    /// Level 2.
    #[serde(flatten)]
    pub base: Level2Output,
    /// The content that level 3 adds.
    pub full: Full,
}

/// The content that level 3 adds. It repeats the summary and the tags, because lower levels may have less of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Full {
    /// The summary.
    pub summary: String,
    /// The whole knowledge.
    pub complete_knowledge: String,
    /// All tags.
    pub all_tags: Vec<String>,
    /// All examples.
    pub all_examples: Vec<CodeSnippet>,
    /// All evidence.
    pub all_evidence: Vec<Evidence>,
    /// Ids of related memories.
    pub related_memories: Vec<String>,
    /// The chain of causes and effects.
    pub causal_chain: Vec<String>,
    /// Related patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_patterns: Vec<String>,
    /// Related constraints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_constraints: Vec<String>,
    /// Related files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_files: Vec<String>,
    /// Related functions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked_functions: Vec<String>,
}

impl CompressedMemory {
    /// Its level 0 fields.
    #[must_use]
    pub fn reference(&self) -> &Level0Output {
        match &self.output {
            LevelOutput::Reference(output) => output,
            LevelOutput::Gist(output) => &output.base,
            LevelOutput::Extract(output) => &output.base.base,
            LevelOutput::Full(output) => &output.base.base.base,
        }
    }

    /// The memory's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.reference().id
    }

    /// Tokens of the text, as actually counted.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.reference().tokens
    }

    /// Whether the text is within the maximum of its level.
    #[must_use]
    pub fn is_within(&self, limits: &LevelLimits) -> bool {
        self.tokens() <= limits.of(self.level).max
    }
}

impl From<Level3Output> for MemoryRecord {
    /// The memory that level 3 shows. Only its hints to the packer are lost.
    fn from(output: Level3Output) -> Self {
        let Level3Output { base: Level2Output { base, .. }, full } = output;
        let mut memory = Self::new(base.base.id, base.base.memory_type);
        memory.importance = base.base.importance;
        memory.confidence = base.confidence;
        memory.date = base.date;
        memory.summary = full.summary;
        memory.knowledge = full.complete_knowledge;
        memory.tags = full.all_tags;
        memory.examples = full.all_examples;
        memory.evidence = full.all_evidence;
        memory.related = full.related_memories;
        memory.causal_chain = full.causal_chain;
        memory.linked_patterns = full.linked_patterns;
        memory.linked_constraints = full.linked_constraints;
        memory.linked_files = full.linked_files;
        memory.linked_functions = full.linked_functions;
        memory
    }
}

/// The target and maximum number of tokens of a memory at a level.
///
/// The maxima of levels 1 and 2 are enforced by shortening, if id, type, importance, tags and confidence leave room.
/// Those of levels 0 and 3 are only checked ([`CompressedMemory::is_within`](crate::CompressedMemory::is_within)),
/// because ids cannot be cut and level 3 loses nothing. Reported counts are never derived from these figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelLimit {
    /// The target, for planning windows.
    pub target: Tokens,
    /// The maximum.
    pub max: Tokens,
}

/// The limits of all levels, from level 0 up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LevelLimits(pub [LevelLimit; 4]);

impl LevelLimits {
    /// The limit of `level`.
    #[must_use]
    pub fn of(&self, level: Level) -> LevelLimit {
        let Self([reference, gist, extract, full]) = *self;
        match level {
            Level::Reference => reference,
            Level::Gist => gist,
            Level::Extract => extract,
            Level::Full => full,
        }
    }
}

impl Default for LevelLimits {
    /// The limits of Cortex, as target and maximum: 5 and 10, 50 and 75, 200 and 300, 500 and 1000.
    fn default() -> Self {
        Self(
            [(5, 10), (50, 75), (200, 300), (500, 1000)]
                .map(|(target, max)| LevelLimit { target: Tokens::new(target), max: Tokens::new(max) }),
        )
    }
}
