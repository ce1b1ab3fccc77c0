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
        assert!(ran.err.contains("use --jsonl to read one request per line"), "{command}: {}", ran.err);
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

/// Checks the error answer of `command` to the first of two lines, the second of which is valid.
#[track_caller]
fn check_unknown(command: &str, bad: &str, good: &str, message: &str) {
    let ran = run(tree(&[]).path(), &[command, "--jsonl", "-b", "100"], format!("{bad}\n{good}\n"));
    let answers: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [bad, good] = <[serde_json::Value; 2]>::try_from(answers).unwrap();
    assert_eq!((&bad["id"], &bad["error"]["code"]), (&7.into(), &"invalid-request".into()));
    let told = bad["error"]["message"].as_str().unwrap();
    assert!(told.starts_with("line 1") && told.contains(message), "{told}");
    assert!(good["error"].is_null(), "{good}");
}

#[test]
fn unknown_keys_are_told_with_the_nearest() {
    let wrong = r#"{"id": 7, "chunks": [{"text": "a"}, {"txet": "b"}]}"#;
    let told = r#"chunks[1].txet: unknown key "txet", did you mean "text"? (known: id, path,"#;
    check_unknown("search", wrong, r#"{"chunks": [{"text": "a"}]}"#, told);
    let wrong = r#"{"id": 7, "memories": [{"knowlege": "a"}]}"#;
    let told = r#"memories[0].knowlege: unknown key "knowlege", did you mean "knowledge"? (known: id, type,"#;
    check_unknown("memory", wrong, r#"{"memories": [{"knowledge": "a"}]}"#, told);
    let good = r#"{"id": 8, "messages": [{"role": "user", "content": "a", "own": 1}]}"#;
    let wrong = good.replace("8", "7").replace("messages", "mesages");
    check_unknown(
        "chat",
        &wrong,
        good,
        r#"mesages: unknown key "mesages", did you mean "messages"? (known: id,"#,
    );
}

/// Runs `command` on one request with unpaired surrogates, and on the same request as two lines.
#[track_caller]
fn check_halves(command: &str, request: &str, shown: &str) {
    let args = [command, "-b", "100"];
    let ran = run(tree(&[]).path(), &args, request);
    assert!(ran.code == 0 && ran.out.contains(shown), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.starts_with("note: read 2 unpaired surrogates (such as \\ud83d alone) as U+FFFD"),
        "{}",
        ran.err
    );
    let lines = format!("{request}\n{{\n{request}\n");
    let ran = run(tree(&[]).path(), &[&args[..], &["--jsonl"]].concat(), lines);
    let answers: Vec<bool> = ran.out.lines().map(|line| line.contains(shown)).collect();
    assert_eq!(answers, [true, false, true], "{}", ran.out);
    assert_eq!(ran.err.matches("note: read 4 unpaired surrogates").count(), 1, "{}", ran.err);
}

#[test]
fn halves_of_characters_are_replaced_and_counted() {
    check_halves(
        "search",
        r#"{"id": "\ud83d", "chunks": [{"text": "cut \ude00 \ud83d\ude00 \\ud83d"}]}"#,
        "cut \u{fffd} 😀 \\\\ud83d",
    );
    check_halves("memory", r#"[{"knowledge": "cut \ud83d", "tags": ["\uDBFF"]}]"#, "cut \u{fffd}");
    check_halves(
        "chat",
        r#"[{"role": "user", "content": "cut \ud83d", "own": ["\uDFFF"]}]"#,
        r#""cut �","own":["�"]"#,
    );
}

#[test]
fn errors_keep_their_place_after_halves_of_characters() {
    let ran = run(tree(&[]).path(), &["search", "-b", "9"], r#"{"query": "\ud83d", "chunks": 3}"#);
    assert!(ran.err.contains("line 1, column 31: chunks: invalid type"), "{}", ran.err);
}

/// An application may send a request, wait for the answer, and only then send the next one.
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
