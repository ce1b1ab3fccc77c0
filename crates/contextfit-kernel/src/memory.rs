//! Memories as applications store them, in the Cortex format.

use serde::{Deserialize, Serialize};

use crate::Importance;

/// A memory with all its fields, which level 3 shows. Only the id is required.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemoryRecord {
    /// The application's name for the memory, in any script. Need not be unique.
    pub id: String,
    /// The type of memory, as the application names it: `tribal`, `constraint`.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// How much it matters.
    pub importance: Importance,
    /// Confidence, from 0 to 1.
    pub confidence: Option<f64>,
    /// The date from which it is valid, as the application writes it: preferably `2025-03-31`, with or without a time.
    /// If two memories have the same content, the newer one is shown.
    pub date: Option<String>,
    /// Ids of the memories that it replaces; ids of unknown memories are ignored. Only the packer uses them; they are
    /// not shown.
    pub replaces: Vec<String>,
    /// A one-line summary.
    pub summary: String,
    /// Its content.
    pub knowledge: String,
    /// Its tags, the most informative first.
    pub tags: Vec<String>,
    /// Code examples.
    pub examples: Vec<CodeSnippet>,
    /// The evidence for it.
    pub evidence: Vec<Evidence>,
    /// Ids of related memories.
    pub related: Vec<String>,
    /// Its causes and effects, in order.
    pub causal_chain: Vec<String>,
    /// Patterns it refers to.
    pub linked_patterns: Vec<String>,
    /// Constraints it refers to.
    pub linked_constraints: Vec<String>,
    /// Files it refers to.
    pub linked_files: Vec<String>,
    /// Functions it refers to.
    pub linked_functions: Vec<String>,
    /// Its relevance to the question according to the application, from 0 to 1. Only the packer uses it; it is not
    /// shown.
    pub relevance: Option<f64>,
    /// Its recency, from 0 to 1, where 1 is now. Only the packer uses it; it is not shown.
    pub recency: Option<f64>,
    /// Whether it must be shown at level 3. The result is an error if there is no room for it.
    pub pinned: bool,
    /// The group of the memory. The memories of a group are shown at the same level, or dropped together.
    pub group: Option<String>,
}

impl MemoryRecord {
    /// Creates a memory of normal importance without content.
    #[must_use]
    pub fn new(id: impl Into<String>, memory_type: impl Into<String>) -> Self {
        Self { id: id.into(), memory_type: memory_type.into(), ..Self::default() }
    }
}

crate::setters! {
    MemoryRecord {
        with_importance(importance: Importance), with_confidence(confidence: impl Into<Option<f64>>),
        with_date(date: impl Into<String> => some), with_replaces(replaces: Vec<String>),
        with_summary(summary: impl Into<String>), with_knowledge(knowledge: impl Into<String>),
        with_tags(tags: Vec<String>), with_examples(examples: Vec<CodeSnippet>),
        with_evidence(evidence: Vec<Evidence>), with_related(related: Vec<String>),
        with_causal_chain(causal_chain: Vec<String>), with_linked_patterns(linked_patterns: Vec<String>),
        with_linked_constraints(linked_constraints: Vec<String>), with_linked_files(linked_files: Vec<String>),
        with_linked_functions(linked_functions: Vec<String>), with_relevance(relevance: impl Into<Option<f64>>),
        with_recency(recency: impl Into<Option<f64>>), with_pinned(pinned: bool),
        with_group(group: impl Into<String> => some),
    }
}

/// Code that illustrates a memory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct CodeSnippet {
    /// The language, by its usual lower-case name.
    pub language: String,
    /// The code.
    pub code: String,
    /// An explanation of the code.
    pub explanation: String,
}

/// Evidence for a memory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Evidence {
    /// What was observed.
    pub description: String,
    /// Confidence in it, from 0 to 1.
    pub confidence: Option<f64>,
}
