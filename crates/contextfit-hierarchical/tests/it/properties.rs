//! Properties of any memories at any budget.

use contextfit_hierarchical::{FitOptions, LevelOutput, MemoryCompressor, PackingMode};
use contextfit_kernel::{Error, Importance, Level, MemoryRecord, Tokens, one_line};
use proptest::prelude::*;

use crate::memories::{chars, exact, memory};

/// Checks everything that holds for one batch at one budget.
#[track_caller]
fn check(compressor: &MemoryCompressor, memories: &[MemoryRecord], budget: usize, options: &FitOptions<'_>) {
    match compressor.compress_batch_to_fit(memories, Tokens::new(budget), options) {
        Ok(batch) => {
            assert!(batch.tokens <= Tokens::new(budget));
            assert!(batch.value <= batch.bound && batch.gap() < 1.0);
            let parts: Vec<&str> = batch.memories.iter().map(|memory| memory.text.as_str()).collect();
            let (text, marker) = match batch.text.rsplit_once("\n[... ") {
                Some((text, marker)) if marker.ends_with(" memories]") || marker == "1 memory]" => {
                    (text, true)
                }
                _ => (batch.text.as_str(), batch.text.starts_with("[... ")),
            };
            let omitted = batch.shown.iter().any(|shown| shown.level.is_none());
            assert!(omitted || !marker, "{:?}", batch.text);
            assert!(parts.is_empty() && marker || text == parts.join("\n"), "{:?}", batch.text);
            let shown =
                batch.shown.iter().filter(|shown| shown.level.is_some()).map(|shown| shown.id.as_str());
            assert!(shown.eq(batch.memories.iter().map(contextfit_hierarchical::CompressedMemory::id)));
        }
        Err(Error::Infeasible { needed, available, blockers }) => {
            assert!(needed > available && !blockers.is_empty(), "{needed} {available} {blockers:?}");
            assert!(blockers.iter().all(|blocker| blocker.tokens <= needed), "{needed} {blockers:?}");
        }
        Err(error) => panic!("{error}"),
    }
}

