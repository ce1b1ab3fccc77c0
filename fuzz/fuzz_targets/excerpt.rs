//! Machine output of any kind: a valid cut within the budget, as a file and as the output of a tool, and JSON stays JSON.

#![no_main]

use contextfit_excerpt::{Excerpts, excerpt, unit_worths};
use contextfit_fuzz::{Input, check, counter, tokens};
use contextfit_kernel::{Block, ByteRange, Context, Framing, Layout, Passage, Piece, Role, Tokens, Turn};
use contextfit_pipeline::measure;
use contextfit_text::is_json;
use libfuzzer_sys::fuzz_target;
use serde_json::{Deserializer, Value};

fuzz_target!(|input: Input<'_>| {
    let (choice, room, text) = input;
    let query = text.split_whitespace().last().unwrap_or_default();
    let file = Context::new(vec![Block::passage("file", Passage::default(), text)]).with_query(query);
    check(&file, Excerpts, choice, room);

    let framing = Framing { request: Tokens::ZERO, record: Tokens::ZERO };
    let output = Block::turn("output", Turn::new(Role::Tool), text);
    let output = Context::new(vec![output]).with_layout(Layout::conversation(framing));
    let counter = counter(choice);
    let measured = measure(&output, &*counter);
    let (block, whole) = (&measured.blocks[0], ByteRange::whole(text));
    let cut = |room| excerpt(block, whole, &[], Tokens::new(room), &*counter);
    let shown = |pieces: &[Piece]| pieces.iter().map(|piece| piece.text(text)).collect::<String>();
    let pieces = cut(tokens(room));
    assert_eq!(pieces, cut(tokens(room)), "not deterministic");
    let cut_text = shown(&pieces);
    let is_within = counter.count(&cut_text) <= Tokens::new(tokens(room));
    assert!(
        is_within || cut_text == shown(&cut(0)),
        "neither within the room nor the shortest: {cut_text:?}"
    );
    if is_json(text) {
        let parsed: Result<Vec<Value>, _> = Deserializer::from_str(&cut_text).into_iter().collect();
        let was_too_deep = || Deserializer::from_str(text).into_iter::<Value>().any(|value| value.is_err());
        assert!(parsed.is_ok() || was_too_deep(), "{parsed:?}: {cut_text}");
    }
    assert_eq!(unit_worths(block, whole).len(), block.units().len());
});
