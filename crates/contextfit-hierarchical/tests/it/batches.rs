//! Many memories: relevance, shares, sessions, groups, near-duplicates.

use std::sync::Arc;

use contextfit_bm25::Bm25;
use contextfit_hierarchical::{FitOptions, MemoryBatch, MemoryBudget, SentMemories, Weights};
use contextfit_kernel::{Error, Importance, Level, MemoryRecord, Tokens};

use crate::memories::{exact, long, retries};

#[track_caller]
fn fit(memories: &[MemoryRecord], budget: usize, options: &FitOptions<'_>) -> MemoryBatch {
    let compressor = exact().with_scorer(Arc::new(Bm25::default()));
    let batch = compressor.compress_batch_to_fit(memories, Tokens::new(budget), options).unwrap();
    assert!(batch.tokens <= Tokens::new(budget) && batch.gap() == 0.0);
    batch
}

fn levels(batch: &MemoryBatch) -> Vec<Option<u8>> {
    batch.shown.iter().map(|shown| shown.level.map(u8::from)).collect()
}

#[test]
fn what_answers_the_query_comes_first() {
    let mut memories: Vec<MemoryRecord> = (0..6).map(|n| long(&format!("m{n}"), 9)).collect();
    memories[4].knowledge = "Connection pools are drained before a deploy. Wait for the drain.".repeat(4);
    let options = FitOptions::default().with_query("how are connection pools drained");
    let shown = levels(&fit(&memories, 110, &options));
    assert!(shown.iter().enumerate().all(|(n, level)| n == 4 || *level < shown[4]), "{shown:?}");
}

#[test]
fn of_near_duplicates_one_is_shown() {
    let mut memories = vec![retries(), retries(), long("other", 5)];
    memories[1].id = "again".into();
    for memory in &mut memories {
        memory.importance = Importance::Normal;
    }
    let budget = exact().ladder(&memories[0])[2].get() + exact().ladder(&memories[2])[2].get() + 1;
    let shown = levels(&fit(&memories, budget, &FitOptions::default()));
    assert!(shown[0] < Some(2) || shown[1] < Some(2), "{shown:?}");
    assert!(shown[2] >= Some(1), "{shown:?}");
}

#[test]
fn a_type_has_its_share_first_and_gives_back_what_it_does_not_use() {
    let mut memories: Vec<MemoryRecord> =
        (0..8).map(|n| long(&format!("m{n}"), 12).with_importance(Importance::High)).collect();
    memories[7].memory_type = "tribal".into();
    memories[7].importance = Importance::Low;
    let budget = MemoryBudget::new(Tokens::new(300)).with_share("tribal", 0.25).with_share("none", 0.5);
    let without = fit(&memories, 150, &FitOptions::default());
    let with = fit(&memories, 150, &FitOptions::default().with_shares(budget.shares()));
    assert!(without.shown[7].level < Some(Level::Gist), "{:?}", levels(&without));
    assert!(with.shown[7].level >= Some(Level::Gist), "{:?}", levels(&with));
    assert!(with.tokens > Tokens::new(120), "what nobody uses is not lost: {}", with.tokens);
}

#[test]
fn what_was_sent_is_not_sent_again() {
    let memories: Vec<MemoryRecord> = (0..4).map(|n| long(&format!("m{n}"), 4)).collect();
    let mut session = SentMemories::new();
    let first = fit(&memories, 120, &FitOptions::default());
    for shown in &first.memories {
        let memory = memories.iter().find(|memory| memory.id == shown.id()).unwrap();
        session.sent(memory, shown);
        assert_eq!(session.level(memory), Some(shown.level));
    }
    let options = FitOptions::default().with_session(&session);
    let second = fit(&memories, 2_000, &options);
    for shown in &second.memories {
        let before = first.shown.iter().find(|before| before.id == shown.id()).unwrap();
        assert!(before.level < Some(shown.level), "{} again at {:?}", shown.id(), shown.level);
    }
    // Everything is known: nothing is sent, and the tokens saved are reported.
    for memory in &memories {
        session.sent(memory, &exact().compress(memory, Level::Full));
    }
    let options = FitOptions::default().with_session(&session);
    let third = fit(&memories, 2_000, &options);
    let whole: Tokens = memories.iter().map(|memory| exact().ladder(memory)[3]).sum();
    assert_eq!((third.text.as_str(), third.tokens_not_resent), ("", whole));
    // A memory that has changed is sent.
    let mut changed = memories.clone();
    changed[2].knowledge.push_str(" And one more.");
    assert_eq!(levels(&fit(&changed, 2_000, &options)), [None, None, Some(3), None]);
}

