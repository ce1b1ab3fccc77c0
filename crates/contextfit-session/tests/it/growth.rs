//! What a message costs in a long talk.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use contextfit_bm25::Bm25;
use contextfit_conversational::HierarchicalCompressor;
use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_session::{Session, WaterMarks};
use serde_json::json;

/// A token for four bytes, and how many bytes were counted.
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

/// Bytes counted for each turn of a talk of `turns`, and how often it was shortened.
async fn counted(turns: usize) -> (usize, usize) {
    let counter = Arc::new(Metered::default());
    let pipeline =
        Pipeline::new(counter.clone()).with_strategy(HierarchicalCompressor::new(Arc::new(Bm25::default())));
    let marks = WaterMarks::new(Tokens::new(4000), Tokens::new(2000)).unwrap();
    let mut session = Session::new(json!([]), marks, &*counter).unwrap();
    for n in 0..turns {
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        let text = format!(
            "Turn {n} of a long talk about order A-{n} and what became of it on the way to port {}.",
            n % 17
        );
        session.push(json!({"role": role, "content": text}), &*counter).unwrap();
        session.prepare(&pipeline, &*counter).await.unwrap();
    }
    (counter.0.load(Ordering::Relaxed) / turns, session.compactions().len())
}

/// The cost of a turn does not grow with the talk: it is that of the turn, and its share of shortenings whose size the high
/// mark bounds.
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
