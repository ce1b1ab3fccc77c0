//! The transcripts of the data sets, if available.

use std::{env, fs, path::PathBuf, sync::Arc};

use contextfit_formats::{Conversation, Pins, WireFormat, valid};
use contextfit_kernel::{Budget, Tokens};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::counter;
use serde_json::Value;

use super::plans::ByLot;

/// The messages of every line in the data set called `name`; none, with a printed line, if it is not available.
fn transcripts(name: &str) -> Vec<Value> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let folder = env::var_os("CONTEXTFIT_DATA").map_or_else(beside, PathBuf::from);
    let path = folder.join(name).join("dev.trajectories.jsonl");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: no data set at {}; set CONTEXTFIT_DATA to their folder", path.display());
        return Vec::new();
    };
    let messages = |line: &str| serde_json::from_str::<Value>(line).unwrap().get("messages").unwrap().clone();
    text.lines().map(messages).collect()
}

/// Every transcript comes back unchanged if everything fits, and stays valid when randomly cut to a half, a quarter and
/// a tenth; `valid_ones` of them are valid. What is sent is what was counted.
#[track_caller]
fn check(name: &str, valid_ones: usize) {
    let counter: Arc<dyn contextfit_kernel::TokenCounter> = counter("o200k_base").unwrap();
    let transcripts = transcripts(name);
    let is_valid = |request: &Value| valid(request, WireFormat::OpenAiChat).is_ok();
    assert!(
        transcripts.is_empty()
            || transcripts.iter().filter(|request| is_valid(request)).count() == valid_ones
    );
    for (n, request) in transcripts.into_iter().enumerate() {
        let was_valid = is_valid(&request);
        let conversation = Conversation::parse(request.clone()).unwrap();
        let context = conversation.context(&*counter, &Pins::default());
        let tokens = measure(&context, &*counter).tokens;
        let pipeline = Pipeline::new(counter.clone())
            .with_strategy(ByLot((0..40).map(|k| u8::try_from((n * 31 + k * 7) % 256).unwrap()).collect()))
            .with_strategy(ByLot(vec![2]))
            .with_strategy(contextfit_testkit::DropAll);
        let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
        assert_eq!(conversation.shortened(&whole), request);
        for part in [2, 4, 10] {
            let Ok(result) = pipeline.fit(&context, &Budget::new(Tokens::new(tokens.get() / part))) else {
                continue;
            };
            let shortened = conversation.shortened(&result);
            let again = Conversation::parse(shortened.clone()).unwrap().context(&*counter, &Pins::default());
            assert_eq!(measure(&again, &*counter).tokens, result.metrics.tokens_after);
            assert!(!was_valid || is_valid(&shortened));
        }
    }
}

#[test]
fn tau_airline() {
    check("tau_airline", 50);
}

/// The invalid ones have tool messages that name no calls.
#[test]
fn swe_agent() {
    check("swe_agent_mit", 6);
}
