//! `search` with one request.

use std::fs;

use crate::run::{run, tree};

/// Three chunks of different relevance.
const REQUEST: &str = r#"{"id": "q1", "query": "token budget", "chunks": [
    {"id": "a", "path": "src/a.ts", "startLine": 3, "endLine": 4, "score": 0.9, "symbols": {"function": "budget"},
     "text": "export function budget() {}\nconst limit = 1;\n"},
    {"id": "b", "path": "docs/b.md", "score": 0.1, "text": "Something else. Nothing here. Words and more words.\n"},
    {"text": "Tokens are counted."}]}"#;

/// Runs `search` on the request.
fn search(args: &[&str], request: &str) -> crate::run::Ran {
    run(tree(&[]).path(), &[&["search"], args].concat(), request)
}

#[test]
fn a_request_goes_before_flags() {
    let request = r#"{"budget": 50, "query": "one", "chunks": [{"text": "one two"}]}"#;
    let flags = ["search", "--text", "-b", "90", "-q", "two\nthree", "-s", "bm25"];
    let ran = run(tree(&[]).path(), &flags, request);
    let notes = "note: --query has no effect, as the request has its own: one\n\
                 note: --budget has no effect, as the request has its own: 50\n";
    assert!(ran.err.starts_with(notes), "{}", ran.err);
    let ran = run(tree(&[]).path(), &["search", "--text", "-b", "50"], request);
    assert!(!ran.err.contains("no effect"), "{}", ran.err);
}

#[test]
fn within_the_budget() {
    insta::assert_snapshot!(search(&["-b", "1000"], REQUEST).told());
}

#[test]
fn over_the_budget() {
    insta::assert_snapshot!(search(&["-b", "45", "--explain", "-"], REQUEST).told());
}

#[test]
fn text_is_the_context_alone() {
    let json: serde_json::Value = serde_json::from_str(&search(&["-b", "45"], REQUEST).out).unwrap();
    assert_eq!(search(&["-b", "45", "--text"], REQUEST).out, json["context"].as_str().unwrap());
}

#[test]
fn what_the_request_says_goes_before_flags() {
    let asked = REQUEST.replacen('{', r#"{"budget": 45, "strategy": "metadata-only", "#, 1);
    let flagged = search(&["--strategy", "metadata-only", "-b", "45"], REQUEST).out;
    assert_eq!(search(&["--strategy", "incremental", "-b", "5000"], &asked).out, flagged);
}

#[test]
fn a_model_has_a_budget() {
    let ran = search(&["--model", "gpt-4o"], REQUEST);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("of 111,616 tokens (o200k_base)"), "{}", ran.err);
    let ran = search(&["--model", "claude-3-5-sonnet"], REQUEST);
    // 200,000 minus an answer of 8,192, divided by 1.35.
    assert!(ran.err.contains("of 142,080 tokens (o200k_base)"), "{}", ran.err);
}

#[test]
fn the_file_is_named_in_errors() {
    let folder = tree(&[("bad.json", b"{\"chunks\": [\n  {\"text\": \"a\", \"startLine\": -1}\n]}")]);
    let ran = run(folder.path(), &["search", "bad.json", "-b", "5"], "");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        "error: bad.json: line 2, column 31: chunks[0].startLine: invalid value: integer `-1`, \
         expected a whole number of lines from 0 to 1000000000000\n"
    );
}

#[test]
fn bad_requests() {
    let mut told = String::new();
    for (args, request) in [
        (&["-b", "5"][..], "{"),
        (&["-b", "5"], "nothing"),
        (&[], REQUEST),
        (&["-b", "0"], REQUEST),
        (&["-b", "50"], r#"{"strategy": "magic", "chunks": []}"#),
        (&["-b", "50"], r#"{"chunks": [{"txet": "a"}]}"#),
        (&["-b", "50", "missing.json"], ""),
        (&["-b", "50", "--jsonl", "--text"], ""),
    ] {
        let ran = search(args, request);
        assert_eq!(ran.out, "", "{args:?}");
        told.push_str(&format!("$ contextfit search {}\n[{}] {}\n", args.join(" "), ran.code, ran.err));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_request_that_cannot_be_met_leaves_no_report() {
    let folder = tree(&[("report.json", b"as it was"), ("r.json", REQUEST.as_bytes())]);
    let ran = run(folder.path(), &["search", "r.json", "-b", "0", "--report", "report.json", "--force"], "");
    assert_eq!(ran.code, 1);
    assert_eq!(fs::read(folder.path().join("report.json")).unwrap(), b"as it was");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left behind");
}

#[test]
fn nothing_in_nothing_out() {
    let ran = search(&["-b", "5", "--text"], "[]");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
}

#[test]
fn metrics_are_logged_at_info() {
    let quiet = search(&["-b", "45"], REQUEST);
    assert!(!quiet.err.contains("Compression metrics"));
    let logged = search(&["-b", "45", "--log", "info"], REQUEST);
    assert!(logged.err.contains("Compression metrics"), "{}", logged.err);
    assert!(logged.err.contains("totalChunks=3"), "{}", logged.err);
    let wrong = search(&["-b", "45", "--log", "loud=very"], REQUEST);
    assert_eq!(wrong.code, 2, "{}", wrong.err);
}

#[test]
fn exact_lines_stay() {
    let text: String = (1..=60).map(|n| format!("const VALUE_{n}: u32 = {n};\n")).collect();
    let request = serde_json::json!({"chunks": [
        {"id": "a", "path": "a.rs", "startLine": 101, "text": text, "exact": [[130, 132]]},
        {"id": "b", "path": "b.rs", "text": text},
    ]});
    let ran = search(&["-b", "150", "--text", "--line-numbers"], &request.to_string());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines =
        "130| const VALUE_30: u32 = 30;\n131| const VALUE_31: u32 = 31;\n132| const VALUE_32: u32 = 32;\n";
    assert!(ran.out.contains(lines), "{}", ran.out);
    let wrong = request.to_string().replace("[130,132]", "[0,132]");
    assert_eq!(search(&["-b", "150"], &wrong).code, 2);
    let whole = request.to_string().replace("[[130,132]]", "true");
    assert_eq!(search(&["-b", "150"], &whole).code, 1);
}
