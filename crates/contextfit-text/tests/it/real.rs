//! Real source code and prose against `tiktoken-rs`. The data is not ours to redistribute: without it, nothing is
//! checked.

use std::{fs, path::Path};

use serde_json::Value;

use crate::exact;

/// Checks the field `field` of every line of a file of the data set, up to `limit` bytes.
fn check(file: &str, field: &str, limit: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let Ok(lines) = fs::read_to_string(&path) else {
        eprintln!("skipped: there is no {}", path.display());
        return;
    };
    let mut bytes = 0;
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = row.get(field).and_then(Value::as_str).unwrap();
        exact::check(text);
        bytes += text.len();
        if bytes > limit {
            break;
        }
    }
    assert!(bytes > 0);
}

#[test]
fn code() {
    check("code/dev.files.jsonl", "content", 1_500_000);
}

#[test]
fn prose() {
    check("squad_en/dev.passages.jsonl", "text", 500_000);
    check("nq_multidoc/dev.passages.jsonl", "text", 1_000_000);
    check("hotpot_distractor/dev.passages.jsonl", "text", 500_000);
}
