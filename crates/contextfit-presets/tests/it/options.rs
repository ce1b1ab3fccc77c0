//! The options' JSON, as written by KB Labs Mind.

use contextfit_kernel::Chars;
use contextfit_presets::{CacheBackend, CompressionOptions};

#[track_caller]
fn read(json: &str) -> CompressionOptions {
    serde_json::from_str(json).unwrap()
}

#[track_caller]
fn refuse(json: &str, naming: &str) {
    let error = serde_json::from_str::<CompressionOptions>(json).unwrap_err().to_string();
    assert!(error.contains(naming), "{error}");
}

#[test]
fn the_original_examples() {
    assert_eq!(read("{}"), CompressionOptions::default());
    assert!(!read("{}").enabled);
    assert_eq!(read(r#"{"enabled": true}"#), CompressionOptions::on());
    let aggressive = r#"{"enabled": true, "smartTruncation": {"maxLength": 1500}, "metadataOnly": {"scoreThreshold": 0.3}}"#;
    assert_eq!(read(aggressive), CompressionOptions::aggressive());
    let conservative = r#"{"enabled": true, "smartTruncation": {"maxLength": 3000, "preserveStructure": true},
        "metadataOnly": {"scoreThreshold": 0.5}}"#;
    assert_eq!(read(conservative), CompressionOptions::conservative());
    let all = r#"{"enabled": true, "cache": "both", "smartTruncation": {"enabled": false, "maxLength": 1, "preserveStructure": false},
        "metadataOnly": {"enabled": false, "scoreThreshold": 0.1, "scoreMode": "quantile"},
        "llm": {"enabled": true, "model": "m", "maxTokens": 9}}"#;
    let all = read(all);
    assert_eq!(
        (all.cache, all.smart_truncation.max_length, all.llm.max_tokens),
        (CacheBackend::Both, Chars::new(1), Some(9))
    );
    assert_eq!(read(&serde_json::to_string(&all).unwrap()), all);
}

#[test]
fn unknown_keys_are_errors() {
    refuse(r#"{"enable": true}"#, "enable");
    refuse(r#"{"smartTruncation": {"maxlength": 3}}"#, "maxlength");
    refuse(r#"{"metadataOnly": {"threshold": 3}}"#, "threshold");
    refuse(r#"{"llm": {"temperature": 3}}"#, "temperature");
    refuse(r#"{"cache": "redis"}"#, "redis");
    refuse(r#"{"smartTruncation": {"maxLength": -1}}"#, "-1");
}
