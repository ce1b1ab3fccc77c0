//! Defects of the original design, Cortex, one test each.

use contextfit_hierarchical::{FitOptions, PackingMode};
use contextfit_kernel::{Error, Importance, Level, MemoryRecord, Tokens};

use crate::memories::{chars, exact, long, retries};

/// Memories of unequal length and importance, none critical.
fn some() -> Vec<MemoryRecord> {
    let importance = [Importance::High, Importance::Normal, Importance::Low];
    (0..6).map(|n| long(&format!("m{n}"), 3 + 7 * n).with_importance(importance[n % 3])).collect()
}

fn pack(
    memories: &[MemoryRecord],
    budget: usize,
    options: &FitOptions<'_>,
) -> Result<Vec<Option<Level>>, Error> {
    let batch = exact().compress_batch_to_fit(memories, Tokens::new(budget), options)?;
    assert!(batch.tokens <= Tokens::new(budget));
    Ok(batch.shown.iter().map(|shown| shown.level).collect())
}

#[test]
fn counts_were_claimed_500_or_1000_whatever_the_text() {
    let compressor = exact();
    for memory in some().into_iter().chain([retries()]) {
        for level in Level::ALL {
            let shown = compressor.compress(&memory, level);
            assert_eq!(shown.tokens(), compressor.clone().compress(&memory, level).tokens());
            assert_eq!(contextfit_text::counter("o200k_base").unwrap().count(&shown.text), shown.tokens());
        }
    }
}

#[test]
fn the_budget_was_broken_5_of_2_and_15_of_12() {
    assert_eq!(pack(&some(), 0, &FitOptions::default()).unwrap(), [None; 6]);
    assert_eq!(pack(&some(), 2, &FitOptions::default()).unwrap(), [None; 6]);
    // Two references, and a line with the number left out: the two that matter most are named.
    let levels = pack(&some(), 20, &FitOptions::default()).unwrap();
    assert_eq!(levels.iter().flatten().count(), 2, "{levels:?}");
    assert!(levels[0].is_some() && levels[3].is_some(), "{levels:?}");
    let alone = exact().compress_to_fit(&retries(), Tokens::new(2), &FitOptions::default());
    assert!(matches!(alone, Err(Error::Infeasible { needed, .. }) if needed > Tokens::new(2)));
}

#[test]
fn the_lowest_level_was_ignored() {
    let options = FitOptions::default().with_min_level(Level::Gist);
    for budget in [0, 12, 25, 100, 400] {
        let levels = pack(&some(), budget, &options).unwrap();
        assert!(levels.iter().flatten().all(|level| *level >= Level::Gist), "{budget}: {levels:?}");
    }
}

#[test]
fn nothing_came_back_at_100_and_400() {
    for budget in [100, 400] {
        let batch =
            exact().compress_batch_to_fit(&some(), Tokens::new(budget), &FitOptions::default()).unwrap();
        assert!(
            batch.memories.len() >= 3 && batch.tokens.get() >= budget / 4 * 3,
            "{budget}: {:?}",
            batch.shown
        );
        assert_eq!(batch.gap(), 0.0);
    }
}

#[test]
fn the_first_one_took_level_3_and_starved_the_rest() {
    // On different subjects, because near-duplicates have a lower combined value.
    let sentence =
        |n: usize, at: usize| format!("Fact{n} of{at} says{n}{at} that rule{n}{at} holds{at} on day{n}.");
    let told = |n: usize| (0..20).map(|at| sentence(n, at)).collect::<Vec<_>>().join(" ");
    let memory = |n: usize| long(&format!("m{n}"), 0).with_knowledge(told(n));
    let memories: Vec<MemoryRecord> = (0..5).map(memory).collect();
    let in_turn = FitOptions::default().with_mode(PackingMode::InTurn);
    assert_eq!(pack(&memories, 340, &in_turn).unwrap().iter().flatten().count(), 2, "as in the original");
    assert_eq!(pack(&memories, 340, &FitOptions::default()).unwrap().iter().flatten().count(), 5);
}

#[test]
fn the_second_pass_did_nothing() {
    // Tokens one memory leaves unused go to the next: no memory could go up a level in the remaining room.
    for budget in [100, 250, 400, 700] {
        let batch =
            exact().compress_batch_to_fit(&some(), Tokens::new(budget), &FitOptions::default()).unwrap();
        let left = budget - batch.tokens.get();
        for shown in &batch.shown {
            let at = shown.level.map_or(0, |level| shown.ladder[usize::from(u8::from(level))].get());
            let next = Level::ALL.into_iter().find(|&level| shown.level.is_none_or(|shown| shown < level));
            if let Some(next) = next {
                let tokens = shown.ladder[usize::from(u8::from(next))].get();
                assert!(tokens > at + left, "{budget}: {} at {:?}, {left} left", shown.id, shown.level);
            }
        }
        assert_eq!(batch.gap(), 0.0);
    }
}

#[test]
fn it_was_quadratic() {
    let memories: Vec<MemoryRecord> = (0..20_000).map(|n| long(&format!("m{n}"), 2)).collect();
    let batch =
        chars(4).compress_batch_to_fit(&memories, Tokens::new(300_000), &FitOptions::default()).unwrap();
    assert!(batch.tokens <= Tokens::new(300_000));
    // Lines without words: this took 80 s.
    let memory = MemoryRecord::new("m", "t").with_knowledge("```\n".repeat(60_000));
    assert!(chars(4).compress(&memory, Level::Gist).text.starts_with("[m] t normal"));
}

#[test]
fn ids_beyond_ascii_were_a_panic() {
    let compressor = exact();
    for id in ["память-один", "记忆", "מזכר", "😀👩‍👩‍👧‍👦", "e\u{301}", ""]
    {
        let memory = long(id, 9);
        for level in Level::ALL {
            assert_eq!(compressor.compress(&memory, level).id(), id);
        }
    }
}

#[test]
fn the_rule_for_critical_ones_was_dead_code() {
    let mut memories = some();
    memories[5].importance = Importance::Critical;
    memories[4].importance = Importance::Critical;
    let compressor = exact();
    let count = |level| {
        let both = [4, 5].map(|n: usize| compressor.compress(&memories[n], level).text).join("\n");
        contextfit_text::counter("o200k_base").unwrap().count(&both)
    };
    let (least, lines) = (count(Level::Reference), count(Level::Gist));
    for budget in 0..least.get() {
        let error = pack(&memories, budget, &FitOptions::default()).unwrap_err();
        let Error::Infeasible { needed, available, blockers } = error else { panic!("{error}") };
        assert_eq!((needed, available), (least, Tokens::new(budget)));
        let mut ids: Vec<&str> = blockers.iter().map(|blocker| blocker.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, ["m4", "m5"]);
    }
    // If only their names fit, they are named.
    for budget in least.get()..lines.get() {
        let levels = pack(&memories, budget, &FitOptions::default()).unwrap();
        assert!(levels[4].is_some() && levels[5].is_some(), "{budget}: {levels:?}");
    }
    for budget in [lines.get(), 60, 100, 400, 4_000] {
        for mode in [PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal] {
            let levels = pack(&memories, budget, &FitOptions::default().with_mode(mode)).unwrap();
            assert!(levels[4] >= Some(Level::Gist) && levels[5] >= Some(Level::Gist), "{budget}: {levels:?}");
        }
    }
}
