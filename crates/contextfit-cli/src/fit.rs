//! Fits a context into a budget and reports the result to people and programs.

use std::time::Instant;

use contextfit::{
    formats::{AnswerBlock, AnswerMetrics},
    kernel::{Budget, CompressionResult, Context, Noun, Reason, Stage},
    presets::{
        AppliedFeedback, CompressionOptions, CompressionStrategy as Strategy, Estimate, Estimated,
        ExplainedSentence, ExplainedUnit, Profile,
    },
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    args::FitArgs,
    error::CliError,
    explain,
    llm::{Cost, Llm, Spent},
    own, report,
    settings::Settings,
    summary,
};

/// The note for a query whose words do not occur in the input.
pub(crate) const UNMATCHED: &str = "no word of the query occurs in the input, so the query had no effect";

/// A finished job, and everything needed to report it.
pub(crate) struct Done<'a, A> {
    pub(crate) flags: &'a FitArgs,
    pub(crate) settings: &'a Settings,
    pub(crate) budget: Budget,
    pub(crate) input: &'a Context,
    pub(crate) result: &'a CompressionResult,
    pub(crate) answer: &'a A,
    pub(crate) blocks: &'a [AnswerBlock],
    pub(crate) metrics: &'a AnswerMetrics,
    pub(crate) started: Instant,
    /// What the command itself adds to the report.
    pub(crate) source: Option<Value>,
}

/// The most units in a report: more than anyone reads.
const MOST_UNITS: usize = 100;

impl<A: Serialize> Done<'_, A> {
    /// Writes the report, if requested. Call it before anything is printed: a report that cannot be written is an
    /// error.
    pub(crate) fn report(&self) -> Result<(), CliError> {
        let Some(path) = &self.flags.report else { return Ok(()) };
        let (fitter, spent) = (&self.settings.fitter, self.settings.llm.as_ref().map(Llm::spent));
        let report = Report {
            contextfit: own::REPORT,
            version: env!("CARGO_PKG_VERSION"),
            tokenizer: fitter.counting.tokenizer(),
            model: fitter.counting.model.map(|model| model.name),
            budget: self.budget,
            estimate: self.estimate(),
            query: self.input.query.as_deref(),
            options: &fitter.options,
            source: self.source.as_ref(),
            cost: self.cost(spent.as_ref()),
            learned: fitter.applied_feedback(self.input, self.result),
            llm: spent,
            answer: self.answer,
            units: fitter.explain_units(self.input, self.result).into_iter().take(MOST_UNITS).collect(),
            sentences: fitter.explain_sentences(self.input, self.result),
            stages: &self.result.stages,
            text: &self.result.text,
            input: self.input,
        };
        report::write_json(path, &report)
    }

    fn cost(&self, spent: Option<&Spent>) -> Option<Cost> {
        let conversation = self.input.layout.framing.is_some();
        Cost::of(self.result, conversation, &self.settings.fitter.counting, spent)
    }

    fn estimate(&self) -> Option<Estimate> {
        self.settings.fitter.counting.estimate(self.metrics.tokens_before, self.metrics.tokens_after)
    }

    /// The answer to print.
    pub(crate) fn answer(&self) -> Estimated<'_, A> {
        let metrics = self.metrics;
        self.settings.fitter.counting.estimated(self.answer, metrics.tokens_before, metrics.tokens_after)
    }

    /// The note that the profile makes no difference for this input, if it makes none: its settings are those of
    /// strategies that had nothing to do with the result.
    fn same_as_balanced(&self) -> Option<String> {
        let profile = self.settings.profile?;
        let is_about = |strategy: Strategy| {
            self.result.plan().is_some_and(|plan| plan.strategy.contains(strategy.name()))
        };
        let differs =
            [Strategy::Bm25, Strategy::Incremental, Strategy::MetadataOnly, Strategy::SmartTruncation];
        let is_same = matches!(profile, Profile::Quality | Profile::CostOptimized)
            && self.settings.llm.is_none()
            && !differs.into_iter().any(is_about);
        let by = self.result.plan().map_or("everything fits", |plan| plan.strategy.as_str());
        is_same.then(|| {
            format!(
                "note: the profile {} gives the same result as balanced here ({by}): its settings are for other strategies",
                profile.name()
            )
        })
    }

    /// Prints the explanation, if requested, and the summary.
    pub(crate) fn tell(&self) {
        if self.flags.explain {
            explain::print(&self.settings.fitter, self.input, self.result, self.blocks);
        }
        // Blocks of other kinds are searched by themselves.
        let reasons = || self.result.plan().into_iter().flat_map(|plan| &plan.steps).map(|step| &step.reason);
        let matched = || reasons().any(|reason| matches!(reason, Reason::Relevant { .. }));
        if reasons().any(|reason| matches!(reason, Reason::Unmatched { .. })) && !matched() {
            crate::console::note(UNMATCHED);
        }
        if let Some(note) = self.same_as_balanced() {
            crate::console::note(note);
        }
        let layout = &self.input.layout;
        let (noun, low) = match &layout.framing {
            Some(_) => (Noun::new("turn", "turns"), "quoted"),
            None => (layout.omission.clone().unwrap_or_else(|| Noun::new("block", "blocks")), "by name"),
        };
        let counting = &self.settings.fitter.counting;
        let estimated = summary::estimated_part(counting, self.metrics.tokens_after);
        crate::console::note(summary::line(
            self.blocks,
            self.metrics,
            &noun,
            low,
            &self.budget,
            &format!("({}){estimated}", counting.tokenizer()),
            self.started.elapsed(),
        ));
        if let Some(spent) = self.settings.tell_spent()
            && let Some(cost) = self.cost(Some(&spent))
        {
            crate::console::note(cost.line());
        }
    }
}

/// The full result: the answer, the settings that produced it, and every plan.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a, A> {
    /// Comes first, so that the file is recognised by its first bytes.
    contextfit: &'static str,
    version: &'static str,
    tokenizer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'static str>,
    budget: Budget,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimate>,
    query: Option<&'a str>,
    options: &'a CompressionOptions,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    llm: Option<Spent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    learned: Vec<AppliedFeedback>,
    #[serde(flatten)]
    answer: &'a A,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    units: Vec<ExplainedUnit<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<ExplainedSentence<'a>>,
    stages: &'a [Stage],
    /// The text that was counted: for conversations, that of all messages.
    text: &'a str,
    /// The originals, from which `verify` makes the text again.
    input: &'a Context,
}
