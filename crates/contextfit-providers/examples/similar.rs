//! Scores the similarity of texts to a query with a static embedding model from a folder.
//!
//! ```text
//! cargo run --release -p contextfit-providers --features model2vec --example similar -- FOLDER car automobile banana
//! ```
#![allow(clippy::print_stdout, reason = "an example talks to people")]

use std::{env, error::Error};

use contextfit_providers::StaticEmbeddings;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, query, texts @ ..] = arguments.as_slice() else {
        return Err("usage: similar FOLDER QUERY TEXT...".into());
    };
    let model = StaticEmbeddings::from_folder(folder)?;
    let query = model.embed_texts(&[query])?.concat();
    for text in texts {
        let vector = model.embed_texts(&[text])?.concat();
        println!("{:.3}  {text}", cosine(&query, &vector));
    }
    Ok(())
}

/// The cosine of the angle between two vectors; zero if either is zero.
fn cosine(left: &[f32], right: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let lengths = dot(left, left).sqrt() * dot(right, right).sqrt();
    if lengths > 0.0 { dot(left, right) / lengths } else { 0.0 }
}
