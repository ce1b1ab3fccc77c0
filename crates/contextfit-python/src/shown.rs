//! Answers as dictionaries of plain values, and pages.

use std::sync::Arc;

use contextfit::{
    formats::{AnswerBlock, AnswerMetrics, ChatAnswer, MemoryAnswerEntry, SearchAnswer},
    kernel::{Budget, CompressionResult, Context, Level, TokenCounter, Tokens},
    presets::{Counting, Fitted, FittedExcerpt, FittedMemories},
    report::{Compression, Quality, page},
};
use pyo3::{IntoPyObject, PyResult, Python, pyclass, pymethods};

use crate::{errors::detached, ranges::in_characters};

/// What happened to one chunk, message or memory; a `dict` in Python.
#[derive(IntoPyObject)]
struct BlockFields {
    id: String,
    action: String,
    level: Option<u8>,
    text: String,
    tokens: usize,
    reason: String,
    /// In characters.
    ranges: Vec<(usize, usize)>,
    handle: Option<String>,
}

/// The figures of a result.
#[derive(IntoPyObject)]
struct MetricsFields {
    tokens_before: usize,
    tokens_after: usize,
    blocks_before: usize,
    blocks_after: usize,
    estimated: bool,
}

/// A context that fits.
#[derive(IntoPyObject)]
pub(crate) struct ResultFields {
    text: String,
    tokens: usize,
    budget: usize,
    strategy: String,
    blocks: Vec<BlockFields>,
    metrics: MetricsFields,
    page: Option<Page>,
    /// Why originals could not be stored. The result is valid, and its handles cannot be restored.
    pub(crate) unkept: Option<String>,
}

impl ResultFields {
    /// Without what a page would show, which keeps the whole input for as long as the result.
    pub(crate) fn without_page(self) -> Self {
        Self { page: None, ..self }
    }
}

/// A conversation that fits.
#[derive(IntoPyObject)]
pub(crate) struct ChatFields {
    pub(crate) result: ResultFields,
    /// The conversation, as JSON.
    request: String,
    /// The index in the request that came of each message.
    origins: Vec<Option<usize>>,
}

/// What a page shows.
#[pyclass(frozen, module = "contextfit_rs._native")]
pub(crate) struct Page {
    input: Context,
    result: CompressionResult,
    budget: Budget,
    counter: Arc<dyn TokenCounter>,
}

#[pymethods]
impl Page {
    /// The page, in HTML.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        let Self { input, result, budget, counter } = self;
        detached(py, || {
            let compression = Compression::of(input, result, budget, &**counter);
            Ok(page(&compression, &Quality::of(&compression), "contextfit", counter.name())?)
        })
    }
}

/// Search results for chunks with texts of these `lengths` in bytes, and whether each began with a byte order mark, which
/// is not shown.
pub(crate) fn search(
    counting: &Counting,
    fitted: Fitted<SearchAnswer>,
    lengths: &[(usize, bool)],
) -> ResultFields {
    let starts = starts(&fitted, lengths);
    let blocks = fitted.answer.blocks.iter().enumerate().map(|(at, block)| {
        let shown = fitted.shown(at).unwrap_or_default();
        block_fields(block, shown, text(&fitted, at), starts.get(at).copied().unwrap_or_default())
    });
    let blocks = blocks.collect();
    let Fitted { answer, input, budget, result, .. } = fitted;
    let SearchAnswer { context, strategy, metrics, .. } = answer;
    fields(counting, (context, strategy, blocks, metrics), (input, result, budget))
}

/// The text of block `at` of the answer.
fn text<A>(fitted: &Fitted<A>, at: usize) -> &str {
    let place = fitted.places.get(at);
    let text = place.and_then(|place| place.range.of(&fitted.input.blocks.get(place.block)?.text));
    text.unwrap_or_default()
}

/// The character of its chunk at which each block of the answer starts: a chunk with exact lines has several.
fn starts(fitted: &Fitted<SearchAnswer>, lengths: &[(usize, bool)]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(fitted.places.len());
    for (length, is_marked) in lengths {
        let (mut bytes, mut characters) = (0, usize::from(*is_marked));
        loop {
            let text = text(fitted, starts.len());
            starts.push(characters);
            bytes += text.len();
            characters += text.chars().count();
            if bytes >= *length || starts.len() >= fitted.places.len() {
                break;
            }
        }
    }
    starts
}

