//! `verify`: reports are checked from the originals in them.

use std::fs;

use serde_json::Value;

use crate::{
    outputs,
    run::{run, tree},
};

/// A conversation with a long result.
fn chat() -> String {
    let messages = serde_json::json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What failed?"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
            "function": {"name": "logs", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": outputs::log()},
        {"role": "user", "content": "And since when?"},
    ]);
    serde_json::json!({"messages": messages}).to_string()
}

/// Runs `args` with a report, and asserts that it is verified, and that it is not when `change` has altered it.
#[track_caller]
fn check(args: &[&str], input: &str, change: impl Fn(&mut Value), expect: &str) {
    let code = "pub fn budget(tokens: usize) -> usize {\n    tokens + 1\n}\n\n".repeat(40);
    let folder = tree(&[("a.rs", code.as_bytes()), ("b.md", b"Budgets are kept. Colours are not.\n")]);
    let ran = run(folder.path(), &[args, &["--report", "r.json"]].concat(), input);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run(folder.path(), &["verify", "r.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.starts_with("r.json: verified "), "{}", ran.err);

    let mut report: Value = serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    change(&mut report);
    let ran = run(folder.path(), &["verify"], report.to_string());
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains(expect), "{}", ran.err);
}

#[test]
fn what_is_not_as_claimed_is_found() {
    let files = ["files", "a.rs", "b.md", "-q", "how are budgets kept", "-b", "150"];
    check(&files, "", |report| report["metrics"]["tokensAfter"] = 3.into(), "3 tokens are claimed");
    check(&files, "", |report| report["budget"]["limit"] = 20.into(), "exceed the budget of 20");
    check(
        &files,
        "",
        |report| report["context"] = "Budgets are lost.".into(),
        "`context` is not the verified text",
    );
    let forged = |report: &mut Value| {
        let text = report["text"].as_str().unwrap().replace("kept", "lost");
        report["text"] = text.into();
    };
    check(&files, "", forged, "differs: expected \"kept");
    let changed = |report: &mut Value| {
        let text = report["input"]["blocks"][0]["text"].as_str().unwrap().replace("tokens", "tokenz");
        report["input"]["blocks"][0]["text"] = text.into();
    };
    check(&files, "", changed, "differs: expected");
}

#[test]
fn messages_are_checked_too() {
    let args = ["chat", "-b", "400"];
    let said = |report: &mut Value| report["request"]["messages"][0]["content"] = "Be long.".into();
    check(&args, &chat(), said, "a message says \"Be long.\"");
}

#[test]
fn what_is_no_report_is_told() {
    let ran = run(tree(&[]).path(), &["verify"], "{}");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("expected a file that --report of files, search or chat wrote"), "{}", ran.err);
}
