//! `memory`.

use serde_json::{Value, json};

use crate::run::{Ran, run, tree};

/// Memories of different length and value; one is critical.
const REQUEST: &str = r#"{"id": "q1", "memories": [
    {"id": "money", "type": "constraint", "importance": "critical", "confidence": 1, "tags": ["money"],
     "knowledge": "Amounts are in cents. Never use floats for them. The ledger rounds half to even."},
    {"id": "retries", "type": "tribal", "importance": "high", "confidence": 0.9, "summary": "Retry payments with a key.",
     "knowledge": "The gateway answers 504 when it is slow. The charge may have gone through. A second charge is a second debit.",
     "examples": [{"language": "rust", "code": "charge(order, Key::from(order.id))"}],
     "evidence": [{"description": "A customer was charged twice in March.", "confidence": 0.9}]},
    {"id": "память", "type": "tribal", "importance": "low",
     "knowledge": "Деплой по пятницам запрещён. Исключение одно: откат."}]}"#;

fn memory(args: &[&str], request: &str) -> Ran {
    run(tree(&[]).path(), &[&["memory"], args].concat(), request)
}

#[test]
fn the_ladder_that_was_chosen() {
    insta::assert_snapshot!(memory(&["-b", "70", "--explain", "-"], REQUEST).told());
}

#[test]
fn every_budget_has_its_best_answer_or_says_what_it_needs() {
    let mut told = String::new();
    for budget in ["0", "2", "12", "100", "400"] {
        for strategy in ["greedy", "optimal"] {
            let ran = memory(&["-b", budget, "-s", strategy, "--text"], REQUEST);
            told += &format!("--- {budget} {strategy}\n{}\n", ran.told());
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn options_are_respected() {
    let ran = memory(
        &["-b", "60", "--max-level", "1", "--query", "деплой", "--share", "tribal=0.5", "--text"],
        REQUEST,
    );
    insta::assert_snapshot!(ran.told());
}

#[test]
fn what_was_sent_is_not_sent_again() {
    let request = REQUEST.replace(r#""tags": ["money"],"#, r#""tags": ["money"], "sent": 3,"#);
    let request = request.replace(r#""importance": "high","#, r#""importance": "high", "sent": 1,"#);
    insta::assert_snapshot!(memory(&["-b", "70", "--explain"], &request).told());
}

#[test]
fn a_report_holds_every_ladder() {
    let folder = tree(&[("m.json", REQUEST.as_bytes())]);
    let ran = run(folder.path(), &["memory", "m.json", "-b", "70", "--report", "r.json"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["context"], answer["context"]);
    assert_eq!(report["ladders"].as_array().unwrap().len(), 3);
}

#[test]
fn one_request_a_line() {
    let lines = format!(
        "{}\n[{{\"id\": 1, \"knowledge\": \"bare\"}}]\nnot json\n{{\"id\": 9, \"strategy\": \"magic\", \"memories\": []}}\n\
         {{\"id\": 10, \"budget\": 1, \"memories\": [{{\"importance\": \"critical\"}}]}}\n",
        REQUEST.replace('\n', " ")
    );
    insta::assert_snapshot!(memory(&["--jsonl", "-b", "30"], &lines).told());
}

#[test]
fn wrong_usage() {
    let mut told = String::new();
    for (args, request) in [
        (&["-b", "5"][..], "{"),
        (&["-b", "5", "--min-level", "4"], "[]"),
        (&["-b", "5", "--share", "tribal"], "[]"),
        (&["-b", "5"], r#"[{"importance": "huge"}]"#),
        (&["-b", "5"], r#"[{"id": "a", "replaces": "b"}, {"id": "b", "replaces": ["a"]}]"#),
        (&[], "[]"),
    ] {
        let ran = memory(args, request);
        assert_eq!(ran.out, "", "{args:?}");
        told += &format!("$ contextfit memory {}\n[{}] {}\n", args.join(" "), ran.code, ran.err);
    }
    insta::assert_snapshot!(told);
}

/// What a memory that is left out would need is more than what is free.
#[test]
fn why_a_memory_is_left_out_is_true() {
    let request = r#"[{"id": "best", "knowledge": "The orders service uses PostgreSQL since the migration, and as far as anyone knows nobody has looked back since then."},
        {"id": "rule", "importance": "critical", "knowledge": "Never deploy on Fridays."}]"#;
    let query = "which database does the orders service use";
    let ran = memory(&["-b", "24", "--query", query, "--explain", "--text"], request);
    let number = |after: &str| -> usize {
        let (_, rest) = ran.err.split_once(after).unwrap_or_else(|| panic!("{after:?} in {}", ran.err));
        rest.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty()).unwrap().parse().unwrap()
    };
    let needed = number("no room for its ");
    let taken = number("at 0) ·");
    assert!(needed > 24 - taken, "{needed} tokens fit next to {taken} of 24: {}", ran.err);
}

/// The words of the query that no memory contains are named.
#[test]
fn what_no_memory_contains() {
    let request = r#"[{"id": "m", "knowledge": "Services run in containers."}]"#;
    for (query, words) in [
        ("which services run", None),
        ("the Kafka operator of a service", Some(json!(["Kafka", "operator"]))),
    ] {
        let ran = memory(&["-b", "24", "--query", query], request);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["metrics"].get("unmatched"), words.as_ref());
        assert_eq!(ran.err.contains(" · in no memory: Kafka, operator"), words.is_some(), "{}", ran.err);
    }
}
