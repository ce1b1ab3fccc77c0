//! Sixty memories of a team and fourteen requests, with what a careful person would want shown for each.

use std::sync::Arc;

use contextfit_bm25::Bm25;
use contextfit_hierarchical::{FitOptions, MemoryBatch};
use contextfit_kernel::{Importance, Level, MemoryRecord, Tokens};
use serde::Deserialize;

use crate::memories::exact;

#[derive(Deserialize)]
struct Team {
    memories: Vec<MemoryRecord>,
    requests: Vec<Request>,
}

#[derive(Deserialize)]
struct Request {
    query: String,
    /// Ids, each with words of the memory that must be shown.
    wanted: Vec<(String, String)>,
    /// Ids of outdated memories, each with the one that replaces it.
    #[serde(default)]
    outdated: Vec<(String, String)>,
}

fn team() -> Team {
    serde_json::from_str(include_str!("team.json")).unwrap()
}

#[track_caller]
fn fit(memories: &[MemoryRecord], query: &str, budget: usize) -> MemoryBatch {
    let compressor = exact().with_scorer(Arc::new(Bm25::default()));
    let options = FitOptions::default().with_query(query);
    let batch = compressor.compress_batch_to_fit(memories, Tokens::new(budget), &options).unwrap();
    assert!(batch.tokens <= Tokens::new(budget) && batch.gap() == 0.0, "{query}");
    batch
}

fn level(batch: &MemoryBatch, id: &str) -> Option<Level> {
    batch.shown.iter().find(|shown| shown.id == id).unwrap().level
}

/// The number of wanted memories whose wanted words are shown in `budget` tokens.
#[track_caller]
fn check(budget: usize, expect: usize) {
    let Team { memories, requests } = team();
    let mut found = 0;
    for Request { query, wanted, outdated } in &requests {
        let batch = fit(&memories, query, budget);
        found += wanted.iter().filter(|(_, words)| batch.text.contains(words)).count();
        for (old, new) in outdated {
            assert!(level(&batch, old) <= level(&batch, new), "{query} at {budget}: {old}");
            let marked = batch.text.contains(&format!("older than {new}"));
            assert!(
                level(&batch, old) < Some(Level::Gist) || marked,
                "{query} at {budget}: {old} is not marked"
            );
        }
    }
    assert_eq!(requests.iter().map(|request| request.wanted.len()).sum::<usize>(), 23);
    assert!(found >= expect, "{found} of 23 at {budget} tokens");
}

fn fact(id: &str, knowledge: &str) -> MemoryRecord {
    MemoryRecord::new(id, "fact").with_knowledge(knowledge)
}

/// A critical memory on another subject than any request here.
fn critical(n: usize) -> MemoryRecord {
    MemoryRecord::new(format!("c{n}"), "constraint").with_importance(Importance::Critical).with_knowledge(
        format!("Rule {n} says that nobody may ever change the number {n} of the ledger by hand."),
    )
}

#[test]
fn what_is_wanted_is_shown() {
    check(250, 20);
    check(400, 22);
    check(1_200, 23);
}

#[test]
fn an_answer_to_read() {
    insta::assert_snapshot!(fit(&team().memories, "how do I deploy to production", 250).text);
}

#[test]
fn what_is_best_is_never_only_named_while_another_is_whole() {
    let Team { memories, requests } = team();
    for Request { query, .. } in &requests {
        for budget in (40..700).step_by(60) {
            let batch = fit(&memories, query, budget);
            let best = batch.shown.iter().max_by(|a, b| a.worth.total_cmp(&b.worth)).unwrap();
            let whole = batch.shown.iter().any(|shown| shown.level == Some(Level::Full));
            assert!(!whole || best.level != Some(Level::Reference), "{query} at {budget}");
        }
    }
}

#[test]
fn the_best_answer_is_whole_before_critical_memories_have_their_lines() {
    let mut memories: Vec<MemoryRecord> = (0..8).map(critical).collect();
    memories
        .push(fact("deploy", "Deploy by a merge. The pipeline does the rest, and says so in the channel."));
    let named = |budget| {
        let batch = fit(&memories, "how do I deploy", budget);
        assert_eq!(level(&batch, "deploy"), Some(Level::Full), "{budget}");
        let told = batch.shown.iter().filter(|shown| shown.reason.to_string().contains("only named")).count();
        let named = batch.shown.iter().filter(|shown| shown.level == Some(Level::Reference)).count();
        assert_eq!(told, named, "{budget}");
        named
    };
    assert!(named(110) > named(160) && named(160) > 0 && named(600) == 0);
}

