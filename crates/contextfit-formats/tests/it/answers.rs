//! Answers.

use contextfit_formats::{
    DroppedMemory, ErrorAnswer, ErrorCode, MemoryAnswer, MemoryAnswerEntry, MemoryMetrics, Order,
    SearchAnswer, SearchRequest, WireFormat,
};
use contextfit_kernel::{
    Action, ByteRange, CompressionMetrics, CompressionResult, Context, Level, Outcome, Piece, Plan, Reason,
    Stage, Step, Tokens,
};
use serde_json::{Value, json};

fn input() -> Context {
    SearchRequest::parse(
        r#"[{"id": "whole", "text": "all of it"}, {"id": "cut", "text": "one\ntwo\nthree\n"},
            {"id": "gist", "text": "long"}, {"id": "gone", "text": "gone"}, {"id": "empty", "text": ""}]"#,
    )
    .unwrap()
    .into_context()
}

fn metrics() -> CompressionMetrics {
    CompressionMetrics::default()
        .with_tokens_before(Tokens::new(5000))
        .with_tokens_after(Tokens::new(1180))
        .with_blocks_before(5)
        .with_blocks_after(4)
        .with_metadata_only(1)
}

fn range(start: usize, end: usize) -> Piece {
    Piece::Source(ByteRange::new(start, end).unwrap())
}

#[test]
fn every_action_is_told() {
    let steps = vec![
        Step::new("whole", Action::Keep, Reason::Fits),
        Step::new(
            "cut",
            Action::Cut { pieces: vec![range(0, 4), Piece::Marker("[...]\n".into()), range(8, 14)] },
            Reason::NoRoomWhole { kept: 2, of: 3 },
        ),
        Step::new(
            "gist",
            Action::Render { level: Level::Gist, text: "[metadata-only] gist".into() },
            Reason::BelowThreshold { value: 0.1, threshold: 0.4 },
        ),
        Step::new("gone", Action::Drop, Reason::NoRoom { needed: Tokens::new(12) }),
        Step::new("empty", Action::Keep, Reason::Pinned),
    ];
    let stages = vec![
        Stage::new("smart-truncation", None, 3, Outcome::TooLong(Tokens::new(2000))),
        Stage::new("incremental", Some(Plan { strategy: "incremental".into(), steps }), 1, Outcome::Applied),
    ];
    let tokens = [3, 9, 4, 0, 0].map(Tokens::new).to_vec();
    let result = CompressionResult::new(Context::default(), "the text".into(), tokens, metrics(), stages);
    let answer = SearchAnswer::new(Some("q1".into()), "auto", &input(), &result);
    insta::assert_json_snapshot!(answer);

    let written = serde_json::to_string(&answer).unwrap();
    assert_eq!(serde_json::from_str::<SearchAnswer>(&written).unwrap(), answer);
}

#[test]
fn within_the_budget_every_chunk_is_kept() {
    let input = input();
    let tokens = [3, 9, 4, 1, 0].map(Tokens::new).to_vec();
    let result = CompressionResult::new(input.clone(), "as it was".into(), tokens, metrics(), vec![]);
    let answer = SearchAnswer::new(None, "auto", &input, &result);
    assert_eq!(answer.strategy, "auto");
    insta::assert_json_snapshot!(answer.blocks);
}

#[test]
fn a_failed_stage_makes_no_answer() {
    // The pipeline never returns a trace without an applied plan; even so, an answer must not invent an outcome.
    let input = input();
    let stage = Stage::new("metadata-only", None, 1, Outcome::Failed("no".into()));
    let result = CompressionResult::new(input.clone(), String::new(), vec![], metrics(), vec![stage]);
    let answer = SearchAnswer::new(None, "metadata-only", &input, &result);
    assert!(answer.blocks.iter().all(|block| block.action == "keep"));
}

#[test]
fn a_memory_answer_is_read_back() {
    let entries = vec![
        MemoryAnswerEntry::Shown(
            json!({"id": "a", "level": 2, "tokens": 41, "type": "tribal", "importance": "high"}),
        ),
        MemoryAnswerEntry::Dropped(DroppedMemory::new("b".into())),
    ];
    for unmatched in [vec![], vec!["ferry".to_owned()]] {
        let metrics = MemoryMetrics::new(metrics(), [0, 1, 2, 3], 0.5, 0.75)
            .with_tokens_not_resent(Tokens::new(7))
            .with_unmatched(unmatched);
        let answer = MemoryAnswer::new(Some(json!(7)), "the text".into(), entries.clone(), metrics);
        let written = serde_json::to_string(&answer).unwrap();
        assert_eq!(serde_json::from_str::<MemoryAnswer<Value>>(&written).unwrap(), answer);
    }
    let level = serde_json::from_value::<DroppedMemory>(json!({"id": "b", "level": 1, "tokens": 4}));
    assert!(level.is_err(), "a memory at a level is not dropped");
}

#[test]
fn names_are_read_back() {
    for code in ErrorCode::ALL {
        assert_eq!((code.name().parse(), json!(code)), (Ok(code), json!(code.name())));
    }
    for format in WireFormat::ALL {
        assert_eq!((format.name().parse(), json!(format)), (Ok(format), json!(format.name())));
    }
    assert!(Order::ALL.into_iter().all(|order| order.name().parse() == Ok(order)));
    let error = "openai".parse::<WireFormat>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown format \"openai\"; known: openai-chat, openai-responses, anthropic-messages"
    );
}

#[test]
fn an_error_answer_is_read_back() {
    let answer = ErrorAnswer::new(None, ErrorCode::Infeasible, "too much");
    let written = serde_json::to_string(&answer).unwrap();
    assert_eq!(serde_json::from_str::<ErrorAnswer>(&written).unwrap(), answer);
}
