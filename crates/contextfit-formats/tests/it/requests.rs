//! Valid requests.

use contextfit_formats::{Order, SearchChunk, SearchRequest};
use contextfit_kernel::{BlockKind, Layout, Tokens};
use proptest::prelude::*;

/// The request from the contract of the command line.
const CONTRACT: &str = r#"{"id": "q1", "query": "where?", "budget": 1200, "strategy": "bm25",
 "chunks": [{"id": "c1", "path": "src/utils.ts", "title": "Utils", "text": "export const a = 1", "score": 0.83,
             "startLine": 10, "endLine": 50, "language": "typescript",
             "symbols": {"class": "A", "function": "b", "type": "T", "section": "S"}}]}"#;

#[track_caller]
fn parse(text: &str) -> SearchRequest {
    SearchRequest::parse(text).unwrap()
}

/// The ids of the blocks of a request.
#[track_caller]
fn check_ids(text: &str, ids: &[&str]) {
    let context = parse(text).into_context();
    assert_eq!(context.blocks.iter().map(|block| block.id.as_str()).collect::<Vec<_>>(), ids);
}

#[test]
fn every_field_of_the_contract_is_read() {
    insta::assert_json_snapshot!(parse(CONTRACT));
}

/// Names of several words have two spellings, in requests only.
#[test]
fn snake_case_is_read_too() {
    let snake = CONTRACT.replace("startLine", "start_line").replace("endLine", "end_line");
    assert_eq!(parse(&snake), parse(CONTRACT));
    let layout = |name: &str| parse(&format!(r#"{{"layout": {{"{name}": true}}, "chunks": []}}"#)).layout;
    assert_eq!(layout("line_numbers"), layout("lineNumbers"));
    assert!(serde_json::to_string(&parse(&snake)).unwrap().contains("\"startLine\":10"));
}

#[test]
fn a_layout_is_applied() {
    let chunks = r#"[{"path": "a.md", "text": "one"}, {"path": "b.md", "text": "two"}]"#;
    let check = |layout: &str, expect: &Layout| {
        let request = parse(&format!(r#"{{"layout": {layout}, "chunks": {chunks}}}"#));
        assert_eq!(request.clone().into_context().layout, *expect);
        assert_eq!(request.into_documents(Order::Score).context.layout, *expect);
    };
    check("null", &Layout::default());
    check("{}", &Layout::default());
    check(r#"{"separator": "", "omission": true}"#, &Layout::default().with_separator(""));
    check(
        r#"{"headers": false, "separator": "***", "omission": false, "lineNumbers": true}"#,
        &Layout::default()
            .with_headers(false)
            .with_separator("***")
            .with_omission(None)
            .with_line_numbers(true),
    );
    assert_eq!(parse(chunks).into_context().layout, Layout::default());
}

#[test]
fn chunks_become_passages() {
    let context = parse(CONTRACT).into_context();
    assert_eq!(context.query.as_deref(), Some("where?"));
    let [block] = context.blocks.as_slice() else { panic!("one chunk is one block") };
    assert!(matches!(block.kind, BlockKind::Passage(_)));
    insta::assert_snapshot!(block.header());
}

#[test]
fn a_bare_array_is_a_request() {
    let request = parse(" \n [{\"text\": \"a\"}, {\"text\": \"b\"}]");
    assert_eq!((request.chunks.len(), request.budget), (2, None));
}

#[test]
fn ids_are_strings_or_numbers_or_made() {
    check_ids(
        r#"[{"id": "a", "text": ""}, {"id": 7, "text": ""}, {"id": 1.5, "text": ""}]"#,
        &["a", "7", "1.5"],
    );
    check_ids(r#"[{"text": ""}, {"id": null, "path": "p", "text": ""}, {"text": ""}]"#, &["1", "p", "3"]);
    check_ids(r#"[{"id": "same", "text": ""}, {"id": "same", "text": ""}]"#, &["same", "same"]);
}

#[test]
fn the_id_of_a_request_is_kept_as_it_is() {
    for id in [r#""q1""#, "7", "-3", "1.5", "18446744073709551615", r#"{"a":[1]}"#] {
        let request = parse(&format!(r#"{{"id": {id}, "chunks": []}}"#));
        assert_eq!(serde_json::to_string(&request.id).unwrap(), id);
    }
}

#[test]
fn null_is_as_good_as_absent() {
    let request = parse(
        r#"{"id": null, "query": null, "budget": null, "reserve": null, "strategy": null, "chunks": [{"id": null,
            "path": null, "title": null, "text": "t", "score": null, "startLine": null, "endLine": null,
            "language": null, "symbols": null}]}"#,
    );
    assert_eq!(request, SearchRequest::new(vec![SearchChunk::new("t")]));
}

#[test]
fn a_whole_number_may_be_written_as_a_float() {
    let request = parse(r#"{"budget": 1200.0, "reserve": 1e2, "chunks": [{"text": "t", "startLine": 3.0}]}"#);
    assert_eq!((request.budget, request.reserve), (Some(Tokens::new(1200)), Some(Tokens::new(100))));
    assert_eq!(request.chunks[0].start_line, Some(3));
}

#[test]
fn a_byte_order_mark_is_no_error() {
    assert_eq!(parse("\u{feff}[]").chunks, []);
    assert_eq!(SearchRequest::id_of("\u{feff}{\"id\": 1}"), Some(1.into()));
}

#[test]
fn the_id_of_a_bad_request_is_found() {
    assert_eq!(SearchRequest::id_of(r#"{"budget": -1, "id": "q9", "chunks": 3}"#), Some("q9".into()));
    assert_eq!(SearchRequest::id_of(r#"{"id": "q9", "chunks": ["#), None);
    assert_eq!(SearchRequest::id_of("[]"), None);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        budget in proptest::option::of(0_usize..1_000_000_000_000),
        query in proptest::option::of(".*"),
        chunks in proptest::collection::vec((proptest::option::of(".*"), ".*", proptest::option::of(-1e9..1e9)), 0..8),
    ) {
        let mut request = SearchRequest::new(
            chunks.into_iter().map(|(id, text, score)| {
                let mut chunk = SearchChunk::new(text).with_score(score);
                chunk.id = id;
                chunk
            }).collect(),
        );
        request.budget = budget.map(Tokens::new);
        request.query = query;
        let written = serde_json::to_string(&request).unwrap();
        prop_assert_eq!(SearchRequest::parse(&written).unwrap(), request);
    }

    #[test]
    fn nothing_that_is_no_request_panics(text in ".*") {
        let _ = SearchRequest::parse(&text);
        let _ = SearchRequest::id_of(&text);
    }
}
