//! From a plan that wants summaries to one that says what is shown.

use std::collections::HashSet;

use contextfit_kernel::{
    Action, Essential, Level, Measured, NoSummary, Plan, Reason, Step, Summary, TokenCounter, Tokens, Told,
};

use super::{Answer, Answers, answer::shown, prompt};

/// Neighbouring blocks that one request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// What the summary may take.
    pub(crate) room: Tokens,
}

/// A plan without [`Action::Summarize`].
pub(crate) struct Settled {
    pub(crate) plan: Plan,
    /// What became of the summaries that it wanted.
    pub(crate) summaries: Vec<Summary>,
    /// Parts that nobody was asked about so far; they are shown by their fallbacks.
    pub(crate) open: Vec<Part>,
}

/// Puts `answers` in the places of what `plan` wants summarized, and fallbacks where there are none. No part takes more than
/// about `most_input` tokens. Linear.
pub(crate) fn settle(
    plan: Plan,
    input: &Measured<'_>,
    answers: &Answers,
    most_input: Tokens,
    counter: &dyn TokenCounter,
) -> Settled {
    let parts = parts(&plan.steps, input, answers, most_input, counter);
    let mut settled = Settled { plan, summaries: Vec::with_capacity(parts.len()), open: Vec::new() };
    if parts.is_empty() {
        return settled;
    }
    for part in parts {
        let answer = answers.at(part.from).filter(|answer| answer.to == part.to);
        let Some(steps) = settled.plan.steps.get_mut(part.from..part.to) else { continue };
        let told = match answer {
            Some(answer) => tell(answer, &part, steps, counter).unwrap_or_else(Told::ByFallback),
            None => {
                settled.open.push(part);
                Told::ByFallback(NoSummary::NotAsked)
            }
        };
        let summary = Summary::new(part.from, part.to, told);
        settled.summaries.push(match answer {
            Some(answer) => summary.with_tokens(answer.tokens_in, answer.tokens_out),
            None => summary,
        });
    }
    fall_back(&mut settled.plan.steps, input);
    settled
}

/// The parts of what is to be summarized: those that are answered, and between them as few as can be.
fn parts(
    steps: &[Step],
    input: &Measured<'_>,
    answers: &Answers,
    most_input: Tokens,
    counter: &dyn TokenCounter,
) -> Vec<Part> {
    let wanted = |at: usize| match steps.get(at).map(|step| &step.action) {
        Some(Action::Summarize { room, .. }) => Some(*room),
        _ => None,
    };
    let cost = |at: usize| input.blocks.get(at).map_or(Tokens::ZERO, |block| prompt::cost(block, counter));
    let group = |at: usize| input.blocks.get(at).and_then(|block| block.block().group.as_deref());
    let mut parts = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        if wanted(at).is_none() {
            at += 1;
            continue;
        }
        let end = (at..).find(|&at| wanted(at).is_none()).unwrap_or(at);
        while at < end {
            let answered = answers.at(at).map(|answer| answer.to).filter(|&to| to <= end);
            let to = answered.unwrap_or_else(|| {
                let limit = answers.next_after(at).map_or(end, |next| next.min(end));
                reach(at, limit, most_input, &cost, &|at| group(at).is_some() && group(at) == group(at - 1))
            });
            parts.push(Part { from: at, to, room: (at..to).filter_map(wanted).sum() });
            at = to;
        }
    }
    parts
}

/// How far from `from` a part reaches that takes at most `most`: `limit` at the furthest, one block at the least, and if it can
/// be not between blocks that belong together.
fn reach(
    from: usize,
    limit: usize,
    most: Tokens,
    cost: &dyn Fn(usize) -> Tokens,
    is_bound: &dyn Fn(usize) -> bool,
) -> usize {
    let mut tokens = Tokens::ZERO;
    let mut good = None;
    for at in from..limit {
        if at > from && !is_bound(at) {
            good = Some(at);
        }
        tokens += cost(at);
        if tokens > most && at > from {
            return good.unwrap_or(at);
        }
    }
    limit
}

/// Shows what was answered with the first of `steps`, and no text with the others.
fn tell(
    answer: &Answer,
    part: &Part,
    steps: &mut [Step],
    counter: &dyn TokenCounter,
) -> Result<Told, NoSummary> {
    let text = answer.text.as_deref().map_err(Clone::clone)?;
    let told = shown(text, &essentials(steps), steps.len(), part.room, counter)?;
    let of = steps.len();
    let mut text = Some(told.text);
    for step in steps {
        step.action = Action::Render { level: Level::Gist, text: text.take().unwrap_or_default() };
        step.reason = Reason::Summarized { of };
        step.tokens = None;
    }
    Ok(Told::ByModel { restored: told.restored, cut: told.cut })
}

/// What must not be lost: the first of each block before the second of any, and of the newest block before the others.
fn essentials(steps: &[Step]) -> Vec<&Essential> {
    let mut ranked: Vec<(usize, usize, &Essential)> = Vec::new();
    for (age, step) in steps.iter().rev().enumerate() {
        let Action::Summarize { essentials, .. } = &step.action else { continue };
        ranked.extend(essentials.iter().enumerate().map(|(rank, essential)| (rank, age, essential)));
    }
    ranked.sort_by_key(|&(rank, age, _)| (rank, age));
    ranked.into_iter().map(|(_, _, essential)| essential).collect()
}

/// Shows by its fallback what is still to be summarized. A block without one is left out, but not where others of its group
/// are shown.
fn fall_back(steps: &mut [Step], input: &Measured<'_>) {
    let blocks = || input.blocks.iter().map(|measured| measured.block().group.as_deref());
    let shown = |step: &Step| !matches!(step.action, Action::Summarize { fallback: None, .. } | Action::Drop);
    let stand: HashSet<&str> =
        steps.iter().zip(blocks()).filter(|(step, _)| shown(step)).filter_map(|(_, group)| group).collect();
    for (step, group) in steps.iter_mut().zip(blocks()) {
        let Action::Summarize { fallback, .. } = &mut step.action else { continue };
        let stands = group.is_some_and(|group| stand.contains(group));
        step.action = match fallback.take().or_else(|| stands.then(String::new)) {
            Some(text) => Action::Render { level: Level::Gist, text },
            None => Action::Drop,
        };
    }
}
