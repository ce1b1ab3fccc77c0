//! Which files `files` wants: by glob, without tests, and what changed since a revision.

use std::{fs, path::Path};

use contextfit_testkit::git;
use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Ran, run, tree};

fn files(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[&["files"], args].concat(), "")
}

fn project() -> TempDir {
    tree(&[
        ("src/a.rs", b"fn a() {}\n"),
        ("src/deep/b.rs", b"fn b() {}\n"),
        ("tests/c.rs", b"fn c() {}\n"),
        ("src/a_test.go", b"package a\n"),
        ("docs/guide.md", b"Words.\n"),
        ("notes", b"More words.\n"),
    ])
}

#[track_caller]
fn check_wanted(args: &[&str], expect: &[&str]) {
    let folder = project();
    let ran = files(folder.path(), &[args, &["-b", "10000", "--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    let ids: Vec<&str> =
        answer["blocks"].as_array().unwrap().iter().map(|block| block["id"].as_str().unwrap()).collect();
    assert_eq!(ids, expect, "{args:?}");
}

#[test]
fn globs_choose_files() {
    check_wanted(&[".", "--include", "*.rs"], &["src/a.rs", "src/deep/b.rs", "tests/c.rs"]);
    check_wanted(&[".", "--include", "src/*.rs"], &["src/a.rs"]);
    check_wanted(&[".", "--include", "./src/**/b.rs", "--include", "notes"], &["notes", "src/deep/b.rs"]);
    check_wanted(&[".", "--include", "src"], &["src/a.rs", "src/a_test.go", "src/deep/b.rs"]);
    check_wanted(&[".", "--exclude", "src/", "--exclude", "*.md"], &["notes", "tests/c.rs"]);
    check_wanted(&[".", "--include", "*.rs", "--exclude", "deep"], &["src/a.rs", "tests/c.rs"]);
    // Relative to the folder that is named as well as to the working directory.
    check_wanted(&["src", "--include", "deep/*"], &["src/deep/b.rs"]);
    check_wanted(&["src", "--include", "/src/deep"], &["src/deep/b.rs"]);
    check_wanted(&["src/a.rs", "tests/c.rs", "--exclude", "tests"], &["src/a.rs"]);
    check_wanted(&[".", "--no-tests"], &["docs/guide.md", "notes", "src/a.rs", "src/deep/b.rs"]);
    check_wanted(&["src", "tests", "--no-tests"], &["src/a.rs", "src/deep/b.rs"]);
}

#[track_caller]
fn check_refused(args: &[&str], expect: &str) {
    let folder = project();
    let ran = files(folder.path(), &[args, &["-b", "10000"]].concat());
    assert_eq!((ran.code, ran.err.trim_end()), (2, expect), "{args:?}");
}

#[test]
fn a_choice_of_nothing_says_what_there_is() {
    let there = "there are 3 .rs, 1 .go, 1 .md, 1 no ending";
    check_refused(
        &[".", "--include", "*.py", "--include", "x y/"],
        &format!("error: none of 6 files is left by --include \"*.py\", --include \"x y/\"; {there}"),
    );
    check_refused(
        &[".", "--include", "tests", "--exclude", "*.rs", "--no-tests"],
        &format!(
            "error: none of 6 files is left by --include \"tests\", --exclude \"*.rs\", --no-tests; {there}"
        ),
    );
    check_refused(
        &[".", "--include", "!*.rs"],
        "error: --include \"!*.rs\": expected a glob without `!`; use --exclude \"*.rs\" instead",
    );
    check_refused(
        &[".", "--exclude", "# all"],
        "error: --exclude \"# all\": expected a glob, such as \"*.rs\" or \"src/\"",
    );
    check_refused(
        &[".", "--exclude", "a{b"],
        "error: --exclude \"a{b\": error parsing glob 'a{b': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
    );
}

#[test]
fn a_glob_without_effect_is_noted() {
    let folder = project();
    let ran = files(folder.path(), &[".", "-b", "10000", "--include", "*.rs", "--exclude", "*.lock"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.starts_with("note: no file matches --exclude \"*.lock\"\n"), "{}", ran.err);
}

#[test]
fn the_tree_has_shares() {
    let folder = tree(&[
        ("a/one.txt", "word ".repeat(60).as_bytes()),
        ("a/two.txt", "word ".repeat(30).as_bytes()),
        ("b/c/three.txt", "word ".repeat(10).as_bytes()),
        ("binary", &[0; 99]),
    ]);
    let ran = files(folder.path(), &[".", "--tree", "--tokenizer", "chars/5"]);
    let expect = "      tokens   share    files
          90    90 %        2  a/
          60    60 %        1    one.txt
          30    30 %        1    two.txt
          10    10 %        1  b/c/three.txt
";
    assert_eq!((ran.code, ran.out.as_str()), (0, expect), "{}", ran.err);
    assert!(
        ran.err.starts_with("skipped 1 file: 1 binary (--verbose lists them)\n3 files · 100 tokens"),
        "{}",
        ran.err
    );
    let ran = files(folder.path(), &["a", "--tree", "--tokenizer", "chars/5", "--json"]);
    let tree: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        tree,
        serde_json::json!({"tokenizer": "chars/5", "tokens": 90,
            "folders": [{"path": "a", "tokens": 90, "files": 2, "share": 1.0}],
            "files": [{"path": "a/one.txt", "tokens": 60, "files": 1, "share": 60.0 / 90.0},
                      {"path": "a/two.txt", "tokens": 30, "files": 1, "share": 30.0 / 90.0}]})
    );
    let ran = files(folder.path(), &[".", "--tree", "--explain"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn a_tree_of_small_files_has_a_line_and_forges_none() {
    let names: Vec<String> = (0..150).map(|n| format!("{n:03}/a.txt")).collect();
    let files_of: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"words"[..])).collect();
    let folder = tree(&files_of);
    let ran = files(folder.path(), &[".", "--tree", "--tokenizer", "chars/5"]);
    assert_eq!(ran.out.lines().last(), Some("         150   100 %      150  (150 smaller)"), "{}", ran.out);
    #[cfg(unix)]
    {
        let folder = tree(&[("a\n  9  9 %  9  b\u{1b}[31m.txt", b"words")]);
        let ran = files(folder.path(), &[".", "--tree"]);
        assert_eq!(ran.out.lines().count(), 2, "{}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    }
}

/// Functions with these bodies.
fn code(functions: &[(&str, &str)]) -> String {
    let function = |(name, body): &(&str, &str)| {
        format!("/// What {name} does.\npub fn {name}(n: usize) -> usize {{\n    {body}\n}}\n\n")
    };
    functions.iter().map(function).collect()
}

/// A repository in which, after a tag, one function changed, one was removed, one file is new and one deleted; `None` if
/// git is missing.
fn repository() -> Option<TempDir> {
    let lib = |shrink: &str| {
        code(&[("shrink_rows", shrink), ("widen_rows", "n + 1"), ("measure_rows", "n.count_ones() as usize")])
    };
    let (caller, other) = (
        code(&[("lay_out", "shrink_rows(n) * 2"), ("paint_rows", "n - 1")]),
        code(&[("read_colours", "n * 7"), ("mix_colours", "read_colours(n)")]),
    );
    let folder = tree(&[
        ("src/lib.rs", lib("n / 2").as_bytes()),
        ("src/caller file.rs", caller.as_bytes()),
        ("src/colours.rs", other.as_bytes()),
        ("src/gone.rs", code(&[("vanish", "n")]).as_bytes()),
    ]);
    let at = folder.path();
    git(at, &["init", "-q", "-b", "main"])?;
    git(at, &["add", "."])?;
    git(at, &["commit", "-q", "-m", "first"])?;
    git(at, &["tag", "v1"])?;
    fs::write(at.join("src/lib.rs"), lib("n / 3")).unwrap();
    fs::write(at.join("src/added.rs"), code(&[("brand_new", "n")])).unwrap();
    fs::remove_file(at.join("src/gone.rs")).unwrap();
    Some(folder)
}

#[test]
fn what_changed_comes_first_and_then_its_callers() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let ran = files(at, &[".", "--since", "v1", "-b", "104", "--tokenizer", "chars/4", "--query", "colours"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let expect = "File: src/added.rs

/// What brand_new does.
pub fn brand_new(n: usize) -> usize {
    n
}

---
File: src/caller file.rs

/// What lay_out does.
pub fn lay_out(n: usize) -> usize {
    shrink_rows(n) * 2
}

// ... 4 lines: paint_rows

---
File: src/lib.rs

/// What shrink_rows does.
pub fn shrink_rows(n: usize) -> usize {
    n / 3
}

// ... 9 lines: widen_rows, measure_rows
";
    assert_eq!(ran.out.trim_end(), expect.trim_end(), "{}", ran.err);
    let told = "2 files changed since v1, 1 of them new; 1 deleted: src/gone.rs\n";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    // From another folder, and for one file.
    let ran = files(&at.join("src"), &["lib.rs", "--since", "HEAD", "-b", "1000"]);
    assert_eq!((ran.code, ran.out.matches("pub fn").count()), (0, 3), "{}", ran.err);
    assert!(ran.err.starts_with("1 file changed since HEAD\n"), "{}", ran.err);
    let ran = files(at, &[".", "--since", "v1", "--tree", "--tokenizer", "chars/4"]);
    assert_eq!(ran.out.lines().count(), 4, "{}", ran.out);
}

#[test]
fn lines_that_were_only_removed_count_where_they_were() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let colours = fs::read_to_string(at.join("src/colours.rs")).unwrap();
    fs::write(at.join("src/colours.rs"), colours.replace("/// What mix_colours does.\n", "")).unwrap();
    let ran = files(at, &["src/colours.rs", "--since", "v1", "-b", "60", "--tokenizer", "chars/4"]);
    assert!(
        ran.out.contains("pub fn mix_colours(n: usize) -> usize {\n    read_colours(n)\n"),
        "{}",
        ran.out
    );
}

/// Of a file that was renamed, what changed is shown; files that are not wanted are not said to be deleted.
#[test]
fn what_was_renamed_is_not_new() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let _ = git(at, &["mv", "src/caller file.rs", "src/renamed file.rs"]);
    let renamed = fs::read_to_string(at.join("src/renamed file.rs")).unwrap();
    fs::write(at.join("src/renamed file.rs"), renamed.replace("n - 1", "n - 2")).unwrap();
    let wanted = ["--include", "renamed*", "--exclude", "gone.rs"];
    let ran =
        files(at, &[&[".", "--since", "v1", "-b", "40", "--tokenizer", "chars/4"], &wanted[..]].concat());
    assert!(ran.err.starts_with("1 file changed since v1, 1 of them renamed\n"), "{}", ran.err);
    assert!(ran.out.contains("pub fn paint_rows(n: usize) -> usize {\n    n - 2\n"), "{}", ran.out);
    assert!(!ran.out.contains("shrink_rows"), "{}", ran.out);
}

/// Git knows what is new: not what it ignores, nor the files of a repository in the folder.
#[test]
fn what_git_does_not_list_is_not_new() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    fs::create_dir(at.join("vendored")).unwrap();
    fs::write(at.join("vendored/v.rs"), code(&[("vendored", "n")])).unwrap();
    let _ = git(&at.join("vendored"), &["init", "-q"]);
    fs::write(at.join(".gitignore"), "ignored.rs\n").unwrap();
    fs::write(at.join("src/ignored.rs"), code(&[("ignored", "n")])).unwrap();
    let ran = files(at, &[".", "--no-ignore", "--since", "v1", "-b", "1000"]);
    assert!(ran.err.starts_with("2 files changed since v1, 1 of them new; 1 deleted"), "{}", ran.err);
}

#[test]
fn a_profile_that_changes_cannot_have_is_named() {
    let Some(folder) = repository() else { return };
    let ran = files(folder.path(), &[".", "--since", "v1", "--profile", "fast", "-b", "60"]);
    let note =
        "note: the strategy smart-truncation does not know what changed; --since uses outline instead\n";
    assert!(ran.code == 0 && ran.err.starts_with(note), "{}", ran.err);
}

#[test]
fn without_a_change_nothing_is_shown() {
    let Some(folder) = repository() else { return };
    let ran = files(folder.path(), &["src/colours.rs", "--since", "v1", "-b", "60"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.starts_with("no file changed since v1\n"), "{}", ran.err);
}

#[test]
fn since_what_is_not_there() {
    let Some(folder) = repository() else { return };
    let check = |at: &Path, args: &[&str], expect: &str| {
        let ran = files(at, &[args, &["-b", "100"]].concat());
        assert_eq!((ran.code, ran.err.trim_end()), (2, expect), "{args:?}");
    };
    let unknown = "unknown revision; expected a commit, a branch or a tag, such as";
    for rev in ["v2", "--output=x", "main..v1", ""] {
        let expect = format!("error: --since {rev}: {unknown} main, v1");
        let told = files(folder.path(), &[".", "--since", rev, "-b", "100"]);
        let either = [expect.clone(), expect.replace("main, v1", "v1, main")];
        assert!(told.code == 2 && either.contains(&told.err.trim_end().to_owned()), "{}", told.err);
    }
    check(
        folder.path(),
        &[".", "--since", "v1", "--strategy", "bm25"],
        "error: --since: the strategy bm25 does not know what changed; leave out --strategy, or use --strategy outline",
    );
    let nowhere = project();
    check(
        nowhere.path(),
        &["src", "--since", "v1"],
        "error: --since v1: expected files in a git repository, but src is in none",
    );
}

/// Nothing that a repository brings along is run.
#[test]
#[cfg(unix)]
fn the_configuration_of_a_repository_runs_nothing() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let spy = "sh -c 'touch ran; cat'";
    fs::write(at.join(".gitattributes"), "* filter=spy diff=spy\n").unwrap();
    for (name, value) in [
        ("filter.spy.clean", spy),
        ("filter.spy.process", spy),
        ("filter.spy.required", "true"),
        ("diff.spy.textconv", spy),
        ("diff.spy.command", spy),
        ("diff.external", spy),
        ("core.fsmonitor", spy),
        ("core.pager", spy),
        ("core.hooksPath", "hooks"),
    ] {
        let _ = git(at, &["config", name, value]);
    }
    fs::create_dir(at.join("hooks")).unwrap();
    fs::write(at.join("hooks/post-index-change"), "#!/bin/sh\ntouch ran\n").unwrap();
    let runnable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(at.join("hooks/post-index-change"), runnable).unwrap();
    let ran = files(at, &[".", "--since", "v1", "-b", "1000"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("3 files changed since v1, 2 of them new; 1 deleted"), "{}", ran.err);
    assert!(!at.join("ran").exists() && !at.join("src/ran").exists());
    // What cannot be switched off is not run.
    let _ = git(at, &["config", "filter.a=b.clean", spy]);
    let ran = files(at, &[".", "--since", "v1", "-b", "1000"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("git would run the filter that \"filter.a=b.clean\""), "{}", ran.err);
    assert!(!at.join("ran").exists());
}

/// A file that became a link takes two sections of a diff: the lines of those after it are still right.
#[test]
#[cfg(unix)]
fn what_became_a_link_does_not_shift_lines() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    fs::remove_file(at.join("src/caller file.rs")).unwrap();
    std::os::unix::fs::symlink("lib.rs", at.join("src/caller file.rs")).unwrap();
    let ran =
        files(at, &[".", "--since", "v1", "-b", "45", "--tokenizer", "chars/4", "--exclude", "added.rs"]);
    assert!(ran.out.contains("pub fn shrink_rows(n: usize) -> usize {\n    n / 3\n}"), "{}", ran.out);
    assert!(!ran.out.contains("n.count_ones()"), "{}", ran.out);
}

/// Nor do names that git quotes shift them.
#[test]
#[cfg(unix)]
fn quoted_names_keep_their_lines() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let (name, code) = (at.join("src/q\"\t\u{e9}.rs"), code(&[("first_row", "n"), ("second_row", "n + 1")]));
    fs::write(&name, &code).unwrap();
    let _ = git(at, &["add", "."]);
    let _ = git(at, &["commit", "-q", "-m", "second"]);
    fs::write(&name, code.replace("n + 1", "n + 2")).unwrap();
    let touched = fs::File::options().write(true).open(at.join("src/colours.rs")).unwrap();
    touched.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let ran = files(at, &[".", "--since", "HEAD", "-b", "50", "--tokenizer", "chars/4"]);
    assert!(ran.err.starts_with("1 file changed since HEAD\n"), "{}", ran.err);
    assert!(ran.out.contains("pub fn second_row(n: usize) -> usize {\n    n + 2\n}"), "{}", ran.out);
}

/// That a project lies in a folder of tests does not make its files tests.
#[test]
fn where_a_project_is_says_nothing_about_its_files() {
    let folder =
        tree(&[("tests/project/a.rs", b"fn a() {}\n"), ("tests/project/tests/b.rs", b"fn b() {}\n")]);
    let project = folder.path().join("tests/project");
    let ran = files(folder.path(), &[project.to_str().unwrap(), "--no-tests", "-b", "1000"]);
    assert_eq!((ran.code, ran.out.matches("fn ").count()), (0, 1), "{}", ran.err);
    assert!(ran.out.contains("fn a()"), "{}", ran.out);
}

/// A file in which only the time changed did not change, nor does it shift the lines of others.
#[test]
fn a_file_that_was_touched_did_not_change() {
    let Some(folder) = repository() else { return };
    let at = folder.path();
    let touched = fs::File::options().write(true).open(at.join("src/caller file.rs")).unwrap();
    touched.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let ran =
        files(at, &[".", "--since", "v1", "-b", "45", "--tokenizer", "chars/4", "--exclude", "added.rs"]);
    assert!(ran.err.starts_with("1 file changed since v1; 1 deleted"), "{}", ran.err);
    assert!(ran.out.contains("pub fn shrink_rows(n: usize) -> usize {\n    n / 3\n}"), "{}", ran.out);
}
