//! Excerpts: valid cuts that fit the room, JSON that parses, the important parts of each kind.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod headings;
mod kinds;
mod lossless;
mod properties;
mod snapshots;
mod strategy;
mod tables;
mod telling;

use contextfit_excerpt::excerpt;
use contextfit_kernel::{
    Action, Block, ByteRange, Context, Framing, Layout, Piece, Plan, Reason, Role, Step, TokenCounter,
    Tokens, Turn,
};
use contextfit_pipeline::{check_plan, measure};
use contextfit_text::is_json;
use proptest::prelude::ProptestConfig;
use serde_json::Value;

/// Rejects no property for what it has filtered.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, max_local_rejects: u32::MAX, ..ProptestConfig::default() }
}

/// A conversation of one message.
fn talk(text: &str) -> Context {
    let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
    let block = Block::turn("output", Turn::new(Role::Tool), text);
    Context::new(vec![block]).with_layout(Layout::conversation(framing))
}

/// The excerpt of `text`, focused on the units that contain one of `asked`. It must be a valid cut within `room`, or
/// the shortest possible, and JSON if the text is.
#[track_caller]
fn shown(text: &str, asked: &[&str], room: usize, counter: &dyn TokenCounter) -> String {
    let context = talk(text);
    let input = measure(&context, counter);
    let block = &input.blocks[0];
    let unit = |n: usize| block.text(n, n + 1);
    let closeness = |n: usize| asked.iter().filter(|word| unit(n).contains(**word)).count() as f64;
    let focus: Vec<f64> = (0..block.units().len()).map(closeness).collect();
    let cut = |room: usize| excerpt(block, ByteRange::whole(text), &focus, Tokens::new(room), counter);
    let pieces = cut(room);
    assert_eq!(pieces, cut(room), "the same input gives the same excerpt");
    if !text.is_empty() {
        let action = Action::Cut { pieces: pieces.clone() };
        let plan = Plan { strategy: "test".into(), steps: vec![Step::new("output", action, Reason::Fits)] };
        assert_eq!(check_plan(&input, &plan), Ok(()), "{text:?} at {room}");
    }
    let shown = text_of(&pieces, text);
    let tokens = counter.count(&shown).get();
    if tokens > room {
        assert_eq!(shown, text_of(&cut(0), text), "{tokens} tokens in {room}, and not the shortest");
    }
    assert!(tokens <= counter.count(text).get() + 8, "longer than its source");
    let is_cut = pieces != [Piece::Source(ByteRange::whole(text))];
    assert!(!is_cut || !shown.contains('\u{1b}') || is_json(text), "escapes in {shown:?}");
    if is_json(text) {
        assert_json(&shown);
    }
    shown
}

fn text_of(pieces: &[Piece], source: &str) -> String {
    pieces.iter().map(|piece| piece.text(source)).collect()
}

/// Parses a sequence of JSON values.
#[track_caller]
fn assert_json(text: &str) -> Vec<Value> {
    let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    values.unwrap_or_else(|error| panic!("{error}: {text}"))
}
