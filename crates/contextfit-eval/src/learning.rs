//! How a threshold learned from feedback approaches the best fixed one.
//!
//! Feedback is simulated from labels: a needed passage that scores at least the threshold of the moment is used, one
//! below it is restored. Nothing is reported about other passages.

use contextfit_bm25::Bm25;
use contextfit_feedback::{Event, Rule, Scale, Score, State, Subject};
use contextfit_kernel::{Block, Context, Level, Scorer};
use contextfit_text::float;
use rayon::prelude::*;
use serde::Serialize;

use crate::{
    Dataset, Input,
    bootstrap::{self, SplitMix64},
    ratio::fraction,
};

/// The number of orders in which the questions are asked.
const ORDERS: u64 = 20;

/// The share of the restored passages that somebody reports, if not all are.
const REPORTED: f64 = 0.5;

/// The most points of a curve.
const POINTS: usize = 200;

/// The name of the simulated project.
const PROJECT: &str = "eval";

/// Thresholds on one data set, learned and fixed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Convergence {
    /// The name of the data set.
    pub dataset: String,
    /// The number of questions.
    pub questions: usize,
    /// The number of needed passages, each of which is reported once.
    pub needed: usize,
    /// The share of needed passages that may be hidden.
    pub miss_rate: f64,
    /// The best fixed threshold: the highest one within the bounds of the rule that hides at most that share.
    pub best: Threshold,
    /// The threshold without feedback.
    pub start: Threshold,
    /// The learned threshold after all reports: the mean over 20 orders of the questions.
    pub learned: Threshold,
    /// The share of needed passages that were hidden while learning: the mean over the orders.
    pub misses_while_learning: f64,
    /// The learned threshold if only every second restored passage is reported.
    pub half_reported: Threshold,
    /// The learned threshold as reports accrue.
    pub curve: Vec<Reached>,
}

/// A threshold, and what it hides of the data set.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Threshold {
    /// The score below which passages are hidden.
    pub value: f64,
    /// The share of needed passages that are hidden.
    pub misses: f64,
    /// The share of all passages that are hidden.
    pub hidden: f64,
}

/// The learned threshold after some reports.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reached {
    /// The number of reports.
    pub reports: usize,
    /// The mean over the orders.
    pub mean: f64,
    /// The lowest of all orders.
    pub low: f64,
    /// The highest of all orders.
    pub high: f64,
}

/// The scores of the passages of one question, from 0 to 1.
struct Question {
    needed: Vec<f64>,
    all: Vec<f64>,
}

/// Learns a threshold from the labels of `dataset`, starting at `start`, for `miss_rate`. `None` if its labels are not
/// passages, no query matches any of them, or the two figures are no [`Rule`]. The scores are those of BM25, divided by
/// the best of the question. Linear in the number of passages, 40 times.
#[must_use]
pub fn converge(dataset: &Dataset, start: f64, miss_rate: f64) -> Option<Convergence> {
    let rule = Rule::new(Scale::Absolute, start).ok()?.with_miss_rate(miss_rate).ok()?;
    let questions: Vec<Question> = dataset
        .items
        .par_iter()
        .filter_map(|item| match &item.input {
            Input::Passages(context) => question(context, item.gold.blocks()),
            _ => None,
        })
        .collect();
    let mut needed: Vec<f64> =
        questions.iter().flat_map(|question| question.needed.iter().copied()).collect();
    needed.sort_by(f64::total_cmp);
    let (lowest, highest) = rule.bounds();
    let best = best(&needed, miss_rate)?.clamp(lowest, highest);
    let runs = |reported: f64| (0..ORDERS).map(|seed| run(&questions, rule, seed, reported)).collect();
    let (full, half): (Vec<Run>, Vec<Run>) = (runs(1.0), runs(REPORTED));
    let last = |runs: &[Run]| mean(runs.iter().map(|run| run.reached.last().copied().unwrap_or(start)));
    let threshold =
        |value: f64| Threshold { value, misses: below(&needed, value), hidden: below_all(&questions, value) };
    Some(Convergence {
        dataset: dataset.name.clone(),
        questions: questions.len(),
        needed: needed.len(),
        miss_rate,
        best: threshold(best),
        start: threshold(start),
        learned: threshold(last(&full)),
        misses_while_learning: mean(full.iter().map(|run| fraction(run.misses, needed.len()))),
        half_reported: threshold(last(&half)),
        curve: curve(&full, start),
    })
}

