//! `eval` of repository tasks; the tests create the repositories with git.

use std::fs;

use contextfit_testkit::git;
use tempfile::TempDir;

use crate::run::{run, tree};

/// A repository of ten files, `mirror/me+tool`, and a data set of two commits, `tasks`; the second repository is
/// missing.
fn data() -> Option<TempDir> {
    let file = |n: usize| {
        let function = |m: usize| {
            format!("/// Counts the {m}s of {n}.\nfn count_{n}_{m}() {{\n    add({n}, {m});\n}}\n\n")
        };
        (1..6).map(function).collect::<String>()
    };
    let files: Vec<(String, String)> =
        (0..10).map(|n| (format!("mirror/me+tool/src/f{n}.rs"), file(n))).collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let data = tree(&files);
    let clone = data.path().join("mirror/me+tool");
    git(&clone, &["init", "-q"])?;
    git(&clone, &["add", "-A", "-f"])?;
    git(&clone, &["commit", "-q", "-m", "First"])?;
    let parent = git(&clone, &["rev-parse", "HEAD"])?;
    let line = |id: &str, repo: &str| {
        format!(
            "{{\"id\": \"{id}\", \"repo\": \"{repo}\", \"parent\": \"{parent}\", \"query\": \"count_7_3 counts one too many\", \
             \"query_noid\": \"counts one too many\", \"gold\": [{{\"path\": \"src/f7.rs\", \"functions\": \
             [{{\"name\": \"count_7_3\", \"start\": 12, \"end\": 14, \"sig_line\": 12}}]}}]}}\n"
        )
    };
    fs::create_dir(data.path().join("tasks")).unwrap();
    fs::write(data.path().join("tasks/dev.jsonl"), line("c1", "me+tool") + &line("c2", "you+tool")).unwrap();
    Some(data)
}

#[test]
fn a_table_of_what_is_shown() {
    let Some(data) = data() else { return };
    let mut told = String::new();
    for args in [
        &["eval", "tasks", "--repositories", "mirror", "-s", "head", "-s", "whole-chunks-bm25", "-b", "300"]
            [..],
        &["eval", "tasks", "--repositories", "tasks"],
        &["eval", "tasks"],
        &["eval", "tasks", "--repositories", "mirror", "-s", "okapi-sentences"],
    ] {
        let ran = run(data.path(), args, "");
        // The last column depends on the machine.
        let out: String = ran
            .out
            .lines()
            .map(|line| line.rsplit_once("  ").map_or(line, |(line, _)| line).trim_end().to_owned() + "\n")
            .collect();
        let err = ran.err.split(" · intervals").next().unwrap();
        told.push_str(&format!("$ contextfit {}\n[{}] {out}{err}\n", args.join(" "), ran.code));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn the_result_is_that_of_files() {
    let Some(data) = data() else { return };
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_slice(&fs::read(data.path().join(name)).unwrap()).unwrap()
    };
    for (query, flag) in
        [("count_7_3 counts one too many", None), ("counts one too many", Some("--without-identifiers"))]
    {
        let args = [
            "eval",
            "tasks",
            "--repositories",
            "mirror",
            "-s",
            "auto",
            "-b",
            "300",
            "--json",
            "figures.json",
        ];
        let args: Vec<&str> = args.into_iter().chain(flag).collect();
        let ran = run(data.path(), &args, "");
        assert_eq!(ran.code, 0, "{}", ran.err);
        let row = &read("figures.json")["figures"][0];
        assert_eq!((&row["budget"], &row["n"]), (&300.into(), &1.into()));

        let clone = data.path().join("mirror/me+tool");
        let args = ["files", ".", "--query", query, "--budget", "300", "--report", "../../report.json"];
        assert_eq!(run(&clone, &args, "").code, 0);
        let report = read("report.json");
        let tokens = |name: &str| report["metrics"][name].as_f64().unwrap();
        assert_eq!(row["outputRatio"], tokens("tokensAfter") / tokens("tokensBefore"), "{query}");
        let blocks = report["blocks"].as_array().unwrap();
        let gold = blocks.iter().find(|block| block["id"] == "src/f7.rs").unwrap();
        assert_eq!(
            row["goldShare"]["mean"],
            gold["tokens"].as_f64().unwrap() / tokens("tokensAfter"),
            "{query}"
        );
    }
}
