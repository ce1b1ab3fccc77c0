//! The suite for language models.

use std::{
    pin::{Pin, pin},
    task::{Context, Waker},
};

use contextfit_kernel::{CompletionRequest, LlmProvider, Tokens};

use crate::awkward_texts;

/// Checks the contract of `llm` on awkward texts: it has a name, every request gets an answer or an error that names
/// the model, an empty answer is never a success, reported figures are consistent, and dropping a call does no harm.
///
/// The content of answers is up to the model; only an empty text is wrong.
///
/// # Panics
/// If the contract is violated.
pub async fn check_llm(llm: &dyn LlmProvider) {
    assert!(!llm.model().is_empty(), "a cache needs the model's name");
    assert_eq!(llm.model(), llm.model(), "the name stays the same");
    for text in awkward_texts() {
        check_request(llm, &CompletionRequest::new("Shorten the text.", text, Tokens::new(64))).await;
    }
    check_request(llm, &CompletionRequest::new("", "Say something.", Tokens::new(1))).await;
    let request = CompletionRequest::new("Answer with one word.", "Are you there?", Tokens::new(16));
    // A call that has started and is dropped, as by a timeout.
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
            assert!(!error.source.to_string().is_empty(), "the error has a message: {error:?}");
        }
    }
}

/// Starts a call and polls it once.
fn poll_once<F: Future>(call: Pin<&mut F>) {
    let _ = call.poll(&mut Context::from_waker(Waker::noop()));
}
