//! A real Redis: Debian's package `redis-server`. If the program is missing, the tests say so and pass.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use contextfit_cache::{Backend, CacheEntry, CompressionCache, InMemory, Key, Originals, Redis};
use contextfit_kernel::{LlmProvider, OriginalStore};
use contextfit_testkit::{check_cache, check_store};
use tempfile::{TempDir, tempdir};

use crate::fixture::{CountingModel, SetClock, cached, check_one_call, check_shared, request};

/// A server for one test, on a socket in a temporary folder; it ends with the test.
struct Server {
    child: Child,
    folder: TempDir,
}

impl Server {
    /// `None` if the program is missing.
    fn start(options: &[&str]) -> Option<Self> {
        let folder = tempdir().unwrap();
        let spawned = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--unixsocket"])
            .arg(folder.path().join("socket"))
            .args(options)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut child) = spawned else {
            eprintln!("skipped: redis-server not found; install it with `apt-get install redis-server`");
            return None;
        };
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready =
            lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("eady to accept connections")));
        ready.expect("the server starts").unwrap();
        // Later output is read, so that the server never blocks on the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { child, folder })
    }

    fn connect(&self) -> Redis {
        Redis::new(&format!("redis+unix://{}/socket", self.folder.path().display())).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn it_keeps_the_contract() {
    let Some(server) = Server::start(&[]) else { return };
    check_cache(&server.connect()).await;
    check_store(&Originals::new(Arc::new(server.connect()))).await;
    assert!(server.connect().stat().await.unwrap().entries.unwrap() > 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_at_once_make_one_call() {
    let Some(server) = Server::start(&[]) else { return };
    check_one_call(CompressionCache::new(Arc::new(server.connect()))).await;
}

#[tokio::test]
async fn another_machine_makes_no_calls() {
    let Some(server) = Server::start(&[]) else { return };
    let machine =
        || CompressionCache::new(Arc::new(server.connect())).with_front(Arc::new(InMemory::new(1 << 20)));
    check_shared(machine(), machine()).await;
}

/// The server keeps the remaining time of an entry, and that of a held one only grows.
#[tokio::test]
async fn time_runs_out_on_the_server() {
    let Some(server) = Server::start(&[]) else { return };
    let clock = SetClock::new();
    let redis = server.connect().with_clock(clock.clock());
    let at = |seconds: u64| Some(clock.now() + std::time::Duration::from_secs(seconds));
    let (cached, held) = (Key::of_original(b"cached"), Key::of_original(b"held"));
    redis.put(CacheEntry { expires: at(100), ..CacheEntry::new(cached, *b"1") }).await.unwrap();
    for seconds in [100, 1000, 10] {
        redis
            .put(CacheEntry { expires: at(seconds), held: true, ..CacheEntry::new(held, *b"1") })
            .await
            .unwrap();
    }
    let mut connection = server.raw().await;
    assert!((90_000..=100_000).contains(&connection.left(cached).await));
    assert!((990_000..=1_000_000).contains(&connection.left(held).await));
    // An entry that has already expired goes at once.
    redis.put(CacheEntry { expires: at(0), ..CacheEntry::new(cached, *b"1") }).await.unwrap();
    assert!(connection.left(cached).await <= 1);
}

#[tokio::test]
async fn a_full_server_gives_no_handle() {
    let Some(server) = Server::start(&["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"]) else {
        return;
    };
    let originals = Originals::new(Arc::new(server.connect()));
    let text = |n: u8| char::from(b'a' + n).to_string().repeat(500_000);
    let mut handles = Vec::new();
    let refused = loop {
        let n = handles.len() as u8;
        match originals.store(&text(n)).await {
            Ok(handle) => handles.push(handle),
            Err(error) => break error,
        }
        assert!(n < 20, "it fills up eventually");
    };
    assert!(refused.to_string().contains("store of originals"), "{refused}");
    for (n, handle) in handles.iter().enumerate() {
        assert_eq!(originals.load(handle).await.unwrap(), Some(text(n as u8)));
    }
}

#[tokio::test]
async fn a_server_that_goes_away_is_a_miss() {
    let Some(server) = Server::start(&[]) else { return };
    let model = CountingModel::new("short");
    let cache = Arc::new(CompressionCache::new(Arc::new(server.connect())));
    let cached = cached(&model, &cache);
    cached.complete(&request("text")).await.unwrap();
    drop(server);
    assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    assert_eq!(model.calls(), 2);
    assert!(cache.statistics().await.backends[0].failures > 0);
}

#[tokio::test]
async fn nobody_there_is_a_miss() {
    let folder = tempdir().unwrap();
    let redis = Redis::new(&format!("redis+unix://{}/socket", folder.path().display())).unwrap();
    assert!(redis.get(Key::of_original(b"key")).await.is_err());
    let model = CountingModel::new("short");
    let cached = cached(&model, &Arc::new(CompressionCache::new(Arc::new(redis.clone()))));
    assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    assert!(Originals::new(Arc::new(redis)).store("text").await.is_err(), "no handle");
    assert!(Redis::new("no address").is_err());
}

/// The server, without our code in between.
struct Raw(tokio::io::BufStream<tokio::net::UnixStream>);

impl Server {
    async fn raw(&self) -> Raw {
        let stream = tokio::net::UnixStream::connect(self.folder.path().join("socket")).await.unwrap();
        Raw(tokio::io::BufStream::new(stream))
    }
}

impl Raw {
    /// The remaining milliseconds of `key`; negative if missing or without expiry.
    async fn left(&mut self, key: Key) -> i64 {
        use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
        self.0.write_all(format!("PTTL contextfit:{key}\r\n").as_bytes()).await.unwrap();
        self.0.flush().await.unwrap();
        let mut line = String::new();
        self.0.read_line(&mut line).await.unwrap();
        line.trim_start_matches(':').trim_end().parse().unwrap()
    }
}
