//! Standard streams that end early, and files that are written whole or not at all.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
};

use crate::run::{run, tree};

fn spawn(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_contextfit"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Closes standard output and checks how the command reacts.
#[track_caller]
fn check_quiet(mut child: Child) {
    drop(child.stdout.take());
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(0), "{told}");
    assert!(!told.contains("panicked") && !told.contains("error"), "{told}");
}

#[test]
fn a_reader_that_leaves_ends_the_command_quietly() {
    // More than a pipe holds, so that the write must fail.
    let text = "word ".repeat(200_000);
    let folder = tree(&[("a.txt", text.as_bytes())]);
    let path = folder.path().join("a.txt").display().to_string();
    check_quiet(spawn(&["files", &path, "-b", "10000000", "--tokenizer", "chars/4"]));
    check_quiet(spawn(&["excerpt", &path, "-b", "10000000", "--tokenizer", "chars/4"]));
    check_quiet(spawn(&["completions", "bash"]));
    check_quiet(spawn(&["--help"]));
}

#[test]
fn a_reader_that_leaves_ends_a_stream_of_requests() {
    let mut child = spawn(&["search", "--jsonl", "-b", "1000000", "--tokenizer", "chars/4"]);
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let line = format!("{{\"id\": 1, \"chunks\": [{{\"text\": \"{}\"}}]}}\n", "word ".repeat(1000));
    requests.write_all(line.as_bytes()).unwrap();
    let mut first = String::new();
    answers.read_line(&mut first).unwrap();
    drop(answers);
    // Standard input stays open: the command must end without waiting for it.
    while requests.write_all(line.as_bytes()).is_ok() {}
    check_quiet(child);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_contextfit")).arg("models").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("error: cannot write to standard output: "), "{told}");
}

/// `-` is standard input, whatever files exist, and never a file to write.
#[test]
fn a_dash_is_standard_input() {
    let folder = tree(&[("-", b"not this file"), ("a.txt", b"hello"), ("r.json", b"{}")]);
    let read = |args: &[&str]| {
        let ran = run(folder.path(), args, "piped");
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert_eq!(read(&["count", "--tokenizer", "chars/1"]), "5\n");
    assert_eq!(read(&["count", "-", "--tokenizer", "chars/1"]), "5 -\n");
    assert_eq!(read(&["excerpt", "-b", "9"]), "piped");
    assert_eq!(read(&["excerpt", "-", "-b", "9"]), "piped");
    assert!(read(&["files", "-", "-b", "99"]).ends_with("piped"));

    let refused = |args: &[&str]| {
        let ran = run(folder.path(), args, "");
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.err.contains("expected the name of a file"), "{}", ran.err);
    };
    refused(&["files", "a.txt", "-b", "99", "--report", "-"]);
    refused(&["memory", "-b", "99", "--report", "-"]);
    refused(&["report", "r.json", "--html", "-"]);
    refused(&["eval", ".", "--json", "-"]);
    refused(&["feedback", "show", "--history", "-"]);
    assert_eq!(fs::read(folder.path().join("-")).unwrap(), b"not this file");
}

#[cfg(unix)]
#[test]
fn a_report_keeps_links_and_devices() {
    let folder = tree(&[("a.txt", b"hello"), ("real.json", b"old")]);
    std::os::unix::fs::symlink("real.json", folder.path().join("link.json")).unwrap();
    let args = ["files", "a.txt", "-b", "50", "--report", "link.json", "--force"];
    assert_eq!(run(folder.path(), &args, "").code, 0);
    assert!(folder.path().join("link.json").is_symlink());
    assert!(fs::read(folder.path().join("real.json")).unwrap().starts_with(b"{"));
    assert_eq!(run(folder.path(), &["files", "a.txt", "-b", "50", "--report", "/dev/null"], "").code, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn colour_is_for_terminals() {
    let ran = run(tree(&[]).path(), &["count", "missing"], "");
    assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
}
