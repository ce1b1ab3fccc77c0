//! Requests with search results and with memories: what is read can be written and read again, and what is fitted is
//! within the budget.

#![no_main]

use contextfit_bm25::SentenceSelection;
use contextfit_formats::{MemoryRequest, Order, SearchRequest};
use contextfit_fuzz::{Input, check, counter, tokens};
use contextfit_hierarchical::{FitOptions, MemoryCompressor};
use contextfit_kernel::Tokens;
use contextfit_truncation::{Incremental, SmartTruncation, TruncationOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: Input<'_>| {
    let (choice, room, text) = input;
    if choice & 64 == 0 { search(choice, room, text) } else { memories(choice, room, text) }
});

fn search(choice: u8, room: u16, text: &str) {
    let request = match SearchRequest::parse(text) {
        Ok(request) => request,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = serde_json::to_string(&request).unwrap();
    let again = SearchRequest::parse(&written).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), written);
    let context = match choice & 8 {
        0 => again.into_context(),
        _ => again.into_documents(Order::Document).context,
    };
    match choice & 48 {
        0 => check(&context, SmartTruncation::new(TruncationOptions::default()), choice, room),
        16 => check(&context, Incremental::new(TruncationOptions::default()), choice, room),
        _ => check(&context, SentenceSelection::default(), choice, room),
    }
}

fn memories(choice: u8, room: u16, text: &str) {
    let request = match MemoryRequest::parse(text) {
        Ok(request) => request,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let records = request.into_records();
    let counter = counter(choice);
    let compressor = MemoryCompressor::new(counter.clone());
    let limit = Tokens::new(tokens(room));
    let Ok(batch) = compressor.compress_batch_to_fit(&records, limit, &FitOptions::default()) else { return };
    assert!(batch.tokens <= limit, "{} tokens at a budget of {limit}", batch.tokens);
    assert_eq!(batch.tokens, counter.count(&batch.text));
    assert_eq!(batch.shown.len(), records.len());
    let again = compressor.compress_batch_to_fit(&records, limit, &FitOptions::default());
    assert_eq!(again.unwrap().text, batch.text, "not deterministic");
}
