//! `search --jsonl`.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

use crate::run::{run, tree};

#[test]
fn a_bad_line_is_told_and_the_rest_goes_on() {
    let lines: &[u8] = b"{\"id\": 1, \"chunks\": [{\"text\": \"hello world\"}]}\n\
        \n\
        not json\n\
        {\"id\": \"q3\", \"budget\": -1, \"chunks\": []}\n\
        {\"id\": 4, \"strategy\": \"magic\", \"chunks\": []}\n\
        \xff\xfe\n\
        {\"id\": 6, \"budget\": 1, \"reserve\": 2, \"chunks\": []}\n\
        {\"id\": 7, \"budget\": 0, \"chunks\": [{\"text\": \"does not fit\"}]}\n\
        [{\"id\": \"bare\", \"text\": \"an array\"}]";
    insta::assert_snapshot!(run(tree(&[]).path(), &["search", "--jsonl", "-b", "100"], lines).told());
}

#[test]
fn without_a_budget_every_line_says_so() {
    let ran = run(tree(&[]).path(), &["search", "--jsonl"], "{\"id\": 1, \"chunks\": []}\n");
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with(r#"{"id":1,"error":{"code":"missing-budget","#), "{}", ran.out);
}

#[test]
fn lines_without_the_flag_are_told_of_it() {
    for (command, line) in [("search", "chunks"), ("chat", "messages"), ("memory", "memories")] {
        let lines = format!("{{\"{line}\": []}}\n").repeat(2);
        let ran = run(tree(&[]).path(), &[command, "-b", "100"], lines);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command}: {}", ran.err);
        assert!(ran.err.contains("line 2, column 1"), "{command}: {}", ran.err);
        assert!(ran.err.contains("for one request a line say --jsonl"), "{command}: {}", ran.err);
    }
}

#[test]
fn thousands_of_requests_stay_in_order() {
    let request = |n: usize| {
        let text = "One sentence, and one more. ".repeat(1 + n % 50);
        serde_json::json!({"id": n, "chunks": [{"text": text}, {"text": "A last one."}]}).to_string()
    };
    let lines: Vec<String> = (0..3000).map(request).collect();
    let folder = tree(&[("requests.jsonl", lines.join("\n").as_bytes())]);
    let args = ["search", "--jsonl", "requests.jsonl", "-b", "60", "--tokenizer", "chars/4"];
    let ran = run(folder.path(), &args, "");
    let answers: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 3000);
    for (n, answer) in answers.iter().enumerate() {
        assert_eq!(answer["id"], n);
        assert!(answer["metrics"]["tokensAfter"].as_u64().unwrap() <= 60, "{answer}");
    }
    assert!(ran.err.starts_with("answered 3,000 requests, none with an error"), "{}", ran.err);
}

/// An application may send a request, wait for the answer, and only then send the next.
#[test]
fn a_conversation_line_by_line() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_contextfit"))
        .args(["search", "--jsonl", "-b", "50", "--tokenizer", "chars/4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for n in 0..3 {
        writeln!(requests, "{{\"id\": {n}, \"chunks\": [{{\"text\": \"hello\"}}]}}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.starts_with(&format!("{{\"id\":{n},")), "{answer}");
    }
    drop(requests);
    assert!(answers.next().is_none());
    assert!(child.wait().unwrap().success());
}
