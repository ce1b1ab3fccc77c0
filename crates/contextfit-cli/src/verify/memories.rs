//! Compares a report of `memory` with what its memories give at their levels.

use std::{collections::HashMap, sync::Arc};

use contextfit::{
    kernel::{Level, TokenCounter, Tokens},
    memory::{FitOptions, MemoryChoice, MemoryCompressor, MemoryRecord},
    presets::{memory_answer, sent_memories},
};
use serde_json::{Value, json};

use super::claims::{all_same, same_text};
use crate::memory::{Ladder, MemoryReport, ladders};

/// Checks that pinned memories are whole, unless they were sent so before, and that those of a group that are shown have one
/// level.
///
/// # Errors
/// The first memory that is not.
fn held(memories: &[MemoryRecord], report: &MemoryReport) -> Result<(), String> {
    let mut groups: HashMap<&str, Level> = HashMap::new();
    for (n, (memory, ladder)) in memories.iter().zip(&report.ladders).enumerate() {
        let level = ladder.level;
        if memory.pinned && [level, ladder.sent].into_iter().all(|level| level != Some(Level::Full)) {
            return Err(format!("memories[{n}] is pinned, but not shown whole"));
        }
        // Another memory may have replaced one of a group.
        let shown = memory.group.as_deref().zip(level);
        if shown.is_some_and(|(group, level)| *groups.entry(group).or_insert(level) != level) {
            return Err(format!("memories[{n}] is shown at another level than others of its group"));
        }
    }
    Ok(())
}

/// Checks what `report` says, and returns the tokens of its context; `counter` is that of its tokenizer.
///
/// # Errors
/// The first thing that differs: its place, what was expected and what was found.
pub(super) fn check(report: &MemoryReport, counter: Arc<dyn TokenCounter>) -> Result<Tokens, String> {
    let memories = report.input()?;
    let all = |found: usize, name: &str| match found == memories.len() {
        true => Ok(()),
        false => Err(format!("{name}: expected {} entries, found {found}", memories.len())),
    };
    all(report.ladders.len(), "ladders")?;
    all(report.memories.as_array().map_or(0, Vec::len), "memories")?;
    if !matches!(report.strategy.as_str(), "greedy" | "optimal") {
        return Err(format!("strategy: expected greedy or optimal, found {:?}", report.strategy));
    }
    let of = |ladder: &Ladder<'_>| ladder.relevance;
    let sent: Vec<_> = report.ladders.iter().map(|ladder| ladder.sent).collect();
    let figure = |name: &str| report.metrics.get(name).and_then(Value::as_f64).unwrap_or_default();
    let choice = MemoryChoice {
        levels: report.ladders.iter().map(|ladder| ladder.level).collect(),
        relevance: report.ladders.iter().map(of).collect(),
        value: figure("value"),
        bound: figure("bound"),
    };
    let (counted, available) = (counter.count(&report.context), report.budget.available());
    if counted > available {
        return Err(format!("{counted} tokens exceed the budget of {available}"));
    }
    let compressor = MemoryCompressor::new(counter);
    let session = sent_memories(&compressor, memories, &sent);
    let mut options = FitOptions::default().with_session(&session);
    options.query = report.query.as_deref();
    let batch = compressor.compress_batch_at(memories, available, choice, &options);
    let batch = batch.map_err(|error| error.to_string())?;
    same_text("context", &batch.text, &report.context)?;
    let expected = memory_answer(None, &batch);
    all_same("memories", &json!(expected.memories), &report.memories)?;
    all_same("metrics", &json!(expected.metrics), &report.metrics)?;
    let expected = ladders(&batch, &sent).into_iter().zip(&report.ladders);
    // Why a level was chosen is a claim.
    let expected = expected.map(|(ladder, found)| Ladder { reason: found.reason.clone(), ..ladder });
    all_same("ladders", &json!(expected.collect::<Vec<_>>()), &json!(report.ladders))?;
    held(memories, report)?;
    Ok(batch.tokens)
}
