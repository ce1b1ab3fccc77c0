//! Passwords and keys of servers are planted; none may appear in anything that is printed.

use std::{
    error::Error,
    fmt::{Debug, Write as _},
    sync::Arc,
};

use contextfit_cache::{Answer, CacheConfig, CacheKind, CompressionCache, Originals, Qdrant, Recipe, Space};
use contextfit_kernel::OriginalStore;
use contextfit_testkit::Log;
use tracing_subscriber::filter::LevelFilter;

const SECRET: &str = "planted-0123456789";

/// Every form of an error, and its sources.
fn print_error(all: &mut String, error: &(dyn Error + 'static)) {
    let mut next = Some(error);
    while let Some(error) = next {
        let _ = writeln!(all, "{error}\n{error:?}");
        next = error.source();
    }
}

fn print(all: &mut String, value: &dyn Debug) {
    let _ = writeln!(all, "{value:?}\n{value:#?}");
}

/// Puts and gets without a server.
async fn use_it(all: &mut String, cache: &CompressionCache) {
    let key = Recipe::new("test", "secrets").key(Space::Summary, &["text"]);
    cache.put(key, &Answer::text("short")).await;
    assert!(cache.get(key).await.is_none());
    print(all, cache);
    print(all, &cache.statistics().await);
}

#[tokio::test]
async fn no_debug_output_error_or_log_has_a_secret() {
    let log = Log::default();
    let to = log.clone();
    let _ = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(move || to.clone())
        .with_ansi(false)
        .try_init();
    let mut all = String::new();
    for (kind, url) in [
        (CacheKind::Redis, format!("redis://user:{SECRET}@127.0.0.1:1/0")),
        (CacheKind::Redis, format!("redis://:{SECRET}@127.0.0.1:port/0")),
        (CacheKind::Redis, format!("other://:{SECRET}@127.0.0.1:1/0")),
        (CacheKind::Qdrant, format!("http://user:{SECRET}@127.0.0.1:1")),
        (CacheKind::Qdrant, format!("http://127.0.0.1:1?api-key={SECRET}")),
        (CacheKind::Qdrant, format!("http://user:{SECRET}@127.0.0.1:port")),
    ] {
        let config = CacheConfig::default().with_kind(kind).with_url(url);
        print(&mut all, &config);
        match config.open().await {
            Ok(cache) => use_it(&mut all, &cache).await,
            Err(error) => print_error(&mut all, &error),
        }
    }
    for key in [SECRET.to_owned(), format!("{SECRET}\n")] {
        match Qdrant::new("http://127.0.0.1:1", Some(&key)) {
            Ok(qdrant) => {
                print(&mut all, &qdrant);
                let qdrant = Arc::new(qdrant);
                let error = Originals::new(qdrant.clone()).store("text").await.unwrap_err();
                print_error(&mut all, &error);
                use_it(&mut all, &CompressionCache::new(qdrant)).await;
            }
            Err(error) => print_error(&mut all, &error),
        }
    }
    assert!(all.contains("CacheConfig") && all.contains("is unavailable"), "{all}");
    let log = log.text();
    assert!(log.contains("WARN"), "the log is there: {log}");
    for (name, text) in [("output", &all), ("log", &log)] {
        assert!(!text.contains(SECRET), "the {name}: {text}");
    }
}
