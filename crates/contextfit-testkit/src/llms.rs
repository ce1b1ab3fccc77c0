//! The suite for language models.

use std::{
    pin::{Pin, pin},
    task::{Context, Waker},
};

use contextfit_kernel::{CompletionRequest, LlmProvider, Tokens};

use crate::awkward_texts;

/// Runs `llm` through its contract on awkward texts: a name, an answer to every request or an error that names the
/// model, never an empty answer as success, reports that are not at odds, and no harm from a call that is dropped.
///
/// What a model says is its own affair, and so nothing is expected of the text but that there is one.
///
/// # Panics
/// When the contract does not hold.
pub async fn check_llm(llm: &dyn LlmProvider) {
    assert!(!llm.model().is_empty(), "a cache needs the model's name");
    assert_eq!(llm.model(), llm.model(), "the name stays the same");
    for text in awkward_texts() {
        check_request(llm, &CompletionRequest::new("Shorten the text.", text, Tokens::new(64))).await;
    }
    check_request(llm, &CompletionRequest::new("", "Say something.", Tokens::new(1))).await;
    let request = CompletionRequest::new("Answer with one word.", "Are you there?", Tokens::new(16));
    // A call that has begun and is dropped, as by a timeout.
    poll_once(pin!(llm.complete(&request)));
    check_request(llm, &request).await;
}

async fn check_request(llm: &dyn LlmProvider, request: &CompletionRequest) {
    match llm.complete(request).await {
        Ok(answer) => {
            assert!(!answer.text.trim().is_empty(), "an empty answer is an error: {request:?}");
            let (read, cached) = (answer.tokens_in, answer.tokens_cached);
            assert!(cached.is_none_or(|cached| read.is_none_or(|read| cached <= read)), "{answer:?}");
        }
        Err(error) => {
            assert_eq!(error.model, llm.model(), "the error names the model: {error:?}");
            assert!(!error.source.to_string().is_empty(), "the error says what happened: {error:?}");
        }
    }
}

/// Begins a call and goes no further.
fn poll_once<F: Future>(call: Pin<&mut F>) {
    let _ = call.poll(&mut Context::from_waker(Waker::noop()));
}
