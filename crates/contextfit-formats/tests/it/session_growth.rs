//! The cost of a message in a long conversation.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use contextfit_bm25::Bm25;
use contextfit_conversational::HierarchicalCompressor;
use contextfit_formats::{Session, WaterMarks};
use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_pipeline::Pipeline;
use serde_json::json;

/// Counts one token per four bytes, and records how many bytes were counted.
#[derive(Default)]
struct Metered(AtomicUsize);

impl TokenCounter for Metered {
    fn name(&self) -> &'static str {
        "metered"
    }

    fn count(&self, text: &str) -> Tokens {
        self.0.fetch_add(text.len(), Ordering::Relaxed);
        Tokens::new(text.len().div_ceil(4))
    }
}

/// Bytes counted per turn in a conversation of `turns`, and the number of compactions.
async fn counted(turns: usize) -> (usize, usize) {
    let counter = Arc::new(Metered::default());
    let pipeline =
        Pipeline::new(counter.clone()).with_strategy(HierarchicalCompressor::new(Arc::new(Bm25::default())));
    let marks = WaterMarks::new(Tokens::new(4000), Tokens::new(2000)).unwrap();
    let mut session = Session::new(json!([]), marks, counter.clone()).unwrap();
    for n in 0..turns {
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        let text = format!(
            "Turn {n} of a long talk about order A-{n} and what became of it on the way to port {}.",
            n % 17
        );
        session.push(json!({"role": role, "content": text})).unwrap();
        session.prepare(&pipeline).await.unwrap();
    }
    (counter.0.load(Ordering::Relaxed) / turns, session.compactions().len())
}

/// The cost of a turn does not grow with the conversation: it is that of the turn itself, plus its share of compactions
/// whose size is bounded by the high mark.
#[tokio::test]
async fn the_cost_of_a_turn_does_not_grow() {
    let mut costs = Vec::new();
    for turns in [100, 1_000, 2_000] {
        let (bytes, shortened) = counted(turns).await;
        costs.push(bytes);
        println!("{turns} turns: {bytes} bytes counted a turn, shortened {shortened} times");
    }
    assert!(costs[2] <= costs[1] + costs[1] / 4, "{costs:?}");
}
