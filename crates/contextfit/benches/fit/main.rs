//! The cost of fitting, compared with counting the input once and with tiktoken-rs, all in one run.
//!
//! Run it with `cargo xtask bench`. Times are the minimum of several runs: on a shared machine, that is what the work
//! takes, and anything above it is interference. Ratios compare figures from the same run.
//!
//! Arguments: see `cargo xtask bench --help`. Inputs are the sources of this workspace, repeated, and the documents of the
//! benchmark data if available; with `--made` they are made, so that the ratios of two commits can be compared.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench fails by panicking"
)]

mod arguments;
mod gate;
mod inputs;
mod made;
#[cfg(feature = "code")]
mod outlines;
mod peer;
mod timing;

use std::{
    env, fs,
    hint::black_box,
    process::{Command, ExitCode},
    sync::Arc,
    thread,
    time::Duration,
};

use contextfit::{
    Block, Budget, Context, Passage, Pipeline, Strategy, TokenCounter, Tokens,
    chat::{HierarchicalCompressor, SlidingWindowCompressor},
    kernel::{Error, Measured, Plan},
    pipeline::measure,
    presets::CompressionOptions,
    search::{Bm25, Incremental, MetadataOnly, SentenceSelection, SmartTruncation},
    text::Tiktoken,
};
use contextfit_packing::{Packer, PackingMode};
use rayon::prelude::*;

use crate::{
    arguments::Arguments,
    gate::Run,
    timing::{Row, Table, least, least_of_both},
};

/// The measurements of one area of the table, of small inputs or not.
type Measure = fn(&mut Table, bool);

/// All areas.
const AREAS: &[(&str, Measure)] = &[
    ("count", counting),
    ("fit", strategies),
    ("sentences", sentences),
    #[cfg(feature = "code")]
    ("outline", outlines::rows),
    ("growth", growth),
    ("conversation", conversations),
    ("extreme", extremes),
    ("pack", packing),
];

