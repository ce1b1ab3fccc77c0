//! Memory requests, valid and invalid.

use std::fmt::Write as _;

use contextfit_formats::{MemoryEntry, MemoryRequest};
use contextfit_kernel::Level;
use proptest::prelude::*;

/// The memory from the contract of the command line.
const CONTRACT: &str = r#"{"id": "q1", "query": "where?", "budget": 400, "memories": [
 {"id": "m1", "type": "tribal", "importance": "critical", "confidence": 0.9, "summary": "S", "knowledge": "K",
  "tags": ["a", "b"], "examples": [{"language": "rust", "code": "f()", "explanation": "e"}],
  "evidence": [{"description": "d", "confidence": 0.5}], "related": ["m2"], "causalChain": ["x", "y"],
  "linkedPatterns": ["p"], "linkedConstraints": ["c"], "linkedFiles": ["f.rs"], "linkedFunctions": ["f"],
  "relevance": 0.7, "sent": 1, "replaces": ["m0", 7]}]}"#;

#[test]
fn every_field_of_the_contract_is_read() {
    let request = MemoryRequest::parse(CONTRACT).unwrap();
    assert_eq!(request.memories[0].sent, Some(Level::Gist));
    insta::assert_json_snapshot!(request.into_records());
}

/// Names of several words have two spellings.
#[test]
fn snake_case_is_read_too() {
    let mut snake = CONTRACT.replace("causalChain", "causal_chain");
    for linked in ["Patterns", "Constraints", "Files", "Functions"] {
        snake = snake.replace(&format!("linked{linked}"), &format!("linked_{}", linked.to_lowercase()));
    }
    assert!(!snake.contains("linkedF"));
    assert_eq!(MemoryRequest::parse(&snake).unwrap(), MemoryRequest::parse(CONTRACT).unwrap());
    let both = r#"[{"linkedFiles": [], "linked_files": []}]"#;
    let error = MemoryRequest::parse(both).unwrap_err();
    assert_eq!(error.message, "duplicate field `linkedFiles`");
}

#[test]
fn null_is_as_good_as_absent() {
    let nulls = r#"[{"id": null, "type": null, "importance": null, "confidence": null, "summary": null, "tags": null,
        "replaces": null, "examples": null, "evidence": null, "causalChain": null, "pinned": null, "group": null, "sent": null}]"#;
    assert_eq!(MemoryRequest::parse(nulls).unwrap(), MemoryRequest::new(vec![MemoryEntry::default()]));
}

#[test]
fn a_single_id_needs_no_list() {
    let replaces = |text: &str| MemoryRequest::parse(text).unwrap().into_records().remove(0).replaces;
    assert_eq!(replaces(r#"[{"replaces": "m1"}]"#), ["m1"]);
    assert_eq!(replaces(r#"[{"replaces": 1}]"#), ["1"]);
}

#[test]
fn errors_say_where_and_what() {
    let mut report = String::new();
    for text in [
        "",
        "{}",
        r#"{"memories": 3}"#,
        r#"{"memories": ["text"]}"#,
        r#"[{"importance": "urgent"}]"#,
        r#"[{"id": "a"}, {"confidence": "sure"}]"#,
        r#"[{"tags": "one"}]"#,
        r#"[{"examples": ["f()"]}]"#,
        r#"[{"evidence": [{"confidence": true}]}]"#,
        r#"{"budget": -1, "memories": []}"#,
        r#"[{"sent": 4}]"#,
        r#"[{"replaces": ["a", {}]}]"#,
        r#"{"querry": "where?", "memories": []}"#,
        r#"[{"causal_chian": ["x"]}]"#,
        r#"[{"examples": [{"lang": "rust"}]}]"#,
        r#"[{"evidence": [{"confidance": 0.5}]}]"#,
    ] {
        let error = MemoryRequest::parse(text).expect_err(text);
        writeln!(report, "{}\n  {error}", text.escape_debug()).unwrap();
    }
    insta::assert_snapshot!(report);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(id in proptest::option::of(".*"), knowledge in ".*", tags in proptest::collection::vec(".*", 0..3)) {
        let entry = MemoryEntry { id, knowledge: Some(knowledge), tags: Some(tags), ..MemoryEntry::default() };
        let request = MemoryRequest::new(vec![entry]);
        prop_assert_eq!(MemoryRequest::parse(&serde_json::to_string(&request).unwrap()).unwrap(), request);
    }
}
