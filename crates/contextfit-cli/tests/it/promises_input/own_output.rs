//! Its own output is not its input, and overwrites nothing else.

use std::{fs, sync::OnceLock};

use serde_json::json;

use crate::run::{Ran, run, tree};

/// The arguments of the first command in the README, with another query.
const FIRST: [&str; 6] = ["files", ".", "-q", "budget", "--report", "result.json"];

#[test]
fn the_first_command_reads_the_same_every_time() {
    let folder = tree(&[("a.md", "The budget is kept. Nothing else is said here.\n".repeat(50).as_bytes())]);
    let files = |budget: &str| run(folder.path(), &[&FIRST[..], &["-b", budget]].concat(), "");
    let first = files("100");
    assert_eq!(first.code, 0, "{}", first.err);
    let input = |ran: &Ran| ran.err.split(" · ").find(|part| part.starts_with("input ")).unwrap().to_owned();
    for again in [files("100"), files("100")] {
        assert_eq!((again.code, &again.out), (0, &first.out), "{}", again.err);
        assert_eq!(input(&again), input(&first));
        assert!(again.err.contains("skipped 1 file: 1 written by contextfit"), "{}", again.err);
    }
}

#[test]
fn walking_leaves_out_what_contextfit_wrote() {
    let early = b"{\n  \"version\": \"0.1.0\",\n  \"tokenizer\": \"chars/4\",\n  \"budget\": {\n    \"limit\": 9\n  }\n}\n";
    let folder = tree(&[("a.md", b"one\n"), ("early.json", early), ("mine.json", b"{\"version\": \"1\"}\n")]);
    let memory = json!([{"id": "m", "type": "tribal", "summary": "A fact."}]).to_string();
    let chat = json!([{"role": "user", "content": "Hi"}]).to_string();
    for (args, input) in [
        (&["files", "a.md", "-b", "99", "--report", "files.json"][..], String::new()),
        (&["search", "-b", "99", "--report", "search.json"], "[]".into()),
        (&["chat", "-b", "99", "--report", "chat.json"], chat),
        (&["memory", "-b", "99", "--report", "memory.json"], memory),
        (&["report", "files.json", "--html", "page.html"], String::new()),
    ] {
        let ran = run(folder.path(), args, input);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    }
    let ran = run(folder.path(), &["files", ".", "-b", "500"], "");
    assert_eq!(ran.out, "File: a.md\n\none\n---\nFile: mine.json\n\n{\"version\": \"1\"}\n");
    assert!(
        ran.err.contains("skipped 6 files: 6 written by contextfit (--verbose lists them)"),
        "{}",
        ran.err
    );
    let ran = run(folder.path(), &["files", ".", "-b", "500", "--verbose"], "");
    assert!(ran.err.contains("skipped page.html: a page that contextfit wrote"), "{}", ran.err);

    let ran = run(folder.path(), &["files", "early.json", "-b", "500"], "");
    assert!(ran.code == 0 && ran.out.contains("chars/4"), "{}", ran.err);
    let told =
        "note: early.json is a report that contextfit wrote; it is read because the command line names it";
    assert!(ran.err.contains(told), "{}", ran.err);
    let ran = run(folder.path(), &["files", ".", "-b", "500", "--exact", "./early.json"], "");
    assert!(ran.out.contains("File: ./early.json") && ran.err.contains(told), "{}", ran.err);
    assert!(ran.err.contains("skipped 5 files: 5 written by contextfit"), "{}", ran.err);
}

/// Checks what `args`, which name a file to write, do to a folder with `files`; `told` is the error, if any. Nothing may
/// be written or printed then.
#[track_caller]
fn check_target(args: &[&str], told: &str) {
    let folder = targets();
    let listed = || -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    };
    let before = listed();
    let ran = run(folder.path(), args, "[]");
    if told.is_empty() {
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        return;
    }
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
    assert!(ran.err.starts_with("error: ") && ran.err.contains(told), "{args:?}: {}", ran.err);
    assert_eq!(before, listed(), "{args:?}");
}

