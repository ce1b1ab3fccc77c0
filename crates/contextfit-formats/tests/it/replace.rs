//! One text is replaced, and every other byte stays.

use contextfit_formats::{Conversation, ReplaceError, replace_text};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A JSON value as it is written.
#[derive(Debug, Clone)]
enum Json {
    /// A number or a literal.
    Scalar(&'static str),
    Text(String),
    Array(Vec<Self>),
    Object(Vec<Self>),
}

/// A string as it could be written, with its quotes.
fn written() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        " ",
        "~",
        "/",
        r"\/",
        r#"\""#,
        r"\\",
        r"\n",
        r"\u0041",
        r"\ud83d\ude00",
        r"\ud800",
        "é",
        "]",
        "{",
        "1e5",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..6)
        .prop_map(|it| format!("\"{}\"", it.concat()))
}

fn json() -> impl Strategy<Value = Json> {
    let scalars = ["1.0e5", "-0", "1e400", "123456789012345678901234567890", "true", "null"];
    let leaf = prop_oneof![
        prop::sample::select(scalars.to_vec()).prop_map(Json::Scalar),
        written().prop_map(Json::Text)
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let values = || prop::collection::vec(inner.clone(), 0..5);
        prop_oneof![values().prop_map(Json::Array), values().prop_map(Json::Object)]
    })
}

/// Writes JSON with white space by lot, and notes the strings in it.
#[derive(Default)]
struct Writer<'l> {
    text: String,
    lot: &'l [u8],
    turn: usize,
    /// The pointer, the start and the end of each string.
    strings: Vec<(String, usize, usize)>,
}

impl Writer<'_> {
    fn space(&mut self) {
        self.turn += 1;
        let lot = self.lot[self.turn % self.lot.len()];
        self.text.push_str(["", "", " ", "\n\t", "\r\n  "][usize::from(lot % 5)]);
    }

    fn write(&mut self, value: &Json, pointer: &str) {
        self.space();
        let start = self.text.len();
        match value {
            Json::Scalar(written) => self.text.push_str(written),
            Json::Text(written) => {
                self.text.push_str(written);
                self.strings.push((pointer.to_owned(), start, self.text.len()));
            }
            Json::Array(values) => self.list(values, pointer, ['[', ']']),
            Json::Object(values) => self.list(values, pointer, ['{', '}']),
        }
        self.space();
    }

    fn list(&mut self, values: &[Json], pointer: &str, [open, close]: [char; 2]) {
        self.text.push(open);
        for (n, value) in values.iter().enumerate() {
            self.text.push_str(if n > 0 { "," } else { "" });
            let mut step = n.to_string();
            if open == '{' {
                self.space();
                // One key, written in two ways.
                let key = ["~/k", r"\u007e\/\u006b"][usize::from(self.lot[n % self.lot.len()] % 2)];
                self.text.push_str(&format!("\"{key}{n}\""));
                self.space();
                self.text.push(':');
                step = format!("~0~1k{n}");
            }
            self.write(value, &format!("{pointer}/{step}"));
        }
        self.text.push(close);
    }
}

proptest! {
    #[test]
    fn every_other_byte_stays(value in json(), lot in prop::collection::vec(any::<u8>(), 1..9), text in any::<String>()) {
        let mut writer = Writer { lot: &lot, ..Writer::default() };
        writer.write(&value, "");
        for (pointer, start, end) in &writer.strings {
            let (before, after) = (writer.text.get(..*start).unwrap(), writer.text.get(*end..).unwrap());
            let expect = [before, &Value::from(text.as_str()).to_string(), after].concat();
            prop_assert_eq!(replace_text(&writer.text, pointer, &text), Ok(expect));
        }
    }

    #[test]
    fn any_input_gives_a_text_or_an_error(request in ".{0,40}", pointer in "[/~01a]{0,6}") {
        let _ = replace_text(&request, &pointer, "x");
    }
}

#[track_caller]
fn check(request: &str, pointer: &str, expect: &str) {
    let replaced = replace_text(request, pointer, "new");
    assert_eq!(replaced.unwrap_or_else(|error| error.to_string()), expect);
}

#[test]
fn cases() {
    check("\u{feff} \"old\" ", "", "\u{feff} \"new\" ");
    // The last of two equal keys counts, as for other readers.
    check(r#"{"a": "1", "a": "2"}"#, "/a", r#"{"a": "1", "a": "new"}"#);
    check(r#"{"": "1"}"#, "/", r#"{"": "new"}"#);
    let request = r#"{"a": [{"b": 1}, [], true, null, "x"]}"#;
    check(request, "/a/4", r#"{"a": [{"b": 1}, [], true, null, "new"]}"#);
    check(request, "/a/0/b", r#"expected a string at "/a/0/b", found a number"#);
    check(request, "/a/0", r#"expected a string at "/a/0", found an object"#);
    check(request, "/a/1", r#"expected a string at "/a/1", found an array"#);
    check(request, "/a/2", r#"expected a string at "/a/2", found a Boolean"#);
    check(request, "/a/3", r#"expected a string at "/a/3", found null"#);
    check(request, "", r#"expected a string at "", found an object"#);
    for (pointer, found) in [
        ("/a/5/c", "/a"),
        ("/a/04", "/a"),
        ("/a/+4", "/a"),
        ("/a/-", "/a"),
        ("/a/4/0", "/a/4"),
        ("a", ""),
        ("/b", ""),
    ] {
        check(
            request,
            pointer,
            &format!("nothing is at {pointer:?}: {found:?} is the longest part of it that exists"),
        );
    }
    assert!(matches!(replace_text("[1, ", "/0", ""), Err(ReplaceError::Json(error)) if error.line == 1));
}

/// Every text of a conversation is found at its pointer, in each format.
#[test]
fn messages_have_pointers() {
    for (request, texts) in [
        (json!([{"role": "user", "content": "a"}]), vec![vec!["/0/content"]]),
        (json!({"input": "a"}), vec![vec!["/input"]]),
        (
            json!({"system": "s", "messages": [{"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": "a"},
                {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "image"}, {"type": "text", "text": "b"}]}]}]}),
            vec![vec!["/messages/0/content/0/content", "/messages/0/content/1/content/1/text"]],
        ),
        (
            json!({"input": [{"type": "reasoning"}, {"type": "function_call_output", "call_id": "1", "output": "a"}]}),
            vec![vec![], vec!["/input/1/output"]],
        ),
    ] {
        let conversation = Conversation::parse(request.clone()).unwrap();
        for (index, pointers) in texts.iter().enumerate() {
            for (part, pointer) in pointers.iter().enumerate() {
                assert_eq!(conversation.pointer(index, part).as_deref(), Some(*pointer));
                assert!(request.pointer(pointer).is_some_and(Value::is_string));
            }
            assert_eq!(conversation.pointer(index, pointers.len()), None);
        }
    }
}
