//! `count`.

use crate::run::{run, tree};

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
        "1 b.txt\n1 total\n",
        "error: binary: binary\nerror: latin1: not UTF-8 (at byte 3)\nerror: 2 files could not be counted\n",
    );
    check(
        &["missing", "b.txt"],
        "",
        2,
        "1 b.txt\n1 total\n",
        "error: missing: No such file or directory (os error 2)\nerror: 1 file could not be counted\n",
    );
}
