//! What gateways call before they send a request on: outputs of tools are shortened, and their originals kept.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path as FilePath, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime},
};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use contextfit::{
    caches::Digest,
    formats::{Repaired, replace_text},
    kernel::{TokenCounter, Tokens},
    presets::{is_long_output, output_kind},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json, value::RawValue};

use super::Service;
use crate::{LAST_LINE, SavedOutputs, is_excerpt};

/// Where gateways send their messages.
pub(super) const COMPRESS: &str = "/v1/compress";

/// The digits of a hash: as many as gateways read at most.
const HASH_DIGITS: usize = 24;

/// What originals are called after their hash.
const SUFFIX: &str = ".txt";

/// The mode in which the gateway offers a tool that retrieves originals.
const RETRIEVING: &str = "ccr";

/// The header by which a caller asks for its messages as they are.
const BYPASS: &str = "x-headroom-bypass";

/// The part of what may be kept after which old originals are looked for again.
const PRUNE_SHARE: u64 = 20;

/// The originals of what was shortened.
pub(super) struct Sidecar {
    saved: SavedOutputs,
    /// The bytes that were saved since old ones were looked for.
    since: AtomicU64,
}

/// What is read of a request; everything else in it may be anything.
#[derive(Deserialize)]
struct CompressRequest<'a> {
    #[serde(borrow)]
    messages: Vec<&'a RawValue>,
    /// Whatever it is, the messages are what matters.
    #[serde(borrow, default)]
    config: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Config {
    mode: String,
}

impl CompressRequest<'_> {
    /// Whether the gateway can retrieve originals.
    fn retrieves(&self) -> bool {
        let config = self.config.and_then(|config| serde_json::from_str::<Config>(config.get()).ok());
        config.is_some_and(|config| config.mode == RETRIEVING)
    }
}

/// The answer: as many messages as there were.
#[derive(Serialize)]
struct CompressAnswer<'a> {
    messages: Vec<Cow<'a, RawValue>>,
    ccr_hashes: Vec<String>,
    tokens_before: Tokens,
    tokens_after: Tokens,
    tokens_saved: Tokens,
    compression_ratio: f64,
    transforms_applied: Vec<&'static str>,
}

impl<'a> CompressAnswer<'a> {
    fn unchanged(messages: &[&'a RawValue], tokens: Tokens) -> Self {
        let messages = messages.iter().map(|message| Cow::Borrowed(*message)).collect();
        Self {
            messages,
            ccr_hashes: Vec::new(),
            tokens_before: tokens,
            tokens_after: tokens,
            tokens_saved: Tokens::ZERO,
            compression_ratio: 1.0,
            transforms_applied: Vec::new(),
        }
    }
}

impl Sidecar {
    pub(super) fn new(saved: SavedOutputs) -> Self {
        // The first original is a reason to look for old ones.
        let since = AtomicU64::new(saved.bytes());
        Self { saved, since }
    }

    /// Keeps `text`, and returns its hash.
    fn keep(&self, text: &str) -> io::Result<String> {
        let mut hash = Digest::of(text.as_bytes()).to_string();
        hash.truncate(HASH_DIGITS);
        let path = self.path(&hash);
        // A gateway sends a conversation again and again: what is there is only made young again, if it is whole.
        let is_there = file(&path).is_some_and(|known| known == text.as_bytes());
        let is_young =
            is_there && fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now())).is_ok();
        if !is_young {
            self.saved.save(&(hash.clone() + SUFFIX), text.as_bytes())?;
            let since = self.since.fetch_add(text.len() as u64, Ordering::Relaxed);
            if since >= self.saved.bytes() / PRUNE_SHARE {
                self.since.store(0, Ordering::Relaxed);
                self.saved.prune(|name| name.strip_suffix(SUFFIX).is_some_and(is_hash), &path);
            }
        }
        Ok(hash)
    }

    fn path(&self, hash: &str) -> PathBuf {
        self.saved.folder().join(hash.to_owned() + SUFFIX)
    }

    /// The original with this hash, if it is still there and whole.
    fn original(&self, hash: &str) -> Option<String> {
        let path = self.path(&hash.to_ascii_lowercase());
        if self.saved.is_over(&path) {
            return None;
        }
        let text = String::from_utf8(file(&path)?).ok()?;
        let is_whole = Digest::of(text.as_bytes()).to_string().starts_with(&hash.to_ascii_lowercase());
        is_whole.then_some(text)
    }

    /// What is shown of `text` instead of it, with the hash of the original if it can be retrieved. `None` if it stays.
    fn shortened(&self, service: &Service, text: &str, is_kept: bool) -> Option<(String, Option<String>)> {
        // What people wrote, source code above all, may be needed letter by letter.
        let stays = !is_long_output(text.as_bytes()) || is_excerpt(text) || !output_kind(text).is_output();
        if stays {
            return None;
        }
        let failed = |_: &io::Error| service.metrics.failed(COMPRESS, "storage");
        let hash = if is_kept { Some(self.keep(text).inspect_err(failed).ok()?) } else { None };
        let last = |shown, of| {
            // If something of every line is shown, "5 of 5" would say that nothing is missing.
            let lines =
                if shown == of { format!("parts of {of} lines") } else { format!("{shown} of {of} lines") };
            match &hash {
                Some(hash) => format!("{LAST_LINE}{lines}. Full output: hash={hash}]"),
                None => format!("{LAST_LINE}{lines}]"),
            }
        };
        let output = service.fitter.output(text.to_owned(), None, last).ok()??;
        (output.shown > 0 && output.text.len() < text.len()).then_some((output.text, hash))
    }

    /// The answer to `request`.
    fn compress<'a>(&self, service: &Service, request: &CompressRequest<'a>) -> CompressAnswer<'a> {
        let counter = &*service.fitter.counting.counter;
        let is_kept = request.retrieves();
        let mut answer = CompressAnswer::unchanged(&request.messages, Tokens::ZERO);
        for message in &mut answer.messages {
            // Of a message that stays, every byte does.
            let mut text = Repaired::new(message.get()).text.into_owned();
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            answer.tokens_before += tokens(&value, counter);
            for (place, output) in outputs(&value) {
                let Some((shown, hash)) = self.shortened(service, output, is_kept) else { continue };
                let Ok(replaced) = replace_text(&text, &place, &shown) else { continue };
                let Ok(changed) = RawValue::from_string(replaced.clone()) else { continue };
                (*message, text) = (Cow::Owned(changed), replaced);
                answer.tokens_saved += counter.count(output).saturating_sub(counter.count(&shown));
                answer.ccr_hashes.extend(hash.filter(|hash| !answer.ccr_hashes.contains(hash)));
                answer.transforms_applied = vec!["contextfit:excerpt"];
            }
        }
        answer.tokens_after = answer.tokens_before.saturating_sub(answer.tokens_saved);
        if answer.tokens_before > Tokens::ZERO {
            answer.compression_ratio = answer.tokens_after.get() as f64 / answer.tokens_before.get() as f64;
        }
        answer
    }
}

