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

/// The result of reading a folder with these files.
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

/// A conversation of two sessions, as in LoCoMo.
pub(crate) const CONVERSATIONS: &str = r#"{"conv_id": "c1", "speakers": ["Ada", "Ben"], "sessions": [{"session": 1, "date": "1:56 pm on 8 May, 2023", "turns": [{"id": "D1:1", "speaker": "Ada", "text": "Hello Ben: how was the regatta?"}, {"id": "D1:2", "speaker": "Ben", "text": "We came third."}]}, {"session": 2, "date": "9 June, 2023", "turns": [{"id": "D2:1", "speaker": "Ada", "text": "I bought a sextant in Lisbon."}, {"id": "D2:2", "speaker": "Ben", "text": "What for?"}, {"id": "D2:3", "speaker": "Ada", "text": "To look at."}]}]}"#;

/// Two questions about it, and one that it does not answer.
pub(crate) const QUESTIONS: &str = r#"
{"id": "q1", "conv_id": "c1", "question": "Where did Ada buy the sextant?", "answer": "Lisbon", "category": 4, "adversarial": false, "evidence": ["D2:1"]}
{"id": "q2", "conv_id": "c1", "question": "What did Ada ask about, and how did it end?", "answer": "", "category": 1, "adversarial": false, "evidence": ["D1:1", "D1:2"]}
{"id": "q3", "conv_id": "c1", "question": "Where did Ben buy the sextant?", "adversarial": true, "evidence": ["D2:1"]}
"#;

/// A meeting and two queries about it, as in QMSum.
pub(crate) const MEETINGS: &str = r#"{"meeting_id": "m1", "turns": [{"id": 0, "speaker": "Prof. E", "text": "So we start ."}, {"id": 1, "speaker": "Grad G", "text": "The recorder crashed twice last week ."}, {"id": 2, "speaker": "Prof. E", "text": "Why ?"}, {"id": 3, "speaker": "Grad G", "text": "OK ."}], "queries": [{"id": "m1-q0", "query": "Why did the recorder crash?", "answer": "", "spans": [[1, 2]]}, {"id": "m1-q1", "query": "How did they start?", "answer": "", "spans": [[0, 0], [3, 3]]}], "topics": []}"#;

/// A run of an agent with two calls, cut before the second and after it.
pub(crate) const TRAJECTORIES: &str = r#"{"id": "r1", "messages": [{"role": "system", "content": "You book flights. Flight HAT001 is closed."}, {"role": "user", "content": "I am mia_li_3668; change my flight."}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": "{\"user_id\": \"mia_li_3668\"}"}}]}, {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": "Name: Mia Li\nReservation: NO6JO3\nCard: credit_card_4421486\n"}, {"role": "user", "content": "The one to Oslo, please."}, {"role": "assistant", "content": "One moment."}], "eval_points": [{"cut": 5, "tool": "get_reservation", "args": {}, "gold": [{"value": "NO6JO3", "seen_in": [3]}, {"value": "mia_li_3668", "seen_in": [1]}]}, {"cut": 2, "gold": [{"value": "HAT001", "seen_in": [0]}]}]}"#;

/// An output of a tool, with a fact of two strings and one of one.
pub(crate) const CASES: &str = r#"{"id": "log/S1", "format": "anthropic", "tokens": 120, "request": {"messages": [{"role": "user", "content": "What failed?"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "make"}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "cc a.c\ncc b.c\nb.c:7: error: no member named size\nmake: *** [b.o] Error 1\n"}]}]}, "facts": [{"cat": "error", "must": ["b.c:7", "no member named size"], "span": 240}, {"cat": "total", "must": ["Error 1"], "span": 240}]}"#;

/// The conversation.
pub(crate) fn talk() -> Dataset {
    let files = [("dev.conversations.jsonl", CONVERSATIONS), ("dev.queries.jsonl", QUESTIONS)];
    read(&files, None).unwrap()
}

/// The meeting.
pub(crate) fn meeting() -> Dataset {
    read(&[("dev.meetings.jsonl", MEETINGS)], None).unwrap()
}

/// The run.
pub(crate) fn run() -> Dataset {
    read(&[("dev.trajectories.jsonl", TRAJECTORIES)], None).unwrap()
}

/// An output by itself, with a fact for everybody and two for whoever asks.
pub(crate) const OUTPUT: &str = r#"{"id": "make", "cmd": "make", "question": "Which file is missing?", "text": "cc a.c\n\ncc b.c\n\nb.c:1: no such file: b.h\n\nmake: Error 1\n", "facts": [{"kind": "S", "must": ["Error 1"], "span": 20}, {"kind": "Q", "must": ["b.h"], "span": 20}, {"kind": "Q", "must": ["b.c:1", "no such"], "span": 14}]}"#;
