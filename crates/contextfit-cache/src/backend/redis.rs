//! The back end in Redis, which processes and machines can share.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use redis::{
    Client, Pipeline, RedisError, Value, aio::ConnectionLike, aio::ConnectionManager,
    aio::ConnectionManagerConfig, cmd, pipe,
};

use crate::{Backend, BackendStat, CacheEntry, CacheError, Clock, Key, clock::to_millis};

const NAME: &str = "redis";

/// The maximum time for which an answer of a model waits for the server, to connect and for each reply.
const PATIENCE: Duration = Duration::from_secs(1);

/// The script that sets a held entry so that its expiry is only ever moved to a later time. Times are in milliseconds,
/// and 0 means never. An entry that never expires (`PTTL` is -1) stays that way.
const HOLD: &str = "\
local left = redis.call('PTTL', KEYS[1])
local time = tonumber(ARGV[2])
if time == 0 or left == -1 then return redis.call('SET', KEYS[1], ARGV[1]) end
return redis.call('SET', KEYS[1], ARGV[1], 'PX', math.max(left, time))";

/// Keys examined in one step of counting.
const STEP: usize = 1000;

/// Keeps entries in [Redis](https://redis.io) or a server that speaks its protocol.
///
/// Keys are `contextfit:SPACE:DIGEST`. The server determines how much is kept and what is dropped first (`maxmemory`,
/// `maxmemory-policy`). It guarantees that held entries are not dropped only under `noeviction`, where it refuses
/// entries for which it has no room, or under a `volatile-` policy if originals never expire. Whether a write survives
/// a crash of the server also depends on its configuration (`appendonly`).
///
/// The connection is made at the first call, and again after it breaks. No wait is longer than a second.
#[derive(Clone)]
pub struct Redis {
    connection: ConnectionManager,
    clock: Clock,
}

impl Redis {
    /// The server at `url`: `redis://HOST:PORT/DATABASE` or `redis+unix:///PATH`. Must be called in a Tokio runtime.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`] if `url` is invalid. An unreachable server is only noticed at the first call.
    pub fn new(url: &str) -> Result<Self, CacheError> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let client = Client::open(url).map_err(failed)?;
        let connection = ConnectionManager::new_lazy_with_config(client, config).map_err(failed)?;
        Ok(Self { connection, clock: Clock::default() })
    }

    /// Sets the clock from which the remaining time of entries is computed.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The remaining milliseconds of `entry`; 0 for no limit.
    fn left(&self, entry: &CacheEntry) -> u64 {
        match to_millis(entry.expires) {
            0 => 0,
            expires => expires.saturating_sub(to_millis(Some(self.clock.now()))).max(1),
        }
    }

    fn add(&self, commands: &mut Pipeline, entry: &CacheEntry) {
        let (name, left) = (name(entry.key), self.left(entry));
        if entry.held {
            commands.cmd("EVAL").arg(HOLD).arg(1).arg(name).arg(&*entry.value).arg(left).ignore();
            return;
        }
        commands.cmd("SET").arg(name).arg(&*entry.value);
        if left > 0 {
            commands.arg("PX").arg(left);
        }
        commands.ignore();
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address is left out because it may contain a password.
        f.debug_struct("Redis").field("database", &self.connection.get_db()).finish_non_exhaustive()
    }
}

#[async_trait]
impl Backend for Redis {
    fn name(&self) -> &'static str {
        NAME
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = keys.iter().map(|key| name(*key)).collect();
        let mut connection = self.connection.clone();
        let found: Vec<Option<Vec<u8>>> =
            cmd("MGET").arg(names).query_async(&mut connection).await.map_err(failed)?;
        Ok(found.into_iter().map(|value| value.map(Arc::from)).collect())
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut commands = pipe();
        entries.iter().for_each(|entry| self.add(&mut commands, entry));
        let mut connection = self.connection.clone();
        commands.query_async(&mut connection).await.map_err(failed)
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        let mut connection = self.connection.clone();
        let removed: Result<Value, RedisError> = cmd("DEL").arg(name(key)).query_async(&mut connection).await;
        removed.map(|_| ()).map_err(failed)
    }

    /// Counts the entries; the other figures are the server's.
    async fn stat(&self) -> Result<BackendStat, CacheError> {
        let mut connection = self.connection.clone();
        let (mut place, mut entries) = (0_u64, 0);
        loop {
            let (next, names): (u64, Vec<Vec<u8>>) = cmd("SCAN")
                .arg(place)
                .arg("MATCH")
                .arg("contextfit:*")
                .arg("COUNT")
                .arg(STEP)
                .query_async(&mut connection)
                .await
                .map_err(failed)?;
            entries += names.len() as u64;
            place = next;
            if place == 0 {
                return Ok(BackendStat { entries: Some(entries), ..BackendStat::default() });
            }
        }
    }
}

/// The name of `key` on the server.
fn name(key: Key) -> String {
    format!("contextfit:{key}")
}

fn failed(error: RedisError) -> CacheError {
    CacheError::unavailable(NAME, error)
}
