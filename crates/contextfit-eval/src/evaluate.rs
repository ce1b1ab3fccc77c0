//! From data sets and pipelines to figures.

use std::{
    cell::LazyCell,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use contextfit_kernel::{Budget, CompressionResult, Context, Error, TokenCounter, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_text::float;
use rayon::prelude::*;
use serde::Serialize;

use crate::{Allowance, Dataset, Estimate, Input, Item, Kept, Measure, Record, item::ratio};

/// Makes items fit.
pub trait InputFitter: Send + Sync {
    /// Counts the tokens of the items and of what becomes of them.
    fn counter(&self) -> &dyn TokenCounter;

    /// Makes `input` fit into `budget`; `context` is what it consists of as blocks.
    ///
    /// # Errors
    /// If it cannot be made to fit. The item then counts as keeping nothing.
    fn fit(&self, input: &Input, context: &Context, budget: &Budget) -> Result<CompressionResult, Error>;
}

impl InputFitter for Pipeline {
    fn counter(&self) -> &dyn TokenCounter {
        Self::counter(self)
    }

    fn fit(&self, _: &Input, context: &Context, budget: &Budget) -> Result<CompressionResult, Error> {
        Self::fit(self, context, budget)
    }
}

/// A contender: what fits the items, under the name of its strategy.
#[derive(Clone)]
pub struct Contender {
    /// The name.
    pub name: String,
    /// What fits the items.
    pub fitter: Arc<dyn InputFitter>,
}

impl Contender {
    /// The contender called `name`.
    pub fn new(name: impl Into<String>, fitter: impl InputFitter + 'static) -> Self {
        Self { name: name.into(), fitter: Arc::new(fitter) }
    }
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The figures of one contender on one data set at one budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Row {
    /// The data set.
    pub dataset: String,
    /// The contender.
    pub strategy: String,
    /// The budget: a share of each item's size, or a number of tokens.
    pub budget: Allowance,
    /// The number of items.
    pub n: usize,
    /// The share of items with all evidence kept.
    pub evidence_all: Estimate,
    /// The mean over items of the fraction of evidence kept.
    pub evidence_fraction: Estimate,
    /// The share of items with an answer kept; for data sets with answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Estimate>,
    /// The mean over items of the fraction of functions shown whole; for repositories, over items with functions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<Estimate>,
    /// The mean over items of the fraction of signatures kept; for data sets with declarations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<Estimate>,
    /// The mean over items of the fraction of files with a line shown; for repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Estimate>,
    /// The mean over items of the share of the context's tokens spent on those files; for repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gold_share: Option<Estimate>,
    /// Results that a provider would refuse although it would accept the input; for data sets with transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<usize>,
    /// The mean fraction of the evidence, not counting what appears only in fragments; for data sets with transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_units: Option<Estimate>,
    /// The mean fraction of the user's earlier sentences kept verbatim, over items that have some; for sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_words: Option<Estimate>,
    /// Tokens of fragments over tokens of the text that replaces omitted messages; for data sets with transcripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragments: Option<f64>,
    /// Tokens of all results over tokens of their inputs; errors count on neither side.
    pub output_ratio: f64,
    /// Tokens of all results over their budgets; errors count on neither side.
    pub budget_used: f64,
    /// Results over their budget, recounted from the text: anything but zero is a bug.
    pub over_budget: usize,
    /// Items that ended in an error; they count as keeping nothing.
    pub errors: usize,
    /// Input tokens per second of work, one item after the other. Depends on the machine.
    pub tokens_per_second: f64,
    /// The main figure.
    #[serde(skip)]
    pub measure: Measure,
}

impl Row {
    /// The main figure of the data set.
    #[must_use]
    pub const fn kept(&self) -> &Estimate {
        match self.measure {
            Measure::All => &self.evidence_all,
            Measure::Fraction => &self.evidence_fraction,
        }
    }
}

/// The outcome for one item at one budget.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ItemRow {
    /// The data set.
    pub dataset: String,
    /// The item.
    pub id: String,
    /// The contender.
    pub strategy: String,
    /// The budget as requested.
    pub budget: Allowance,
    /// The budget in tokens; zero after an error, as are the next two.
    pub budget_tokens: Tokens,
    /// Tokens of the input.
    pub tokens_before: Tokens,
    /// Tokens of the result.
    pub tokens_after: Tokens,
    /// What was kept.
    #[serde(flatten)]
    pub kept: Kept,
    /// Whether the result is over its budget.
    pub over_budget: bool,
    /// Whether there is no result.
    pub error: bool,
}

/// The figures of a data set, with the outcomes behind them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Evaluation {
    /// By contender, then by budget, in order.
    pub rows: Vec<Row>,
    /// The outcomes for each item, in item order.
    pub items: Vec<ItemRow>,
}

/// Fits every item of `dataset` into every budget with every contender, on all cores; calls `done` after each item.
pub fn evaluate(
    dataset: &Dataset,
    contenders: &[Contender],
    budgets: &[Allowance],
    done: impl Fn() + Sync,
) -> Evaluation {
    let trial = |item: &Item| {
        let rows = contenders.iter().flat_map(|contender| outcomes(dataset, item, contender, budgets));
        let rows: Vec<(ItemRow, Duration)> = rows.collect();
        done();
        rows
    };
    let outcomes: Vec<Vec<(ItemRow, Duration)>> = dataset.items.par_iter().map(trial).collect();
    let columns: Vec<(&Contender, Allowance)> = contenders
        .iter()
        .flat_map(|contender| budgets.iter().map(move |budget| (contender, *budget)))
        .collect();
    let row = |(n, (contender, budget)): (usize, &(&Contender, Allowance))| {
        let column: Vec<&(ItemRow, Duration)> = outcomes.iter().filter_map(|item| item.get(n)).collect();
        summary(dataset, contender, *budget, &column)
    };
    let rows = columns.par_iter().enumerate().map(row).collect();
    Evaluation { rows, items: outcomes.into_iter().flatten().map(|(item, _)| item).collect() }
}

/// The outcomes for `item`, one per budget, and how long each took; no time for an error.
fn outcomes(
    dataset: &Dataset,
    item: &Item,
    contender: &Contender,
    budgets: &[Allowance],
) -> Vec<(ItemRow, Duration)> {
    let counter = contender.fitter.counter();
    let context = item.input.context(counter);
    let base = LazyCell::new(|| item.gold.base(&context, counter));
    let outcome = |allowance: &Allowance| {
        let budget = allowance.budget(|| *base);
        let started = Instant::now();
        let result = contender.fitter.fit(&item.input, &context, &Budget::new(budget)).ok();
        let time = started.elapsed();
        let metrics = result.as_ref().map(|result| result.metrics).unwrap_or_default();
        let row = ItemRow {
            dataset: dataset.name.clone(),
            id: item.id.clone(),
            strategy: contender.name.clone(),
            budget: *allowance,
            budget_tokens: result.as_ref().map(|_| budget).unwrap_or_default(),
            tokens_before: metrics.tokens_before,
            tokens_after: metrics.tokens_after,
            kept: item.gold.judge(&context, result.as_ref(), counter),
            // The result's own figure is not trusted here.
            over_budget: result.as_ref().is_some_and(|result| item.input.recount(result, counter) > budget),
            error: result.is_none(),
        };
        (row, result.map(|_| time).unwrap_or_default())
    };
    budgets.iter().map(outcome).collect()
}

/// The outcomes for all items as one row.
fn summary(
    dataset: &Dataset,
    contender: &Contender,
    budget: Allowance,
    items: &[&(ItemRow, Duration)],
) -> Row {
    let estimate = |value: &dyn Fn(&Kept) -> Option<f64>| {
        let values: Vec<f64> = items.iter().filter_map(|(item, _)| value(&item.kept)).collect();
        (!values.is_empty()).then(|| Estimate::of(&values))
    };
    let invalid: Option<Vec<bool>> = items.iter().map(|(item, _)| item.kept.invalid).collect();
    let records: Vec<Record> = items.iter().filter_map(|(item, _)| item.kept.record).collect();
    let recorded = |tokens: fn(&Record) -> Tokens| records.iter().map(tokens).sum::<Tokens>().get();
    let fragments = ratio(recorded(|record| record.fragments), recorded(|record| record.tokens));
    let share = |all: bool| if all { 1.0 } else { 0.0 };
    let total = |of: fn(&ItemRow) -> Tokens| items.iter().map(|(item, _)| of(item)).sum::<Tokens>().get();
    let (before, after) = (total(|item| item.tokens_before), total(|item| item.tokens_after));
    let seconds: f64 = items.iter().map(|(_, time)| time.as_secs_f64()).sum();
    let values =
        |value: fn(&Kept) -> f64| -> Vec<f64> { items.iter().map(|(item, _)| value(&item.kept)).collect() };
    Row {
        dataset: dataset.name.clone(),
        strategy: contender.name.clone(),
        budget,
        n: items.len(),
        evidence_all: Estimate::of(&values(|kept| f64::from(u8::from(kept.all)))),
        evidence_fraction: Estimate::of(&values(|kept| kept.fraction)),
        answers: estimate(&|kept| kept.answer.map(share)),
        functions: estimate(&|kept| kept.functions),
        signatures: estimate(&|kept| kept.signatures),
        files: estimate(&|kept| kept.files),
        gold_share: estimate(&|kept| kept.gold_share),
        invalid: invalid.map(|invalid| invalid.into_iter().filter(|invalid| *invalid).count()),
        whole_units: estimate(&|kept| kept.whole_units),
        user_words: estimate(&|kept| kept.user_words),
        fragments: (!records.is_empty()).then_some(fragments),
        output_ratio: ratio(after, before),
        budget_used: ratio(after, total(|item| item.budget_tokens)),
        over_budget: items.iter().filter(|(item, _)| item.over_budget).count(),
        errors: items.iter().filter(|(item, _)| item.error).count(),
        tokens_per_second: if seconds > 0.0 { float(before) / seconds } else { 0.0 },
        measure: dataset.measure,
    }
}
