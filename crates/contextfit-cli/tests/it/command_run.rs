//! `run`: the exit code, the output and the saved file of commands.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Ran, contextfit, tree};

/// Runs `contextfit run` with `args`, and its state in a folder of its own.
fn run(args: &[&str]) -> (Ran, TempDir) {
    let state = tempfile::tempdir().unwrap();
    (run_in(&state, args), state)
}

fn run_in(state: &TempDir, args: &[&str]) -> Ran {
    let output = contextfit().arg("run").args(args).env("XDG_STATE_HOME", state.path()).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The files that hold whole outputs.
fn saved(state: &TempDir) -> Vec<PathBuf> {
    let runs = fs::read_dir(state.path().join("contextfit/runs")).into_iter().flatten();
    runs.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_long_output_is_cut_and_saved() {
    let (ran, state) = run(&["--", "sh", "-c", "seq 1 100000; echo error: last; exit 4"]);
    assert_eq!(ran.code, 4);
    assert!(ran.out.contains("\nerror: last\n") && ran.out.len() < 8_000, "{}", ran.out);
    let [file] = saved(&state).try_into().unwrap();
    let last = ran.out.lines().last().unwrap();
    assert!(
        last.ends_with(&format!("of 100,001 lines. Full output saved to: {}]", file.display())),
        "{last}"
    );
    let whole = (1..=100_000).map(|n| format!("{n}\n")).collect::<String>() + "error: last\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(file.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn a_short_output_is_printed_as_it_is() {
    let (ran, state) = run(&["--", "sh", "-c", "echo one; echo two >&2; printf 'three\\033[0m'; exit 0"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "one\ntwo\nthree\u{1b}[0m", ""));
    assert!(saved(&state).is_empty());
}

#[test]
fn the_last_line_is_within_the_budget() {
    let budget = |tokens: &str| {
        let (ran, state) = run(&["--budget", tokens, "--tokenizer", "chars/1", "--", "seq", "1", "900"]);
        assert!(ran.out.chars().count() <= tokens.parse().unwrap(), "{}", ran.out);
        (ran.out, saved(&state).len())
    };
    let (out, files) = budget("400");
    assert!(out.contains("Full output saved to: ") && files == 1, "{out}");
    let (ran, state) = run(&["--budget", "30", "--", "sh", "-c", "seq 1 9000; exit 3"]);
    assert_eq!((ran.code, ran.out.as_str(), saved(&state).len()), (3, "", 1));
    assert!(ran.err.contains("full output saved to: "), "{}", ran.err);
    // All of it fits, and nothing is left over.
    let (out, files) = budget("9000");
    assert!(out.ends_with("\n900\n") && files == 0, "{out}");
}

#[test]
fn the_question_to_a_command_that_fails_is_why() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../contextfit-eval/data/outputs/dev.cases.jsonl");
    let cases = fs::read_to_string(cases).unwrap();
    let mut cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let javac = cases.find(|case| case["id"] == "javac_shop").unwrap();
    let folder = tree(&[("javac.txt", javac["text"].as_str().unwrap().as_bytes())]);
    let path = folder.path().join("javac.txt");
    let errors = |code: &str| {
        let command = format!("cat {}; exit {code}", path.display());
        let (ran, _) = run(&["--budget", "800", "--", "sh", "-c", &command]);
        ran.out.matches(": error: ").count()
    };
    let (failed, went_well) = (errors("1"), errors("0"));
    assert!(failed == 10 && went_well < 10, "{failed}, {went_well}");
}

#[test]
fn of_binary_data_nothing_is_shown() {
    let (ran, state) = run(&["--", "head", "-c", "9000", "/dev/zero"]);
    assert_eq!((ran.code, ran.out.as_str(), saved(&state).len()), (0, "", 1));
    assert!(
        ran.err.contains("nothing is shown, because 9,000 bytes are no text; full output"),
        "{}",
        ran.err
    );
}

#[test]
fn a_wrong_flag_is_told_before_anything_runs() {
    let (ran, state) = run(&["--tokenizer", "nosuch", "--", "touch", "ran"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(ran.err.contains("nosuch") && !state.path().join("ran").exists(), "{}", ran.err);
}

#[test]
fn a_command_that_cannot_run_and_one_that_is_killed() {
    let (ran, _) = run(&["--", "no-such-program-anywhere"]);
    assert_eq!(ran.code, 127);
    assert!(ran.err.starts_with("error: cannot run no-such-program-anywhere: "), "{}", ran.err);
    let (ran, _) = run(&["--", "/"]);
    assert_eq!(ran.code, 126);
    let (ran, _) = run(&["--", "sh", "-c", "kill -TERM $$"]);
    assert_eq!(ran.code, 128 + 15);
    let (ran, _) = run(&["cargo", "test"]);
    assert_eq!(ran.code, 2);
}

#[test]
fn what_still_runs_in_the_background_holds_nothing_up() {
    let (ran, _) = run(&["--", "sh", "-c", "sleep 30 & echo started"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "started\n"));
    let ticks = "i=0; while [ $i -lt 200 ]; do echo tick; sleep 0.1; i=$((i+1)); done & echo started; exit 4";
    let started = std::time::Instant::now();
    let (ran, _) = run(&["--", "sh", "-c", ticks]);
    assert!(
        ran.code == 4 && ran.out.contains("started\n") && started.elapsed().as_secs() < 15,
        "{}",
        ran.out
    );
}

#[test]
fn the_oldest_outputs_go_first() {
    let state = tempfile::tempdir().unwrap();
    let runs = state.path().join("contextfit/runs");
    fs::create_dir_all(&runs).unwrap();
    for (name, megabytes) in [("run-old.log", 150), ("run-older.log", 100), ("notes.txt", 300)] {
        let file = fs::File::create(runs.join(name)).unwrap();
        file.set_len(megabytes * 1_000_000).unwrap();
        let hour = std::time::Duration::from_secs(3_600);
        let age = if name == "run-older.log" { 2 * hour } else { hour };
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
    }
    run_in(&state, &["--", "seq", "1", "9000"]);
    let mut names: Vec<String> =
        saved(&state).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains(&"notes.txt".into()) && names.contains(&"run-old.log".into()), "{names:?}");
}

#[test]
fn without_a_place_to_save_it_the_output_is_printed() {
    let mut command = contextfit();
    command.args(["run", "--", "seq", "1", "9000"]).env_remove("XDG_STATE_HOME").env_remove("HOME");
    let output = command.output().unwrap();
    assert!(output.stdout.ends_with(b"\n9000\n"));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("warning: the output is printed as it is: no folder to save it in"), "{told}");
}
