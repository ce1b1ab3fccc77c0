//! `feedback`: reports in, thresholds out, and what `search`, `files` and `restore` make of it.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{Ran, run, tree};

/// Eight chunks of 100 tokens in two folders, with scores from 0.95 down to 0.25.
fn request() -> String {
    let chunk = |n: u32| {
        let (id, folder) = (format!("c{n}"), if n.is_multiple_of(2) { "docs" } else { "src" });
        json!({"id": id, "path": format!("{folder}/{n}.md"), "text": format!("Part {n} says it. ").repeat(25),
            "score": 0.95 - 0.1 * f64::from(n)})
    };
    json!({"query": "parts", "budget": 700, "chunks": (0..8).map(chunk).collect::<Vec<_>>()}).to_string()
}

/// A folder with a request, and its report in `r.json`.
fn reported() -> TempDir {
    let folder = tree(&[("request.json", request().as_bytes())]);
    let ran = search(folder.path(), &["--report", "r.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    folder
}

fn search(folder: &Path, args: &[&str]) -> Ran {
    let fixed = ["search", "request.json", "--strategy", "metadata-only", "--tokenizer", "chars/4"];
    run(folder, &[&fixed, args].concat(), "")
}

fn feedback(folder: &Path, args: &[&str]) -> Ran {
    run(folder, &[&["feedback"], args, &["--history", "h.jsonl"]].concat(), "")
}

/// The learned thresholds of all scopes.
fn thresholds(folder: &Path) -> Vec<(String, f64)> {
    let ran = feedback(folder, &["show", "--json"]);
    let shown: Value = serde_json::from_str(&ran.out).unwrap();
    let scopes = shown["scopes"].as_object().unwrap();
    scopes
        .iter()
        .map(|(scope, learned)| (scope.clone(), learned["threshold"]["value"].as_f64().unwrap()))
        .collect()
}

fn lines(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("h.jsonl")).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn reports_move_the_threshold_of_their_scope() {
    let folder = reported();
    let folder = folder.path();
    // Of c5, which was shown whole, there was no more.
    let ran = feedback(folder, &["restored", "r.json", "--block", "c7", "--block", "c5"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert_eq!(ran.err, "recorded 2 reports in h.jsonl\nsrc/: threshold 0.31, worth 1.09, from 2 reports\n");
    assert_eq!(feedback(folder, &["used", "r.json", "--block", "c0"]).code, 0);
    let [(docs, up), (src, down)] = thresholds(folder).try_into().unwrap();
    assert_eq!((docs.as_str(), src.as_str()), ("docs", "src"));
    assert!(up > 0.4 && down < 0.4, "{up} {down}");

    let ran = feedback(folder, &["show"]);
    assert!(ran.out.contains("src/        0.310   1 of 1   1.090      0          2        0"), "{}", ran.out);
    assert!(ran.err.starts_with("absolute thresholds of "), "{}", ran.err);

    let ran = search(folder, &["--feedback=h.jsonl", "--explain", "--report", "l.json"]);
    assert!(ran.err.contains("0.2500 is below 0.3100, learned from 2 reports for src/"), "{}", ran.err);
    assert!(ran.err.contains("threshold 0.31 and worth 1.09 learned from 2 reports for src/"), "{}", ran.err);
    let report: Value = serde_json::from_slice(&fs::read(folder.join("l.json")).unwrap()).unwrap();
    assert_eq!(report["learned"][1]["scope"], "src");
    assert_eq!(report["learned"][1]["blocks"], 4);
    assert_eq!(run(folder, &["verify", "l.json"], "").code, 0);

    assert_eq!(feedback(folder, &["reset", "--scope", "src/"]).err, "forgot what was learned for src/\n");
    assert_eq!(thresholds(folder).len(), 1);
    assert_eq!(feedback(folder, &["reset"]).code, 0);
    let ran = feedback(folder, &["show"]);
    assert!(ran.out.is_empty() && ran.err.starts_with("nothing learned for "), "{}", ran.err);
    assert_eq!(lines(folder).len(), 5, "a history only grows");
}

#[test]
fn without_the_flag_nothing_changes() {
    let folder = reported();
    let before = search(folder.path(), &[]);
    feedback(folder.path(), &["failed", "r.json", "--block", "c7"]);
    assert_eq!(search(folder.path(), &[]).out, before.out);
    // A history that does not exist yet is an empty one.
    assert_eq!(search(folder.path(), &["--feedback=none.jsonl"]).out, before.out);
    assert_ne!(search(folder.path(), &["--feedback=h.jsonl"]).out, before.out);
}

#[test]
fn a_configuration_names_file_project_and_miss_rate() {
    let folder = reported();
    let folder = folder.path();
    let config = "[feedback]\nenabled = true\nfile = \"own.jsonl\"\nproject = \"shop\"\nmissRate = 0.25\n";
    fs::write(folder.join("c.toml"), config).unwrap();
    let of = |args: &[&str]| run(folder, &[args, &["--config", "c.toml"]].concat(), "");
    assert_eq!(of(&["feedback", "restored", "r.json", "--block", "c7"]).code, 0);
    let shown: Value = serde_json::from_str(&of(&["feedback", "show", "--json"]).out).unwrap();
    assert_eq!((&shown["project"], &shown["file"]), (&json!("shop"), &json!("own.jsonl")));
    assert_eq!(shown["rule"]["missRate"], 0.25);
    let ran = search(folder, &["--config", "c.toml", "--explain"]);
    assert!(ran.err.contains("learned from 1 report for src/"), "{}", ran.err);

    let check = |config: &str, expect: &str| {
        fs::write(folder.join("bad.toml"), config).unwrap();
        let ran = run(folder, &["config", "check", "bad.toml"], "");
        assert!(ran.err.contains(expect), "{}", ran.err);
    };
    check(
        "[feedback]\nmissRate = 1\n",
        "line 2, column 1: feedback.missRate: expected a miss rate above 0 and below 1, found 1",
    );
    check(
        "[feedback]\nenabled = true\n[compression]\nenabled = true\n[compression.metadataOnly]\nscoreThreshold = 5\n",
        "compression.metadataOnly.scoreThreshold: expected a score threshold from 0 to 1 to learn from, found 5",
    );
    check(
        "[feedback]\nenabled = true\n[compression]\nenabled = true\n[compression.metadataOnly]\nscoreMode = \"rank\"\nscoreThreshold = 5\n",
        "thresholds of ranks are not learned",
    );
}

#[test]
fn a_torn_line_is_reported_and_loses_nothing() {
    let folder = reported();
    let folder = folder.path();
    feedback(folder, &["restored", "r.json", "--block", "c7"]);
    let whole = fs::read(folder.join("h.jsonl")).unwrap();
    // Cut inside a line, and inside a character.
    fs::write(folder.join("h.jsonl"), [whole.as_slice(), b"{\"event\":\"used\",\"project\":\"\xc3"].concat())
        .unwrap();
    let ran = feedback(folder, &["show"]);
    assert!(ran.err.contains("h.jsonl: line 2: the line is incomplete: "), "{}", ran.err);
    assert_eq!(thresholds(folder).len(), 1);
    feedback(folder, &["restored", "r.json", "--block", "c6"]);
    assert_eq!(lines_lossy(folder), 3);
    assert_eq!(thresholds(folder).len(), 2);
}

fn lines_lossy(folder: &Path) -> usize {
    String::from_utf8_lossy(&fs::read(folder.join("h.jsonl")).unwrap()).lines().count()
}

#[test]
fn restoring_a_handle_can_be_recorded() {
    let folder = reported();
    let folder = folder.path();
    let answer = search(folder, &["--store=store", "--report", "s.json"]);
    let answer: Value = serde_json::from_str(&answer.out).unwrap();
    let handle = answer["blocks"][7]["original"].as_str().unwrap();
    let restore = |args: &[&str]| run(folder, &[&["restore"], args, &["--store", "store"]].concat(), "");
    let ran = restore(&[handle.get(..8).unwrap(), "--report", "s.json", "--history", "h.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("Part 7 says it."));
    assert_eq!(lines(folder).len(), 1);
    assert!(
        lines(folder)[0].contains("\"event\":\"restored\"") && lines(folder)[0].contains("\"block\":\"c7\"")
    );

    fs::write(folder.join("request.json"), request().replace("Part", "Item")).unwrap();
    search(folder, &["--report", "other.json"]);
    let ran = restore(&[handle, "--report", "other.json", "--history", "h.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("so nothing was recorded") && !ran.out.is_empty(), "{}", ran.err);
    assert_eq!(restore(&[handle, "--history", "h.jsonl"]).code, 2);
}

/// Files have scores only for `metadata-only`; a report of another strategy still moves the weight.
#[test]
fn files_without_scores_move_the_weight_alone() {
    let text = "Budgets are kept by counting. ".repeat(40);
    let folder = tree(&[("src/a.md", text.as_bytes()), ("src/b.md", text.as_bytes())]);
    let folder = folder.path();
    let ran = run(folder, &["files", "src", "-b", "300", "-s", "incremental", "--report", "r.json"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = feedback(folder, &["restored", "r.json", "--block", "src/b.md"]);
    assert!(ran.err.contains("no threshold learns from src/b.md"), "{}", ran.err);
    assert!(ran.err.contains("src/: threshold 0.40, worth 1.09, from 1 report"), "{}", ran.err);
}

#[test]
fn wrong_usage() {
    let folder = reported();
    let check = |args: &[&str], code: i32, expect: &str| {
        let ran = feedback(folder.path(), args);
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(expect), "{}", ran.err);
        assert!(!folder.path().join("h.jsonl").exists(), "nothing is recorded");
    };
    check(
        &["used", "r.json", "--block", "c1", "--block", "c9"],
        2,
        "r.json has no block \"c9\"; it has c0, c1, c2, c3, c4, c5, c6, c7",
    );
    check(&["used", "r.json"], 2, "--block <ID>");
    check(&["used", "r.json", "--block", "c1", "--scope", "docs"], 2, "src/1.md is not in docs/");
    check(
        &["used", "request.json", "--block", "c1"],
        2,
        "expected a file that --report of files or search wrote",
    );
    check(&["used", "none.json", "--block", "c1"], 2, "cannot read none.json");
    check(&["reset"], 0, "nothing was learned for the whole project");
}

#[cfg(unix)]
#[test]
fn the_history_is_readable_only_by_its_owner() {
    use std::os::unix::fs::PermissionsExt;

    let folder = reported();
    let history = folder.path().join("new/folder/h.jsonl");
    let name = history.to_str().unwrap();
    let ran = run(folder.path(), &["feedback", "used", "r.json", "--block", "c1", "--history", name], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&history), mode(history.parent().unwrap())), (0o600, 0o700));
}
