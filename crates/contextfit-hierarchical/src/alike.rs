//! Near-duplicates, found without comparing every pair of memories.

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use contextfit_kernel::MemoryRecord;
use contextfit_text::{float, words};

/// Bands of two rows each: of memories that share 70 % of their word pairs, 99.99 % meet in at least one band.
const BANDS: usize = 14;

/// The share of word pairs that two near-duplicates have in common (Jaccard).
const ALIKE: f64 = 0.7;

/// Sets of near-duplicate memories, as indices into `memories`. Pairs of neighbouring words of summary and knowledge
/// are compared by minimal hashes (Broder 1997, "On the resemblance and containment of documents"); memories that meet
/// are compared in full with the first memory of the set. Linear in the length of the memories.
pub(crate) fn alike(memories: &[&MemoryRecord]) -> Vec<Vec<usize>> {
    let mut bands: HashMap<(usize, [u64; 2]), usize> = HashMap::new();
    let mut sets: Vec<(HashSet<u64>, Vec<usize>)> = Vec::new();
    for (n, memory) in memories.iter().enumerate() {
        let pairs = pairs(memory);
        if pairs.is_empty() {
            continue;
        }
        let keys: Vec<(usize, [u64; 2])> = (0..BANDS)
            .map(|band| (band, [2 * band, 2 * band + 1].map(|row| smallest(&pairs, row))))
            .collect();
        let near = |set: &usize| sets.get(*set).is_some_and(|(first, _)| resemblance(first, &pairs) >= ALIKE);
        let found = keys.iter().filter_map(|key| bands.get(key).copied()).find(near);
        match found.and_then(|set| sets.get_mut(set)) {
            Some((_, members)) => members.push(n),
            None => {
                keys.into_iter().for_each(|key| {
                    bands.entry(key).or_insert(sets.len());
                });
                sets.push((pairs, vec![n]));
            }
        }
    }
    sets.into_iter().map(|(_, members)| members).filter(|members| members.len() > 1).collect()
}

/// The pairs of neighbouring words, hashed; a lone word by itself.
fn pairs(memory: &MemoryRecord) -> HashSet<u64> {
    let mut before = None;
    let mut hashes = HashSet::new();
    for word in words(&memory.summary).chain(words(&memory.knowledge)) {
        let word = hashed(&word.to_lowercase());
        hashes.extend(before.map(|before: u64| before.rotate_left(21) ^ word));
        before = Some(word);
    }
    if hashes.is_empty() {
        hashes.extend(before);
    }
    hashes
}

fn hashed(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

/// The smallest of the hashes under permutation number `row` (the finalizer of SplitMix64).
fn smallest(hashes: &HashSet<u64>, row: usize) -> u64 {
    let seed = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mix = |hash: &u64| {
        let mut z = hash.wrapping_add(seed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    hashes.iter().map(mix).min().unwrap_or_default()
}

fn resemblance(a: &HashSet<u64>, b: &HashSet<u64>) -> f64 {
    let both = a.intersection(b).count();
    float(both) / float(a.len() + b.len() - both)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], expect: &[&[usize]]) {
        let memory = |text: &&str| MemoryRecord { knowledge: (*text).into(), ..MemoryRecord::default() };
        let memories: Vec<MemoryRecord> = texts.iter().map(memory).collect();
        assert_eq!(alike(&memories.iter().collect::<Vec<_>>()), expect);
    }

    #[test]
    fn near_duplicates_meet() {
        check(&[], &[]);
        check(&["", "", " "], &[]);
        check(&["Retry", "retry!", "budget"], &[&[0, 1]]);
        let long = "Always retry a request that timed out three times before the circuit breaker opens for a minute.";
        let near = "Always retry a request that timed out three times before the circuit breaker opens for one minute.";
        check(&[long, "Never retry a payment.", near, "Never retry a refund that was paid."], &[&[0, 2]]);
        check(&["重试请求三次然后打开断路器", "预算", "重试请求三次然后打开断路器。"], &[&[0, 2]]);
    }
}
