//! `files` and `search` on nothing but machine output.

use serde_json::Value;

use crate::run::{run, tree};

pub(crate) const COUNTED: [&str; 2] = ["--tokenizer", "chars/4"];

/// 600 lines, one of them an error.
pub(crate) fn log() -> String {
    let line = |n: usize| match n {
        400 => "2024-05-01 12:06:40 ERROR disk full on /dev/sda1\n".to_owned(),
        _ => format!("2024-05-01 12:{:02}:{:02} INFO request {n} took {} ms\n", n / 60, n % 60, n % 7),
    };
    (0..600).map(line).collect()
}

/// 300 users on one line, one of them with an error.
pub(crate) fn json() -> String {
    let user = |n: usize| match n {
        137 => r#"{"id": 137, "name": "user137", "city": "Rome", "active": true, "error": "card expired"}"#
            .to_owned(),
        _ => format!(r#"{{"id": {n}, "name": "user{n}", "city": "Rome", "active": true, "plan": "small"}}"#),
    };
    format!("[{}]", (0..300).map(user).collect::<Vec<_>>().join(", "))
}

pub(crate) fn bundle() -> String {
    let function = |n: usize| match n {
        300 => "function applyCoupon(e){throw new Error(\"coupon\")};".to_owned(),
        _ => format!("function a{n}(e,t){{return e>t?r{n}(e,{n}):console.log(n)}};"),
    };
    (0..600).map(function).collect()
}

#[test]
fn files_of_nothing_but_output() {
    let (log, json, bundle) = (log(), json(), bundle());
    let csv: String = (0..400).map(|n| format!("{n},user{n},ok\n")).collect();
    let folder = tree(&[
        ("a.log", log.as_bytes()),
        ("b.json", json.as_bytes()),
        ("c.csv", csv.as_bytes()),
        ("d.txt", log.as_bytes()),
        ("e.min.js", bundle.as_bytes()),
        ("src/f.rs", b"fn main() {\n    let x = 1;\n}\n"),
    ]);
    let shown = |args: &[&str], holds: &[&str]| {
        let flags = ["-b", "150", "--report", "report.json"];
        let ran = run(folder.path(), &[&["files"], args, &COUNTED, &flags].concat(), "");
        assert!(holds.iter().all(|text| ran.out.contains(text)), "{}", ran.told());
        let report = std::fs::read_to_string(folder.path().join("report.json")).unwrap();
        let strategy = serde_json::from_str::<Value>(&report).unwrap()["strategy"].clone();
        strategy.as_str().unwrap().to_owned()
    };
    assert_eq!(shown(&["a.log"], &["ERROR disk full", "request 0 "]), "excerpt");
    assert_eq!(shown(&["b.json"], &["card expired", "more\""]), "excerpt");
    assert_eq!(shown(&["c.csv"], &["0,user0,ok", "399,user399,ok"]), "excerpt");
    assert_eq!(shown(&["d.txt"], &["ERROR disk full"]), "excerpt");
    assert_eq!(shown(&["e.min.js"], &["function applyCoupon(", " characters]"]), "excerpt");
    assert_eq!(shown(&["e.min.js", "-q", "coupon"], &["applyCoupon", "characters]"]), "excerpt");
    assert_eq!(shown(&["a.log", "b.json", "-q", "expired"], &["ERROR disk full", "card expired"]), "excerpt");
    // Beside other files they have a part of the room.
    assert_eq!(shown(&["a.log", "src/f.rs"], &["ERROR disk full", "fn main"]), "outline + excerpt");
    assert_eq!(shown(&["a.log", "src/f.rs", "-s", "excerpt"], &["ERROR disk full", "fn main"]), "excerpt");
}

#[test]
fn chunks_of_nothing_but_output() {
    let chunk = |path: &str| serde_json::json!({"text": log(), "path": path});
    let request =
        serde_json::json!({"budget": 150, "chunks": [chunk("run.log"), chunk("again.log")]}).to_string();
    for strategy in ["auto", "excerpt"] {
        let ran = run(
            tree(&[]).path(),
            &["search", "--text", "-s", strategy, "--tokenizer", "chars/4"],
            request.as_str(),
        );
        assert_eq!(ran.out.matches("ERROR disk full").count(), 2, "{}", ran.told());
    }
}
