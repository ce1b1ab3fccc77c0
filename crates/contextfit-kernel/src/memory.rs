//! Memories as applications keep them (seed 004).

use serde::{Deserialize, Serialize};

use crate::Importance;

/// Everything that is known of a memory: what its level 3 shows. Only the id is needed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MemoryRecord {
    /// What the application calls it, in any script. Need not be unique.
    pub id: String,
    /// The kind of memory, as the application names it: `tribal`, `constraint`.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// How much it matters.
    pub importance: Importance,
    /// How sure it is, from 0 to 1.
    pub confidence: Option<f64>,
    /// Since when it holds, as the application writes it: best as `2025-03-31`, alone or with a time. Of two memories that
    /// conflict, the newer one counts.
    pub date: Option<String>,
    /// What it is about, in a line.
    pub summary: String,
    /// What it says.
    pub knowledge: String,
    /// Its tags, the most telling first.
    pub tags: Vec<String>,
    /// Code that shows it.
    pub examples: Vec<CodeSnippet>,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// Ids of memories that belong to it.
    pub related: Vec<String>,
    /// What led to what, in order.
    pub causal_chain: Vec<String>,
    /// Patterns that it is about.
    pub linked_patterns: Vec<String>,
    /// Constraints that it is about.
    pub linked_constraints: Vec<String>,
    /// Files that it is about.
    pub linked_files: Vec<String>,
    /// Functions that it is about.
    pub linked_functions: Vec<String>,
    /// How relevant it is to the question, as the application sees it: from 0 to 1. A note to the packer, not shown.
    pub relevance: Option<f64>,
    /// How recent it is, from 0 to 1, which is now. A note to the packer, not shown.
    pub recency: Option<f64>,
    /// Shown at level 3 or not at all: what cannot be shown is an error.
    pub pinned: bool,
    /// Memories of one group are shown at the same level, or dropped together.
    pub group: Option<String>,
}

impl MemoryRecord {
    /// A memory of normal importance, of which nothing is known yet.
    #[must_use]
    pub fn new(id: impl Into<String>, memory_type: impl Into<String>) -> Self {
        Self { id: id.into(), memory_type: memory_type.into(), ..Self::default() }
    }
}

/// Code that shows what a memory says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct CodeSnippet {
    /// The language, by its usual lower-case name.
    pub language: String,
    /// The code.
    pub code: String,
    /// What it shows.
    pub explanation: String,
}

/// What a memory rests on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evidence {
    /// What was seen.
    pub description: String,
    /// How sure that is, from 0 to 1.
    pub confidence: Option<f64>,
}
