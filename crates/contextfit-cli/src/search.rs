//! `search`: retrieved chunks in, one context out.

use std::{borrow::Cow, collections::HashMap, path::PathBuf, time::Instant};

use clap::ValueHint;
use contextfit_cache::Digest;
use contextfit_formats::{Documents, FormatError, Order, Place, SearchAnswer, SearchRequest};
use contextfit_kernel::{Budget, CompressionResult, Context};
use contextfit_presets::CompressionStrategy;
use serde_json::{Value, json};

use crate::{
    args::FitArgs,
    console,
    decode::MARK,
    error::CliError,
    fit::{self, Done},
    input,
    jsonl::{self, Job},
    learned::FeedbackArgs,
    output::Output,
    repaired::Sent,
    settings::Settings,
};

/// The flags of `search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit search request.json --budget 1200
  contextfit search request.json --model gpt-4o --text > prompt.txt
  retrieve | contextfit search --budget 1200 --explain | jq .metrics
  contextfit search --jsonl requests.jsonl --budget 1200 > answers.jsonl

The request is a JSON object, or just the array of its chunks; flags supply what it leaves out:
  {\"id\": \"q1\", \"query\": \"…\", \"budget\": 1200, \"strategy\": \"auto\",
   \"chunks\": [{\"id\": \"c1\", \"path\": \"src/a.ts\", \"text\": \"…\", \"score\": 0.83}]}
A chunk with \"exact\": true is kept verbatim; with \"exact\": [[40, 60]], those lines of it are. Chunks with the same path \
that overlap or touch are shown as one. Unknown keys are errors.")]
pub(crate) struct SearchArgs {
    /// File with the request; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// Read one request per line and write one answer per line, in order
    #[arg(long, conflicts_with_all = ["text", "explain", "report"])]
    jsonl: bool,
    /// The order of the documents that chunks come from
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    order: OrderArg,
    /// Print just the context instead of the JSON answer
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    feedback: FeedbackArgs,
    #[command(flatten)]
    fit: FitArgs,
}

/// The order in which documents are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum OrderArg {
    /// As in the request, with the chunks of each document together and in document order
    #[default]
    Document,
    /// By the retriever's scores, best first
    Score,
}

impl From<OrderArg> for Order {
    fn from(order: OrderArg) -> Self {
        match order {
            OrderArg::Document => Self::Document,
            OrderArg::Score => Self::Score,
        }
    }
}

pub(crate) fn run(args: &SearchArgs) -> Result<(), CliError> {
    let started = Instant::now();
    args.fit.target([input::path(args.file.as_deref())])?;
    let settings = Settings::resolve(&args.fit)?.with_feedback(&args.feedback)?;
    if args.jsonl {
        jsonl::run(args.file.as_deref(), &Search(&settings, args.order.into()), started)?;
        settings.tell_spent();
        return Ok(());
    }
    let sent = input::request(args.file.as_deref(), SearchRequest::parse)?;
    let request = &sent.request;
    let flags = &args.fit;
    console::note_own("--query", flags.query.as_ref(), request.query.as_ref());
    console::note_own("--budget", flags.budget.as_ref(), request.budget.as_ref());
    console::note_own("--reserve", flags.reserve.as_ref(), request.reserve.as_ref());
    let strategy = flags.strategy.map(|strategy| strategy.name().to_owned());
    console::note_own("--strategy", strategy.as_ref(), request.strategy.as_ref());
    let fitted = fit(sent, &settings, args.order.into())?;
    let done = Done {
        flags,
        settings: &settings,
        budget: fitted.budget,
        input: &fitted.input,
        result: &fitted.result,
        answer: &fitted.answer,
        blocks: &fitted.answer.blocks,
        metrics: &fitted.answer.metrics,
        started,
        source: Some(json!({"chunks": fitted.places})),
    };
    done.report()?;
    let mut output = Output::open();
    if args.text {
        output.context(&fitted.answer.context)?;
    } else {
        output.json(&done.answer())?;
    }
    output.finish()?;
    done.tell();
    Ok(())
}

/// Requests for search results, one per line.
struct Search<'a>(&'a Settings, Order);

