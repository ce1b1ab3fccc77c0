//! The back end in Qdrant, in the payload of points.

use std::{collections::HashMap, fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::STANDARD};
use qdrant_client::{
    Payload, Qdrant as Client, QdrantError,
    qdrant::{
        Condition, CountPointsBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder,
        DeletePointsBuilder, FieldType, Filter, GetPointsBuilder, NamedVectors, PointId, PointStruct,
        PointsIdsList, Range, RetrievedPoint, UpsertPointsBuilder, Value, Vectors, r#match::MatchValue,
        vectors::VectorsOptions,
    },
};
use tokio::sync::OnceCell;
use tonic::Code;

use crate::{Backend, BackendStat, CacheEntry, CacheError, Clock, Digest, Key, clock::to_millis};

const NAME: &str = "qdrant";

/// The maximum time for which an answer of a model waits for the server.
const PATIENCE: Duration = Duration::from_secs(2);

/// The default collection.
const COLLECTION: &str = "contextfit-cache";

/// Keeps entries in a collection of a [Qdrant](https://qdrant.tech) server, as the payload of points without vectors.
///
/// A point's id is derived from the key. Its payload holds the key, the bytes in base64, the expiry and, if the caller
/// gives the source of an answer, the document's id and the digest of its text. Keys depend on the text, so an answer
/// is never used for another text. When the index is updated, [`update`](Qdrant::update) drops the entries that were
/// made from older states of a document, which would otherwise accumulate.
///
/// Nothing is dropped to make room: the server keeps everything until [`sweep`](Qdrant::sweep) or `update`. The
/// collection is created at the first call if it does not exist. The server's version is not checked.
#[derive(Clone)]
pub struct Qdrant {
    client: Client,
    collection: String,
    ready: Arc<OnceCell<()>>,
    clock: Clock,
}

impl Qdrant {
    /// The server whose gRPC API is at `url`, usually on port 6334; with `key` if it requires one.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`] if `url` is invalid, or contains a user name, a password or parameters. An
    /// unreachable server is only noticed at the first call.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, CacheError> {
        // The client repeats the address in its errors.
        if url.contains(['@', '?']) {
            return Err(CacheError::unavailable(
                NAME,
                "the address must not contain a password or parameters",
            ));
        }
        let builder = Client::from_url(url)
            .timeout(PATIENCE)
            .connect_timeout(PATIENCE)
            .skip_compatibility_check()
            .api_key(key.map(str::to_owned));
        let client = builder.build().map_err(failed)?;
        Ok(Self { client, collection: COLLECTION.into(), ready: Arc::default(), clock: Clock::default() })
    }

    /// Sets the collection.
    #[must_use]
    pub fn with_collection(mut self, name: impl Into<String>) -> Self {
        self.collection = name.into();
        self.ready = Arc::default();
        self
    }

    /// Sets the clock by which entries expire.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Drops the entries made from states of the document `id` other than the one whose text has the digest `content`;
    /// with `None`, for a deleted document, all entries made from it.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn update(&self, id: &str, content: Option<&Digest>) -> Result<(), CacheError> {
        let mut filter = Filter::must([is(SOURCE, id.to_owned())]);
        if let Some(content) = content {
            filter.must_not.push(is(CONTENT, content.to_string()));
        }
        self.delete(DeletePointsBuilder::new(&self.collection).points(filter)).await
    }

    /// Drops all expired entries.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`].
    pub async fn sweep(&self) -> Result<(), CacheError> {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds stay below 2^53 for 285,000 years")]
        let now = to_millis(Some(self.clock.now())) as f64;
        let over = Range { lte: Some(now), ..Range::default() };
        let filter = Filter::must([Condition::range(EXPIRES, over)]);
        self.delete(DeletePointsBuilder::new(&self.collection).points(filter)).await
    }

    async fn delete(&self, request: DeletePointsBuilder) -> Result<(), CacheError> {
        self.ready().await?;
        self.client.delete_points(request.wait(true)).await.map(|_| ()).map_err(failed)
    }

    /// Creates the collection if it does not exist.
    async fn ready(&self) -> Result<(), CacheError> {
        let make = async {
            if self.client.collection_exists(&self.collection).await? {
                return Ok(());
            }
            let made = self.client.create_collection(CreateCollectionBuilder::new(&self.collection)).await;
            match made {
                // Another process created it in the meantime.
                Err(QdrantError::ResponseError { status }) if status.code() == Code::AlreadyExists => {}
                made => drop(made?),
            }
            let index = CreateFieldIndexCollectionBuilder::new(&self.collection, SOURCE, FieldType::Keyword);
            self.client.create_field_index(index.wait(true)).await.map(|_| ())
        };
        self.ready.get_or_try_init(|| make).await.copied().map_err(failed)
    }
}

impl fmt::Debug for Qdrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Qdrant").field("collection", &self.collection).finish_non_exhaustive()
    }
}

#[async_trait]
impl Backend for Qdrant {
    fn name(&self) -> &'static str {
        NAME
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        self.ready().await?;
        let ids: Vec<PointId> = keys.iter().map(|key| point_id(*key)).collect();
        let request = GetPointsBuilder::new(&self.collection, ids).with_payload(true).with_vectors(false);
        let response = self.client.get_points(request).await.map_err(failed)?;
        // Some ids may have no point, and points are in any order.
        let found: HashMap<String, Arc<[u8]>> = response.result.into_iter().filter_map(value_of).collect();
        Ok(keys.iter().map(|key| found.get(&key.to_string()).cloned()).collect())
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.ready().await?;
        let points: Vec<_> = entries.iter().map(point).collect();
        let request = UpsertPointsBuilder::new(&self.collection, points).wait(true);
        self.client.upsert_points(request).await.map(|_| ()).map_err(failed)
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        let ids = PointsIdsList { ids: vec![point_id(key)] };
        self.delete(DeletePointsBuilder::new(&self.collection).points(ids)).await
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        self.ready().await?;
        let request = CountPointsBuilder::new(&self.collection).exact(true);
        let entries = self.client.count(request).await.map_err(failed)?.result.map(|result| result.count);
        Ok(BackendStat { entries, ..BackendStat::default() })
    }
}

/// The field is exactly `text`. By default the client would search for the individual words of the text.
fn is(field: &str, text: String) -> Condition {
    Condition::matches(field, MatchValue::Keyword(text))
}

fn failed(error: QdrantError) -> CacheError {
    CacheError::unavailable(NAME, error)
}

/// The key as printed. An id has only half of a digest's bits; the key is authoritative.
const KEY: &str = "key";
/// The name of the space, for people who look into the collection.
const SPACE: &str = "space";
/// The bytes, in base64.
const VALUE: &str = "value";
/// When the entry expires, in milliseconds since 1970.
const EXPIRES: &str = "expires";
/// The document that the value was made from.
const SOURCE: &str = "source";
/// The digest of the document's text at the time.
const CONTENT: &str = "content";

/// A point without vectors. An empty set must be given: a point that omits vectors is refused.
fn point(entry: &CacheEntry) -> PointStruct {
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
fn point_id(key: Key) -> PointId {
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
fn value_of(point: RetrievedPoint) -> Option<(String, Arc<[u8]>)> {
    let text = |name: &str| point.payload.get(name).and_then(Value::as_str);
    let value = STANDARD.decode(text(VALUE)?).ok()?;
    Some((text(KEY)?.clone(), value.into()))
}
