//! `count`.

use crate::run::{Ran, contextfit, run, tree};

#[track_caller]
fn check(args: &[&str], input: &str, code: i32, out: &str, err: &str) {
    let folder = tree(&[
        ("a.txt", "hello world".repeat(50).as_bytes()),
        ("b.txt", b"hi"),
        ("empty", b""),
        ("binary", b"\0\x01"),
        ("latin1", b"abc\xe9"),
    ]);
    let ran = run(folder.path(), &[&["count"], args].concat(), input);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (code, out, err), "{args:?}");
}

#[test]
fn like_wc() {
    check(&[], "hello world", 0, "2\n", "");
    check(&["-"], "hello world", 0, "2 -\n", "");
    check(&["b.txt"], "", 0, "1 b.txt\n", "");
    check(&["b.txt", "a.txt", "empty"], "", 0, "  1 b.txt\n100 a.txt\n  0 empty\n101 total\n", "");
    check(&["b.txt", "-"], "hello world", 0, "1 b.txt\n2 -\n3 total\n", "");
}

#[test]
fn with_any_tokenizer() {
    check(&["--tokenizer", "chars/1", "b.txt"], "", 0, "2 b.txt\n", "");
    check(&["--tokenizer", "cl100k_base", "b.txt"], "", 0, "1 b.txt\n", "");
    check(&["--model", "gpt-4", "b.txt"], "", 0, "1 b.txt\n", "");
    let json = "{\"tokenizer\":\"chars/4\",\"files\":[{\"path\":\"b.txt\",\"tokens\":1}],\"total\":1}\n";
    check(&["--tokenizer", "chars/4", "--json", "b.txt"], "", 0, json, "");
}

#[test]
fn what_cannot_be_counted_is_told_and_the_rest_counted() {
    check(
        &["binary", "latin1", "b.txt"],
        "",
        1,
        "2 latin1\n1 b.txt\n3 total\n",
        "warning: latin1 is not UTF-8 (byte 3); reading such bytes as Windows-1252\nerror: binary: binary\n\
         error: 1 file could not be counted\n",
    );
    check(
        &["missing", "b.txt"],
        "",
        2,
        "1 b.txt\n1 total\n",
        "error: missing: No such file or directory (os error 2)\nerror: 1 file could not be counted\n",
    );
}

#[test]
fn where_another_tokenizer_stands_in_figures_are_estimates() {
    let note = |x: &str, told: &str| format!("note: estimated, x{x}: {told} for each token of o200k_base\n");
    let old = note("1.35", "claude-sonnet-4-5 is assumed to use up to 1.35 tokens");
    let model = |name| ["--model", name, "b.txt", "a.txt", "empty"];
    check(&model("claude-sonnet-4-5"), "", 0, "  2 b.txt\n135 a.txt\n  0 empty\n137 total\n", &old);
    let new = note("1.80", "claude-opus-5 is assumed to use up to 1.80 tokens");
    check(&model("claude-opus-5"), "", 0, "  2 b.txt\n180 a.txt\n  0 empty\n182 total\n", &new);
    // The counts of the tokenizer stay as they are.
    let json = "{\"tokenizer\":\"o200k_base\",\"files\":[{\"path\":\"a.txt\",\"tokens\":100}],\"total\":100,\
                \"estimate\":{\"model\":\"claude-sonnet-4-5\",\"factor\":1.35,\
                \"source\":[\"https://github.com/sanderland/ctok\",\"2026-11-23\"],\"total\":135}}\n";
    check(&["--model", "claude-sonnet-4-5", "--json", "a.txt"], "", 0, json, &old);
    // Whoever names a tokenizer gets its counts.
    check(&["--model", "claude-opus-5", "--tokenizer", "chars/1", "b.txt"], "", 0, "2 b.txt\n", "");
    check(
        &["--model", "claude-opus-5", "--tokenizer", "chars/1", "b.txt", "--reported", "9"],
        "",
        2,
        "2 b.txt\n",
        "error: --reported for claude-opus-5 needs the tokenizer o200k_base: leave out --tokenizer\n",
    );
}

/// Counts that a provider reports are learned; after five reports, budgets use the learned factor.
#[test]
fn reports_of_a_provider_are_learned() {
    let folder = tree(&[("prompt.txt", "a word and ".repeat(400).as_bytes())]);
    let run = |args: &[&str]| {
        let mut command = contextfit();
        command.args(args).current_dir(folder.path()).env("XDG_STATE_HOME", folder.path().join("state"));
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    };
    let model = ["--model", "claude-sonnet-4-5"];
    let report = |tokens: &str| run(&[&["count", "prompt.txt", "--reported", tokens][..], &model].concat());
    let counted: usize = run(&["count", "prompt.txt"]).out.split(' ').next().unwrap().parse().unwrap();
    let reported = (counted * 5 / 4).to_string();
    for answers in 1..=5 {
        let ran = report(&reported);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(ran.err.contains("unknown: "), answers < 5, "{}", ran.err);
    }
    let ran = run(&[&["files", "prompt.txt", "-b", "1000", "--json"][..], &model].concat());
    assert!(ran.err.contains("of 800 tokens (o200k_base)"), "{}", ran.err);
    assert!(ran.err.contains(" for claude-sonnet-4-5 (estimated, x1.25)"), "{}", ran.err);
    assert!(
        ran.err.contains("tokens per o200k_base token: 1.250 ± 0.000, at most 1.250, from 5 answers"),
        "{}",
        ran.err
    );

    let exact = run(&["count", "prompt.txt", "--reported", "9", "--model", "gpt-4o"]);
    assert_eq!(exact.code, 2);
    assert!(exact.err.contains("there is nothing to learn"), "{}", exact.err);
}
