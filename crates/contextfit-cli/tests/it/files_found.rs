//! Which files `files` finds, refuses and reports.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use crate::run::{Ran, run, tree};

/// A budget that fits everything.
const ALL: [&str; 2] = ["-b", "100000"];

fn files(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[&["files"], args, &ALL].concat(), "")
}

/// Prints why part of a test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test must not look like one that ran")]
fn skip(why: &str) {
    eprintln!("skipped: {why}");
}

/// Runs a system program; `false`, with a printed line, if it is missing.
fn system(folder: &Path, program: &str, args: &[&str]) -> bool {
    let ran = Command::new(program).args(args).current_dir(folder).output();
    let done = ran.is_ok_and(|ran| ran.status.success());
    if !done {
        skip(&format!("{program} {args:?} cannot be run here"));
    }
    done
}

/// A repository with files that are tracked, hidden, ignored, deleted, links, or where a submodule belongs; `None` if
/// git is missing.
fn repository() -> Option<TempDir> {
    let folder = tree(&[
        ("src/a.rs", b"fn a() {}\n"),
        ("src/.local", b"x\n"),
        (".github/workflows/ci.yml", b"on: push\n"),
        (".hidden.rs", b"fn hidden() {}\n"),
        (".gitignore", b"target\n"),
        (".ignore", b"vendor\n"),
        ("vendor/v.rs", b"fn v() {}\n"),
        ("target/kept.rs", b"fn kept() {}\n"),
        ("target/out.rs", b"fn out() {}\n"),
        ("gone.rs", b"fn gone() {}\n"),
    ]);
    let at = folder.path();
    #[cfg(unix)]
    std::os::unix::fs::symlink("src/a.rs", at.join(".link.rs")).unwrap();
    let tracked =
        ["src/a.rs", ".github", ".gitignore", ".ignore", "vendor", "target/kept.rs", "gone.rs", ".link.rs"];
    let made =
        system(at, "git", &["init", "-q"]) && system(at, "git", &[&["add", "-f"], &tracked[..]].concat());
    fs::remove_file(at.join("gone.rs")).unwrap();
    made.then_some(folder)
}

