//! The savings and costs of compacting a long session, call by call: input tokens, summaries, and the prompt cache that
//! a compaction invalidates.
//!
//! The models are stand-ins, so that the example runs anywhere: `cargo run -p contextfit --features llm --example
//! agent_bill`

#![allow(clippy::print_stdout, reason = "examples print to the terminal")]

use std::sync::Arc;

use async_trait::async_trait;
use contextfit::{
    ContextCompressor, Pipeline, TokenCounter, Tokens,
    chat::{Session, SlidingWindowCompressor, SummarizingCompressor, WaterMarks},
    counter,
    kernel::{Completion, CompletionRequest, ProviderError},
    models::{LlmProvider, Metered, Summarizer, prices},
};
use serde_json::json;

/// Stand-in for the model that writes summaries.
struct Writer;

#[async_trait]
impl LlmProvider for Writer {
    fn model(&self) -> &str {
        "gpt-4o-mini"
    }

    async fn complete(&self, _: &CompletionRequest) -> Result<Completion, ProviderError> {
        Ok(Completion::new(
            "state: the level was noted each hour, as expected at this time of the year, and was valid",
        ))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counter: Arc<dyn TokenCounter> = counter("o200k_base")?;
    let (large, small) = (prices("gpt-4o").ok_or("no price")?, prices("gpt-4o-mini").ok_or("no price")?);
    let writer = Arc::new(Metered::new(Writer).with_prices(small).with_counter(counter.clone()));
    let provider: Arc<dyn LlmProvider> = writer.clone();
    let compressor: Arc<dyn ContextCompressor> = Arc::new(
        Pipeline::new(counter.clone())
            .with_strategy(SummarizingCompressor::new())
            .with_strategy(SlidingWindowCompressor::new())
            .with_summarizer(Summarizer::new(provider)),
    );
    let body = json!({"model": "gpt-4o", "messages": [
        {"role": "system", "content": "You watch the level of a river. Report in centimetres."}]});
    let marks = WaterMarks::new(Tokens::new(6_000), Tokens::new(2_000))?;
    let mut session = Session::new(body, marks, counter.clone())?;
    for hour in 0..240 {
        let reading = format!(
            "Hour {hour}: the level is {} cm, as it was expected to be at this time of the year.",
            200 + hour % 40
        );
        for message in [
            json!({"role": "user", "content": reading}),
            json!({"role": "assistant", "content": "Noted, and valid."}),
        ] {
            session.push(message)?;
        }
        session.prepare(&*compressor).await?;
    }
    let mut bill = session.bill(&large);
    bill.summaries = writer.metering().cost.unwrap_or_default();
    println!(
        "{} calls, {} compactions, {} summaries",
        240,
        session.compactions().len(),
        writer.metering().calls
    );
    println!("saved on input {}, spent on summaries {}, net {}", bill.saved, bill.summaries, bill.net());
    Ok(())
}
