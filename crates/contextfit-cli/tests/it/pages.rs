//! Help, completions and manual pages.

use crate::run::{contextfit, run, tree};

#[test]
fn help() {
    let mut told = String::new();
    for command in [
        &[][..],
        &["files"],
        &["search"],
        &["excerpt"],
        &["memory"],
        &["count"],
        &["restore"],
        &["verify"],
        &["report"],
        &["diff"],
        &["feedback"],
        &["feedback", "used"],
        &["feedback", "restored"],
        &["feedback", "failed"],
        &["feedback", "show"],
        &["feedback", "reset"],
        &["eval"],
        &["models"],
        &["config"],
        &["config", "init"],
        &["config", "check"],
        &["config", "schema"],
        &["completions"],
        &["man"],
    ] {
        let ran = run(tree(&[]).path(), &[command, &["--help"]].concat(), "");
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        told.push_str(&format!("$ contextfit {}\n{}\n", [command, &["--help"]].concat().join(" "), ran.out));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn version() {
    let ran = run(tree(&[]).path(), &["--version"], "");
    assert_eq!(ran.out, format!("contextfit {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = run(tree(&[]).path(), &["completions", shell], "");
        assert_eq!(ran.code, 0);
        // Elvish and PowerShell complete flags only.
        let words = ["--jsonl", "--strategy", "smart-truncation", "cost-optimized"];
        let known = if ["elvish", "powershell"].contains(&shell) { 2 } else { 4 };
        for word in &words[..known] {
            assert!(ran.out.contains(word.trim_start_matches('-')), "{shell} does not know {word}");
        }
    }
}

#[test]
fn manual_pages() {
    let page = |args: &[&str]| run(tree(&[]).path(), args, "");
    let main = page(&["man"]);
    assert!(main.out.contains(".TH contextfit 1") && main.out.contains("files"), "{}", main.out);
    assert!(page(&["man", "files"]).out.contains("\\-\\-budget"));
    assert!(page(&["man", "config", "check"]).out.contains("kb.config.json"));
    let unknown = page(&["man", "file"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("unknown command \"file\"; known: files, search, excerpt, chat, memory, count"),
        "{}",
        unknown.err
    );
}

#[test]
fn models_are_listed() {
    let ran = run(tree(&[]).path(), &["models"], "");
    let words = |name: &str| {
        let line = ran.out.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(words("gpt-4o "), ["gpt-4o", "o200k_base", "-", "128,000", "16,384"]);
    assert_eq!(words("claude-opus-5 "), ["claude-opus-5", "~o200k_base", "x1.80", "1,000,000", "128,000"]);
    let json = run(tree(&[]).path(), &["models", "--json"], "");
    let all: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(all.as_array().unwrap().len(), ran.out.lines().count() - 1);
}

#[test]
fn nothing_asked_is_wrong_usage() {
    let output = contextfit().output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