#[track_caller]
fn check_found(folder: &Path, args: &[&str], expect: &[&str]) {
    let ran = files(folder, &[args, &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let ids: Vec<&str> =
        answer["blocks"].as_array().unwrap().iter().map(|b| b["id"].as_str().unwrap()).collect();
    assert_eq!(ids, expect, "{args:?}");
}

#[test]
fn what_git_tracks_is_read() {
    let Some(folder) = repository() else { return };
    let tracked = [".github/workflows/ci.yml", ".gitignore", ".ignore", "src/a.rs", "target/kept.rs"];
    check_found(folder.path(), &["."], &tracked);
    check_found(folder.path(), &["src"], &["src/a.rs"]);
    // An ignored folder that is named explicitly is read.
    let out = [&tracked[..], &["target/out.rs"]].concat();
    check_found(folder.path(), &["src", "./target", "."], &out);
    check_found(folder.path(), &["target"], &["target/kept.rs", "target/out.rs"]);
    check_found(folder.path(), &["src", ".github"], &[".github/workflows/ci.yml", "src/a.rs"]);
    check_found(&folder.path().join("src"), &[".", "../.github"], &["../.github/workflows/ci.yml", "a.rs"]);
    let hidden = [
        ".github/workflows/ci.yml",
        ".gitignore",
        ".hidden.rs",
        ".ignore",
        "src/.local",
        "src/a.rs",
        "target/kept.rs",
    ];
    check_found(folder.path(), &[".", "--hidden"], &hidden);
    let ignored = [&tracked[..4], &["target/kept.rs", "target/out.rs", "vendor/v.rs"]].concat();
    check_found(folder.path(), &[".", "--no-ignore"], &ignored);
    // Without git, the walk is all there is.
    fs::remove_dir_all(folder.path().join(".git")).unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    check_found(folder.path(), &["."], &["src/a.rs"]);
}

#[test]
fn what_is_passed_over_is_named_when_asked_for() {
    let Some(folder) = repository() else { return };
    let ran = files(folder.path(), &[".", "-v"]);
    assert!(ran.err.contains("left out .hidden.rs: hidden (--hidden reads it)\n"), "{}", ran.err);
    assert!(ran.err.contains("left out src/.local: hidden"), "{}", ran.err);
    assert!(!ran.err.contains("left out .github"), "{}", ran.err);
    assert!(!ran.err.contains("left out .git:"), "{}", ran.err);
    #[cfg(unix)]
    {
        assert!(
            ran.err.contains("left out .link.rs: a symbolic link, which is not followed\n"),
            "{}",
            ran.err
        );
        if system(folder.path(), "mkfifo", &["src/pipe"]) {
            let ran = files(folder.path(), &[".", "--verbose"]);
            assert!(ran.err.contains("left out src/pipe: a named pipe\n"), "{}", ran.err);
        }
    }
    assert!(!files(folder.path(), &["."]).err.contains("left out"));
}

/// A named file that cannot be read is an error, and nothing is printed.
#[track_caller]
fn check_refused(folder: &Path, args: &[&str], expect: &str) {
    let ran = files(folder, args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
    assert!(ran.err.starts_with("error: ") && ran.err.contains(expect), "{args:?}: {}", ran.err);
}

#[test]
fn what_is_named_is_read_or_an_error() {
    let folder = tree(&[("a.txt", b"a\n"), ("logo.png", b"\x89PNG\r\n\x1a\n\0\0"), (".env", b"A=b\n")]);
    let at = folder.path();
    check_refused(at, &["missing"], "cannot read missing: ");
    check_refused(at, &["a.txt", "logo.png"], "cannot use logo.png: binary");
    check_refused(at, &[".", "./logo.png"], "cannot use logo.png: binary");
    check_refused(
        at,
        &[".env", "logo.png"],
        "cannot use .env: contains a secret: environment (--allow-secrets",
    );
    check_refused(at, &["a.txt", "--exact", ".env"], "--exact .env: contains a secret");
    let ran = run(at, &["files", "-", "-b", "10"], b"a\0b".to_vec());
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: cannot use -: binary\n"));
    assert_eq!(files(at, &["."]).code, 0);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_refused_but_for_those_that_the_shell_opens() {
    let folder = tree(&[("a.txt", b"a\n")]);
    let at = folder.path();
    check_refused(at, &["/dev/zero"], "cannot read /dev/zero: expected a file or a folder, found a device");
    let _socket = std::os::unix::net::UnixListener::bind(at.join("socket")).unwrap();
    check_refused(at, &["a.txt", "socket"], "found a socket");
    if system(at, "mkfifo", &["pipe"]) {
        check_refused(at, &["pipe"], "found a named pipe; pipe its content into standard input");
    }
    let command = format!("{} files <(echo hello) -b 50", env!("CARGO_BIN_EXE_contextfit"));
    if system(at, "bash", &["-c", "true"]) {
        let ran = Command::new("bash").args(["-c", &command]).output().unwrap();
        assert!(String::from_utf8(ran.stdout).unwrap().ends_with("\n\nhello\n"));
    }
}

#[cfg(unix)]
#[test]
fn without_permission_it_is_an_error_too() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tree(&[("a.txt", b"a\n"), ("locked.txt", b"b\n"), ("closed/c.txt", b"c\n")]);
    let at = folder.path();
    for path in ["locked.txt", "closed"] {
        fs::set_permissions(at.join(path), fs::Permissions::from_mode(0o0)).unwrap();
    }
    if fs::read(at.join("locked.txt")).is_ok() {
        skip("whoever runs the tests may read everything");
    } else {
        check_refused(at, &["locked.txt"], "cannot use locked.txt: Permission denied");
        check_refused(at, &["closed"], "cannot read closed: Permission denied");
        let ran = files(at, &["."]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("skipped 2 files: 2 unreadable"), "{}", ran.err);
    }
    fs::set_permissions(at.join("closed"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn files_with_secrets_are_left_out() {
    let token = format!("token = \"gh{}\"\n", "p_Zq7R2mX9cLw4Tn8Vb3Ks6Hd1Pf5Gj0YaUeWo");
    let folder = tree(&[
        ("a.txt", b"a\n"),
        ("config.toml", token.as_bytes()),
        ("keys.rs", b"const HEADER: &str = \"-----BEGIN PRIVATE KEY-----\";\n"),
        (".env.example", b"A=\n"),
        (".env", b"A=b\n"),
    ]);
    let at = folder.path();
    check_found(at, &["."], &["a.txt", "keys.rs"]);
    check_found(at, &[".", "--hidden"], &[".env.example", "a.txt", "keys.rs"]);
    let all = [".env", ".env.example", "a.txt", "config.toml", "keys.rs"];
    check_found(at, &[".", "--hidden", "--allow-secrets"], &all);
    check_found(at, &[".env", "--allow-secrets"], &[".env"]);
    let ran = files(at, &["."]);
    assert!(ran.err.contains("skipped 1 file: 1 with secrets (--verbose lists them)\n"), "{}", ran.err);
    let ran = files(at, &[".", "-v"]);
    assert!(
        ran.err.contains("skipped config.toml: contains a secret: GitHub token (--allow-secrets"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("Zq7R2"), "{}", ran.err);
}

#[test]
fn a_question_may_start_with_a_dash() {
    let folder = tree(&[("a.txt", b"a\n"), ("r.json", b"[]")]);
    for query in ["- x", "--foo", "-5"] {
        for args in
            [&["files", "a.txt"][..], &["search", "r.json"], &["chat", "r.json"], &["memory", "r.json"]]
        {
            let ran = run(folder.path(), &[args, &["-b", "50", "--query", query]].concat(), "");
            assert_eq!(ran.code, 0, "{args:?} {query}: {}", ran.err);
        }
    }
    let ran = run(folder.path(), &["files", "a.txt", "--query", "--foo", "-b", "-5"], "");
    assert!(ran.err.contains("a whole number of tokens"), "{}", ran.err);
}
