//! Memories to test with.

use std::sync::Arc;

use contextfit_hierarchical::MemoryCompressor;
use contextfit_kernel::{CodeSnippet, Evidence, Importance, MemoryRecord};
use contextfit_text::{CharsPer, counter};
use proptest::prelude::*;

pub(crate) fn exact() -> MemoryCompressor {
    MemoryCompressor::new(counter("o200k_base").unwrap())
}

pub(crate) fn chars(n: usize) -> MemoryCompressor {
    MemoryCompressor::new(Arc::new(CharsPer::new(n).unwrap()))
}

/// A memory with every field.
pub(crate) fn retries() -> MemoryRecord {
    let strings = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    MemoryRecord::new("retries", "tribal").with_importance(Importance::Critical).with_confidence(0.9).with_summary("Retry payments only with an idempotency key.").with_knowledge("Retry payments only with an idempotency key. The gateway answers 504 when it is slow, and the \
                    charge may have gone through. A second charge without the key is a second debit. The key is the \
                    order's id. Keys expire after a day."
            ).with_tags(strings(&["payments", "retry", "gateway", "incident"])).with_examples(vec![
            CodeSnippet { language: "rust".into(), code: "client.get(url)".into(), explanation: String::new() },
            CodeSnippet {
                language: "rust".into(),
                code: "gateway.charge(order, Key::from(order.id))".into(),
                explanation: "With a key.".into(),
            },
        ]).with_evidence([("A customer was charged twice in March.", 0.95), ("The gateway's manual.", 0.6), ("A test.", 0.7)]
            .map(|(description, confidence)| Evidence {
                description: description.into(),
                confidence: Some(confidence),
            })
            .into()).with_related(strings(&["timeouts"])).with_causal_chain(strings(&["slow gateway", "504", "retry", "double charge"])).with_linked_patterns(strings(&["idempotent consumer"])).with_linked_constraints(strings(&["no double debit"])).with_linked_files(strings(&["src/pay.rs"])).with_linked_functions(strings(&["charge"]))
}

/// A memory of this many sentences.
pub(crate) fn long(id: &str, sentences: usize) -> MemoryRecord {
    let sentence =
        |n: usize| format!("Fact number {n} of {id} says that rule {} holds on Mondays.", n * 7 % 97);
    MemoryRecord::new(id, "fact").with_knowledge((0..sentences).map(sentence).collect::<Vec<_>>().join(" "))
}

/// Any memory.
pub(crate) fn memory() -> impl Strategy<Value = MemoryRecord> {
    let text = || prop_oneof![Just(String::new()), "(?s).{0,120}", "([a-z]{2,8}[ .]{1,2}){0,60}"];
    let names = || prop::collection::vec("\\PC{1,10}", 0..5);
    let sure = || {
        prop::option::of(prop_oneof![0.0..=1.0_f64, any::<f64>().prop_filter("a number", |n| !n.is_nan())])
    };
    let importance = prop::sample::select(vec![
        Importance::Low,
        Importance::Normal,
        Importance::Normal,
        Importance::High,
        Importance::Critical,
    ]);
    let example = (text(), text(), "[a-z]{0,6}").prop_map(|(code, explanation, language)| CodeSnippet {
        language,
        code,
        explanation,
    });
    let evidence =
        (text(), sure()).prop_map(|(description, confidence)| Evidence { description, confidence });
    let facts = ("(?s).{0,12}", "[a-zé]{0,8}", importance, sure(), text(), text());
    let parts = (
        prop::collection::vec(example, 0..3),
        prop::collection::vec(evidence, 0..4),
        names(),
        names(),
        names(),
    );
    let notes = (sure(), prop::bool::weighted(0.05), prop::option::weighted(0.2, "[ab]"));
    (facts, parts, notes).prop_map(|(facts, parts, notes)| {
        let (id, memory_type, importance, confidence, summary, knowledge) = facts;
        let (examples, evidence, tags, related, linked_files) = parts;
        let (relevance, pinned, group) = notes;
        let memory =
            MemoryRecord::new(id, memory_type).with_importance(importance).with_confidence(confidence);
        let memory = memory.with_summary(summary).with_knowledge(knowledge).with_examples(examples);
        let memory = memory.with_evidence(evidence).with_tags(tags).with_related(related);
        let mut memory = memory.with_linked_files(linked_files).with_relevance(relevance).with_pinned(pinned);
        memory.group = group;
        memory
    })
}