/// A conversation.
pub(crate) fn chat(counting: &Counting, fitted: Fitted<ChatAnswer>) -> ChatFields {
    let blocks = fitted.answer.blocks.iter().enumerate().map(|(at, block)| {
        let text = fitted.input.blocks.get(at).map_or("", |block| &block.text);
        block_fields(block, fitted.shown(at).unwrap_or_default(), text, 0)
    });
    let blocks = blocks.collect();
    let Fitted { answer, input, budget, result, .. } = fitted;
    let ChatAnswer { strategy, request, origins, metrics, .. } = answer;
    // Requests from Python are in the field `request`.
    let request = request.map(|json| json.get().to_owned()).unwrap_or_default();
    let text = result.text.clone();
    let result = fields(counting, (text, strategy, blocks, metrics), (input, result, budget));
    ChatFields { result, request, origins }
}

/// Memories.
pub(crate) fn memories(counting: &Counting, fitted: FittedMemories) -> ResultFields {
    let FittedMemories { answer, strategy, budget, batch, .. } = fitted;
    let blocks = answer.memories.into_iter().zip(batch.shown).map(|(entry, shown)| {
        let (text, level) = match entry {
            MemoryAnswerEntry::Shown(memory) => (memory.text, Some(memory.level)),
            MemoryAnswerEntry::Dropped(_) => (String::new(), None),
        };
        let action = match level {
            None => "drop",
            Some(Level::Full) => "keep",
            Some(_) => "render",
        };
        BlockFields {
            action: action.to_owned(),
            level: level.map(u8::from),
            text,
            tokens: shown.tokens().get(),
            reason: shown.reason.to_string(),
            id: shown.id,
            ranges: Vec::new(),
            handle: None,
        }
    });
    let blocks = blocks.collect();
    let figures = &answer.metrics;
    let metrics = metrics(
        counting,
        (figures.tokens_before, figures.tokens_after),
        (figures.blocks_before, figures.blocks_after),
    );
    ResultFields {
        text: answer.context,
        tokens: metrics.tokens_after,
        budget: budget.limit().get(),
        strategy: strategy.name().to_owned(),
        blocks,
        metrics,
        page: None,
        unkept: None,
    }
}

/// An excerpt, whose text is the only block.
pub(crate) fn excerpt(counting: &Counting, fitted: FittedExcerpt) -> ResultFields {
    let FittedExcerpt { input, budget, result, .. } = fitted;
    let answer = SearchAnswer::new(None, "excerpt", &input, &result);
    let text = input.blocks.first().map_or("", |block| &block.text);
    let blocks = answer.blocks.iter().map(|block| block_fields(block, result.text.clone(), text, 0));
    let blocks = blocks.collect();
    let SearchAnswer { context, strategy, metrics, .. } = answer;
    fields(counting, (context, strategy, blocks, metrics), (input, result, budget))
}

/// The fields of `block`, of whose `text` it shows `shown`. `before` characters came before the text.
fn block_fields(block: &AnswerBlock, shown: String, text: &str, before: usize) -> BlockFields {
    let mut ranges = in_characters(text, &block.ranges);
    for (start, end) in &mut ranges {
        (*start, *end) = (*start + before, *end + before);
    }
    // A marker for what was left out between two others is in none of them.
    let shown = if block.level.is_none() { String::new() } else { shown };
    BlockFields {
        id: block.id.clone(),
        action: block.action.clone(),
        level: block.level.map(u8::from),
        text: shown,
        tokens: block.tokens.get(),
        reason: block.reason.clone(),
        ranges,
        handle: block.original.clone(),
    }
}

/// The fields of an answer: its text, strategy, blocks and figures, and what it was made from.
fn fields(
    counting: &Counting,
    (text, strategy, blocks, metrics): (String, String, Vec<BlockFields>, AnswerMetrics),
    (input, result, budget): (Context, CompressionResult, Budget),
) -> ResultFields {
    let AnswerMetrics { tokens_before, tokens_after, blocks_before, blocks_after, .. } = metrics;
    let metrics = self::metrics(counting, (tokens_before, tokens_after), (blocks_before, blocks_after));
    ResultFields {
        text,
        tokens: metrics.tokens_after,
        budget: budget.limit().get(),
        strategy,
        blocks,
        metrics,
        page: Some(Page { input, result, budget, counter: Arc::clone(&counting.counter) }),
        unkept: None,
    }
}

/// The figures, before and after.
fn metrics(counting: &Counting, tokens: (Tokens, Tokens), blocks: (usize, usize)) -> MetricsFields {
    MetricsFields {
        tokens_before: tokens.0.get(),
        tokens_after: tokens.1.get(),
        blocks_before: blocks.0,
        blocks_after: blocks.1,
        estimated: counting.estimator.is_some(),
    }
}
