//! Malformed data, and the resulting messages.

use crate::folders::{
    CASES, CONVERSATIONS, LOCALIZE, MEETINGS, OUTPUT, PASSAGES, QUERIES, QUESTIONS, TRAJECTORIES, folder,
};
use contextfit_eval::Dataset;

/// The error for a folder with these files, without the folder's path.
fn told(files: &[(&str, &str)]) -> String {
    let folder = folder(files);
    let error = Dataset::read(folder.path(), None).unwrap_err();
    error.to_string().replace(&*folder.path().to_string_lossy(), "data")
}

/// The error after replacing `from` by `to` in the questions.
#[track_caller]
fn questions(from: &str, to: &str) -> String {
    assert!(QUERIES.contains(from), "{from}");
    told(&[("dev.passages.jsonl", PASSAGES), ("dev.queries.jsonl", &QUERIES.replacen(from, to, 1))])
}

#[track_caller]
fn code(from: &str, to: &str) -> String {
    assert!(LOCALIZE.contains(from), "{from}");
    told(&[("dev.localize.jsonl", &LOCALIZE.replacen(from, to, 1))])
}

/// The error after replacing `from` by `to` in the conversation's turns or questions.
#[track_caller]
fn talk(from: &str, to: &str) -> String {
    let [conversations, queries] = [CONVERSATIONS, QUESTIONS].map(|text| text.replacen(from, to, 1));
    assert!(conversations != CONVERSATIONS || queries != QUESTIONS, "{from}");
    told(&[("dev.conversations.jsonl", &conversations), ("dev.queries.jsonl", &queries)])
}

/// The error for the single file `name` after replacing `from` by `to`.
#[track_caller]
fn one(name: &str, text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    told(&[(name, &text.replacen(from, to, 1))])
}

#[test]
fn every_fault_has_its_place() {
    let twice = PASSAGES.replace("\"p3\"", "\"p1\"");
    let all = [
        questions("\"start\": 35", "\"start\": \"35\""),
        questions("\"start\": 35, ", ""),
        questions("\"start\": 35", "\"start\": 66"),
        questions("\"end\": 65", "\"end\": 650"),
        questions("{\"pid\": \"p2\"", "{\"pid\": \"p9\""),
        questions("\"p3\"]}", "\"p7\"]}"),
        questions("\"answers\": [\"1895\"", "\"answers\": [1895"),
        questions("{\"id\": \"q2\"", "{\"id\": \"q1\""),
        questions("\"q2\"", "\"q2"),
        questions("[{\"pid\": \"p2\", \"start\": 35, \"end\": 65}]", "[]"),
        questions("[\"p1\", \"p2\", \"p3\"]", "[\"p1\", \"p3\"]"),
        questions("]}\n{", "]} {}\n{"),
        told(&[("dev.passages.jsonl", &twice), ("dev.queries.jsonl", QUERIES)]),
        told(&[("dev.passages.jsonl", PASSAGES), ("dev.queries.jsonl", "\n\n")]),
        code("\"end\": 9", "\"end\": 90"),
        code("\"start\": 6", "\"start\": 0"),
        code("\"content\"", "\"contents\""),
        code("[{\"name\": \"retry\", \"start\": 6, \"end\": 9, \"sig_line\": 6}]", "[]"),
        code("\"sig_line\": 3", "\"sig_line\": null"),
        told(&[("dev.passages.jsonl", PASSAGES), ("test.queries.jsonl", QUERIES)]),
        told(&[]),
        talk("\"evidence\": [\"D2:1\"", "\"evidence\": [\"D9:1\""),
        talk("\"conv_id\": \"c1\", \"question\"", "\"conv_id\": \"c2\", \"question\""),
        talk("\"text\": \"We came third.\"", "\"text\": 3"),
        talk("\"evidence\": [\"D1:1\", \"D1:2\"]", "\"evidence\": []"),
        one("dev.meetings.jsonl", MEETINGS, "[[1, 2]]", "[]"),
        one("dev.trajectories.jsonl", TRAJECTORIES, "[{\"value\": \"HAT001\", \"seen_in\": [0]}]", "[]"),
        one("dev.meetings.jsonl", MEETINGS, "[[1, 2]]", "[[1, 4]]"),
        one("dev.meetings.jsonl", MEETINGS, "[[1, 2]]", "[[2, 1]]"),
        one("dev.meetings.jsonl", MEETINGS, "[[1, 2]]", "[[1]]"),
        one("dev.trajectories.jsonl", TRAJECTORIES, "\"cut\": 2", "\"cut\": 7"),
        one("dev.trajectories.jsonl", TRAJECTORIES, "\"role\": \"tool\"", "\"role\": 7"),
        one("dev.cases.jsonl", CASES, "\"anthropic\"", "\"telex\""),
        one("dev.cases.jsonl", CASES, "[\"Error 1\"]", "[]"),
        one("dev.cases.jsonl", OUTPUT, "[\"b.h\"]", "[]"),
        one("dev.cases.jsonl", OUTPUT, "\"S\"", "\"T\""),
        told(&[("dev.memories.jsonl", r#"{"id": "m", "question": "?", "memories": [], "must": ["a"]}"#)]),
        one("dev.cases.jsonl", CASES, "\"messages\": [{\"role\": \"user\"", "\"messages\": [{\"role\": 7"),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_folder_that_is_not_there() {
    let error = Dataset::read("no/such/folder".as_ref(), None).unwrap_err();
    assert_eq!(error.to_string(), "cannot read no/such/folder");
}
