//! `files`.

use std::fs;

use tempfile::TempDir;

use crate::run::{contextfit, run, tree};

/// A small project, with files that must not be shown.
fn project() -> TempDir {
    let long: String = (0..200).map(|n| format!("    let value_{n} = {n};\n")).collect();
    let long = format!("//! Values.\n\npub fn values() {{\n{long}}}\n");
    tree(&[
        ("src/budget.rs", b"//! The budget.\n\npub fn enforce(budget: usize) -> bool {\n    budget > 0\n}\n"),
        ("src/long.rs", long.as_bytes()),
        ("src/notes.md", b"# Notes\n\nNothing to see here.\n"),
        ("src/empty.txt", b""),
        ("target/out.rs", b"fn generated() {}\n"),
        (".gitignore", b"target\n"),
        (".hidden.rs", b"fn hidden() {}\n"),
        ("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("latin1.txt", b"abc\xe9\n"),
    ])
}

/// The paths that the context shows, in order.
#[track_caller]
fn check_paths(args: &[&str], paths: &[&str]) {
    let folder = project();
    let ran = run(folder.path(), &[&["files"], args, &["--budget", "100000", "--json"]].concat(), "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let ids: Vec<&str> =
        answer["blocks"].as_array().unwrap().iter().map(|b| b["id"].as_str().unwrap()).collect();
    assert_eq!(ids, paths);
}

#[test]
fn which_files_are_read() {
    let src = ["src/budget.rs", "src/empty.txt", "src/long.rs", "src/notes.md"];
    let usual = [&["latin1.txt"], &src[..]].concat();
    check_paths(&["."], &usual);
    check_paths(&["src"], &src);
    check_paths(&["src", ".", "./src/notes.md"], &usual);
    check_paths(&["src/notes.md", "src/budget.rs"], &["src/budget.rs", "src/notes.md"]);
    check_paths(&[".", "--hidden"], &[&[".gitignore", ".hidden.rs"], &usual[..]].concat());
    check_paths(&[".", "--no-ignore"], &[&usual[..], &["target/out.rs"]].concat());
    check_paths(&["target/out.rs"], &["target/out.rs"]);
}

#[test]
fn a_tree_within_the_budget_is_shown_whole() {
    let folder = project();
    insta::assert_snapshot!(
        run(folder.path(), &["files", "src/budget.rs", "src/notes.md", "-b", "500"], "").told()
    );
}

#[test]
fn a_tree_over_the_budget_fits() {
    let folder = project();
    let args = ["files", ".", "--query", "how are tokens counted", "-b", "120", "--explain", "--verbose"];
    let ran = run(folder.path(), &args, "");
    let count = run(folder.path(), &["count"], ran.out.clone());
    assert!(count.out.trim().parse::<usize>().unwrap() <= 120, "{}", count.out);
    assert!(ran.out.contains("File: src/budget.rs"), "{}", ran.out);
    assert!(ran.err.contains("read latin1.txt as Windows-1252: not UTF-8"), "{}", ran.err);
    assert!(ran.err.contains("left out .hidden.rs: hidden (--hidden reads it)"), "{}", ran.err);
    assert!(ran.err.contains("skipped logo.png: binary"), "{}", ran.err);
    assert!(ran.err.contains("skipped 1 file: 1 binary"), "{}", ran.err);
    assert!(ran.err.contains(" of 5 files ("), "{}", ran.err);
    assert!(ran.err.contains("src/long.rs"), "the table names every block: {}", ran.err);
}

/// More than 64 KB, so that it is counted and parsed on all cores.
#[test]
fn the_number_of_threads_changes_nothing() {
    let code = |n: usize| {
        format!("/// Doubles.\npub fn double_{n}(budget: usize) -> usize {{\n    budget * {n}\n}}\n\n")
    };
    let files = (0..40).map(|n| (format!("src/{n}.rs"), (n..n + 40).map(code).collect::<String>()));
    let files: Vec<_> = files.collect();
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
    let folder = tree(&files.collect::<Vec<_>>());
    let told = |threads: &str| {
        let mut command = contextfit();
        command.args(["files", "src", "--query", "double the budget", "-b", "4000", "--json"]);
        command.env("RAYON_NUM_THREADS", threads).current_dir(folder.path()).output().unwrap().stdout
    };
    let one = told("1");
    assert!(one.len() > 4_000);
    assert!(one == told("4"));
}

#[test]
fn every_strategy_and_profile_fits() {
    let folder = project();
    for choice in [
        ["--strategy", "auto"],
        ["--strategy", "smart-truncation"],
        ["--strategy", "metadata-only"],
        ["--strategy", "incremental"],
        ["--profile", "fast"],
        ["--profile", "balanced"],
        ["--profile", "quality"],
        ["--profile", "cost-optimized"],
    ] {
        for budget in ["15", "120", "700"] {
            let args = [&["files", "src", "--query", "budget", "--budget", budget][..], &choice].concat();
            let ran = run(folder.path(), &args, "");
            assert_eq!(ran.code, 0, "{choice:?} {budget}: {}", ran.err);
            let count = run(folder.path(), &["count"], ran.out);
            assert!(
                count.out.trim().parse::<usize>().unwrap() <= budget.parse().unwrap(),
                "{choice:?} {budget}"
            );
        }
    }
}

#[test]
fn the_report_is_the_full_result() {
    let folder = project();
    let args =
        ["files", "src", "-b", "120", "-q", "budget", "--tokenizer", "chars/4", "--report", "report.json"];
    let ran = run(folder.path(), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(report["context"], ran.out.as_str());
    assert_eq!(report["tokenizer"], "chars/4");
    assert_eq!(report["budget"]["limit"], 120);
    assert_eq!(report["source"]["files"], 4);
    assert_eq!(report["blocks"].as_array().unwrap().len(), 4);
    assert_eq!(report["stages"][0]["plan"]["steps"].as_array().unwrap().len(), 4);
    assert_eq!(report["options"]["smartTruncation"]["maxLength"], 2000);
}

#[test]
fn standard_input_is_a_file_called_dash() {
    let folder = project();
    let ran = run(folder.path(), &["files", "-", "src/notes.md", "-b", "100"], "from a pipe\n");
    assert_eq!(
        ran.out,
        "File: -\n\nfrom a pipe\n---\nFile: src/notes.md\n\n# Notes\n\nNothing to see here.\n"
    );
}

#[test]
fn wrong_usage_and_missing_files() {
    let folder = project();
    let mut told = String::new();
    for args in [
        &["files"][..],
        &["files", "src"],
        &["files", "nowhere", "-b", "5"],
        &["files", "nowhere"],
        &["files", "src", "--model", "gpt-99"],
        &["files", "src", "-b", "-5"],
        &["files", "src", "-b", "1.5"],
        &["files", "src", "-b", "99999999999999"],
        &["files", "src", "-b", "5", "--reserve", "6"],
        &["files", "src", "-b", "5", "--strategy", "smart-trunctaion"],
        &["files", "src", "-b", "5", "--profile", "speedy"],
        &["files", "src", "-b", "5", "--tokenizer", "o100k"],
        &["files", "src", "-b", "5", "--tokenizer", "chars/0"],
        &["files", "src", "-b", "5", "--config", "nowhere.toml"],
        &["files", "src", "-b", "500", "--report", "no/such/folder/report.json"],
        &["files", "src", "-b", "0"],
    ] {
        let ran = run(folder.path(), args, "");
        assert_eq!(ran.out, "", "{args:?}");
        told.push_str(&format!("$ contextfit {}\n[{}] {}\n", args.join(" "), ran.code, ran.err));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn lines_are_numbered_as_in_their_files() {
    let folder = project();
    let path = folder.path().join("src/long.rs");
    let sum =
        "\npub fn sum(value_150: usize) -> usize {\n    let one = value_150 + 1;\n    one + value_150\n}\n";
    let source = fs::read_to_string(&path).unwrap() + sum;
    fs::write(&path, &source).unwrap();
    let args =
        ["files", "src/long.rs", "-b", "120", "-q", "value_150", "--line-numbers", "--strategy", "outline"];
    let ran = run(folder.path(), &args, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = source.lines().collect();
    let numbered = ran.out.lines().filter_map(|line| line.split_once("| "));
    let mut seen = 0;
    for (number, line) in numbered {
        // A marker may be on the line whose bracket it closes.
        let line = line.split_once(" /* ").map_or(line, |(line, _)| line);
        assert_eq!(lines[number.parse::<usize>().unwrap() - 1], line);
        seen += 1;
    }
    assert!((3..200).contains(&seen), "{}", ran.out);
}

#[test]
fn what_is_exact_stays_whole() {
    let folder = project();
    let source = fs::read_to_string(folder.path().join("src/long.rs")).unwrap();
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let exact = |args: &[&str]| run(folder.path(), &[&["files", "src"], args].concat(), "");
    let ran = exact(&["-b", "400", "--exact", "src/long.rs:90-100"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains(&lines[89..100].concat()), "{}", ran.out);
    // Parts of a file are no files.
    assert!(ran.err.contains(" files and parts ("), "{}", ran.err);
    let ran = exact(&["-b", "300", "--exact", "src/budget.rs", "-q", "values"]);
    assert!(
        ran.out.contains(&fs::read_to_string(folder.path().join("src/budget.rs")).unwrap()),
        "{}",
        ran.out
    );
    // A file that is not among the others joins them.
    assert!(exact(&["-b", "300", "--exact", ".hidden.rs"]).out.contains("fn hidden() {}"));

    let ran = exact(&["-b", "400", "--exact", "src/long.rs"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("src/long.rs"), "{}", ran.err);
    assert_eq!(exact(&["-b", "400", "--exact", "src/long.rs:900-901"]).code, 2);
    assert_eq!(exact(&["-b", "400", "--exact", "src/none.rs"]).code, 2);
}

/// What `--why` says of a part that is shown, of one that is not, of a copy, and of what does not exist.
#[test]
fn why() {
    let folder = project();
    fs::copy(folder.path().join("src/budget.rs"), folder.path().join("src/copied_budget.rs")).unwrap();
    for (target, code, told) in [
        ("src/budget.rs:enforce", 0, "src/budget.rs:3 enforce  ("),
        ("enforce", 0, "place 1 of "),
        ("long.rs:values", 0, "; in part)\n        place 3 of "),
        ("./src/long.rs:100", 0, "src/long.rs:3 values  ("),
        ("copied_budget.rs:enforce", 2, "no ranked part (src/copied_budget.rs: said again by src/budget.rs)"),
        ("src/budget.rs:nothing", 2, "nothing has this name or line; there are enforce, among others"),
        ("nowhere.rs:enforce", 2, "no file nowhere.rs was read"),
        ("src/budget.rs:", 2, "expected PATH:SYMBOL, SYMBOL or PATH:LINE"),
    ] {
        let args = ["files", ".", "--query", "where is the budget enforced", "-b", "100", "--why", target];
        let ran = run(folder.path(), &args, "");
        assert_eq!(ran.code, code, "{target}: {}", ran.err);
        assert!(ran.err.contains(told), "{target}: {}", ran.err);
    }
}