#[test]
fn a_critical_memory_that_was_sent_is_not_required_again() {
    let mut session = SentMemories::new();
    session.sent(&retries(), &exact().compress(&retries(), Level::Gist));
    let options = FitOptions::default().with_session(&session);
    assert_eq!(levels(&fit(&[retries()], 3, &options)), [None]);
}

#[test]
fn groups_move_together_and_pins_stay() {
    let mut memories: Vec<MemoryRecord> = (0..6).map(|n| long(&format!("m{n}"), 6)).collect();
    memories[1].group = Some("g".into());
    memories[4].group = Some("g".into());
    memories[5].pinned = true;
    let pinned = exact().ladder(&memories[5])[3].get();
    for budget in (pinned..900).step_by(23) {
        let shown = levels(&fit(&memories, budget, &FitOptions::default()));
        assert_eq!((shown[1], shown[5]), (shown[4], Some(3)), "{budget}: {shown:?}");
    }
    let error = exact().compress_batch_to_fit(&memories, Tokens::new(pinned - 1), &FitOptions::default());
    assert!(matches!(error, Err(Error::Infeasible { needed, .. }) if needed.get() == pinned));
}

#[test]
fn weights_are_configuration() {
    let memories = [long("a", 10), long("b", 10).with_confidence(1.0)];
    let weights = Weights { levels: [0.0, 0.0, 0.0, 1.0], ..Weights::default() };
    let compressor = exact().with_weights(weights);
    let batch =
        compressor.compress_batch_to_fit(&memories, Tokens::new(250), &FitOptions::default()).unwrap();
    assert_eq!(levels(&batch), [None, Some(3)]);
}

#[test]
fn capacity_and_distribution() {
    let memories: Vec<MemoryRecord> = (0..10).map(|n| long(&format!("m{n}"), 5)).collect();
    let ladders: Vec<[Tokens; 4]> = memories.iter().map(|memory| exact().ladder(memory)).collect();
    let budget = MemoryBudget::new(Tokens::new(500)).with_system(Tokens::new(200)).unwrap();
    let capacity = budget.capacity(&ladders);
    assert!(capacity.at_level.is_sorted_by(|a, b| a >= b) && capacity.at_level[3] == 3, "{capacity:?}");
    assert_eq!(budget.capacity(&[]).at_level, [0; 4]);
    let available = budget.available_for_memories();
    let distribution = exact().suggest_distribution(&memories, available, &FitOptions::default()).unwrap();
    assert_eq!(distribution.iter().sum::<usize>(), 10, "{distribution:?}");
}

#[test]
fn a_window_is_divided() {
    let budget = MemoryBudget::new(Tokens::new(100));
    let full = budget.clone().with_system(Tokens::new(60)).unwrap();
    assert!(matches!(full.clone().with_response(Tokens::new(41)), Err(Error::Reserve { .. })));
    let mut spent = full.with_response(Tokens::new(20)).unwrap();
    assert!(matches!(spent.spend(Tokens::new(21)), Err(Error::Infeasible { .. })));
    spent.spend(Tokens::new(20)).unwrap();
    assert_eq!((spent.available_for_memories(), spent.state().reserved), (Tokens::ZERO, Tokens::new(80)));
    assert_eq!(
        serde_json::to_string(&spent.state()).unwrap(),
        r#"{"total":100,"used":20,"remaining":80,"reserved":80,"availableForMemories":0}"#
    );
    let shared = budget.with_share("a", 0.9).with_share("b", 0.9);
    assert_eq!((shared.share_of("a"), shared.share_of("b")), (Tokens::new(50), Tokens::new(50)));
}