proptest! {
    #[test]
    fn never_over_budget(
        memories in prop::collection::vec(memory(), 0..8),
        budget in prop_oneof![0..60_usize, 0..3_000_usize, any::<usize>()],
        mode in prop::sample::select(vec![PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal]),
        min in 0..4_u8,
        max in 0..4_u8,
    ) {
        let options = FitOptions::default().with_mode(mode).with_min_level(Level::try_from(min).unwrap()).with_max_level(Level::try_from(max).unwrap());
        check(&chars(1), &memories, budget, &options);
        check(&chars(4), &memories, budget, &options);
        check(&exact(), &memories, budget, &options);
    }

    /// `follows` says of each memory whether it replaces the one before it; then the last of them counts.
    #[test]
    fn what_is_replaced_never_shows_more(
        memories in prop::collection::vec((memory(), any::<bool>()), 1..8),
        budget in prop_oneof![0..150_usize, 0..1_000_usize],
        mode in prop::sample::select(vec![PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal]),
        share in 0..2_usize,
    ) {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let follows: Vec<bool> = memories.iter().map(|(_, follows)| *follows).collect();
        let memories: Vec<MemoryRecord> = memories.into_iter().zip(names).enumerate().map(|(n, ((mut memory, follows), name))| {
            (memory.id, memory.group, memory.tags) = (name.into(), None, vec![name.into()]);
            memory.replaces = names[..n].last().filter(|_| follows).map(|name| (*name).into()).into_iter().collect();
            memory
        }).collect();
        let shares = [(memories[0].memory_type.clone(), 0.5)];
        let options = FitOptions::default().with_mode(mode).with_shares(&shares[..share]);
        let Ok(batch) = exact().compress_batch_to_fit(&memories, Tokens::new(budget), &options) else { return Ok(()) };
        for n in 0..memories.len() {
            let last = (n..memories.len() - 1).find(|&next| !follows[next + 1]).unwrap_or(memories.len() - 1);
            let (old, new) = (batch.shown[n].level, batch.shown[last].level);
            let must = match (memories[n].pinned, memories[n].importance) {
                (true, _) => Some(Level::Full),
                (_, Importance::Critical) => Some(Level::Reference),
                _ => None,
            };
            prop_assert!(old <= new.max(must), "{n} at {old:?}, {last} at {new:?}: {}", batch.text);
        }
    }

    #[test]
    fn levels_grow_and_level_3_loses_nothing(memory in memory()) {
        let compressor = chars(1);
        let shown = Level::ALL.map(|level| compressor.compress(&memory, level));
        for shown in &shown {
            prop_assert_eq!(shown.id(), memory.id.as_str());
            prop_assert_eq!(shown.tokens().get(), shown.text.chars().count());
        }
        let [reference, gist, extract, full] = shown;
        prop_assert!(gist.text.starts_with(&reference.text));
        let LevelOutput::Gist(line) = gist.output else { panic!("level 1") };
        let LevelOutput::Extract(details) = extract.output else { panic!("level 2") };
        prop_assert_eq!(&details.base.one_liner, &line.one_liner);
        // Not as one line: what the knowledge says is not said twice.
        let quoted = |text: &str, tag: &String| [&*one_line(tag), &format!("{tag:?}")].iter().any(|tag| text.contains(tag));
        prop_assert!(line.tags.iter().all(|tag| quoted(&extract.text, tag)));
        prop_assert!(memory.tags.iter().all(|tag| quoted(&full.text, tag)));
        let mut words = line.one_liner.split_whitespace().map(|word| word.trim_end_matches([':', '…']));
        prop_assert!(words.all(|word| extract.text.contains(word)));
        for part in details.details.evidence.iter().chain(&details.details.example) {
            prop_assert!(full.text.contains(part) && extract.text.contains(part));
        }
        for part in memory.related.iter().map(|name| one_line(name)).chain([(&memory.knowledge).into()]) {
            prop_assert!(full.text.contains(&*part));
        }
        let LevelOutput::Full(output) = full.output else { panic!("level 3") };
        prop_assert_eq!(&output.base.details, &details.details);
        let notes = |mut memory: MemoryRecord| {
            memory.group = None;
            memory.with_relevance(None).with_recency(None).with_pinned(false)
        };
        prop_assert_eq!(MemoryRecord::from(*output), notes(memory));
    }

    #[test]
    fn more_budget_is_never_worth_less(memories in prop::collection::vec(memory(), 0..8), budget in 0..2_000_usize, more in 0..500_usize) {
        let fit = |budget| chars(1).compress_batch_to_fit(&memories, Tokens::new(budget), &FitOptions::default());
        // If lines of critical memories do not fit, the room that they will take goes to others.
        if let Ok(batch) = fit(budget) && batch.shown.iter().all(|shown| !shown.is_below_its_least) {
            let larger = fit(budget + more).unwrap();
            prop_assert!(larger.value >= batch.value - 1e-9, "{} then {}", batch.value, larger.value);
        }
    }

    #[test]
    fn order_changes_nothing_but_the_order(memories in prop::collection::vec(memory(), 0..8), budget in 0..2_000_usize) {
        let mut memories = memories;
        memories.iter_mut().enumerate().for_each(|(n, memory)| memory.id = format!("m{n}"));
        let turned: Vec<MemoryRecord> = memories.iter().rev().cloned().collect();
        let fit = |memories: &[MemoryRecord]| chars(1).compress_batch_to_fit(memories, Tokens::new(budget), &FitOptions::default());
        match (fit(&memories), fit(&turned)) {
            (Ok(batch), Ok(other)) => {
                let levels: Vec<_> = batch.shown.iter().map(|shown| (&shown.id, shown.level)).collect();
                let others: Vec<_> = other.shown.iter().rev().map(|shown| (&shown.id, shown.level)).collect();
                prop_assert_eq!(levels, others);
            }
            (one, other) => prop_assert_eq!(one.is_err(), other.is_err()),
        }
    }

    #[test]
    fn another_memory_takes_no_pin_away(mut memories in prop::collection::vec(memory(), 1..6), mut another in memory(), budget in 0..2_000_usize) {
        memories[0].pinned = true;
        (another.pinned, another.importance, another.group) = (false, Importance::High, None);
        let before = chars(1).compress_batch_to_fit(&memories, Tokens::new(budget), &FitOptions::default());
        memories.push(another);
        let after = chars(1).compress_batch_to_fit(&memories, Tokens::new(budget), &FitOptions::default());
        prop_assert_eq!(before.is_ok(), after.is_ok());
        if let Ok(after) = after {
            prop_assert_eq!(after.shown[0].level, Some(Level::Full));
        }
    }
}
