//! Any text, any size.

use std::time::Instant;

use contextfit_conversational::standing_instructions;
use contextfit_kernel::{Block, Context, Role, Turn};
use contextfit_pipeline::measure;
use contextfit_testkit::awkward_texts;
use contextfit_text::CharsPer;
use proptest::prelude::*;

use super::find;

/// Ranges are of whole units, in order; strengths are shares; what supersedes comes later.
fn check(talk: &[(Role, String)]) {
    let block = |(role, text): &(Role, String)| Block::turn("t", Turn::new(*role), text);
    let context = Context::new(talk.iter().map(block).collect());
    let counter = CharsPer::new(4).unwrap();
    let measured = measure(&context, &counter);
    let found = standing_instructions(&measured);
    assert!(found.is_sorted_by_key(|found| (found.block, found.range.end())));
    for (place, found) in found.iter().enumerate() {
        let block = &measured.blocks[found.block];
        assert!(block.is_unit_boundary(found.range.start()) && block.is_unit_boundary(found.range.end()));
        assert!(found.strength > 0.0 && found.strength <= 1.0 && !found.cues.is_empty());
        assert!(found.superseded_by.is_none_or(|later| later > place));
        assert!(!found.text(&measured).is_empty());
    }
}

#[test]
fn awkward() {
    for text in awkward_texts() {
        check(&[
            (Role::User, text.clone()),
            (Role::Assistant, ["[Earlier turns, shortened]\nuser: ", &text].concat()),
        ]);
    }
    assert_eq!(find(&[]), []);
}

/// Sentences that never end.
#[test]
fn endless() {
    let parts = [
        "never mind ",
        "“never ",
        "call me ",
        "at most 3 in French ",
        "if ",
        "no, ",
        "nie nunca jamais ",
        "不要",
        "the new plan ",
        "'",
    ];
    for part in parts {
        let text = part.repeat(200_000 / part.len());
        check(&[(Role::User, text.clone()), (Role::User, text)]);
    }
}

fn talk() -> impl Strategy<Value = Vec<(Role, String)>> {
    let role = prop_oneof![Just(Role::System), Just(Role::User), Just(Role::Assistant), Just(Role::Tool)];
    let words = "(never|always|do not|don't|from now on|I|you|must|at most|\\$5|Friday|actually|scratch that|call me|in French|German|[.,:?!\"'\n`> ]| ){0,30}";
    proptest::collection::vec(
        (role, prop_oneof![Just(".{0,120}"), Just(words)].prop_flat_map(|pattern| pattern)),
        0..8,
    )
}

proptest! {
    #[test]
    fn any_talk(talk in talk()) {
        check(&talk);
    }
}

/// Ten times the sentences take less than thirty times as long.
#[test]
fn linear() {
    let sentence = |n: usize| match n % 5 {
        0 => format!("Never send parcel {n} to depot {}. ", n % 97),
        1 => format!("Actually, the budget for item {} is now {n}. ", n % 89),
        _ => format!("I walked along road {n} and it was fine. "),
    };
    let time = |sentences: usize| {
        let blocks = (0..sentences / 10).map(|turn| {
            let text: String = (turn * 10..turn * 10 + 10).map(sentence).collect();
            Block::turn("t", Turn::new(Role::User), text)
        });
        let context = Context::new(blocks.collect());
        let counter = CharsPer::new(4).unwrap();
        let measured = measure(&context, &counter);
        let start = Instant::now();
        let found = standing_instructions(&measured).len();
        assert!(found > sentences / 5);
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (time(10_000), time(100_000));
    assert!(large < small * 30.0, "10,000 sentences: {small} s, 100,000: {large} s");
}
