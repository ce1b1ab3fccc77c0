//! The requests of the command line.

use std::{sync::Arc, time::Instant};

use axum::{
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use contextfit::{
    formats::{
        ChatRequest, ErrorAnswer, ErrorCode, ExcerptRequest, MemoryRequest, Order, Repaired, SearchRequest,
        with_causes,
    },
    kernel::Tokens,
    presets::{ExcerptAnswer, FitError, Fitter, pins_match},
};
use serde::Serialize;
use serde_json::Value;

use super::Service;

/// Makes the answer to the text of a request.
type Answering = fn(&Fitter, &Repaired<'_>) -> Result<Answer, FitError>;

/// A JSON answer, and the tokens before and after.
type Answer = (String, Tokens, Tokens);

/// The paths of all kinds of requests, and how these are answered.
pub(super) const ENDPOINTS: [(&str, Answering); 4] =
    [("/v1/search", search), ("/v1/chat", chat), ("/v1/memory", memory), ("/v1/excerpt", excerpt)];

fn search(fitter: &Fitter, sent: &Repaired<'_>) -> Result<Answer, FitError> {
    let answer = fitter.search(sent.parse(SearchRequest::parse)?, Order::default())?.answer;
    json(fitter, &answer, answer.metrics.tokens_before, answer.metrics.tokens_after)
}

fn chat(fitter: &Fitter, sent: &Repaired<'_>) -> Result<Answer, FitError> {
    let request = sent.parse(ChatRequest::parse)?;
    pins_match(&request)?;
    let answer = fitter.chat(&request)?.answer;
    json(fitter, &answer, answer.metrics.tokens_before, answer.metrics.tokens_after)
}

fn memory(fitter: &Fitter, sent: &Repaired<'_>) -> Result<Answer, FitError> {
    let fitted = fitter.memory(sent.parse(MemoryRequest::parse)?)?;
    json(fitter, &fitted.answer, fitted.batch.tokens_before, fitted.batch.tokens)
}

fn excerpt(fitter: &Fitter, sent: &Repaired<'_>) -> Result<Answer, FitError> {
    let request = sent.parse(ExcerptRequest::parse)?;
    let mut asked = fitter.clone();
    asked.query = request.query.or(asked.query);
    let answer = asked.excerpt(request.text, request.budget)?.answer();
    let (before, after) = (answer.metrics.tokens_before, answer.metrics.tokens_after);
    json(fitter, &Identified { id: request.id, answer }, before, after)
}

/// An excerpt with the id of its request.
#[derive(Serialize)]
struct Identified {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: ExcerptAnswer,
}

fn json(fitter: &Fitter, answer: &impl Serialize, before: Tokens, after: Tokens) -> Result<Answer, FitError> {
    let text = serde_json::to_string(&fitter.counting.estimated(answer, before, after))?;
    Ok((text, before, after))
}

/// Answers a request to `route`.
pub(super) async fn answer(
    State(service): State<Arc<Service>>,
    (route, answering): (&'static str, Answering),
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let started = Instant::now();
    let answer = match body {
        Err(rejection) => {
            service.metrics.failed(route, ErrorCode::InvalidRequest.name());
            let error = ErrorAnswer::new(None, ErrorCode::InvalidRequest, rejection.body_text());
            return failed(rejection.status(), &error);
        }
        Ok(body) => service.on_a_core(move |service| {
            let sent = Repaired::new(read(&body)?);
            answering(&service.fitter, &sent).map_err(|error| {
                ErrorAnswer::new(SearchRequest::id_of(&sent.text), error.code(), with_causes(&error))
            })
        }),
    };
    let internal =
        || ErrorAnswer::new(None, ErrorCode::Internal, "contextfit failed; this is a fault of ours");
    let answer = answer.await.unwrap_or_else(|| Err(internal()));
    service.metrics.answered(route, started.elapsed());
    match answer {
        Ok((text, before, after)) => {
            service.metrics.tokens(route, before, after);
            ([(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
        Err(error) => {
            service.metrics.failed(route, error.error.code.name());
            failed(status(error.error.code), &error)
        }
    }
}

fn read(body: &[u8]) -> Result<&str, ErrorAnswer> {
    std::str::from_utf8(body).map_err(|error| {
        let message = format!("expected UTF-8; byte {} is not", error.valid_up_to());
        ErrorAnswer::new(None, ErrorCode::InvalidRequest, message)
    })
}

/// The status for an error: whether the request, its budget or this server is the reason.
const fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Infeasible => StatusCode::UNPROCESSABLE_ENTITY,
        _ => StatusCode::BAD_REQUEST,
    }
}

fn failed(status: StatusCode, error: &ErrorAnswer) -> Response {
    let text = serde_json::to_string(error).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}
