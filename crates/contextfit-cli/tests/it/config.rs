//! `config`, and `--config`.

use std::fs;

use crate::run::{run, tree};

/// A `kb.config.json` of KB Labs Mind with these compression options.
fn knowledge_base(compression: &str) -> String {
    format!(
        r#"{{"knowledge": {{"sources": [], "engines": [
            {{"id": "plain", "type": "other", "options": {{"x": 1}}}},
            {{"id": "mind-auto", "type": "mind", "options": {{"search": {{"k": 5, "optimization": {{"compression":
            {compression}}}}}}}}}]}}}}"#
    )
}

/// The output of `config check` for a file.
fn checked(name: &str, text: &str) -> String {
    let folder = tree(&[(name, text.as_bytes())]);
    let ran = run(folder.path(), &["config", "check", name], "");
    // The table of models grows; its length does not matter to these tests.
    let all = format!("lists all {}", contextfit::text::models().len());
    format!("[{}] {}", ran.code, ran.err.replace(&all, "lists all"))
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let toml = "strategy = \"smart\"\nbudgett = 5\nbudget = -3\nmodel = \"gpt-4oo\"\ntokenizer = \"o200k\"\n\
        [compression]\nenabled = true\ncache = \"redis\"\n[compression.smartTruncation]\nmaxLenght = 1500\n\
        preserveStructure = \"yes\"\n[compression.metadataOnly]\nscoreThreshold = \"0.4\"\n";
    let yaml = "compression:\n  enabled: true\n  smartTruncation:\n    maxLength: -4\n    max_length: 4\n";
    let json =
        "{\n  \"budget\": 5,\n  \"reserve\": 6,\n  \"compression\": {\"enabled\": true, \"lm\": {}}\n}";
    let told = [
        checked("a.toml", toml),
        checked("b.yaml", yaml),
        checked("c.json", json),
        checked("kb.config.json", &knowledge_base("{\"enabled\": 1,\n\"smartTruncatoin\": {}}")),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

/// What `config check` accepts, a run accepts too.
#[test]
fn values_out_of_their_range_are_problems() {
    let refused = |text: &str, expect: &str| {
        let told = checked("a.toml", text);
        assert!(told.starts_with(&format!("[1] error: a.toml: {expect}")), "{told}");
        let folder = tree(&[("a.toml", text.as_bytes()), ("a.txt", b"hello")]);
        let ran = run(folder.path(), &["files", "a.txt", "-b", "20", "--config", "a.toml"], "");
        assert!(ran.code == 2 && ran.err.contains(expect), "{}", ran.told());
    };
    refused("[bm25]\nk1 = -5\n", "line 2, column 1: bm25.k1: expected a number of at least 0, found -5");
    refused("[bm25]\nb = 99\n", "line 2, column 1: bm25.b: expected a number from 0 to 1, found 99");
    refused(
        "[bm25]\nminRelevance = -1\n",
        "line 2, column 1: bm25.minRelevance: expected a number from 0 to 1",
    );
    refused(
        "budget = 100\nreserve = 100\n",
        "line 2, column 1: reserve: 100 tokens leave nothing of the budget",
    );
    let threshold = "[compression.metadataOnly]\nscoreMode = \"quantile\"\nscoreThreshold = 7\n";
    refused(
        threshold,
        "line 3, column 1: compression.metadataOnly.scoreThreshold: expected a number from 0 to 1",
    );
    refused("[llm]\nwindow = 0\n", "line 2, column 1: llm.window: expected a number of at least 1, found 0");
    #[cfg(feature = "llm")]
    refused("[llm]\nurl = \"not a url\"\n", "line 2, column 1: llm.url: ");
    let ran = run(tree(&[]).path(), &["files", ".", "-b", "9", "--llm", "m", "--llm-window", "0"], "");
    assert!(
        ran.code == 2 && ran.err.contains("expected a whole number of tokens from 1 to"),
        "{}",
        ran.told()
    );
    assert_eq!(checked("a.toml", "budget = 0\nreserve = 0\n"), "[0] a.toml: no problems\n");
}

/// Scores of a retriever may have any scale, but most have one from 0 to 1.
#[test]
fn a_threshold_on_another_scale_is_a_warning() {
    let told = checked("a.toml", "[compression.metadataOnly]\nscoreThreshold = 7\n");
    let warning = "[0] warning: a.toml: line 2, column 1: compression.metadataOnly.scoreThreshold: 7 is for retrievers \
                   whose scores go beyond 0 to 1";
    assert!(told.starts_with(warning), "{told}");
}

#[test]
fn what_is_no_document_is_told_with_its_place() {
    let told = [
        checked("a.toml", "a = [\n"),
        checked("b.yml", "a: [1\n"),
        checked("c.json", "{\"a\": \n"),
        checked("d.ini", ""),
        checked("e.json", "[]"),
        checked("f.json", "{\"knowledge\": {\"engines\": []}}"),
    ];
    insta::assert_snapshot!(told.join("\n"));
}

#[cfg(not(feature = "cache-qdrant"))]
#[test]
fn what_this_build_has_not_is_a_warning() {
    let options = r#"{"enabled": true, "cache": "both"}"#;
    insta::assert_snapshot!(checked("kb.config.json", &knowledge_base(options)));
}

/// Importing the file of another program is no request to send text to a model.
#[test]
fn a_model_that_an_imported_file_names_is_not_asked() {
    let options = r#"{"enabled": true, "cache": "memory", "llm": {"enabled": true, "model": "gpt-4o", "maxTokens": 500}}"#;
    let folder = tree(&[("kb.config.json", knowledge_base(options).as_bytes()), ("a.txt", b"hello")]);
    let ran = run(folder.path(), &["files", "a.txt", "-b", "20", "--config", "kb.config.json"], "");
    assert_eq!(ran.code, 0);
    let told: Vec<&str> = ran.err.lines().filter(|line| line.contains("llm")).collect();
    assert_eq!(told.len(), 1, "{}", ran.err);
    assert!(
        told[0].contains("compression.llm.enabled: ignored: contextfit calls a model only if --llm"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("asked gpt-4o"), "{}", ran.err);
}

/// Our own file requests the model, so the missing key is reported.
#[cfg(feature = "llm")]
#[test]
fn a_model_that_cannot_be_asked_is_a_warning() {
    let options = r#"{"compression": {"enabled": true, "cache": "memory", "llm": {"enabled": true, "model": "gpt-4o"}}}"#;
    let folder = tree(&[("own.json", options.as_bytes()), ("a.txt", b"hello")]);
    let ran = run(folder.path(), &["files", "a.txt", "-b", "20", "--config", "own.json"], "");
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains(
            "warning: cannot set up the language model: the environment variable OPENAI_API_KEY is not set"
        ),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("; continuing without it"), "{}", ran.err);
}

#[cfg(all(feature = "llm", not(feature = "cache-redis")))]
#[test]
fn check_names_the_feature_that_this_build_lacks() {
    let text = "[llm]\nmodel = \"m\"\n[cache]\nkind = \"redis\"\nurl = \"redis://localhost\"\n";
    assert_eq!(
        checked("a.toml", text),
        "[1] error: a.toml: line 4, column 1: cache.kind: this build lacks the feature `cache-redis`: build contextfit-cli with `--features cache-redis`\nerror: a.toml has 1 problem\n"
    );
}

/// The configurations in the documentation are valid as they are.
#[cfg(feature = "llm")]
#[test]
fn the_configuration_of_the_documents_is_one() {
    let page = include_str!("../../../../docs/caches.md");
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (snippet, _) = rest.split_once("```").unwrap();
    assert_eq!(checked("caches.json", snippet), "[0] caches.json: no problems\n");
}

/// The example options of KB Labs Mind, in a `kb.config.json` and alone.
#[test]
fn the_examples_of_kb_labs_mind_are_read() {
    let minimal = r#"{"enabled": true}"#;
    let aggressive = r#"{"enabled": true, "smartTruncation": {"maxLength": 1500}, "metadataOnly": {"scoreThreshold": 0.3}}"#;
    let conservative = r#"{"enabled": true, "smartTruncation": {"maxLength": 3000, "preserveStructure": true},
        "metadataOnly": {"scoreThreshold": 0.5}}"#;
    for (compression, length, threshold) in
        [(minimal, 2000, 0.4), (aggressive, 1500, 0.3), (conservative, 3000, 0.5)]
    {
        let own = format!(r#"{{"compression": {compression}}}"#);
        let folder = tree(&[
            ("kb.config.json", knowledge_base(compression).as_bytes()),
            ("own.json", own.as_bytes()),
            ("a.txt", b"hello"),
        ]);
        for choice in [["--config", "kb.config.json"], ["--config", "own.json"]] {
            let args = [&["files", "a.txt", "-b", "20", "--report", "report.json"][..], &choice].concat();
            let ran = run(folder.path(), &args, "");
            assert_eq!(ran.code, 0, "{choice:?}: {}", ran.err);
            let report = fs::read(folder.path().join("report.json")).unwrap();
            let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
            assert_eq!(report["options"]["enabled"], true, "{choice:?}");
            assert_eq!(report["options"]["smartTruncation"]["maxLength"], length, "{choice:?}");
            assert_eq!(report["options"]["metadataOnly"]["scoreThreshold"], threshold, "{choice:?}");
        }
    }
}

#[test]
fn a_bad_file_stops_a_run() {
    let folder = tree(&[("bad.toml", b"budgett = 5\n"), ("a.txt", b"hello")]);
    let ran = run(folder.path(), &["files", "a.txt", "-b", "20", "--config", "bad.toml"], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("line 1, column 1: budgett: unknown key \"budgett\", did you mean \"budget\"?"),
        "{}",
        ran.err
    );
}

#[test]
fn the_file_fills_what_flags_leave_open() {
    let folder = tree(&[
        ("c.yaml", b"budget: 40\nreserve: 10\ntokenizer: chars/1\nstrategy: metadata-only\n"),
        ("a.txt", b"hello"),
    ]);
    let ran = run(folder.path(), &["files", "a.txt", "--config", "c.yaml"], "");
    assert!(ran.err.contains("18 of 30 tokens (chars/1)"), "{}", ran.err);
    let ran = run(
        folder.path(),
        &["files", "a.txt", "--config", "c.yaml", "-b", "50", "--tokenizer", "chars/2"],
        "",
    );
    assert!(ran.err.contains("9 of 40 tokens (chars/2)"), "{}", ran.err);
}

#[test]
fn init_writes_a_file_that_passes_and_never_overwrites() {
    let folder = tree(&[]);
    assert_eq!(run(folder.path(), &["config", "init"], "").code, 0);
    assert_eq!(run(folder.path(), &["config", "check"], "").code, 0);
    fs::write(folder.path().join("contextfit.toml"), "budget = 5\n").unwrap();
    let again = run(folder.path(), &["config", "init"], "");
    assert_eq!(
        (again.code, again.err.as_str()),
        (2, "error: contextfit.toml already exists; use --force to overwrite it\n")
    );
    assert_eq!(fs::read(folder.path().join("contextfit.toml")).unwrap(), b"budget = 5\n");
    assert_eq!(run(folder.path(), &["config", "init", "--force"], "").code, 0);
    assert_ne!(fs::read(folder.path().join("contextfit.toml")).unwrap(), b"budget = 5\n");
    assert_eq!(run(folder.path(), &["config", "init", "contextfit.json"], "").code, 2);
}

#[test]
fn the_schema_in_the_documents_is_up_to_date() {
    let fresh = run(tree(&[]).path(), &["config", "schema"], "").out;
    let stale = include_str!("../../../../docs/config.schema.json").replace("\r\n", "\n");
    assert!(
        stale == fresh,
        "docs/config.schema.json is out of date: \
         run `cargo run -p contextfit-cli -- config schema > docs/config.schema.json`"
    );
}

/// An editor finds the schema by a key that is not a setting.
#[test]
fn a_file_may_name_its_schema() {
    let text = "{\"$schema\": \"https://example.com/config.schema.json\", \"budget\": 5}";
    assert_eq!(checked("a.json", text), "[0] a.json: no problems\n");
}
