//! `--embeddings`: which model is opened, and what is said where that cannot be.

use crate::run::{run, tree};

/// A folder whose `config.json` is `config` is refused in these words.
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
    check_refused(br#"{"model_type": "bert"}"#, "model/config.json is not of a BERT");
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
