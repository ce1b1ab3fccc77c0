//! Memories in a prompt: what answers the question comes first, and what another one replaces comes last.
//!
//! `cargo run -p contextfit --example memories`

#![allow(clippy::print_stdout, reason = "examples print to the terminal")]

use std::sync::Arc;

use contextfit::{
    Tokens, counter,
    memory::{FitOptions, MemoryCompressor},
    memory::{Importance, MemoryRecord},
    search::Bm25,
};

/// A memory with a date.
fn memory(id: &str, date: &str, importance: Importance, knowledge: &str) -> MemoryRecord {
    MemoryRecord::new(id, "").with_date(date).with_importance(importance).with_knowledge(knowledge)
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let memories = [
        memory("db-old", "2024-05-01", Importance::High, "The orders service uses MySQL 5.7."),
        memory(
            "db",
            "2026-01-10",
            Importance::Normal,
            "The orders service uses PostgreSQL 16. MySQL was switched off.",
        )
        .with_replaces(vec!["db-old".into()]),
        memory("rule", "2023-02-01", Importance::Critical, "Never run migrations on Fridays."),
        memory(
            "style",
            "2025-03-03",
            Importance::Low,
            "The user likes short answers, and no exclamation marks.",
        ),
    ];
    let compressor = MemoryCompressor::new(counter("o200k_base")?).with_scorer(Arc::new(Bm25::default()));
    let options = FitOptions::default().with_query("which database does the orders service use");

    for budget in [60, 120] {
        let batch = compressor.compress_batch_to_fit(&memories, Tokens::new(budget), &options)?;
        println!("## {} of {budget} tokens\n{}\n", batch.tokens, batch.text);
        assert!(batch.tokens <= Tokens::new(budget) && batch.text.contains("PostgreSQL 16"));
    }
    Ok(())
}