/// A report.
fn own() -> &'static [u8] {
    static OWN: OnceLock<Vec<u8>> = OnceLock::new();
    OWN.get_or_init(|| {
        let folder = tree(&[("a.md", b"One.\n")]);
        let ran = run(folder.path(), &["files", "a.md", "-b", "99", "--report", "own.json"], "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        fs::read(folder.path().join("own.json")).unwrap()
    })
}

/// Files that may be written, and files that may not.
fn targets() -> tempfile::TempDir {
    let folder = tree(&[
        ("in.json", b"[]"),
        ("notes.md", b"Mine.\n"),
        ("empty", b""),
        ("src/a.md", b"One.\n"),
        ("src/empty", b""),
        ("own.json", own()),
    ]);
    let at = folder.path();
    fs::hard_link(at.join("in.json"), at.join("hard.json")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("in.json", at.join("soft.json")).unwrap();
    #[cfg(not(unix))]
    fs::copy(at.join("in.json"), at.join("soft.json")).unwrap();
    folder
}

const FOREIGN: &str = "notes.md exists, and contextfit did not write it; use --force to overwrite it";
const INPUT: &str = "it is an input of this command";

#[test]
fn reports_overwrite_nothing_that_is_not_theirs() {
    for command in
        [&["search", "in.json"][..], &["memory", "in.json"], &["chat", "in.json"], &["files", "src"]]
    {
        let check = |target: &[&str], told: &str| {
            check_target(&[command, &["-b", "99", "--report"], target].concat(), told);
        };
        for target in ["new.json", "empty", "own.json"] {
            check(&[target], "");
        }
        check(&["notes.md"], FOREIGN);
        check(&["notes.md", "--force"], "");
        check(&["src"], "directory");
        check(&["missing/r.json"], "cannot write missing/r.json: No such file");
        if cfg!(unix) {
            check(&["/dev/null"], "");
        }
    }
}

#[test]
fn pages_overwrite_nothing_that_is_not_theirs() {
    let check = |target: &[&str], told: &str| {
        check_target(&[&["report", "own.json", "--html"], target].concat(), told);
    };
    for target in ["new.html", "empty"] {
        check(&[target], "");
    }
    check(&["notes.md"], FOREIGN);
    check(&["notes.md", "--force"], "");
    check(&["own.json"], INPUT);
    check(&["./src/../own.json", "--force"], INPUT);
}

#[test]
fn an_input_is_never_overwritten() {
    let check = |args: &[&str]| check_target(&[args, &["-b", "99", "--force"]].concat(), INPUT);
    for target in ["in.json", "./src/../in.json", "hard.json", "soft.json"] {
        for command in ["search", "memory", "chat"] {
            check(&[command, "in.json", "--report", target]);
        }
        check(&["files", "in.json", "--report", target]);
        check(&["files", ".", "--report", target]);
        check(&["files", "src", "--exact", "in.json", "--report", target]);
    }
    check(&["files", "own.json", "--report", "own.json"]);
    check(&["files", "empty", "--report", "empty"]);
    check(&["files", "src", "--report", "src/a.md"]);
    check(&["search", "in.json", "--report", "notes.md", "--config", "notes.md"]);
    // An empty file in a folder that is walked is the place of the report.
    check_target(&["files", "src", "-b", "99", "--report", "src/empty"], "");
}

/// Standard streams that are files are inputs and outputs, too.
#[cfg(unix)]
#[test]
fn standard_streams_are_not_overwritten() {
    let folder = targets();
    let path = |name: &str| folder.path().join(name);
    let check = |target: &str, told: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_contextfit"))
            .args(["search", "-b", "99", "--force", "--report", target])
            .current_dir(folder.path())
            .stdin(fs::File::open(path("in.json")).unwrap())
            .stdout(fs::File::create(path("out.json")).unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.contains(told)), (Some(2), true), "{target}: {err}");
        assert_eq!(fs::read(path("in.json")).unwrap(), b"[]");
    };
    check("in.json", INPUT);
    check("out.json", "it is standard output, which is for the result itself");
    check("/dev/stdout", "it is standard output, which is for the result itself");
}
