//! Requests to models, in every wire format: what need not be shortened comes back as it was, what is shortened is within
//! the budget, and what a provider would accept is accepted afterwards.

#![no_main]

use contextfit_bm25::Bm25;
use contextfit_conversational::{HierarchicalCompressor, SlidingWindowCompressor};
use contextfit_formats::{ChatRequest, Conversation, WireFormat, valid};
use contextfit_fuzz::{Input, counter, tokens};
use contextfit_kernel::{Budget, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::check_fit;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::sync::Arc;

fuzz_target!(|input: Input<'_>| {
    let (choice, room, text) = input;
    let format = WireFormat::ALL.get(usize::from(choice >> 4)).copied();
    let request = match format {
        Some(_) => Conversation::read(text, format).map(ChatRequest::new),
        None => ChatRequest::parse(text),
    };
    let request = match request {
        Ok(request) => request,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let conversation = &request.conversation;
    let counter = counter(choice);
    let context = conversation.context(&*counter, &request.pins);
    let pipeline = Pipeline::new(Arc::clone(&counter));
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
    let before: Value = serde_json::from_str(&conversation.shortened_text(&whole)).unwrap_or_default();
    if format.is_some()
        && let Ok(source) = serde_json::from_str::<Value>(text)
    {
        assert_eq!(before, source, "changed, though nothing had to be shortened");
    }
    let pipeline = match choice & 8 {
        0 => pipeline.with_strategy(SlidingWindowCompressor::default()),
        _ => pipeline.with_strategy(HierarchicalCompressor::new(Arc::new(Bm25::default()))),
    };
    check_fit(&pipeline, &context, tokens(room));
    let Ok(result) = pipeline.fit(&context, &Budget::new(Tokens::new(tokens(room)))) else { return };
    let format = conversation.format();
    let shortened = conversation.shortened_text(&result);
    Conversation::read(&shortened, Some(format)).unwrap();
    let after: Value = serde_json::from_str(&shortened).unwrap_or_default();
    assert!(
        valid(&before, format).is_err() || valid(&after, format).is_ok(),
        "{:?}: {after}",
        valid(&after, format)
    );
});
