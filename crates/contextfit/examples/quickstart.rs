//! The example of docs/rust.md: what a retriever found, within 120 tokens, by what the question asks.
//!
//! `cargo run -p contextfit --example quickstart`

#![allow(clippy::print_stdout, reason = "examples print to the terminal")]

use contextfit::{Block, Budget, Context, Passage, counter, preset};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // What a retriever found, with its scores.
    let found = [
        ("docs/counting.md", 0.81, "Loading takes 50 ms. ".repeat(40) + "Tokens are counted once per block."),
        ("docs/setup.md", 0.34, "Install the tool and set the key. ".repeat(60)),
    ];
    let blocks =
        found.map(|(path, score, text)| Block::passage(path, Passage::at(path).with_score(score), text));
    let context = Context::new(blocks.into()).with_query("how often are tokens counted");

    let pipeline = preset("auto", counter("o200k_base")?)?;
    let result = pipeline.fit(&context, &Budget::new(120))?;

    assert!(result.metrics.tokens_after.get() <= 120);
    println!("{}", result.text);
    for step in result.plan().into_iter().flat_map(|plan| &plan.steps) {
        println!("{}: {}, because {}", step.id, step.action.name(), step.reason);
    }
    Ok(())
}
