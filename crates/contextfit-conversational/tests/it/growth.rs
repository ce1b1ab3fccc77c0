//! The cost of summaries as a conversation grows.

use std::sync::Arc;

use contextfit_conversational::SummarizingCompressor;
use contextfit_kernel::{Budget, CompletionRequest, Context, ContextCompressor, TokenCounter, Tokens};
use contextfit_pipeline::{Pipeline, Summarizer, measure};
use contextfit_testkit::{FakeModel, Reply, conversation_of};
use contextfit_text::CharsPer;

/// The maximum size of the conversation, and the size it is reduced to once it exceeds that.
const HIGH: usize = 2_000;
const LOW: usize = 1_000;

/// The model's summary of any part of it.
const SUMMARY: &str = "state: the orders are on their way and should arrive within three days; they left the store in the \
    morning. The user has been waiting since Monday, has paid by card, and wants no order shipped without being asked first.";

/// A session of `turns` turns: the tokens sent to the model by this strategy, and by a naive one that each time
/// summarizes everything before the newest turns anew.
async fn session(turns: usize) -> (usize, usize, usize) {
    let counter = Arc::new(CharsPer::new(4).unwrap());
    let model = Arc::new(FakeModel::new(vec![Reply::Text(SUMMARY.into())]));
    let pipeline = Pipeline::new(Arc::clone(&counter) as Arc<_>)
        .with_strategy(SummarizingCompressor::new())
        .with_summarizer(Summarizer::new(Arc::clone(&model) as Arc<_>));
    let source = conversation_of(turns);
    let tokens =
        |block: &contextfit_kernel::Block| counter.count(&block.text) + block.as_turn().unwrap().framing;
    let mut context = Context::new(Vec::new()).with_layout(source.layout.clone());
    let (mut size, mut naive, mut compactions, mut all) = (0, 0, 0, 0);
    for block in &source.blocks {
        size += tokens(block).get();
        all += tokens(block).get();
        context.blocks.push(block.clone());
        if size > HIGH && block.group.is_none() {
            // The naive strategy reads everything before the turns it keeps.
            naive += all - LOW;
            compactions += 1;
            let budget = Budget::new(Tokens::new(LOW));
            context = pipeline.compress_with_metrics(&context, &budget).await.unwrap().context;
            size = measure(&context, &*counter).tokens.get();
        }
    }
    assert_eq!(model.asked().len(), compactions, "one request for each compaction");
    let asked = |request: &CompletionRequest| counter.count(&request.input).get();
    assert!(model.asked().iter().map(asked).max().unwrap_or_default() < HIGH);
    (model.tokens_in().get(), naive, compactions)
}

#[tokio::test]
async fn summarizing_costs_tokens_linear_in_the_turns() {
    let mut rows = Vec::new();
    for turns in [100, 1_000, 2_000] {
        rows.push((turns, session(turns).await));
    }
    println!("{rows:?}");
    let a_turn = |(turns, (given, ..)): (usize, (usize, usize, usize))| given as f64 / turns as f64;
    assert!(a_turn(rows[2]) < 1.2 * a_turn(rows[1]), "{rows:?}");
    // The naive strategy, for comparison: twice the turns, about four times the tokens.
    assert!(rows[2].1.1 > 3 * rows[1].1.1, "{rows:?}");
    assert!(rows[2].1.1 > 5 * rows[2].1.0, "{rows:?}");
}
