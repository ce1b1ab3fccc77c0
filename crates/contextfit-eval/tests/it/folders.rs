//! Small data sets, written by hand.

use std::fs;

use contextfit_eval::{Dataset, EvalError};
use tempfile::TempDir;

/// Three short documents; the second has characters of several bytes before its gold sentence.
pub(crate) const PASSAGES: &str = r#"
{"pid": "p1", "title": "Lighthouses", "text": "A lighthouse warns ships. The tallest one stands in Jeddah. Many are automatic today."}
{"pid": "p2", "title": "Röntgen", "text": "Röntgen war Physiker – und Lehrer. He discovered X-rays in 1895. He never patented them."}
{"pid": "p3", "title": "Bees", "text": "Bees dance to tell where food is. A hive holds up to 60,000 bees. Drones do not sting."}
"#;

/// Two questions; the second needs two sentences of two passages.
pub(crate) const QUERIES: &str = r#"
{"id": "q1", "question": "When were X-rays discovered?", "answers": ["1895", "in the year 1895"], "gold": [{"pid": "p2", "start": 35, "end": 65}], "candidates": ["p1", "p2", "p3"]}
{"id": "q2", "question": "Where do bees dance, and where is the tallest lighthouse?", "answers": ["JEDDAH"], "gold": [{"pid": "p3", "start": 0, "end": 33}, {"pid": "p1", "start": 26, "end": 59}], "candidates": ["p3", "p1"]}
"#;

/// One commit: the second of three functions changed.
pub(crate) const LOCALIZE: &str = r#"{"id": "r@1:a.py", "path": "a.py", "lang": "python", "query": "Fix the retry delay", "query_body": "", "content": "import time\n\ndef first():\n    return 1\n\ndef retry(delay):\n    time.sleep(delay)\n\n    return delay * 2\n\ndef last():\n    return 3\n", "gold": [{"name": "retry", "start": 6, "end": 9, "sig_line": 6}], "decls": [{"kind": "function", "name": "first", "sig_line": 3}, {"kind": "function", "name": "retry", "sig_line": 6}, {"kind": "function", "name": "last", "sig_line": 11}]}"#;

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// What reading a folder with these files comes to.
pub(crate) fn read(files: &[(&str, &str)], split: Option<&str>) -> Result<Dataset, EvalError> {
    Dataset::read(folder(files).path(), split)
}

/// The questions.
pub(crate) fn questions() -> Dataset {
    read(&[("dev.passages.jsonl", PASSAGES), ("dev.queries.jsonl", QUERIES)], None).unwrap()
}

/// The commit.
pub(crate) fn commit() -> Dataset {
    read(&[("dev.localize.jsonl", LOCALIZE)], None).unwrap()
}
