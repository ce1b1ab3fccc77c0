//! Memories to choose from.

use std::{fs, path::Path};

use contextfit::memory::{CodeSnippet, Evidence, Importance, MemoryRecord};

const IMPORTANCE: [Importance; 8] = [
    Importance::Low,
    Importance::Low,
    Importance::Normal,
    Importance::Normal,
    Importance::Normal,
    Importance::High,
    Importance::High,
    Importance::Critical,
];

/// One memory per crate in `folder`: the description becomes the summary, the readme's prose the knowledge, its fenced
/// code the examples, and the keywords the tags. Importance and confidence are random, since no one has labelled them.
pub(crate) fn crates(folder: &Path) -> Vec<MemoryRecord> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    paths.iter().filter_map(|path| package(path, &mut random)).collect()
}

fn package(path: &Path, random: &mut Random) -> Option<MemoryRecord> {
    let manifest = fs::read_to_string(path.join("Cargo.toml")).ok()?;
    let readme = fs::read_to_string(path.join("README.md")).ok()?;
    let field = |name: &str| {
        let line = manifest.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once('=')?.1.trim().trim_matches('"').to_owned())
    };
    let (mut knowledge, mut examples, mut code) = (String::new(), Vec::new(), None::<String>);
    for line in readme.lines() {
        match (&mut code, line.trim_start().starts_with("```")) {
            (None, true) => code = Some(String::new()),
            (Some(_), true) => {
                let code = code.take().unwrap_or_default();
                examples.push(CodeSnippet { language: "rust".into(), code, explanation: String::new() });
            }
            (Some(code), false) => code.extend([line, "\n"]),
            (None, false) => knowledge.extend([line, "\n"]),
        }
    }
    Some(
        MemoryRecord::new(path.file_name()?.to_string_lossy(), "crate")
            .with_importance(IMPORTANCE[random.below(8)])
            .with_confidence(random.below(101) as f64 / 100.0)
            .with_summary(field("description").unwrap_or_default())
            .with_knowledge(knowledge)
            .with_examples(examples)
            .with_tags(field("keywords").into_iter().collect()),
    )
}

/// `n` memories of random length and importance.
pub(crate) fn random(n: usize) -> Vec<MemoryRecord> {
    let mut random = Random(88_172_645_463_325_252);
    let words =
        ["retry", "budget", "ledger", "token", "queue", "deploy", "cache", "index", "shard", "key", "lock"];
    let sentence = |random: &mut Random| {
        let words: Vec<&str> = (0..6 + random.below(14)).map(|_| words[random.below(words.len())]).collect();
        words.join(" ") + ". "
    };
    (0..n)
        .map(|n| {
            MemoryRecord::new(format!("m{n}"), "fact")
                .with_importance(IMPORTANCE[random.below(7)])
                .with_confidence(random.below(101) as f64 / 100.0)
                .with_relevance(random.below(101) as f64 / 100.0)
                .with_knowledge((0..1 + random.below(40)).map(|_| sentence(&mut random)).collect::<String>())
                .with_evidence(
                    (0..random.below(4))
                        .map(|_| Evidence { description: sentence(&mut random), confidence: None })
                        .collect(),
                )
        })
        .collect()
}

/// Marsaglia's xorshift: the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }
}
