//! Snapshots of the three strategies' plans and texts for one small input.

use std::sync::Arc;

use contextfit_kernel::{Block, Budget, Context, Passage, Strategy, Symbols, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_text::Tiktoken;
use contextfit_truncation::{Incremental, MetadataOnly, SmartTruncation, TruncationOptions};

const SERVICE: &str = include_str!("../inputs/service.ts");
const LOADER: &str = include_str!("../inputs/loader.py");
const NOTES: &str = include_str!("../inputs/notes.md");

fn context() -> Context {
    let passage = |path: &str, score: f64, class: Option<&str>, function: Option<&str>| {
        let (class, function) = (class.map(Into::into), function.map(Into::into));
        let symbols = Symbols { class, function, ..Symbols::default() };
        Passage::at(path).with_score(score).with_lines(10, 90).with_symbols(symbols)
    };
    Context::new(vec![
        Block::passage("service", passage("src/service.ts", 0.91, Some("OrderService"), None), SERVICE),
        Block::passage("loader", passage("tools/loader.py", 0.35, None, Some("load")), LOADER),
        Block::passage("notes", passage("docs/notes.md", 0.55, None, None), NOTES),
    ])
}

#[track_caller]
fn check(name: &str, strategy: impl Strategy + 'static, budget: usize) {
    let pipeline = Pipeline::new(Arc::new(Tiktoken::o200k_base())).with_strategy(strategy);
    let result = pipeline.fit(&context(), &Budget::new(Tokens::new(budget))).unwrap();
    let steps = result.plan().unwrap().steps.iter().zip(&result.tokens);
    let steps: Vec<String> = steps
        .map(|(step, tokens)| {
            format!("{}: {}, {tokens} tokens, {}", step.id, step.action.name(), step.reason)
        })
        .collect();
    let metrics = result.metrics;
    insta::assert_snapshot!(
        name,
        format!(
            "{}\n{} of {} tokens, {} saved\n=====\n{}",
            steps.join("\n"),
            metrics.tokens_after,
            metrics.tokens_before,
            metrics.compression_rate(),
            result.text
        )
    );
}

#[test]
fn smart_truncation() {
    check("smart-truncation at 700", SmartTruncation::new(TruncationOptions::aggressive()), 700);
    check("smart-truncation at 300", SmartTruncation::new(TruncationOptions::default()), 300);
}

#[test]
fn metadata_only() {
    check("metadata-only at 1000", MetadataOnly::new(TruncationOptions::default()), 1_000);
    check("metadata-only at 120", MetadataOnly::new(TruncationOptions::default()), 120);
    check("metadata-only at 30", MetadataOnly::new(TruncationOptions::default()), 30);
}

#[test]
fn incremental() {
    check("incremental at 700", Incremental::new(TruncationOptions::default()), 700);
    check("incremental at 200", Incremental::new(TruncationOptions::default()), 200);
    check("incremental at 40", Incremental::new(TruncationOptions::default()), 40);
}
