//! Entries as points, and back.

use std::{collections::HashMap, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use qdrant_client::{
    Payload,
    qdrant::{NamedVectors, PointId, PointStruct, RetrievedPoint, Value, Vectors, vectors::VectorsOptions},
};

use crate::{CacheEntry, Digest, Key, clock::to_millis};

/// The key as printed. An id has only half of a digest's bits; the key is authoritative.
const KEY: &str = "key";
/// The name of the space, for people who look into the collection.
const SPACE: &str = "space";
/// The bytes, in base64.
const VALUE: &str = "value";
/// When the entry expires, in milliseconds since 1970.
pub(super) const EXPIRES: &str = "expires";
/// The document that the value was made from.
pub(super) const SOURCE: &str = "source";
/// The digest of the document's text at the time.
pub(super) const CONTENT: &str = "content";

/// A point without vectors. An empty set must be given: a point that omits vectors is refused.
pub(super) fn point(entry: &CacheEntry) -> PointStruct {
    let mut payload = Payload::new();
    payload.insert(KEY, entry.key.to_string());
    payload.insert(SPACE, entry.key.space.name());
    payload.insert(VALUE, STANDARD.encode(&entry.value));
    if let Ok(expires @ 1..) = i64::try_from(to_millis(entry.expires)) {
        payload.insert(EXPIRES, expires);
    }
    if let Some(source) = &entry.source {
        payload.insert(SOURCE, &*source.id);
        payload.insert(CONTENT, source.content.to_string());
    }
    let vectors =
        Vectors { vectors_options: Some(VectorsOptions::Vectors(NamedVectors { vectors: HashMap::new() })) };
    PointStruct { id: Some(point_id(entry.key)), payload: payload.into(), vectors: Some(vectors) }
}

/// A UUID made of the first half of the key's digest.
pub(super) fn point_id(key: Key) -> PointId {
    let digits = Digest::of(&key.to_bytes()).to_string();
    let mut uuid = String::with_capacity(36);
    for (at, digit) in digits.chars().take(32).enumerate() {
        if [8, 12, 16, 20].contains(&at) {
            uuid.push('-');
        }
        uuid.push(digit);
    }
    PointId::from(uuid)
}

/// The key and the bytes of a point; `None` if it was not written by this crate.
pub(super) fn value_of(point: RetrievedPoint) -> Option<(String, Arc<[u8]>)> {
    let text = |name: &str| point.payload.get(name).and_then(Value::as_str);
    let value = STANDARD.decode(text(VALUE)?).ok()?;
    Some((text(KEY)?.clone(), value.into()))
}
