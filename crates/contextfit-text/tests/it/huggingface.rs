//! Counters from a `tokenizer.json`.

use std::fs;

use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_text::{HuggingFace, counter};
use serde_json::json;

/// A word counter, with settings that would change its counts.
fn tokenizer() -> serde_json::Value {
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 10}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]",
        },
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\s+(?!\\S)|\\s+|\\w+"}, "behavior": "Isolated", "invert": false},
        "post_processor": {
            "type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1],
        },
        "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "word": 3, " ": 4}, "unk_token": "[UNK]"},
    })
}

#[test]
fn nothing_is_added_cut_or_padded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    fs::write(&path, tokenizer().to_string()).unwrap();
    let counter = counter(path.to_str().unwrap()).unwrap();
    assert_eq!(counter.name(), path.display().to_string());
    for (text, expect) in [("", 0), ("word", 1), ("word word", 3), ("one two three four", 7)] {
        assert_eq!(counter.count(text), Tokens::new(expect), "{text:?}");
    }
    assert!(!counter.splits_at("word word", 4));
}

#[test]
fn awkward_texts_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    fs::write(&path, tokenizer().to_string()).unwrap();
    let counter = HuggingFace::from_file(&path).unwrap();
    contextfit_testkit::check_counter(&counter);
    for text in [" ".repeat(100_000), "x".repeat(100_000), "\u{301}\u{0}\u{10ffff}".to_owned()] {
        assert!(counter.count(&text) > Tokens::ZERO);
    }
    assert!(format!("{counter:?}").contains("tokenizer.json"));
}
