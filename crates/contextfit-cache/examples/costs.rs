//! The cost of a get and a put in each back end of this build, for an embedding of 384 numbers.
//!
//!     cargo run --release -p contextfit-cache --features disk,redis --example costs -- redis://127.0.0.1/
//!
//! The address of a Redis server is optional; without one, Redis is skipped.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::{
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

use contextfit_cache::{Answer, Backend, CompressionCache, Key, Recipe, Space};

/// Calls of each kind; the median is reported.
const CALLS: usize = 2000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut backends: Vec<(&str, Arc<dyn Backend>)> = Vec::new();
    #[cfg(feature = "memory")]
    backends.push(("memory", Arc::new(contextfit_cache::InMemory::new(64 << 20))));
    #[cfg(feature = "disk")]
    let folder = tempfile::tempdir()?;
    #[cfg(feature = "disk")]
    backends
        .push(("disk", Arc::new(contextfit_cache::Disk::open(folder.path().join("cache"), 64 << 20).await?)));
    #[cfg(feature = "redis")]
    if let Some(url) = std::env::args().nth(1) {
        backends.push(("redis", Arc::new(contextfit_cache::Redis::new(&url)?)));
    }
    let recipe = Recipe::new("local", "model");
    let texts: Vec<String> = (0..CALLS)
        .map(|n| format!("sentence {n} of usual length, about a hundred bytes. ").repeat(2))
        .collect();
    let started = Instant::now();
    let keys: Vec<Key> = texts.iter().map(|text| recipe.key(Space::Embedding, &[text])).collect();
    println!("a key from a text of 100 bytes: {:.2} us", micros(started.elapsed()) / CALLS as f64);

    println!("{:8} {:>10} {:>10} {:>16}", "", "put, us", "get, us", "get of 100, us each");
    for (name, backend) in backends {
        let cache = CompressionCache::new(backend);
        let answer = Answer::vector(&[0.125; 384]);
        let (mut puts, mut gets) = (Vec::new(), Vec::new());
        for key in &keys {
            let started = Instant::now();
            cache.put(*key, &answer).await;
            puts.push(started.elapsed());
        }
        for key in &keys {
            let started = Instant::now();
            let found = cache.get(*key).await;
            gets.push(started.elapsed());
            assert_eq!(found.as_ref(), Some(&answer));
        }
        let mut batches = Vec::new();
        for keys in keys.chunks(100) {
            let request = contextfit_cache::Request { keys, sources: &[], prices: None };
            let started = Instant::now();
            cache.fetch_all(request, async |_| Ok(Vec::new())).await?;
            batches.push(started.elapsed());
        }
        println!("{name:8} {:>10.1} {:>10.1} {:>16.1}", middle(puts), middle(gets), middle(batches) / 100.0);
    }
    Ok(())
}

fn middle(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().map_or(0.0, micros)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
