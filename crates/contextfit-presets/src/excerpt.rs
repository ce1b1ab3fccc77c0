//! One text, such as the output of a tool: its important parts.

use contextfit_excerpt::{Excerpts, lossless};
use contextfit_formats::AnswerMetrics;
use contextfit_kernel::{
    Action, Block, Budget, ByteRange, CompressionResult, Context, Layout, Passage, Reason, TextKind, Tokens,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::text_kind;
use serde::{Deserialize, Serialize};

use crate::{FitError, Fitter};

/// The important parts of a text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FittedExcerpt {
    /// What the text is.
    pub kind: TextKind,
    /// The text, as the only block of a context.
    pub input: Context,
    /// The budget.
    pub budget: Budget,
    /// The result.
    pub result: CompressionResult,
}

/// The answer to a request for an excerpt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExcerptAnswer {
    /// What the text is: `log`, `json`, ...
    pub kind: String,
    /// The excerpt.
    pub context: String,
    /// The bytes of the text that are shown, ascending.
    pub ranges: Vec<ByteRange>,
    /// The figures.
    pub metrics: AnswerMetrics,
}

impl Fitter {
    /// The important parts of `text`, and those close to the fitter's query, within `budget` tokens or the fitter's. A
    /// text that fits is returned unchanged.
    ///
    /// # Errors
    /// [`FitError`] if there is no budget, or even the shortest excerpt does not fit.
    pub fn excerpt(&self, text: String, budget: Option<Tokens>) -> Result<FittedExcerpt, FitError> {
        self.excerpt_within(text, self.budget(budget, None)?)
    }

    /// The important parts of `text` within `budget`.
    pub(crate) fn excerpt_within(&self, text: String, budget: Budget) -> Result<FittedExcerpt, FitError> {
        let kind = text_kind(&text);
        let input = context(text, kind, self.query.as_deref());
        let pipeline = Pipeline::new(self.counting.counter.clone()).with_strategy(Excerpts);
        let result = self.on_threads(|| pipeline.fit(&input, &budget))?;
        Ok(FittedExcerpt { kind, input, budget, result })
    }

    /// `text` shortened without loss, with its kind and its tokens before: without colours, old states of progress bars
    /// and white space in JSON, with repeated lines merged.
    #[must_use]
    pub fn lossless(&self, text: String) -> (String, TextKind, Tokens) {
        let kind = text_kind(&text);
        let input = context(text, kind, None);
        let measured = measure(&input, self.counter());
        let mut shown = String::new();
        for block in &measured.blocks {
            let source = &block.block().text;
            let pieces = lossless(block, ByteRange::whole(source));
            pieces.iter().for_each(|piece| shown.push_str(piece.text(source)));
        }
        (shown, kind, measured.tokens)
    }
}

impl FittedExcerpt {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.input.blocks.first().map_or("", |block| &block.text)
    }

    /// Why it was shortened as it was; `None` if it fits as it is.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        self.result.plan().and_then(|plan| plan.steps.first()).map(|step| &step.reason)
    }

    /// The bytes that are shown, ascending.
    #[must_use]
    pub fn ranges(&self) -> Vec<ByteRange> {
        let step = self.result.plan().and_then(|plan| plan.steps.first());
        step.map_or(&Action::Keep, |step| &step.action).shown(self.text())
    }

    /// The number of lines that are shown in whole or in part.
    #[must_use]
    pub fn shown_lines(&self) -> usize {
        let mut ranges = self.ranges().into_iter().peekable();
        let mut end = 0;
        let is_shown = |line: &&str| {
            let start = end;
            end += line.len();
            while ranges.next_if(|range| range.end() <= start).is_some() {}
            ranges.peek().is_some_and(|range| range.start() < end)
        };
        self.text().split_inclusive('\n').filter(is_shown).count()
    }

    /// The answer.
    #[must_use]
    pub fn answer(&self) -> ExcerptAnswer {
        ExcerptAnswer {
            kind: self.kind.name().to_owned(),
            context: self.result.text.clone(),
            ranges: self.ranges(),
            metrics: AnswerMetrics::from(self.result.metrics),
        }
    }
}

/// The text as the only block of a context, with nothing around it.
fn context(text: String, kind: TextKind, query: Option<&str>) -> Context {
    // JSON need not be read again, and whatever the first line of a script says, a marker is not a comment.
    let language = if kind == TextKind::Json { "json" } else { "text" };
    let passage = Passage::default().with_language(language);
    let layout = Layout::default().with_headers(false).with_separator("").with_omission(None);
    let block = Block::passage("input", passage, text).with_shown();
    let mut context = Context::new(vec![block]).with_layout(layout);
    context.query = query.map(Into::into);
    context
}
