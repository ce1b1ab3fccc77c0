//! A retrieval loop: ask, retrieve, fit, and print the resulting prompt context.
//!
//! The corpus is a folder of text files; the retriever is this crate's BM25:
//!
//! ```text
//! cargo run --release --features code --example rag_loop -- crates 1500 "how are tokens counted" "how is a token counted"
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "examples print to the terminal")]

use std::{env, error::Error, fs, path::Path};

use contextfit::{Block, Budget, Context, Passage, Scorer, counter, preset, search::Bm25};

/// Number of passages that the retriever returns.
const TOP: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, budget, questions @ ..] = arguments.as_slice() else {
        return Err("usage: rag_loop FOLDER BUDGET QUESTION...".into());
    };
    let budget = Budget::new(budget.parse::<usize>()?);
    let mut corpus = Vec::new();
    read(Path::new(folder), &mut corpus)?;

    // One pipeline serves every question; it keeps no state between them.
    let pipeline = preset("auto", counter("o200k_base")?)?;
    for question in questions {
        let context = Context::new(retrieve(&corpus, question)).with_query(question);
        let result = pipeline.fit(&context, &budget)?;
        println!("# {question}\n\n{}\n", result.text);
        let metrics = result.metrics;
        eprintln!(
            "{} of {} tokens, {} saved",
            metrics.tokens_after,
            metrics.tokens_before,
            metrics.compression_rate()
        );
    }
    Ok(())
}

/// The best passages for `question`, with their scores, best first.
fn retrieve(corpus: &[(String, String)], question: &str) -> Vec<Block> {
    let texts: Vec<&str> = corpus.iter().map(|(_, text)| text.as_str()).collect();
    let mut found: Vec<_> = corpus.iter().zip(Bm25::default().score(question, &texts)).collect();
    found.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let block = |((path, text), score): (&(String, String), f64)| {
        Block::passage(path, Passage::at(path).with_score(score), text)
    };
    found.into_iter().take(TOP).map(block).collect()
}

/// All text files under `folder`, as pairs of path and text.
fn read(folder: &Path, corpus: &mut Vec<(String, String)>) -> Result<(), Box<dyn Error>> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            read(&path, corpus)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            corpus.push((path.display().to_string(), text));
        }
    }
    Ok(())
}
