//! Invalid requests: each error says where it is and what was expected there.

use std::fmt::Write as _;

use contextfit_formats::{ErrorAnswer, ErrorCode, SearchRequest};
use contextfit_kernel::{Blocker, Budget, Error, Hold, Tokens};

/// Invalid requests, from the outside in.
const BAD: &[&str] = &[
    "",
    "   ",
    "no json",
    "{",
    r#"{"chunks": ["#,
    "{\"chunks\": [\n  {\"text\": \"a\",}\n]}",
    r#"{"chunks": []} trailing"#,
    r#""a string""#,
    "{}",
    r#"{"chunks": null}"#,
    r#"{"chunks": {}}"#,
    r#"{"chunks": [{}]}"#,
    r#"{"chunks": [{"text": null}]}"#,
    r#"{"chunks": [{"text": "a"}, {"text": 5}]}"#,
    r#"{"chunks": [{"text": "a", "text": "b"}]}"#,
    r#"{"budget": -1, "chunks": []}"#,
    r#"{"budget": 1.5, "chunks": []}"#,
    r#"{"budget": "1200", "chunks": []}"#,
    r#"{"budget": 1e300, "chunks": []}"#,
    r#"{"budget": 99999999999999999999, "chunks": []}"#,
    r#"{"budget": 1000000000001, "chunks": []}"#,
    r#"{"budget": [], "chunks": []}"#,
    r#"{"budget": 10, "reserve": -3, "chunks": []}"#,
    r#"{"strategy": 5, "chunks": []}"#,
    r#"{"chunks": [{"text": "a"}, {"text": "b"}, {"text": "c"}, {"text": "d", "startLine": -4}]}"#,
    r#"{"chunks": [{"text": "a", "endLine": 2.5}]}"#,
    r#"{"chunks": [{"text": "a", "score": "high"}]}"#,
    r#"{"chunks": [{"text": "a", "id": [1]}]}"#,
    r#"{"chunks": [{"text": "a", "symbols": {"type": 1}}]}"#,
    r#"[{"text": "a"}, {"text": "b", "score": NaN}]"#,
    r#"[{"text": "a"}, 5]"#,
    "{\"chunks\": [{\"text\": \"a\nb\"}]}",
    r#"{"chunks": [{"text": "\ud800"}]}"#,
    r#"{"topK": 5, "chunks": []}"#,
    r#"{"Budget": 5, "chunks": []}"#,
    "{\"chunks\": [\n  {\"text\": \"a\"},\n  {\"txet\": \"b\"}]}",
    r#"[{"text": "a", "star_line": 3}]"#,
    r#"[{"text": "a", "startLine": 3, "start_line": 3}]"#,
    r#"[{"text": "a", "embedding": [0.1, {"x": null}]}]"#,
    r#"[{"text": "a", "symbols": {"functoin": "f"}}]"#,
    r#"{"layout": 7, "chunks": []}"#,
    r#"{"layout": {"header": true}, "chunks": []}"#,
    r#"{"layout": {"headers": 1}, "chunks": []}"#,
    r#"{"layout": {"separator": "-\n-"}, "chunks": []}"#,
];

#[test]
fn errors_say_where_and_what() {
    let mut report = String::new();
    for text in BAD {
        let error = SearchRequest::parse(text).expect_err(text);
        writeln!(report, "{}\n  {error}", text.escape_debug()).unwrap();
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_line_of_many_keeps_its_place() {
    let error = SearchRequest::parse(r#"{"budget": -1}"#).unwrap_err().at_line(17);
    assert_eq!((error.line, error.path.as_str()), (17, "budget"));
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let deep = "[".repeat(1_000_000);
    assert!(SearchRequest::parse(&deep).is_err());
    assert!(SearchRequest::parse(&format!(r#"{{"id": {deep}"#)).is_err());
    assert!(SearchRequest::parse(&format!(r#"{{"other": {deep}"#)).is_err());
}

#[test]
fn a_budget_is_checked_when_it_is_read() {
    let error = serde_json::from_str::<Budget>(r#"{"limit": 10, "reserve": 11}"#).unwrap_err().to_string();
    assert!(error.contains("a reserve of 11 tokens exceeds the limit of 10"), "{error}");
}

#[test]
fn error_answers_have_stable_codes() {
    let unread = SearchRequest::parse("{").unwrap_err();
    let blocker = Blocker { id: "c1".into(), tokens: Tokens::new(28), hold: Hold::Pinned };
    let infeasible =
        Error::Infeasible { needed: Tokens::new(30), available: Tokens::new(5), blockers: vec![blocker] };
    let reserve = Error::Reserve { reserve: Tokens::new(9), limit: Tokens::new(5) };
    let strategy = Error::UnknownStrategy { name: "x".into(), known: "auto".into() };
    insta::assert_json_snapshot!([
        ErrorAnswer::from_format(None, &unread),
        ErrorAnswer::new(Some("q1".into()), ErrorCode::from(&infeasible), infeasible.to_string()),
        ErrorAnswer::new(Some(2.into()), ErrorCode::from(&reserve), reserve.to_string()),
        ErrorAnswer::new(None, ErrorCode::from(&strategy), strategy.to_string()),
        ErrorAnswer::new(None, ErrorCode::MissingBudget, "no budget"),
    ]);
}