fn main() -> ExitCode {
    match env::args().nth(1).as_deref() {
        Some(FIRST_COUNT) => {
            black_box(Tiktoken::o200k_base().count("abc"));
            return ExitCode::SUCCESS;
        }
        Some(FIRST_COUNT_OF_PEER) => {
            black_box(tiktoken_rs::o200k_base_singleton().encode_ordinary("abc"));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let areas: Vec<&str> = AREAS.iter().map(|(area, _)| *area).collect();
    match Arguments::parse(env::args().skip(1), &areas).and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures what `arguments` ask for; the error says which rows are slower than in the baseline.
fn run(arguments: &Arguments) -> Result<(), String> {
    let baseline = arguments.baseline.as_deref().map(Run::read).transpose()?;
    // The inputs are those of the baseline.
    let (quick, made) =
        baseline.as_ref().map_or((arguments.quick, arguments.made), |run| (run.quick, run.made));
    inputs::MADE.set(made).map_err(|_| "inputs are chosen twice")?;
    let mut run = measured(quick, |area| arguments.only.as_deref().is_none_or(|only| only == area));
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&run).map_err(|error| error.to_string())?;
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(baseline) = &baseline {
        compare(&mut run, baseline, arguments.tolerance)?;
    }
    if arguments.smoke { check_gate(&run, arguments.tolerance) } else { Ok(()) }
}

/// Measures the areas that are `wanted`, on small inputs or not, and prints the table.
fn measured(quick: bool, wanted: impl Fn(&str) -> bool) -> Run {
    let mut table = Table::default();
    for (area, measure) in AREAS.iter().filter(|(area, _)| wanted(area)) {
        table.area = area;
        measure(&mut table, quick);
    }
    println!("{table}");
    Run::new(quick, inputs::are_made(), table.figures())
}

/// Compares `run` with `baseline`. Areas with slower rows are measured once more, since other programs may have taken
/// the time.
fn compare(run: &mut Run, baseline: &Run, tolerance: f64) -> Result<(), String> {
    let slower = run.slower_than(baseline, tolerance);
    if !slower.is_empty() {
        println!("slower in {} rows; measuring their areas once more", slower.len());
        let again =
            measured(run.quick, |area| slower.iter().any(|row| row.key.starts_with(&format!("{area} / "))));
        run.improve(&again);
    }
    for key in run.missing_from(baseline) {
        println!("not measured: {key}");
    }
    let slower = run.slower_than(baseline, tolerance);
    let rows: String = slower.iter().map(|row| format!("\n  {row}")).collect();
    let of = baseline.commit.as_deref().unwrap_or("an unknown commit");
    match slower.len() {
        0 => Ok(()),
        n => Err(format!("{n} rows are slower by more than {} % than at {of}:{rows}", tolerance * 100.0)),
    }
}

/// Checks that a strategy that sleeps is found in `run`, and nothing else.
fn check_gate(run: &Run, tolerance: f64) -> Result<(), String> {
    struct Sleepy(MetadataOnly);

    impl Strategy for Sleepy {
        fn name(&self) -> &str {
            self.0.name()
        }

        fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
            thread::sleep(Duration::from_millis(50));
            self.0.plan(input, room)
        }
    }

    let mut table = Table::default();
    table.area = "fit";
    let sleepy: Arc<dyn Strategy> = Arc::new(Sleepy(MetadataOnly::new(CompressionOptions::on())));
    strategy_rows(&mut table, 1, vec![("metadata-only", sleepy)]);
    let slow = Run::new(run.quick, run.made, table.figures());
    let slower = slow.slower_than(run, tolerance);
    let is_named = |row: &gate::Slower| row.key.starts_with("fit / metadata-only / ");
    if slower.len() == slow.rows.len() && !slower.is_empty() && slower.iter().all(is_named) {
        return Ok(());
    }
    Err(format!("a strategy that sleeps is not found: {slower:?}"))
}

/// How many times as large inputs are as small ones.
const fn scale(quick: bool) -> usize {
    if quick { 1 } else { 10 }
}

/// Arguments with which the benchmark only counts three bytes, since what a process does once is timed in a process.
const FIRST_COUNT: &str = "--first-count";
const FIRST_COUNT_OF_PEER: &str = "--first-count-of-peer";

/// Our exact count against tiktoken-rs, on real text and on text known to break tokenizers, and in a new process.
fn counting(table: &mut Table, quick: bool) {
    let start = |argument| {
        let status = Command::new(env::current_exe().unwrap()).arg(argument).status().unwrap();
        assert!(status.success());
    };
    // Starting a process takes whatever the machine takes.
    if !inputs::are_made() {
        let (seconds, theirs) = least_of_both(|| start(FIRST_COUNT), || start(FIRST_COUNT_OF_PEER));
        table.push(
            Row::new("count", "three bytes in a new process", 0, seconds).against("tiktoken-rs", theirs),
        );
    }
    let ours = Tiktoken::o200k_base();
    let peer = tiktoken_rs::o200k_base_singleton();
    for (name, text) in inputs::texts(scale(quick)) {
        // tiktoken-rs panics on a million spaces, so it gets as many as it can take, repeatedly.
        let part = if inputs::safe_for_peer(&name) { &*text } else { text.get(..900).unwrap_or(&text) };
        let times = text.len() / part.len();
        let (seconds, theirs) = least_of_both(
            || ours.count(&text),
            || (0..times).map(|_| peer.encode_ordinary(black_box(part)).len()).sum::<usize>(),
        );
        table.push(Row::new("count", &name, text.len(), seconds).against("tiktoken-rs", theirs));
    }
}

/// Each strategy at a quarter of the tokens, against counting the same text once with the same counter.
fn strategies(table: &mut Table, quick: bool) {
    strategy_rows(table, scale(quick), all_strategies());
}

fn strategy_rows(table: &mut Table, scale: usize, strategies: Vec<(&'static str, Arc<dyn Strategy>)>) {
    let counter = Tiktoken::o200k_base();
    for (name, context) in inputs::contexts(scale) {
        let bytes = context.blocks.iter().map(|block| block.text.len()).sum();
        let count = || context.blocks.iter().map(|block| counter.count(&block.text)).sum::<Tokens>();
        for (strategy_name, strategy) in &strategies {
            let label = format!("{strategy_name} / {name}");
            let pipeline = Pipeline::new(Arc::new(counter)).with_strategy(Arc::clone(strategy));
            let budget = quarter(&pipeline, &context);
            let (seconds, once) = least_of_both(|| pipeline.fit(&context, &budget).unwrap(), count);
            table.push(Row::new("fit at 25 %", &label, bytes, seconds).against("counting once", once));
        }
    }
}

/// Fits each request to its budget, one after another.
fn fit_all(pipeline: &Pipeline, requests: &[Context], budgets: &[Budget]) -> Tokens {
    let requests = requests.iter().zip(budgets);
    let fitted = requests.map(|(request, budget)| pipeline.fit(request, budget).unwrap());
    black_box(fitted.map(|result| result.metrics.tokens_after).sum())
}

/// Sentence selection over requests of twenty passages, against counting the same text once with both counters, and
/// against the usual approach in Python where it is installed.
fn sentences(table: &mut Table, quick: bool) {
    let (ours, peer) = (Tiktoken::o200k_base(), tiktoken_rs::o200k_base_singleton());
    let requests = inputs::requests(10 * scale(quick));
    let blocks = || requests.iter().flat_map(|request| &request.blocks);
    let bytes = blocks().map(|block| block.text.len()).sum();
    let pipeline = Pipeline::new(Arc::new(ours)).with_strategy(SentenceSelection::default());
    let budgets: Vec<Budget> = requests.iter().map(|request| quarter(&pipeline, request)).collect();
    let fit = || fit_all(&pipeline, &requests, &budgets);
    let count = || black_box(blocks().map(|block| ours.count(&block.text)).sum::<Tokens>());
    let (seconds, once) = least_of_both(fit, count);
    let name = "requests of 20 passages";
    let mut push = |name: &str, seconds: f64, against: &str, other: f64| {
        table.push(Row::new("sentences", name, bytes, seconds).against(against, other));
    };
    push(name, seconds, "counting once", once);
    let theirs = || black_box(blocks().map(|block| peer.encode_ordinary(&block.text).len()).sum::<usize>());
    push(name, seconds, "counting once with tiktoken-rs", least(theirs));
    if inputs::are_made() {
        return;
    }
    // Requests are independent, so as many are fitted at once as there are cores.
    let on_all_cores = least(|| {
        let requests = requests.par_iter().zip(&budgets);
        let fitted = requests.map(|(request, budget)| pipeline.fit(request, budget).unwrap());
        black_box(fitted.map(|result| result.metrics.tokens_after.get()).sum::<usize>())
    });
    let cores = rayon::current_num_threads();
    let name_on_all = format!("{name}, {cores} cores");
    let in_python: [(&str, &[&str]); 2] =
        [("rank_bm25 in Python", &[]), ("all steps in Python with rank_bm25 and NLTK", &["--all-steps"])];
    for (against, flags) in in_python {
        match peer::seconds(&requests, &budgets, flags) {
            Some(python) => {
                push(name, seconds, against, python);
                push(&name_on_all, on_all_cores, against, python);
            }
            None => {
                eprintln!("python3 with rank_bm25, tiktoken and nltk is unavailable: no row for {against}");
            }
        }
    }
}

/// The same work at 1x, 10x and 100x: the ratio to the previous size is ten if linear.
fn growth(table: &mut Table, quick: bool) {
    let sizes: &[usize] = if quick { &[1, 10] } else { &[1, 10, 100] };
    for (name, strategy) in all_strategies() {
        let pipeline = Pipeline::new(Arc::new(Tiktoken::o200k_base())).with_strategy(strategy);
        let mut before = None;
        for &size in sizes {
            let context = inputs::chunks(400 * size);
            let bytes = context.blocks.iter().map(|block| block.text.len()).sum();
            let budget = quarter(&pipeline, &context);
            let seconds = least(|| black_box(pipeline.fit(&context, &budget).unwrap()));
            let row = Row::new("growth", &format!("{name} x{size}"), bytes, seconds);
            table.push(match before.replace(seconds) {
                Some(before) => row.against("a tenth of it", before),
                None => row,
            });
        }
    }
}

/// A session at a tenth of its tokens, from 10,000 to a million tokens, against counting it once and against the
/// previous size.
fn conversations(table: &mut Table, quick: bool) {
    let sizes: &[usize] = if quick { &[10] } else { &[10, 100, 1_000] };
    let counter = Tiktoken::o200k_base();
    let strategies: [(&str, Arc<dyn Strategy>); 2] = [
        ("hierarchical", Arc::new(HierarchicalCompressor::new(Arc::new(Bm25::default())))),
        ("sliding-window", Arc::new(SlidingWindowCompressor::new())),
    ];
    for (name, strategy) in strategies {
        let pipeline = Pipeline::new(Arc::new(counter)).with_strategy(strategy);
        let mut before = None;
        for &size in sizes {
            let context = inputs::session(size, &counter);
            let bytes = context.blocks.iter().map(|block| block.text.len()).sum();
            let tokens = measure(&context, &counter).tokens.get();
            let budget = Budget::new(Tokens::new(tokens / 10));
            let fit = || black_box(pipeline.fit(&context, &budget).unwrap());
            let count =
                || black_box(context.blocks.iter().map(|block| counter.count(&block.text)).sum::<Tokens>());
            let (seconds, once) = least_of_both(fit, count);
            let label = format!("{name} / {size} calls");
            table.push(Row::new("conversation", &label, bytes, seconds).against("counting once", once));
            if let Some(before) = before.replace(seconds) {
                table.push(Row::new("conversation", &label, bytes, seconds).against("a tenth of it", before));
            }
        }
    }
}

/// A million chunks, and one line of a hundred megabytes.
fn extremes(table: &mut Table, quick: bool) {
    let (chunks, line) = if quick { (20_000, 2_000_000) } else { (1_000_000, 100_000_000) };
    let tiny = |n: usize| {
        Block::passage(
            n.to_string(),
            Passage::default().with_score((n * 7_919 % 1_000) as f64),
            "a tiny chunk of text",
        )
    };
    let tiny = Context::new((0..chunks).map(tiny).collect());
    let giant =
        Context::new(vec![Block::passage("line", Passage::default(), "word and word; ".repeat(line / 15))]);
    for (name, context) in
        [(format!("{chunks} chunks"), tiny), (format!("{} MB on one line", line / 1_000_000), giant)]
    {
        let bytes = context.blocks.iter().map(|block| block.text.len()).sum();
        for (strategy_name, strategy) in all_strategies() {
            let label = format!("{strategy_name} / {name}");
            let pipeline = Pipeline::new(Arc::new(Tiktoken::o200k_base())).with_strategy(strategy);
            let seconds = timing::once(|| {
                black_box(pipeline.fit(&context, &Budget::new(Tokens::new(10_000))).unwrap())
            });
            table.push(Row::new("extreme", &label, bytes, seconds));
        }
    }
}

/// The packer alone, against sorting the choices once by value per weight, and against a tenth of the items. The middle
/// size is also packed into capacities from tight to ample.
fn packing(table: &mut Table, quick: bool) {
    let sizes: [usize; 3] = if quick { [100, 1_000, 10_000] } else { [10_000, 100_000, 1_000_000] };
    for (name, mode) in
        [("optimal", PackingMode::Optimal), ("greedy", PackingMode::Greedy), ("in turn", PackingMode::InTurn)]
    {
        let mut before = None;
        for n in sizes {
            let items = inputs::levels(n);
            let keys: Vec<f64> =
                items.iter().flatten().map(|choice| choice.value / choice.weight as f64).collect();
            let sort = || {
                let mut copy = keys.clone();
                copy.sort_unstable_by(f64::total_cmp);
                black_box(copy)
            };
            let capacities: &[f64] =
                if n == sizes[1] { &[60.0, 0.1, 1.0, 6.0, 20.0, 300.0] } else { &[60.0] };
            for (place, &each) in capacities.iter().enumerate() {
                let capacity = (n as f64 * each) as usize;
                let pack = || black_box(Packer::new(&items, mode).pack(capacity).unwrap());
                let (seconds, sorted) = least_of_both(pack, sort);
                let label = format!("{name}: {n} items x 4 levels, {each} tokens each");
                table.push(Row::new("pack", &label, 0, seconds).against("sorting them once", sorted));
                if place == 0
                    && let Some(before) = before.replace(seconds)
                {
                    table.push(Row::new("pack", &label, 0, seconds).against("a tenth of it", before));
                }
            }
        }
    }
}

fn all_strategies() -> Vec<(&'static str, Arc<dyn Strategy>)> {
    let options = CompressionOptions::on();
    vec![
        ("smart-truncation", Arc::new(SmartTruncation::new(options.clone()))),
        ("metadata-only", Arc::new(MetadataOnly::new(options.clone()))),
        ("incremental", Arc::new(Incremental::new(options.clone()))),
        ("bm25", Arc::new(SentenceSelection::default())),
        ("incremental by BM25", Arc::new(Incremental::new(options).with_scorer(Arc::new(Bm25::default())))),
    ]
}

/// A quarter of the tokens of `context`.
fn quarter(pipeline: &Pipeline, context: &Context) -> Budget {
    let all = measure(context, pipeline.counter()).tokens;
    Budget::new(Tokens::new(all.get() / 4))
}
