//! Runs of the benchmark are compared by the ratios of their rows.

#[path = "../../benches/fit/gate.rs"]
#[expect(dead_code, reason = "the benchmark uses the rest")]
mod gate;

use gate::{Figure, Run};

/// A run of rows with these ratios.
fn run(rows: &[(&str, Option<f64>)]) -> Run {
    let figure =
        |&(key, ratio): &(&str, Option<f64>)| Figure { key: key.into(), bytes: 1, seconds: 1.0, ratio };
    Run { commit: None, quick: true, made: true, processors: 2, rows: rows.iter().map(figure).collect() }
}

#[track_caller]
fn check(before: &[(&str, Option<f64>)], after: &[(&str, Option<f64>)], expect: &[&str], missing: &[&str]) {
    let (before, after) = (run(before), run(after));
    let slower: Vec<String> = after.slower_than(&before, 0.25).iter().map(ToString::to_string).collect();
    assert_eq!(slower, expect);
    assert_eq!(after.missing_from(&before), missing);
}

#[test]
fn rows_are_compared_by_their_ratios() {
    let before = [("a", Some(2.0)), ("b", Some(1.0)), ("c", None)];
    check(&before, &before, &[], &[]);
    check(&before, &[("a", Some(2.5)), ("b", Some(0.1)), ("c", Some(9.0))], &[], &[]);
    check(
        &before,
        &[("a", Some(96.0)), ("b", Some(1.3))],
        &["a: 2.000 before, 96.000 now (+4700 %)", "b: 1.000 before, 1.300 now (+30 %)"],
        &["c"],
    );
    check(&before, &[("new", Some(9.0)), ("a", None), ("b", Some(1.0)), ("c", None)], &[], &[]);
}

#[test]
fn a_second_run_excuses_the_first() {
    let mut slow = run(&[("a", Some(3.0)), ("b", None)]);
    slow.improve(&run(&[("a", Some(2.0))]));
    assert_eq!(slow, run(&[("a", Some(2.0)), ("b", None)]));
}

#[test]
fn a_stored_run_is_read_back() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let run = run(&[("a", Some(0.1)), ("b", None)]);
    std::fs::write(file.path(), serde_json::to_string(&run).unwrap()).unwrap();
    assert_eq!(Run::read(file.path()), Ok(run));
    std::fs::write(file.path(), "[]").unwrap();
    assert!(Run::read(file.path()).unwrap_err().contains("no run of the benchmark"));
}
