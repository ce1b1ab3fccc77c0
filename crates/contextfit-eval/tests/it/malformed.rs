//! Data that is not as it should be, and what is said of it.

use crate::folders::{LOCALIZE, PASSAGES, QUERIES, folder};
use contextfit_eval::Dataset;

/// What is said of a folder with these files, the folder's name left out.
fn told(files: &[(&str, &str)]) -> String {
    let folder = folder(files);
    let error = Dataset::read(folder.path(), None).unwrap_err();
    error.to_string().replace(&*folder.path().to_string_lossy(), "data")
}

/// The same questions with `from` as `to`.
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
        questions("]}\n{", "]} {}\n{"),
        told(&[("dev.passages.jsonl", &twice), ("dev.queries.jsonl", QUERIES)]),
        told(&[("dev.passages.jsonl", PASSAGES), ("dev.queries.jsonl", "\n\n")]),
        code("\"end\": 9", "\"end\": 90"),
        code("\"start\": 6", "\"start\": 0"),
        code("\"content\"", "\"contents\""),
        code("\"sig_line\": 3", "\"sig_line\": null"),
        told(&[("dev.passages.jsonl", PASSAGES), ("test.queries.jsonl", QUERIES)]),
        told(&[]),
    ];
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_folder_that_is_not_there() {
    let error = Dataset::read("no/such/folder".as_ref(), None).unwrap_err();
    assert_eq!(error.to_string(), "cannot read no/such/folder");
}
