//! What texts are told as: the labelled texts of the repository.

use std::{fs, path::Path};

use contextfit_kernel::TextKind;
use contextfit_text::{kind_features, text_kind};
use proptest::prelude::*;
use serde_json::Value;

/// The id, the label and the text of each labelled text.
fn labelled() -> Vec<(String, String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../contextfit-eval/data/kinds/texts.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let field = |line: &Value, name: &str| line[name].as_str().unwrap().to_owned();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| (field(&line, "id"), field(&line, "kind"), field(&line, "text"))).collect()
}

#[test]
fn what_used_to_be_told_wrongly() {
    let cases = [
        "pytest-dots",
        "pytest-failures",
        "pytest-q",
        "pytest-v",
        "readelf-S",
        "readelf-s",
        "table-tsv",
        "sqlite-tsv",
        "json-headers-warning",
        "code-min-js",
        "fd-readme",
        "prose-zh-readme",
        "prose-transcript-times",
        "prose-transcript-whatsapp",
    ];
    let labelled = labelled();
    for case in cases {
        let (_, expect, text) = labelled.iter().find(|(id, ..)| id == case).unwrap();
        assert_eq!(text_kind(text).name(), expect, "{case}");
    }
    let log = "2026-03-02 08:00:01 信息 服务已启动，监听端口 8080\n2026-03-02 08:00:04 错误 无法连接数据库：连接被拒绝\n";
    assert_eq!(text_kind(&log.repeat(4)), TextKind::Log);
}

/// The texts that the weights are fitted to. How others are told is in docs/excerpts.md.
#[test]
fn labelled_texts() {
    let labelled = labelled();
    let wrong: Vec<_> = labelled
        .iter()
        .filter(|(_, expect, text)| text_kind(text).name() != expect)
        .map(|(id, expect, text)| format!("{id}: {} instead of {expect}", text_kind(text).name()))
        .collect();
    assert!(wrong.len() * 20 <= labelled.len(), "{} of {}: {wrong:#?}", wrong.len(), labelled.len());
}

proptest! {
    #[test]
    fn features_are_shares(text in "(\\PC{0,60}[\n\t ]?){0,8}") {
        for (name, feature) in kind_features(&text) {
            prop_assert!((0.0..=1.0).contains(&feature), "{name}: {feature}");
        }
    }
}
