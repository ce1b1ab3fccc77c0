//! `report` and `diff`: what a result lost, and against another.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{run, tree};

/// A folder with two results of the same files.
fn results() -> TempDir {
    let code =
        "/// Never call it twice.\npub fn budget(max_tokens: usize) -> usize {\n    max_tokens + 4096\n}\n\n"
            .repeat(20);
    let folder = tree(&[
        ("a.rs", code.as_bytes()),
        ("b.md", b"Budgets are kept by the `budget_keeper`. Colours are not. Use port 8443.\n"),
        ("<img src=x>.md", b"Colours vary. </script><script>alert(1)</script>\n"),
    ]);
    let files = ["files", "a.rs", "b.md", "<img src=x>.md", "-q", "how are budgets kept", "-b", "60"];
    for (strategy, name) in [("bm25", "r.json"), ("metadata-only", "s.json")] {
        let ran = run(folder.path(), &[&files[..], &["--strategy", strategy, "--report", name]].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    folder
}

#[test]
fn reports_name_what_was_lost() {
    let folder = results();
    let ran = run(folder.path(), &["report", "r.json"], "");
    insta::assert_snapshot!(ran.told());
    let ran = run(folder.path(), &["report", "r.json", "--json"], "");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["available"], 60);
    assert_eq!(json["lost"]["numbers"]["of"], 2);
}

#[test]
fn reports_of_conversations_check_the_messages() {
    let call = r#"{"id":"c","type":"function","function":{"name":"logs","arguments":"{}"}}"#;
    let log = "error: disk is full\\n".repeat(80);
    let request = format!(
        r#"{{"messages":[{{"role":"user","content":"What failed?"}},{{"role":"assistant","content":null,"tool_calls":[{call}]}},
        {{"role":"tool","tool_call_id":"c","content":"{log}"}},{{"role":"user","content":"And since when?"}}]}}"#
    );
    let folder = tree(&[]);
    let ran = run(folder.path(), &["chat", "-b", "150", "--report", "r.json"], request);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(folder.path(), &["report", "r.json", "--json"], "");
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["wire"], serde_json::json!({"format": "openai-chat", "fault": null}));
    assert_eq!(json["transcript"]["paired"], true);
    let mut report: Value = serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    report["request"]["messages"].as_array_mut().unwrap().retain(|message| message["role"] != "assistant");
    let ran = run(folder.path(), &["report"], report.to_string());
    assert!(ran.out.contains("not valid openai-chat: "), "{}", ran.out);
}

#[test]
fn pages_are_written_whole() {
    let folder = results();
    let ran = run(folder.path(), &["report", "r.json", "--html", "r.html"], "");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", "wrote r.html\n"));
    let page = fs::read_to_string(folder.path().join("r.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    let ran = run(folder.path(), &["report", "r.json", "--html", "no/r.html"], "");
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn results_are_compared_block_by_block() {
    let folder = results();
    insta::assert_snapshot!(run(folder.path(), &["diff", "r.json", "s.json"], "").told());
    let ran = run(folder.path(), &["diff", "r.json", "r.json"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("both show every block in the same way"), "{}", ran.out);
    let ran = run(
        folder.path(),
        &["diff", "r.json", "-", "--json"],
        fs::read(folder.path().join("s.json")).unwrap(),
    );
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["b"]["strategy"], "metadata-only");
}

#[test]
fn other_inputs_are_an_error() {
    let folder = results();
    let ran = run(folder.path(), &["files", "b.md", "-b", "60", "--report", "t.json"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(folder.path(), &["diff", "r.json", "t.json"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the inputs differ: A has 3 blocks, B has 1"), "{}", ran.err);
    let ran = run(folder.path(), &["report"], "{}");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("expected a file that --report of files, search or chat wrote"), "{}", ran.err);
}

#[test]
fn plans_that_are_not_valid_are_refused() {
    let folder = results();
    let mut report: Value = serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    report["input"]["blocks"].as_array_mut().unwrap().pop();
    let ran = run(folder.path(), &["report"], report.to_string());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("the plan is not valid for these originals"), "{}", ran.err);
}
