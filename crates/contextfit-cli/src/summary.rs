//! Formats figures for people.

use std::{collections::HashMap, time::Duration};

use contextfit::{
    formats::{AnswerBlock, AnswerMetrics},
    kernel::{Budget, Context, Noun, Tokens},
    presets::{Counting, Estimator},
};
use indicatif::HumanCount;

/// `n` with a comma between thousands.
pub(crate) fn grouped(n: usize) -> String {
    HumanCount(n as u64).to_string()
}

/// What the model of `counting` is estimated to count for `tokens`, as part of a line; empty if counts are its own.
pub(crate) fn estimated_part(counting: &Counting, tokens: Tokens) -> String {
    let part = |estimator: &Estimator| {
        let by = estimator.by();
        format!(" · {} for {} ({by})", grouped(estimator.tokens(tokens).get()), by.model)
    };
    counting.estimator.as_ref().map(part).unwrap_or_default()
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `n` with the noun in singular or plural.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// What to call the messages of `context` besides their ids, which count from 0: by the number of the turn, as records
/// do. Empty if it is not a conversation.
pub(crate) fn turns(context: &Context) -> HashMap<&str, String> {
    let numbered = context.blocks.iter().zip(context.numbers());
    // The entry of an earlier record has its number in its id.
    let named = numbered.filter(|(block, _)| context.layout.framing.is_some() && !block.id.contains('#'));
    named.map(|(block, number)| (block.id.as_str(), format!("{} (#{number})", block.id))).collect()
}

/// One line: the blocks kept at each level, their tokens and the time taken. `low` names the lower levels, `by` the
/// tokenizer.
pub(crate) fn line(
    blocks: &[AnswerBlock],
    metrics: &AnswerMetrics,
    noun: &Noun,
    low: &str,
    budget: &Budget,
    by: &str,
    time: Duration,
) -> String {
    let at = |levels: &[u8]| {
        blocks.iter().filter(|block| block.level.is_some_and(|level| levels.contains(&level.into()))).count()
    };
    let (whole, part, named) = (at(&[3]), at(&[2]), at(&[0, 1]));
    format!(
        "kept {} of {} {} ({} whole, {} in part, {} {low}) · {} of {} tokens {by} · input {} tokens · {:.2} s",
        grouped(metrics.blocks_after),
        grouped(metrics.blocks_before),
        noun.of(metrics.blocks_before),
        grouped(whole),
        grouped(part),
        grouped(named),
        grouped(metrics.tokens_after.get()),
        grouped(budget.available().get()),
        grouped(metrics.tokens_before.get()),
        time.as_secs_f64(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, expect: &str) {
        assert_eq!(grouped(n), expect);
    }

    #[test]
    fn thousands_are_grouped() {
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(1_234_567, "1,234,567");
    }
}
