//! What compaction of a long session saves and costs, call by call: input, summaries, and the prompt cache that a compaction
//! breaks.
//!
//! The models are stand-ins, so that the example runs anywhere:
//! `cargo run -p contextfit --features llm --example agent_bill`

#![allow(clippy::print_stdout, reason = "an example talks to people")]

use std::sync::Arc;

use async_trait::async_trait;
use contextfit::{
    Bill, Completion, CompletionRequest, ContextCompressor, LlmProvider, Metered, Pipeline, ProviderError,
    Session, SlidingWindowCompressor, Summarizer, SummarizingCompressor, TokenCounter, TokenUsage, Tokens,
    WaterMarks, counter, prices,
};
use serde_json::json;

/// Stands for the model that writes summaries.
struct Writer;

#[async_trait]
impl LlmProvider for Writer {
    fn model(&self) -> &str {
        "gpt-4o-mini"
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let lines = request.input.lines().count();
        Ok(Completion::new(format!("state: {lines} lines of readings were checked, all of them valid")))
    }
}

/// What a call reads: all of the prompt, of which the provider has `cached` from the call before.
fn usage(input: Tokens, cached: Tokens) -> TokenUsage {
    TokenUsage { cached: cached.min(input), ..TokenUsage::of_input(input) }
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
    let mut session = Session::new(body.clone(), marks, &counter)?;
    // The same talk without compaction.
    let never = WaterMarks::new(Tokens::MAX, Tokens::MAX)?;
    let mut whole = Session::new(body, never, &counter)?;

    let mut bill = Bill::default();
    let (mut sent, mut sent_whole) = (Tokens::ZERO, Tokens::ZERO);
    for hour in 0..240 {
        let reading = format!(
            "Hour {hour}: the level is {} cm, as it was expected to be at this time of the year.",
            200 + hour % 40
        );
        for message in [
            json!({"role": "user", "content": reading}),
            json!({"role": "assistant", "content": "Noted, and valid."}),
        ] {
            session.push(message.clone(), &counter)?;
            whole.push(message, &counter)?;
        }
        let mut cached = sent;
        if let Some(done) = session.prepare(&*compressor, &counter).await? {
            // Behind the first message that changed, nothing is in the provider's cache any more.
            cached = done.tokens_after.saturating_sub(done.tokens_changed);
        }
        let before = usage(whole.tokens(), sent_whole);
        bill.save(&large, before, usage(session.tokens(), cached));
        (sent, sent_whole) = (session.tokens(), whole.tokens());
    }
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
