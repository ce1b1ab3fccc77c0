//! A compressor of one's own in an agent loop: it logs every call, and caps what may be spent on one.
//!
//! `cargo run -p contextfit --example custom_compressor`

#![allow(clippy::print_stdout, reason = "examples print to the terminal")]

use std::sync::Arc;

use async_trait::async_trait;
use contextfit::{
    Budget, CompressionResult, Context, ContextCompressor, Error, TokenCounter, Tokens,
    chat::{Session, WaterMarks},
    counter, preset,
};
use serde_json::json;

/// Passes contexts on to another compressor, and never lets it fill more than `most` tokens.
struct Capped<C> {
    inner: C,
    most: Tokens,
}

#[async_trait]
impl<C: ContextCompressor> ContextCompressor for Capped<C> {
    async fn compress_with_metrics(
        &self,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        let capped = Budget::new(budget.available().min(self.most));
        let result = self.inner.compress_with_metrics(context, &capped).await?;
        let metrics = &result.metrics;
        println!(
            "{} blocks: {} -> {} tokens",
            metrics.blocks_before, metrics.tokens_before, metrics.tokens_after
        );
        Ok(result)
    }

    fn counter(&self) -> &dyn TokenCounter {
        self.inner.counter()
    }
}

/// Stand-in for the call of a model.
async fn answer(request: &serde_json::Value) -> serde_json::Value {
    let messages = request["messages"].as_array().map_or(0, Vec::len);
    json!({"role": "assistant", "content": format!("Noted; that makes {messages} messages in the prompt.")})
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counter = counter("o200k_base")?;
    // The executor knows only the trait.
    let inner = preset("auto", counter.clone())?;
    let compressor: Arc<dyn ContextCompressor> = Arc::new(Capped { inner, most: Tokens::new(900) });

    let body = json!({"model": "gpt-4o", "messages": [
        {"role": "system", "content": "You keep the log of a lighthouse."}]});
    let marks = WaterMarks::new(Tokens::new(1_500), Tokens::new(1_000))?;
    let mut session = Session::new(body, marks, counter)?;
    for hour in 0..60 {
        let report =
            format!("Hour {hour}: wind from the north-west, {} knots, the lamp is lit.", 10 + hour % 17);
        session.push(json!({"role": "user", "content": report}))?;
        session.prepare(&*compressor).await?;
        let answer = answer(session.request()).await;
        session.push(answer)?;
        assert!(session.tokens() <= Tokens::new(1_600));
    }
    assert!(!session.compactions().is_empty());
    assert!(session.compactions().iter().all(|done| done.tokens_after <= Tokens::new(900)));
    Ok(())
}
