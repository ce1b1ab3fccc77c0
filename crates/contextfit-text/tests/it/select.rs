//! Counters by name.

use contextfit_text::counter;

#[track_caller]
fn check(spec: &str, expect: &str) {
    let shown = match counter(spec) {
        Ok(counter) => counter.name().to_owned(),
        Err(error) => error.to_string(),
    };
    assert_eq!(shown, expect);
}

#[test]
fn rules_of_thumb() {
    check("chars/4", "chars/4");
    check("chars/1", "chars/1");
    check("chars/007", "chars/7");
    for spec in ["chars/0", "chars/", "chars/x", "chars/-1", "chars/1.5", "chars/99999999999999999999999"] {
        check(spec, &format!("`{spec}` needs a whole number of characters per token, at least 1"));
    }
}

#[test]
fn unknown_names() {
    let known = "expected one of o200k_base, cl100k_base, chars/N, or the path of a tokenizer.json";
    check("llama", &format!("unknown token counter `llama`; {known}"));
    check("", &format!("unknown token counter ``; {known}"));
    check("o200k", &format!("unknown token counter `o200k` (did you mean `o200k_base`?); {known}"));
    check(
        "CL100K-base",
        &format!("unknown token counter `CL100K-base` (did you mean `cl100k_base`?); {known}"),
    );
    check("gpt-4o", "`gpt-4o` is a model, not a token counter; use its counter, `o200k_base`");
    check("char/4", &format!("unknown token counter `char/4` (did you mean `chars/N`?); {known}"));
}

#[cfg(feature = "tiktoken")]
#[test]
fn encodings() {
    check("o200k_base", "o200k_base");
    check("cl100k_base", "cl100k_base");
}

#[cfg(not(feature = "tiktoken"))]
#[test]
fn encodings_left_out() {
    check("o200k_base", "`o200k_base` is not part of this build; enable the feature `tiktoken`");
}

#[cfg(not(feature = "huggingface"))]
#[test]
fn files_left_out() {
    check(
        "some/tokenizer.json",
        "`some/tokenizer.json` is not part of this build; enable the feature `huggingface`",
    );
}

#[cfg(feature = "huggingface")]
#[test]
fn files() {
    use std::{error::Error, fs};

    use contextfit_text::CounterError;

    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.JSON");
    let error = counter(missing.to_str().unwrap()).err().unwrap();
    assert!(matches!(error, CounterError::Unreadable { .. }) && error.source().is_some(), "{error:?}");

    for (name, content) in [("broken.json", "{"), ("other.json", "{\"a\": 1}"), ("no extension", "\u{0}")] {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let error = counter(path.to_str().unwrap()).err().unwrap();
        assert!(matches!(error, CounterError::NotATokenizer { .. }) && error.source().is_some(), "{error:?}");
    }
}
