//! Writers killed while writing.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use contextfit_cache::{Answer, CompressionCache, Disk, Key, Originals, Recipe, Space};
use contextfit_kernel::OriginalStore;
use tempfile::tempdir;

/// Where the writer writes, and the round; only this test sets it.
const WRITER: &str = "CONTEXTFIT_CACHE_TEST_WRITER";

/// How often a writer is killed.
const ROUNDS: u64 = 200;

/// Small enough that entries are evicted all the time.
const CAPACITY: u64 = 2 << 20;

/// The writer, in a separate process: stores originals and answers until it is killed, and names each original only
/// once it is stored, as a marker would.
#[tokio::test]
async fn writer() {
    let Ok(value) = env::var(WRITER) else { return };
    let (round, path) = value.split_once(' ').unwrap();
    let round: u64 = round.parse().unwrap();
    let disk = Arc::new(Disk::open(path, CAPACITY).await.unwrap());
    let originals = Originals::new(disk.clone());
    let cache = CompressionCache::new(disk);
    for n in 0.. {
        let handle = originals.store(&original(round, n)).await.unwrap();
        println!("\nmarker {handle}");
        std::io::stdout().flush().unwrap();
        cache.put(key(round, n), &answer(round, n)).await;
    }
}

#[tokio::test]
async fn two_hundred_killed_writers_lose_nothing_that_a_marker_names() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cache");
    let mut named = Vec::new();
    for round in 0..ROUNDS {
        let before = named.len();
        let markers = killed_after(&path, round, (round % 4) as usize);
        named.extend(markers.into_iter().zip(0..).map(|(handle, n)| (handle, original(round, n))));
        let disk = Arc::new(Disk::open(&path, CAPACITY).await.expect("the file opens"));
        // All of this round, some of the earlier ones.
        check_named(disk.clone(), named[before..].iter().chain(named.iter().step_by(37))).await;
        let cache = CompressionCache::new(disk);
        for n in 0..8 {
            let found = cache.get(key(round, n)).await;
            assert!(found.is_none_or(|found| found == answer(round, n)), "round {round}: a wrong answer");
        }
        assert_eq!(cache.statistics().await.backends[0].damaged, 0, "round {round}");
    }
    let disk = Arc::new(Disk::open(&path, CAPACITY).await.unwrap());
    assert!(named.len() as u64 > ROUNDS, "writers came to write");
    check_named(disk, named.iter()).await;
    eprintln!("{ROUNDS} writers killed, {} originals named, none lost", named.len());
}

async fn check_named(disk: Arc<Disk>, named: impl Iterator<Item = &(String, String)>) {
    let originals = Originals::new(disk);
    for (handle, text) in named {
        assert_eq!(originals.load(handle).await.unwrap().as_ref(), Some(text), "{handle}");
    }
}

/// Starts a writer, kills it after it has named `n` originals, and returns all that it named until then.
fn killed_after(path: &Path, round: u64, n: usize) -> Vec<String> {
    let mut child = start(path, round);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut markers = Vec::new();
    let marker = |line: String| line.strip_prefix("marker ").map(str::to_owned);
    while markers.len() < n {
        let line = lines.next().expect("the writer writes until it is killed").unwrap();
        markers.extend(marker(line));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // A line without an end is not a marker: the writer was killed while writing it.
    markers.extend(lines.map_while(Result::ok).filter_map(marker).filter(|handle| handle.len() == 64));
    markers
}

fn start(path: &Path, round: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["kill::writer", "--exact", "--nocapture"])
        .env(WRITER, format!("{round} {}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn original(round: u64, n: u64) -> String {
    format!("original {n} of round {round}\n").repeat(1 + (n as usize % 50))
}

fn key(round: u64, n: u64) -> Key {
    Recipe::new("test", "kill").key(Space::Summary, &[&original(round, n)])
}

fn answer(round: u64, n: u64) -> Answer {
    Answer::text(&format!("answer {n} of round {round} ").repeat(200))
}