impl Job for Search<'_> {
    type Request = SearchRequest;

    fn parse(&self, text: &str) -> Result<SearchRequest, FormatError> {
        SearchRequest::parse(text)
    }

    fn id(&self, request: &SearchRequest) -> Option<Value> {
        request.id.clone()
    }

    fn answer(&self, sent: Sent<SearchRequest>) -> Result<String, CliError> {
        let answer = fit(sent, self.0, self.1)?.answer;
        let metrics = &answer.metrics;
        jsonl::json(&self.0.counting.estimated(&answer, metrics.tokens_before, metrics.tokens_after))
    }
}

/// `sent` without the byte order marks that its chunks start with; if there are any, the original has them.
fn without_marks(sent: Sent<SearchRequest>) -> Sent<SearchRequest> {
    let Sent { mut request, original } = sent;
    if !request.chunks.iter().any(|chunk| chunk.text.starts_with(MARK)) {
        return Sent { request, original };
    }
    let original = original.or_else(|| Some(request.clone()));
    for chunk in &mut request.chunks {
        if let Some(text) = chunk.text.strip_prefix(MARK) {
            chunk.text = text.to_owned();
        }
    }
    Sent { request, original }
}

/// The texts of chunks that were not read as they are.
struct Originals {
    /// The documents of the original, if they are the same documents but for single characters.
    documents: Option<Documents>,
    /// The joined texts of these, by what was read instead.
    joined: HashMap<String, Vec<u8>>,
}

impl Originals {
    fn new(original: Option<SearchRequest>, order: Order, read: &Documents) -> Self {
        let same = |originals: &Documents| {
            originals.places.len() == read.places.len()
                && originals.context.blocks.len() == read.context.blocks.len()
        };
        let documents = original.map(|request| request.into_documents(order)).filter(same);
        let blocks = documents.iter().flat_map(|originals| &originals.context.blocks);
        let pairs =
            read.context.blocks.iter().zip(blocks).filter(|(read, original)| read.text != original.text);
        let joined =
            pairs.map(|(read, original)| (read.text.clone(), original.text.clone().into_bytes())).collect();
        Self { documents, joined }
    }

    /// The original of the block with this `text`.
    fn of<'t>(&'t self, text: &'t str) -> Cow<'t, [u8]> {
        Cow::Borrowed(self.joined.get(text).map_or(text.as_bytes(), Vec::as_slice))
    }

    /// The original of chunk `n` of the answer, one of `read`.
    fn chunk<'t>(&'t self, n: usize, read: &'t Documents) -> Option<Cow<'t, [u8]>> {
        let text = self.documents.as_ref().unwrap_or(read).text(n)?;
        Some(Cow::Borrowed(text.as_bytes()))
    }
}

/// A fulfilled request.
struct Fitted {
    input: Context,
    budget: Budget,
    result: CompressionResult,
    answer: SearchAnswer,
    places: Vec<Place>,
}

/// Fulfils `request`; `settings` supplies whatever it leaves open.
fn fit(sent: Sent<SearchRequest>, settings: &Settings, order: Order) -> Result<Fitted, CliError> {
    let Sent { mut request, original } = without_marks(sent);
    let strategy = match request.strategy.as_deref() {
        Some(name) => fit::strategy(name, &CompressionStrategy::SEARCH)?,
        None => settings.strategy,
    };
    let budget = settings.budget(request.budget, request.reserve)?;
    if request.query.is_none() {
        request.query.clone_from(&settings.query);
    }
    let id = request.id.take();
    let mut documents = request.into_documents(order);
    documents.context.layout.line_numbers = settings.line_numbers;
    let originals = Originals::new(original.filter(|_| settings.store.is_some()), order, &documents);
    let (input, mut result) =
        fit::passages(settings, strategy, documents.context.clone(), &budget, |block| {
            Digest::of(&originals.of(&block.text))
        })?;
    // The input is every chunk, not only what remains after joining them.
    result.metrics.tokens_before += settings.counting.counter.count(&documents.repeated());
    let mut answer = SearchAnswer::of_documents(id, strategy.name(), &documents, &input, &result);
    if let Some(store) = &settings.store {
        store.keep(&mut answer.blocks, |at| originals.chunk(at, &documents));
        // Markers refer to the joined texts.
        let joined: Vec<Cow<'_, [u8]>> = documents.joined().map(|text| originals.of(text)).collect();
        let _ = store.keep_texts(joined.iter().map(AsRef::as_ref).collect());
    }
    Ok(Fitted { input, budget, result, answer, places: documents.places })
}
