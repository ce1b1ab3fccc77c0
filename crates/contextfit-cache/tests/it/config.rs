//! Caches from configurations.

use contextfit_cache::{CacheConfig, CacheKind};

fn read(json: &str) -> CacheConfig {
    serde_json::from_str(json).unwrap()
}

async fn backends(config: &CacheConfig) -> Vec<&'static str> {
    let statistics = config.open().await.unwrap().statistics().await;
    statistics.backends.iter().map(|backend| backend.backend).collect()
}

#[test]
fn kinds_are_read_by_name() {
    for kind in CacheKind::ALL {
        assert_eq!(
            (kind.name().parse(), read(&format!(r#"{{"kind": "{kind:?}"}}"#).to_lowercase()).kind),
            (Ok(kind), kind)
        );
    }
}

#[tokio::test]
async fn memory_is_usual() {
    assert_eq!(read("{}"), CacheConfig::default());
    assert_eq!(backends(&read("{}")).await, ["memory"]);
}

#[cfg(feature = "disk")]
#[tokio::test]
async fn memory_can_stand_in_front_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let json = serde_json::json!({"kind": "both", "behind": "disk", "path": folder.path().join("cache")});
    assert_eq!(backends(&read(&json.to_string())).await, ["memory", "disk"]);
    assert!(read(r#"{"kind": "disk"}"#).open().await.is_err(), "it has no path");
}

/// In KB Labs Mind, `both` is memory and Qdrant.
#[cfg(feature = "qdrant")]
#[tokio::test]
async fn both_is_memory_and_qdrant() {
    let config = read(r#"{"kind": "both", "url": "http://127.0.0.1:9"}"#);
    assert_eq!(backends(&config).await, ["memory", "qdrant"]);
    assert_eq!(config.last().await.unwrap().name(), "qdrant");
}

#[tokio::test]
async fn what_cannot_be_is_an_error() {
    for json in [r#"{"kind": "both", "behind": "both"}"#, r#"{"kind": "redis"}"#, r#"{"kind": "qdrant"}"#] {
        assert!(read(json).open().await.is_err(), "{json}");
    }
    for json in [r#"{"kind": "elsewhere"}"#, r#"{"places": 1}"#, r#"{"capacity": -1}"#] {
        assert!(serde_json::from_str::<CacheConfig>(json).is_err(), "{json}");
    }
    assert_eq!(CacheKind::Both.name(), "both");
}
