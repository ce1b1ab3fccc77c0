//! The gain from choosing levels together instead of taking memories in turn, for memories made from crates' manifests
//! and readmes, random memories, and labelled conversations.
//!
//!     cargo run --release -p contextfit --example memory_value -- FOLDER_OF_CRATES LOCOMO_FOLDER plot.svg
//!
//! Prints tables for docs/quality.md. The part of a missing folder is skipped.
#![allow(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a one-off program that prints tables from known data"
)]

#[path = "memory_value/conversations.rs"]
mod conversations;
#[path = "memory_value/inputs.rs"]
mod inputs;
#[path = "memory_value/svg.rs"]
mod svg;

use std::{env, fs, path::Path, sync::Arc, time::Instant};

use contextfit::{
    Tokens, counter,
    memory::{FitOptions, Importance, MemoryCompressor, MemoryRecord, PackingMode},
    search::Bm25,
};

const MODES: [(&str, PackingMode); 3] = [
    ("Cortex greedy", PackingMode::InTurn),
    ("greedy by slope", PackingMode::Greedy),
    ("optimal", PackingMode::Optimal),
];

/// One line of a plot: the value at each budget, both as shares of the total.
struct Series {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let path = |n: usize| arguments.get(n).map(Path::new);
    let compressor = MemoryCompressor::new(counter("o200k_base").unwrap());
    let mut panels = Vec::new();
    for (name, memories) in
        [("crates", path(0).map(inputs::crates).unwrap_or_default()), ("random", inputs::random(1_000))]
    {
        if !memories.is_empty() {
            let title = format!("{name} (n = {})", memories.len());
            panels.push((title, values(&compressor, name, &memories)));
        }
    }
    if let Some(folder) = path(1) {
        let compressor = compressor.with_scorer(Arc::new(Bm25::default()));
        conversations::evidence(&compressor, folder);
    }
    if let Some(file) = path(2) {
        fs::write(file, svg::plot(&panels)).unwrap();
    }
}

/// Prints a row for each budget with the value that each mode reaches.
fn values(compressor: &MemoryCompressor, name: &str, memories: &[MemoryRecord]) -> Vec<Series> {
    let fit = |budget: usize, mode| {
        let options = FitOptions::default().with_mode(mode);
        compressor.compress_batch_to_fit(memories, Tokens::new(budget), &options).unwrap()
    };
    let all = fit(usize::MAX, PackingMode::Optimal);
    let least = memories.iter().filter(|memory| memory.importance == Importance::Critical);
    let least: usize = least.map(|memory| compressor.ladder(memory)[1].get() + 1).sum();
    println!("\n{name}: {} memories, {} tokens whole\n", memories.len(), all.tokens);
    println!("| budget | tokens | Cortex greedy | greedy by slope | optimal | gained | gap | s |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut series: Vec<Series> = MODES.map(|(name, _)| Series { name, points: Vec::new() }).into();
    for percent in [2, 5, 10, 15, 20, 30, 40, 50, 70, 90] {
        let budget = all.tokens.get() * percent / 100;
        if budget < least {
            continue;
        }
        let started = Instant::now();
        let batches = MODES.map(|(_, mode)| fit(budget, mode));
        let seconds = started.elapsed().as_secs_f64() / 3.0;
        assert!(batches.iter().all(|batch| batch.tokens.get() <= budget));
        let shares = batches.each_ref().map(|batch| batch.value / all.value);
        for (series, share) in series.iter_mut().zip(shares) {
            series.points.push((percent as f64 / 100.0, share));
        }
        let [cortex, slope, optimal] = shares.map(|share| format!("{:.2} %", share * 100.0));
        let gained = (batches[2].value / batches[0].value - 1.0) * 100.0;
        let gap = batches[2].gap() * 100.0;
        println!(
            "| {percent} % | {budget} | {cortex} | {slope} | {optimal} | {gained:.1} % | {gap:.4} % | {seconds:.2} |"
        );
    }
    series
}
