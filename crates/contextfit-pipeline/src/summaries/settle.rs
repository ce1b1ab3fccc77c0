//! Settling the summaries of a plan: they are replaced by answers of a model, or left out.

use contextfit_kernel::{
    Action, Label, Level, Measured, NoSummary, Plan, Reason, Step, Summary, SummarySource, TokenCounter,
    Tokens, Voice,
};

use super::{
    Answers,
    answer::{Answer, shown},
    prompt::{self, SummaryPart},
};

/// A plan without [`Action::Summarize`].
pub(crate) struct Settled {
    pub(crate) plan: Plan,
    /// The outcomes of the summaries that the plan requested.
    pub(crate) summaries: Vec<Summary>,
    /// The parts that have not been requested from a model yet.
    pub(crate) open: Vec<SummaryPart>,
}

/// Replaces the blocks to be summarized in `plan` with `answers`, and drops those without an answer. A part takes at
/// most about `max_input_tokens` tokens. Linear.
pub(crate) fn settle(
    plan: Plan,
    input: &Measured<'_>,
    answers: &Answers,
    max_input_tokens: Tokens,
    counter: &dyn TokenCounter,
) -> Settled {
    let parts = parts(&plan.steps, input, answers, max_input_tokens, counter);
    let numbers = input.context.numbers();
    let mut settled = Settled { plan, summaries: Vec::with_capacity(parts.len()), open: Vec::new() };
    for part in parts {
        let answer = answers.at(part.from).filter(|answer| answer.to == part.to);
        let Some(steps) = settled.plan.steps.get_mut(part.from..part.to) else { continue };
        let steps = (steps, numbers.get(part.from..part.to).unwrap_or_default());
        let source = match answer {
            Some(answer) => {
                show_answer(answer, &part, steps, counter).unwrap_or_else(SummarySource::Fallback)
            }
            None => {
                settled.open.push(part);
                SummarySource::Fallback(NoSummary::NotAsked)
            }
        };
        let summary = Summary::new(part.from, part.to, source);
        settled.summaries.push(match answer {
            Some(answer) => summary.with_tokens(answer.tokens_in, answer.tokens_out),
            None => summary,
        });
    }
    for step in settled.plan.steps.iter_mut().filter(|step| is_wanted(step)) {
        step.action = Action::Drop;
    }
    settled
}

/// The parts to be summarized: those that have an answer, and as few as possible between them. A block that the record
/// quotes does not separate two parts: the model reads it, and the quote is kept.
fn parts(
    steps: &[Step],
    input: &Measured<'_>,
    answers: &Answers,
    max_input_tokens: Tokens,
    counter: &dyn TokenCounter,
) -> Vec<SummaryPart> {
    let wanted = |at: usize| match steps.get(at).map(|step| &step.action) {
        Some(Action::Summarize { room, .. }) => Some(*room),
        _ => None,
    };
    let is_passed = |at: usize| {
        let level = input.blocks.get(at).map(|block| block.block().level);
        let is_quoted = matches!(steps.get(at), Some(Step { action: Action::Record { .. }, .. }));
        is_quoted && level.is_some_and(Level::shows_source)
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
        let run = (at..steps.len()).take_while(|&at| wanted(at).is_some() || is_passed(at));
        let end = run.filter(|&at| wanted(at).is_some()).last().unwrap_or(at) + 1;
        while at < end {
            let answered = answers.at(at).map(|answer| answer.to).filter(|&to| to <= end);
            let to = answered.unwrap_or_else(|| {
                let limit = answers.next_after(at).map_or(end, |next| next.min(end));
                reach(at, limit, max_input_tokens, &cost, &|at| {
                    group(at).is_some() && group(at) == group(at - 1)
                })
            });
            let room: Tokens = (at..to).filter_map(wanted).sum();
            if room > Tokens::ZERO {
                parts.push(SummaryPart { from: at, to, room });
            }
            at = to;
        }
    }
    parts
}

/// The end of the part that starts at `from` and takes at most `most` tokens: at least one block, at most up to
/// `limit`, and if possible not between blocks that belong together.
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

/// Replaces the last of the `steps` to be summarized with the answer, and drops the others. Quotes in the record
/// between them are kept.
fn show_answer(
    answer: &Answer,
    part: &SummaryPart,
    (steps, numbers): (&mut [Step], &[usize]),
    counter: &dyn TokenCounter,
) -> Result<SummarySource, NoSummary> {
    let text = answer.text.as_deref().map_err(Clone::clone)?;
    let covered: Vec<usize> = (0..steps.len()).filter(|&n| steps.get(n).is_some_and(is_wanted)).collect();
    let number = |n: Option<&usize>| n.and_then(|&n| numbers.get(n)).copied().unwrap_or_default();
    let label = Label::new(number(covered.last()), Voice::Summary { from: number(covered.first()) });
    let (entry, cut) = shown(text, &label, part.room, counter)?;
    let mut entry = Some(entry);
    for &n in covered.iter().rev() {
        let Some(step) = steps.get_mut(n) else { continue };
        step.action = match entry.take() {
            Some(text) => Action::Render { level: Level::Gist, text },
            None => Action::Drop,
        };
        step.reason = Reason::Summarized { of: covered.len() };
        step.tokens = None;
    }
    Ok(SummarySource::Model { cut })
}

/// Whether the block of the step is still to be summarized.
const fn is_wanted(step: &Step) -> bool {
    matches!(step.action, Action::Summarize { .. })
}
