//! `--embeddings`: which model is opened, and the errors if that fails.

use crate::run::{run, tree};

/// Checks that a model folder with this `config.json` is refused with this message.
#[track_caller]
fn check_refused(config: &[u8], expect: &str) {
    let folder = tree(&[("model/config.json", config)]);
    let ran = run(folder.path(), &["search", "--budget", "100", "--embeddings", "model"], "[]");
    assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains(expect), "{}", ran.told());
}

#[cfg(all(feature = "bert", feature = "model2vec"))]
#[test]
fn the_configuration_says_which_kind_it_is() {
    check_refused(br#"{"normalize": true}"#, "model/tokenizer.json");
    check_refused(br#"{"model_type": "model2vec"}"#, "model/tokenizer.json");
    check_refused(br#"{"model_type": "bert"}"#, "model/config.json does not belong to a BERT model");
    check_refused(b"{", "model/config.json");
}

#[cfg(all(feature = "model2vec", not(feature = "bert")))]
#[test]
fn a_bert_needs_its_feature() {
    check_refused(br#"{"model_type": "bert"}"#, "build contextfit-cli with `--features bert`");
}

#[cfg(all(feature = "bert", not(feature = "model2vec")))]
#[test]
fn a_static_model_needs_its_feature() {
    check_refused(b"{}", "build contextfit-cli with `--features model2vec`");
}

#[cfg(not(any(feature = "bert", feature = "model2vec")))]
#[test]
fn any_model_needs_a_feature() {
    check_refused(b"{}", "build contextfit-cli with `--features model2vec` or `--features bert`");
}

/// A table of two words in the layout of model2vec: the length of the header, the header, the numbers.
#[cfg(feature = "model2vec")]
fn static_model() -> [(&'static str, Vec<u8>); 3] {
    let header = r#"{"embeddings":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}"#;
    let numbers = [1.0_f32, 0.5].map(f32::to_le_bytes).concat();
    let table = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &numbers].concat();
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "word": 1}},
    });
    [
        ("model/config.json", br#"{"normalize": true}"#.to_vec()),
        ("model/tokenizer.json", tokenizer.to_string().into_bytes()),
        ("model/model.safetensors", table),
    ]
}

/// To such a model, all turns would look the same.
#[cfg(feature = "model2vec")]
#[test]
fn a_static_model_compares_no_turns() {
    let turn = |n: usize| serde_json::json!({"role": "user", "content": format!("word {n} about harbour {}", n * n)});
    let chat = serde_json::Value::Array((0..40).map(turn).collect()).to_string();
    let model = static_model();
    let files = model.iter().map(|(name, bytes)| (*name, bytes.as_slice()));
    let folder = tree(&files.chain([("chat.json", chat.as_bytes())]).collect::<Vec<_>>());
    let by_words = ["chat", "chat.json", "-b", "200", "-s", "semantic"];
    let plain = run(folder.path(), &by_words, "");
    let with_model = [&by_words[..], &["--embeddings", "model", "--report", "report.json"]].concat();
    let ran = run(folder.path(), &with_model, "");
    assert_eq!((ran.code, &ran.out), (0, &plain.out), "{}", ran.told());
    let why = "a static model mistakes turns that merely sound alike for duplicates; comparing turns by words instead";
    assert!(ran.err.contains(&format!("note: the --embeddings model is not used: {why}")), "{}", ran.err);
    let report = std::fs::read(folder.path().join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["stages"][0]["strategy"], "embeddings");
    assert_eq!(report["stages"][0]["outcome"]["failed"], why);
}
