//! `search`: retrieved chunks in, one context out.

use std::{path::PathBuf, time::Instant};

use clap::ValueHint;
use contextfit::{
    formats::{Order, SearchAnswer, SearchRequest},
    presets::{FitError, Fitted},
};
use serde_json::json;

use crate::{
    args::FitArgs,
    console,
    error::CliError,
    fit::Done,
    history::FeedbackArgs,
    input::{self, STDIN},
    jsonl::{self, Job},
    output,
    repaired::Sent,
    settings::Settings,
    store,
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
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
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
    args.fit.target([args.file.as_path()])?;
    let settings = Settings::resolve(&args.fit)?.with_feedback(&args.feedback)?;
    if args.jsonl {
        let answer = |sent| {
            let answer = fit(sent, &settings, args.order.into())?.answer;
            let metrics = &answer.metrics;
            let counting = &settings.fitter.counting;
            jsonl::json(&counting.estimated(&answer, metrics.tokens_before, metrics.tokens_after))
        };
        let job = Job { parse: SearchRequest::parse, id: |request| request.id.clone(), answer: &answer };
        jsonl::run(&args.file, &job, started)?;
        settings.tell_spent();
        return Ok(());
    }
    let sent = input::request(&args.file, SearchRequest::parse)?;
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
    if args.text {
        output::context(&fitted.answer.context)?;
    } else {
        output::json(&done.answer())?;
    }
    done.tell();
    Ok(())
}

/// Fulfils the request; `settings` supplies whatever it leaves open.
fn fit(
    sent: Sent<SearchRequest>,
    settings: &Settings,
    order: Order,
) -> Result<Fitted<SearchAnswer>, FitError> {
    let mut fitted = settings.fitter.search_repaired(sent.request, sent.original, order)?;
    store::keep(settings.store.as_ref(), &fitted.originals, &mut fitted.answer.blocks);
    Ok(fitted)
}
