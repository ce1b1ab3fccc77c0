//! Answers to memory requests.

use contextfit_kernel::{CompressionMetrics, Level, Tokens};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The answer to a [`MemoryRequest`](crate::MemoryRequest). `M` is a memory at a level, whose JSON holds `id`, `level`,
/// `tokens` and the fields of that level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemoryAnswer<M> {
    /// The request's id, unchanged; `null` if it had none.
    pub id: Option<Value>,
    /// The text to put into the prompt.
    pub context: String,
    /// One entry for each memory of the request, in order.
    pub memories: Vec<MemoryAnswerEntry<M>>,
    /// The figures.
    pub metrics: MemoryMetrics,
}

/// The outcome for one memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MemoryAnswerEntry<M> {
    /// It is dropped. This variant is first because any memory at all could be read as an `M`.
    Dropped(DroppedMemory),
    /// It is shown.
    Shown(M),
}

/// A dropped memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DroppedMemory {
    /// Its id.
    pub id: String,
    /// Always `null`.
    #[serde(deserialize_with = "null")]
    pub level: Option<Level>,
    /// Always 0.
    pub tokens: Tokens,
}

/// The figures of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemoryMetrics {
    /// The tokens of all memories at level 3.
    pub tokens_before: Tokens,
    /// The tokens of the context, exactly.
    pub tokens_after: Tokens,
    /// The difference, at least zero.
    pub tokens_saved: Tokens,
    /// The share of the input that was saved, such as `76.4%`.
    pub compression_rate: String,
    /// The tokens saved by not sending memories again.
    pub tokens_not_resent: Tokens,
    /// The number of memories in the request.
    pub blocks_before: usize,
    /// The number of memories in the context, at whatever level.
    pub blocks_after: usize,
    /// The number of memories at each level, from level 0 up.
    pub levels: [usize; 4],
    /// The words of the query that no memory contains; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// The value of the chosen levels.
    pub value: f64,
    /// An upper bound on the value of any choice.
    pub bound: f64,
    /// The share of the bound by which the value may be less than the best: 0 if the choice is proven optimal.
    pub gap: f64,
}

impl<M> MemoryAnswer<M> {
    /// The answer to the request with this `id`.
    #[must_use]
    pub const fn new(
        id: Option<Value>,
        context: String,
        memories: Vec<MemoryAnswerEntry<M>>,
        metrics: MemoryMetrics,
    ) -> Self {
        Self { id, context, memories, metrics }
    }
}

impl DroppedMemory {
    /// The dropped memory with this `id`.
    #[must_use]
    pub const fn new(id: String) -> Self {
        Self { id, level: None, tokens: Tokens::ZERO }
    }
}

impl MemoryMetrics {
    /// The figures from `metrics`, with the number of memories at each level, and the `value` of that choice and its
    /// `bound`.
    #[must_use]
    pub fn new(metrics: CompressionMetrics, levels: [usize; 4], value: f64, bound: f64) -> Self {
        Self {
            tokens_before: metrics.tokens_before,
            tokens_after: metrics.tokens_after,
            tokens_saved: metrics.tokens_saved(),
            compression_rate: metrics.compression_rate(),
            tokens_not_resent: Tokens::ZERO,
            blocks_before: metrics.blocks_before,
            blocks_after: metrics.blocks_after,
            levels,
            unmatched: Vec::new(),
            value,
            bound,
            gap: if bound > value { (bound - value) / bound } else { 0.0 },
        }
    }
}

contextfit_kernel::setters! {
    MemoryMetrics { with_tokens_not_resent(tokens_not_resent: Tokens), with_unmatched(unmatched: Vec<String>) }
}

/// Reads the level of a dropped memory, which must be `null`.
fn null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Level>, D::Error> {
    <()>::deserialize(deserializer).map(|()| None)
}