#[test]
fn a_port_does_not_give_way_to_a_rule_about_cards() {
    let memories = [
        fact(
            "pci",
            "No card number may ever be written to a log file, not even masked. Auditors look at the logs.",
        )
        .with_importance(Importance::Critical)
        .with_date("2026-02-03")
        .with_tags(vec!["payments".into(), "pci".into()]),
        fact(
            "port",
            "On staging the invoice service listens on port 8452. The health check is under /healthz.",
        )
        .with_date("2026-01-12")
        .with_tags(vec!["staging".into()]),
        fact("pdf", "PDF rendering moves out of the invoice service into a worker of its own."),
    ];
    for budget in 58..100 {
        let batch = fit(&memories, "which port does the invoice service have on staging", budget);
        assert!(batch.text.contains("8452") && level(&batch, "pci").is_some(), "{budget}: {}", batch.text);
    }
}

#[test]
fn what_replaces_another_is_found_by_the_words_of_that() {
    let old = fact("old", "The staging port of the invoice service is 8440.");
    let new =
        fact("new", "Since the ledger needed its place, 8452 is the one.").with_replaces(vec!["old".into()]);
    let other = fact("other", "The invoice service of the ledger has no port on production.");
    let batch = fit(&[old, new, other], "what is the staging port of the invoice service", 50);
    assert!(batch.text.contains("8452") && !batch.text.contains("8440"), "{}", batch.text);
}

#[test]
fn the_order_of_a_collection_changes_nothing() {
    let Team { mut memories, requests } = team();
    for request in requests.iter().take(4) {
        let shown = |memories: &[MemoryRecord]| {
            let batch = fit(memories, &request.query, 400);
            let mut shown: Vec<_> = batch.shown.into_iter().map(|shown| (shown.id, shown.level)).collect();
            shown.sort();
            shown
        };
        let before = shown(&memories);
        memories.reverse();
        assert_eq!(before, shown(&memories), "{}", request.query);
    }
}

#[test]
fn a_name_that_need_not_be_shown_is_not() {
    let Team { memories, requests } = team();
    for Request { query, .. } in &requests {
        for budget in (60..300).step_by(30) {
            let batch = fit(&memories, query, budget);
            let named = batch.shown.iter().filter(|shown| shown.level == Some(Level::Reference));
            assert!(
                named.clone().all(|shown| shown.is_below_its_least),
                "{query} at {budget}: {}",
                batch.text
            );
        }
    }
}

#[test]
fn what_answers_comes_before_lines_on_another_subject() {
    let steps = "1. Pull the red lever. 2. Wait for the bell. 3. If the lamp is on, do not touch the doors; call Ada. \
                 4. Open the doors from below. 5. Write the time into the book of the lift.";
    let lift = MemoryRecord::new("lift", "procedure")
        .with_summary("How to free people from the lift")
        .with_knowledge(steps);
    let bell = MemoryRecord::new("bell", "fact")
        .with_summary("The lift has a bell for people inside")
        .with_knowledge("It rings in the kitchen.");
    let mut memories: Vec<MemoryRecord> = (0..4).map(critical).collect();
    memories.extend([lift, bell]);
    let least = memories.iter().map(|memory| exact().ladder(memory)).map(|ladder| ladder[0].get() + 1);
    let whole = exact().ladder(&memories[4])[3].get();
    let least = least.sum::<usize>() + whole;
    for budget in (least..least + 100).step_by(7) {
        let batch = fit(&memories, "how do I free people from the lift", budget);
        assert_eq!(level(&batch, "lift"), Some(Level::Full), "{budget}: {}", batch.text);
    }
}

#[test]
fn critical_memories_have_their_lines_before_what_is_off_the_subject() {
    let Team { memories, requests } = team();
    for Request { query, .. } in &requests {
        for budget in (160..400).step_by(20) {
            let batch = fit(&memories, query, budget);
            let off_subject = batch.shown.iter().filter(|shown| shown.relevance < Some(0.5));
            let spent = off_subject.filter_map(|shown| {
                let is_critical =
                    memories.iter().any(|m| m.id == shown.id && m.importance == Importance::Critical);
                let cost = |level: Level| shown.ladder[usize::from(u8::from(level))].get();
                Some(cost(shown.level?).saturating_sub(if is_critical { cost(Level::Gist) } else { 0 }))
            });
            let spent: usize = spent.sum();
            let named = batch.shown.iter().filter(|shown| shown.is_below_its_least);
            let least = named.map(|shown| shown.ladder[1].get()).min().unwrap_or(usize::MAX);
            assert!(spent < least, "{query} at {budget}: {spent} tokens, a line takes {least}");
        }
    }
}