/// The scores of `context`; `None` if nothing matches its query or no block is needed.
fn question(context: &Context, needed: &[String]) -> Option<Question> {
    let texts: Vec<String> =
        context.blocks.iter().map(|block| format!("{}{}", block.header(), block.text)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let scores = Bm25::default().score(context.query.as_deref()?, &texts);
    let best = scores.iter().copied().fold(0.0, f64::max);
    let all: Vec<f64> = scores.iter().map(|score| score / best).collect();
    let is_needed = |(block, score): (&Block, &f64)| needed.contains(&block.id).then_some(*score);
    let needed: Vec<f64> = context.blocks.iter().zip(&all).filter_map(is_needed).collect();
    (best > 0.0 && !needed.is_empty()).then_some(Question { needed, all })
}

/// The highest threshold below which at most `miss_rate` of the `sorted` scores are.
fn best(sorted: &[f64], miss_rate: f64) -> Option<f64> {
    sorted.iter().copied().rev().find(|score| below(sorted, *score) <= miss_rate)
}

/// One order of the questions.
struct Run {
    /// The threshold after each needed passage.
    reached: Vec<f64>,
    misses: usize,
}

fn run(questions: &[Question], rule: Rule, seed: u64, reported: f64) -> Run {
    let mut random = SplitMix64::new(seed);
    let mut places: Vec<usize> = (0..questions.len()).collect();
    // Fisher and Yates.
    for last in (1..places.len()).rev() {
        places.swap(last, random.below(last + 1));
    }
    let mut state = State::new(PROJECT, rule);
    let mut run = Run { reached: Vec::new(), misses: 0 };
    let threshold = |state: &State| state.of("").map_or(rule.start(), |(_, learned)| learned.threshold.value);
    for question in places.into_iter().filter_map(|place| questions.get(place)) {
        // All passages of a question are shown before anything is reported about any of them.
        let now = threshold(&state);
        for &value in &question.needed {
            let hidden = value < now;
            run.misses += usize::from(hidden);
            if !hidden || float(random.below(1000)) < reported * 1000.0 {
                let level = if hidden { Level::Gist } else { Level::Full };
                let score = Score::new(Scale::Absolute, value);
                let subject = Subject::new(PROJECT, "", Some(level)).with_score(score);
                state.observe(&if hidden { Event::Restored(subject) } else { Event::Used(subject) });
            }
            run.reached.push(threshold(&state));
        }
    }
    run
}

/// The thresholds of all runs after equal numbers of reports, beginning with none.
fn curve(runs: &[Run], start: f64) -> Vec<Reached> {
    let all = runs.iter().map(|run| run.reached.len()).min().unwrap_or_default();
    let step = all.div_ceil(POINTS).max(1);
    let first = Reached { reports: 0, mean: start, low: start, high: start };
    let after = |reports: usize| {
        let at = || runs.iter().filter_map(move |run| run.reached.get(reports - 1).copied());
        let (low, high) = at().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), t| (l.min(t), h.max(t)));
        Reached { reports, mean: mean(at()), low, high }
    };
    let mut counts: Vec<usize> = (1..=all).step_by(step).collect();
    counts.extend((counts.last() != Some(&all) && all > 0).then_some(all));
    [first].into_iter().chain(counts.into_iter().map(after)).collect()
}

/// The share of `scores` below `threshold`.
fn below(scores: &[f64], threshold: f64) -> f64 {
    fraction(scores.iter().filter(|score| **score < threshold).count(), scores.len())
}

fn below_all(questions: &[Question], threshold: f64) -> f64 {
    let all: Vec<f64> = questions.iter().flat_map(|question| question.all.iter().copied()).collect();
    below(&all, threshold)
}

/// The mean over all orders.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
    bootstrap::mean(sum, n)
}
