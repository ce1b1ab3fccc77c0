//! Memory requests.

use contextfit_kernel::{CodeSnippet, Evidence, Importance, Level, MemoryRecord, Tokens};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{FormatError, number, request::read_either};

/// Memories and a budget in tokens. A field not listed here is an error, as in [`SearchRequest`](crate::SearchRequest).
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::MemoryRequest;
///
/// let request = MemoryRequest::parse(r#"[{"id": 7, "type": "tribal", "importance": "critical", "tags": null}]"#)?;
/// let memories = request.into_records();
/// assert_eq!((memories[0].id.as_str(), memories[0].memory_type.as_str()), ("7", "tribal"));
///
/// let error = MemoryRequest::parse(r#"{"memories": [{"importance": "huge"}]}"#).unwrap_err();
/// assert_eq!(error.path, "memories[0].importance");
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a request: an object with `memories`, or an array of memories")]
pub struct MemoryRequest {
    /// The application's id for the request, echoed unchanged in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The question that the memories should help to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The maximum number of tokens to spend, including the reserve.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub budget: Option<Tokens>,
    /// The part of the budget to set aside.
    #[serde(default, deserialize_with = "number::tokens", skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Tokens>,
    /// The name of the strategy that chooses the levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// The memories, in the order in which to show them.
    pub memories: Vec<MemoryEntry>,
}

/// A memory as an application sends it. Everything is optional; `null` means absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase", expecting = "a memory: an object")]
pub struct MemoryEntry {
    /// Its id; a number is read as its digits.
    #[serde(deserialize_with = "number::id")]
    pub id: Option<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub memory_type: Option<String>,
    /// `low`, `normal`, `high` or `critical`.
    pub importance: Option<Importance>,
    /// Its certainty, from 0 to 1.
    pub confidence: Option<f64>,
    /// The date since which it holds, such as `2025-03-31`, optionally with a time.
    pub date: Option<String>,
    /// The ids of the memories that it replaces: a list, or a single one.
    #[serde(deserialize_with = "number::ids")]
    pub replaces: Option<Vec<String>>,
    /// A summary.
    pub summary: Option<String>,
    /// Its content.
    pub knowledge: Option<String>,
    /// Its tags.
    pub tags: Option<Vec<String>>,
    /// Code that illustrates it.
    pub examples: Option<Vec<Example>>,
    /// Evidence that supports it.
    pub evidence: Option<Vec<Evidence>>,
    /// Related memories.
    pub related: Option<Vec<String>>,
    /// The chain of causes and effects.
    #[serde(alias = "causal_chain")]
    pub causal_chain: Option<Vec<String>>,
    /// Linked patterns.
    #[serde(alias = "linked_patterns")]
    pub linked_patterns: Option<Vec<String>>,
    /// Linked constraints.
    #[serde(alias = "linked_constraints")]
    pub linked_constraints: Option<Vec<String>>,
    /// Linked files.
    #[serde(alias = "linked_files")]
    pub linked_files: Option<Vec<String>>,
    /// Linked functions.
    #[serde(alias = "linked_functions")]
    pub linked_functions: Option<Vec<String>>,
    /// Its relevance to the query, from 0 to 1.
    pub relevance: Option<f64>,
    /// Its recency, from 0 to 1.
    pub recency: Option<f64>,
    /// Whether it must be shown whole.
    pub pinned: Option<bool>,
    /// The group of memories that are shown at the same level.
    pub group: Option<String>,
    /// The level, from 0 to 3, at which the conversation already has it. Not part of the record.
    pub sent: Option<Level>,
}

/// An example of a memory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an example: an object with `code`")]
pub struct Example {
    language: Option<String>,
    code: Option<String>,
    explanation: Option<String>,
}

impl MemoryRequest {
    /// A request for `memories`, with every other field absent.
    #[must_use]
    pub fn new(memories: Vec<MemoryEntry>) -> Self {
        Self { memories, ..Self::default() }
    }

    /// Reads a request, or a bare array of memories. Linear in the length of `text`.
    ///
    /// # Errors
    /// [`FormatError`] with line, column and path if `text` is not JSON or not such a request.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        read_either(text, Self::new)
    }

    /// The memories as records, in order.
    #[must_use]
    pub fn into_records(self) -> Vec<MemoryRecord> {
        self.memories.into_iter().zip(1..).map(|(memory, position)| memory.into_record(position)).collect()
    }
}

impl MemoryEntry {
    /// The memory as a record. Without an id, it is named by its `position` in the request, from 1.
    fn into_record(self, position: usize) -> MemoryRecord {
        let examples = self.examples.unwrap_or_default().into_iter().map(|example| CodeSnippet {
            language: example.language.unwrap_or_default(),
            code: example.code.unwrap_or_default(),
            explanation: example.explanation.unwrap_or_default(),
        });
        let id = self.id.unwrap_or_else(|| position.to_string());
        let mut memory = MemoryRecord::new(id, self.memory_type.unwrap_or_default());
        memory.importance = self.importance.unwrap_or_default();
        memory.confidence = self.confidence;
        memory.date = self.date;
        memory.replaces = self.replaces.unwrap_or_default();
        memory.summary = self.summary.unwrap_or_default();
        memory.knowledge = self.knowledge.unwrap_or_default();
        memory.tags = self.tags.unwrap_or_default();
        memory.examples = examples.collect();
        memory.evidence = self.evidence.unwrap_or_default();
        memory.related = self.related.unwrap_or_default();
        memory.causal_chain = self.causal_chain.unwrap_or_default();
        memory.linked_patterns = self.linked_patterns.unwrap_or_default();
        memory.linked_constraints = self.linked_constraints.unwrap_or_default();
        memory.linked_files = self.linked_files.unwrap_or_default();
        memory.linked_functions = self.linked_functions.unwrap_or_default();
        memory.relevance = self.relevance;
        memory.recency = self.recency;
        memory.pinned = self.pinned.unwrap_or_default();
        memory.group = self.group;
        memory
    }
}