/// The bytes of the regular file at `path`.
fn file(path: &FilePath) -> Option<Vec<u8>> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::read(path).ok()
}

/// Whether `text` is a hash of an original.
fn is_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The outputs of tools in a message of any wire format, with their places in it.
fn outputs(message: &Value) -> Vec<(String, &str)> {
    let is = |value: &Value, name: &str, expected: &[&str]| {
        value.get(name).and_then(Value::as_str).is_some_and(|found| expected.contains(&found))
    };
    if is(message, "role", &["tool", "function"]) {
        return texts(message, "", "content");
    }
    if is(message, "type", &["function_call_output"]) {
        return texts(message, "", "output");
    }
    let parts = message.get("content").and_then(Value::as_array).into_iter().flatten().enumerate();
    let results = parts.filter(|(_, part)| is(part, "type", &["tool_result"]));
    results.flat_map(|(n, part)| texts(part, &format!("/content/{n}"), "content")).collect()
}

/// The texts in the field `name` of `value`, which is at `place`: it is one, or has parts that are.
fn texts<'v>(value: &'v Value, place: &str, name: &str) -> Vec<(String, &'v str)> {
    match value.get(name) {
        Some(Value::String(text)) => vec![(format!("{place}/{name}"), text)],
        Some(Value::Array(parts)) => {
            let text = |(n, part): (usize, &'v Value)| {
                Some((format!("{place}/{name}/{n}/text"), part.get("text")?.as_str()?))
            };
            parts.iter().enumerate().filter_map(text).collect()
        }
        _ => Vec::new(),
    }
}

/// The tokens of all texts in `value`.
fn tokens(value: &Value, counter: &dyn TokenCounter) -> Tokens {
    match value {
        Value::String(text) => counter.count(text),
        Value::Array(values) => values.iter().map(|value| tokens(value, counter)).sum(),
        Value::Object(members) => members.values().map(|value| tokens(value, counter)).sum(),
        _ => Tokens::ZERO,
    }
}

/// Shortens the outputs of tools in the messages of a gateway. Whatever fails, the answer has the messages as they were.
pub(super) async fn compress(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let started = Instant::now();
    let is_bypassed = headers.get(BYPASS).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"true"));
    let given = body.clone();
    let done = service.on_a_core(move |service| {
        let request: CompressRequest<'_> = serde_json::from_slice(&body).ok().filter(|_| !is_bypassed)?;
        let answer = service.sidecar.compress(service, &request);
        let text = serde_json::to_string(&answer).ok()?;
        Some((text, answer.tokens_before, answer.tokens_after))
    });
    let done = done.await;
    service.metrics.answered(COMPRESS, started.elapsed());
    if let Some(Some((text, before, after))) = done {
        service.metrics.tokens(COMPRESS, before, after);
        return ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    }
    if !is_bypassed {
        service.metrics.failed(COMPRESS, if done.is_none() { "internal" } else { "invalid-request" });
    }
    match serde_json::from_slice::<CompressRequest<'_>>(&given) {
        Ok(request) => Json(CompressAnswer::unchanged(&request.messages, Tokens::ZERO)).into_response(),
        Err(error) => {
            let message = format!("expected {{\"messages\": [...]}}: {error}");
            (StatusCode::BAD_REQUEST, Json(json!({"error": message}))).into_response()
        }
    }
}

/// The original with this hash.
pub(super) async fn retrieve(State(service): State<Arc<Service>>, Path(hash): Path<String>) -> Response {
    const ROUTE: &str = "/v1/retrieve";
    let started = Instant::now();
    let found = match is_hash(&hash) {
        true => service.on_a_core(move |service| service.sidecar.original(&hash)).await.flatten(),
        false => None,
    };
    service.metrics.answered(ROUTE, started.elapsed());
    match found {
        Some(text) => Json(json!({"original_content": text})).into_response(),
        None => {
            service.metrics.failed(ROUTE, "not-found");
            let message = "no original has this hash, or it is too old: run the command again";
            (StatusCode::NOT_FOUND, Json(json!({"error": message}))).into_response()
        }
    }
}
