//! Compares what a report or an output says with what the plan makes of the originals.

use contextfit::{
    formats::{Conversation, Documents, Said, SearchAnswer, WireFormat},
    kernel::{CompressionResult, Role, TokenCounter, Turn},
};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::result::Report;

/// The most characters to quote of a text.
const QUOTED: usize = 60;

/// What a report is checked against.
pub(super) struct Claims<'a> {
    /// The result, made again.
    pub(super) result: &'a CompressionResult,
    pub(super) counter: &'a dyn TokenCounter,
    /// The role of records.
    pub(super) record_role: Role,
}

/// Checks what `report` says against `claims`.
///
/// # Errors
/// The first thing that differs: its place, what was expected and what was found.
pub(super) fn check(report: &Report, claims: &Claims<'_>) -> Result<(), String> {
    let expected = answer(report, claims.result, claims.counter);
    same("query", &json!(report.input.query), &json!(report.query))?;
    same("strategy", &json!(expected.strategy), &json!(report.strategy))?;
    same("blocks", &json!(expected.blocks), &json!(report.blocks))?;
    same("metrics", &json!(expected.metrics), &json!(report.metrics))?;
    match (&report.request, &report.context) {
        (Some(request), _) => check_request(report, claims, request.get()),
        (None, Some(context)) if *context == report.text => Ok(()),
        (None, Some(_)) => Err("`context` is not the verified text".into()),
        (None, None) => Err("the report has neither a context nor a request".into()),
    }
}

/// Checks that `output`, which a command printed, is the result.
///
/// # Errors
/// The first thing that differs.
pub(super) fn check_output(report: &Report, claims: &Claims<'_>, output: &str) -> Result<(), String> {
    let Some(request) = &report.request else {
        check_context(&report.text, output)?;
        let answer: Option<Value> = serde_json::from_str(output).ok();
        let Some(answer) = answer.filter(|answer| answer.get("context").is_some()) else { return Ok(()) };
        let expected =
            json!({"strategy": report.strategy, "blocks": report.blocks, "metrics": report.metrics});
        return same("", &expected, &answer);
    };
    // `--answer` prints the request next to what happened to its messages.
    // Serde reads a list of one message as an answer with one field.
    let answer = Some(output).filter(|output| !output.trim_start().starts_with('['));
    let answer: Option<ChatOutput> = answer.and_then(|output| serde_json::from_str(output).ok());
    let found = answer.as_ref().and_then(|answer| answer.request).map_or(output, RawValue::get);
    check_request(report, claims, found)?;
    // Numbers that no program reads cannot be compared.
    let value = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
    all_same("request", &value(request.get()), &value(found))
}

/// Checks that `output`, an answer or the context alone, holds `context`.
///
/// # Errors
/// It does not.
pub(super) fn check_context(context: &str, output: &str) -> Result<(), String> {
    let answer: Option<Value> = serde_json::from_str(output).ok();
    let found = answer.as_ref().and_then(|answer| answer.get("context")?.as_str()).unwrap_or(output);
    let same = found.trim_end_matches('\n') == context.trim_end_matches('\n');
    if same { Ok(()) } else { Err("it does not hold the context of the report".into()) }
}

/// What `chat --answer` prints.
#[derive(Deserialize)]
struct ChatOutput<'a> {
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

/// The answer of which `result` is the result.
fn answer(report: &Report, result: &CompressionResult, counter: &dyn TokenCounter) -> SearchAnswer {
    let (asked, input) = (report.strategy.as_str(), &report.input);
    let Some(chunks) = &report.source.chunks else { return SearchAnswer::new(None, asked, input, result) };
    let documents = Documents::new(input.clone(), chunks.clone());
    let mut result = result.clone();
    result.metrics.tokens_before += counter.count(&documents.repeated());
    SearchAnswer::of_documents(None, asked, &documents, input, &result)
}

/// Checks who says, calls and attaches what in `request`, and the tokens of its tools, in the format in which all is
/// right if there is one: what is left of a request can look like another format.
fn check_request(report: &Report, claims: &Claims<'_>, request: &str) -> Result<(), String> {
    let checked = |format| {
        let conversation = Conversation::read(request, format).map_err(|error| error.to_string())?;
        let framing = json!(conversation.framing(claims.counter));
        same("request", &json!(report.input.layout.framing), &framing)?;
        let (expected, found) = (Said::of(claims.result), conversation.said(claims.counter));
        if expected.len() != found.len() {
            return Err(format!("expected {} messages, found {}", expected.len(), found.len()));
        }
        let mut pairs = expected.iter().zip(&found);
        pairs.try_for_each(|(expected, found)| message(expected, found, claims.record_role))
    };
    let is_right = |format| checked(Some(format)).is_ok();
    checked(None).or_else(|error| WireFormat::ALL.into_iter().any(is_right).then_some(()).ok_or(error))
}

/// Checks one message; a record has the role `record_role`.
fn message(expected: &Said, found: &Said, record_role: Role) -> Result<(), String> {
    let place = &found.place;
    let Some(mut turn) = found.turn.clone() else { return Ok(()) };
    let role = expected.turn.as_ref().map_or(record_role, |turn| turn.role);
    if role != turn.role {
        return Err(format!("{place}.role: expected {}, found {}", role.name(), turn.role.name()));
    }
    same_text(place, &expected.text, &found.text)?;
    let record = || Turn::new(record_role).with_framing(turn.framing);
    let expected = expected.turn.clone().unwrap_or_else(record);
    turn.number = expected.number;
    // That of Anthropic's system messages depends on the message after them.
    if role == Role::System {
        turn.framing = expected.framing;
    }
    all_same(place, &json!(expected), &json!(turn))
}

/// Checks that two texts are the same.
pub(super) fn same_text(place: &str, expected: &str, found: &str) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let at = { expected.chars() }.zip(found.chars()).take_while(|(a, b)| a == b).count();
    let quoted = |text: &str| text.chars().skip(at).take(QUOTED).collect::<String>();
    let (expected, found) = (quoted(expected), quoted(found));
    Err(format!("{place} differs at character {at}: expected {expected:?}, found {found:?}"))
}

/// Checks that `found` has everything that `expected` has, and more at most in its objects.
pub(super) fn same(place: &str, expected: &Value, found: &Value) -> Result<(), String> {
    let within = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => expected
            .iter()
            .try_for_each(|(key, value)| same(&within(key), value, found.get(key).unwrap_or(&Value::Null))),
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let mut pairs = expected.iter().zip(found).enumerate();
            pairs.try_for_each(|(n, (expected, found))| same(&format!("{place}[{n}]"), expected, found))
        }
        (Value::Array(expected), Value::Array(found)) => {
            Err(format!("{place}: expected {} entries, found {}", expected.len(), found.len()))
        }
        _ if expected == found => Ok(()),
        _ => Err(format!("{place}: expected {expected}, found {found}")),
    }
}

/// Checks that `found` has everything that `expected` has, and nothing else.
pub(super) fn all_same(place: &str, expected: &Value, found: &Value) -> Result<(), String> {
    same(place, expected, found)?;
    same(place, found, expected).map_err(|_| format!("{place}: expected {expected}, found {found}"))
}
