//! Chunks of one document: shown as one, reported one by one.

use std::sync::Arc;

use contextfit_formats::{Order, SearchAnswer, SearchRequest};
use contextfit_kernel::{Budget, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_text::CharsPer;

/// The id of a chunk, its action, its tokens, and its ranges.
type Shown<'t> = (&'t str, &'t str, usize, &'t [(usize, usize)]);

/// Checks that `chunks` in `order` give `context`, and `blocks`: ids with actions, tokens and ranges.
#[track_caller]
fn check(chunks: &str, order: Order, context: &str, blocks: &[Shown<'_>]) {
    let documents = SearchRequest::parse(chunks).unwrap().into_documents(order);
    let pipeline =
        Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(contextfit_testkit::DropAll);
    let result = pipeline.fit(&documents.context, &Budget::new(Tokens::new(10_000))).unwrap();
    let answer = SearchAnswer::of_documents(None, "auto", &documents, &documents.context, &result);
    assert_eq!(answer.context, context);
    let told: Vec<_> = answer
        .blocks
        .iter()
        .map(|block| {
            let ranges: Vec<_> = block.ranges.iter().map(|range| (range.start(), range.end())).collect();
            (block.id.clone(), block.action.clone(), block.tokens.get(), ranges)
        })
        .collect();
    let expect: Vec<_> = blocks
        .iter()
        .map(|(id, action, tokens, ranges)| {
            ((*id).to_owned(), (*action).to_owned(), *tokens, ranges.to_vec())
        })
        .collect();
    assert_eq!(told, expect);
    assert_eq!((answer.metrics.blocks_before, answer.metrics.blocks_after), (blocks.len(), blocks.len()));
    for (n, block) in answer.blocks.iter().enumerate() {
        assert_eq!(documents.text(n).map(str::len), block.ranges.first().map(|range| range.end()));
    }
}

#[test]
fn overlapping_chunks_are_one_text() {
    check(
        r#"[{"id": "b", "path": "t.md", "text": "the bridge was built in 1902 by Ann."},
            {"id": "a", "path": "t.md", "text": "In town the bridge was built in 1902"}]"#,
        Order::Document,
        "File: t.md\n\nIn town the bridge was built in 1902 by Ann.",
        &[("b", "keep", 11, &[(0, 36)]), ("a", "keep", 49, &[(0, 36)])],
    );
}

#[test]
fn pieces_of_one_path_are_told_apart() {
    check(
        r#"[{"id": "a", "path": "t.md", "text": "One.", "score": 0.1}, {"id": "b", "text": "Two.", "score": 0.5},
            {"id": "c", "path": "t.md", "text": "Three.", "score": 0.9}]"#,
        Order::Score,
        "File: t.md (part 1)\n\nThree.\n---\nb\nTwo.\n---\nFile: t.md (part 2)\n\nOne.",
        &[("a", "keep", 29, &[(0, 4)]), ("b", "keep", 10, &[(0, 4)]), ("c", "keep", 31, &[(0, 6)])],
    );
}
