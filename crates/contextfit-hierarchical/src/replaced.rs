//! Memories that are replaced by others or repeat others.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use contextfit_kernel::{Error, MemoryRecord, Values};
use contextfit_text::words;

use crate::dates::is_newer;

/// Memories that no longer count, by index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Replaced {
    /// For each memory, the current one that replaces it.
    pub(crate) by: Vec<Option<usize>>,
    /// The memories that have the same content as another current one.
    pub(crate) repeats: Vec<usize>,
}

impl Replaced {
    /// A memory replaces those that it [names](MemoryRecord::replaces), and older ones of its type with the same words,
    /// [even with other figures](said). If several have the same words and figures and none is newer, all but the first
    /// in `order` are repeats. Linear in the length of the memories.
    ///
    /// # Errors
    /// [`Error::Circular`] if memories name one another in a circle.
    pub(crate) fn among(memories: &[MemoryRecord], order: &[usize]) -> Result<Self, Error> {
        let mut by = named(memories);
        follow(&mut by).map_err(|circle| circular(memories, &circle))?;
        let mut repeats = Vec::new();
        for set in alike(memories, order) {
            let newest = set.iter().copied().reduce(|a, b| if newer(memories, b, a) { b } else { a });
            let Some(newest) = newest else { continue };
            for &old in set.iter().filter(|&&n| newer(memories, newest, n)) {
                let last = end(&by, newest);
                if let Some(place) = by.get_mut(old).filter(|place| place.is_none() && last != old) {
                    *place = Some(last);
                }
            }
            let mut seen = HashMap::new();
            for &n in set.iter().filter(|n| by.get(**n) == Some(&None)) {
                let first =
                    memories.get(n).map(|memory| *seen.entry(said(memory, usize::MAX).1).or_insert(n));
                repeats.extend(first.filter(|first| *first != n).map(|_| n));
            }
        }
        // The added links lead to the end of a chain, so they close no circle.
        follow(&mut by).map_err(|circle| circular(memories, &circle))?;
        Ok(Self { by, repeats })
    }
}

fn newer(memories: &[MemoryRecord], one: usize, other: usize) -> bool {
    // ablate: hierarchical.newer => false
    memories.get(one).zip(memories.get(other)).is_some_and(|(one, other)| is_newer(one, other))
}

/// For each memory, the newest of those that name it as replaced; on ties the one whose id comes last, then the last.
/// If several memories have the same id, one may replace the others.
fn named(memories: &[MemoryRecord]) -> Vec<Option<usize>> {
    // ablate: hierarchical.replaces => vec![None; memories.len()]
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (n, memory) in memories.iter().enumerate() {
        let is_last =
            |now: &MemoryRecord| is_newer(memory, now) || !is_newer(now, memory) && memory.id >= now.id;
        for id in &memory.replaces {
            let place = last.entry(id).or_insert(n);
            if memories.get(*place).is_some_and(is_last) {
                *place = n;
            }
        }
    }
    let mut times: HashMap<&str, usize> = HashMap::new();
    let named = memories.iter().filter(|memory| last.contains_key(memory.id.as_str()));
    named.for_each(|memory| *times.entry(&memory.id).or_default() += 1);
    let by = |(n, memory): (usize, &MemoryRecord)| {
        let by = last.get(memory.id.as_str()).copied()?;
        (by != n || times.get(memory.id.as_str()) == Some(&1)).then_some(by)
    };
    memories.iter().enumerate().map(by).collect()
}

/// The memory at the end of the links from `n`.
fn end(by: &[Option<usize>], mut n: usize) -> usize {
    while let Some(next) = by.at(n) {
        n = next;
    }
    n
}

/// Makes each link lead to the end of its chain.
///
/// # Errors
/// The members of a circle, if there is one.
fn follow(by: &mut [Option<usize>]) -> Result<(), Vec<usize>> {
    let mut seen = vec![None; by.len()];
    for start in 0..by.len() {
        let (mut at, mut path) = (start, Vec::new());
        while let Some(next) = by.at(at) {
            if seen.get(at) == Some(&Some(start)) {
                return Err(path.into_iter().skip_while(|member| *member != at).collect());
            }
            seen.set(at, Some(start));
            path.push(at);
            at = next;
        }
        for n in path {
            by.set(n, Some(at));
        }
    }
    Ok(())
}

fn circular(memories: &[MemoryRecord], circle: &[usize]) -> Error {
    let members = circle.iter().chain(circle.first());
    Error::Circular {
        ids: members.filter_map(|&n| memories.get(n)).map(|memory| memory.id.clone()).collect(),
    }
}

/// The number of words at the start that are compared first, so that few memories are read completely.
const FIRST_COMPARED_WORDS: usize = 8;

/// Sets of memories of one type with the same content except for figures, each in `order`.
fn alike(memories: &[MemoryRecord], order: &[usize]) -> Vec<Vec<usize>> {
    // ablate: hierarchical.alike => Vec::new()
    let sets = |places: &[usize], most: usize| {
        let mut sets: HashMap<u64, Vec<usize>> = HashMap::new();
        for &n in places {
            if let Some(memory) = memories.get(n) {
                sets.entry(said(memory, most).0).or_default().push(n);
            }
        }
        let mut sets: Vec<Vec<usize>> = sets.into_values().filter(|set| set.len() > 1).collect();
        sets.sort_unstable();
        sets
    };
    sets(order, FIRST_COMPARED_WORDS).iter().flat_map(|set| sets(set, usize::MAX)).collect()
}

/// Two hashes of at most `most` words of each text of a memory, without and with its figures. Case and punctuation make
/// no difference. Digits in a name (`db-1`), signs before figures, tags, examples and links do.
fn said(memory: &MemoryRecord, most: usize) -> (u64, u64) {
    let (mut without, mut with) = (DefaultHasher::new(), DefaultHasher::new());
    memory.memory_type.hash(&mut without);
    memory.tags.hash(&mut without);
    memory.examples.hash(&mut without);
    [&memory.linked_patterns, &memory.linked_constraints, &memory.linked_files, &memory.linked_functions]
        .hash(&mut without);
    for text in [&memory.summary, &memory.knowledge] {
        for word in words(text).take(most) {
            let at = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            let before = text.get(..at).unwrap_or_default();
            let lower = word.to_lowercase();
            match figure(&lower, before) {
                Some((true, "")) => {}
                Some((true, unit)) => unit.hash(&mut without),
                Some((false, unit)) => ("0", sign(before), unit).hash(&mut without),
                None => lower.hash(&mut without),
            }
            lower.hash(&mut with);
        }
        0.hash(&mut without);
    }
    (without.finish(), with.finish())
}

/// The sign right before a figure: `-18`, `< 5`, `€ 30`.
fn sign(before: &str) -> Option<char> {
    let last = before.trim_end().chars().next_back()?;
    (!last.is_alphanumeric() && !",.;:()[]\"'`".contains(last)).then_some(last)
}

/// If `word` is a figure: whether it continues a figure at the end of `before`, as in a date, and its unit. `None` if
/// it is not one or belongs to a name.
fn figure<'w>(word: &'w str, before: &str) -> Option<(bool, &'w str)> {
    // ablate: hierarchical.figures => None
    let unit = word.trim_start_matches(|c: char| c.is_numeric() || matches!(c, '.' | ','));
    let joined = before.trim_end_matches(['-', '_', '.', ',', '/', ':', '@']);
    let goes_on = |is: fn(char) -> bool| joined.len() < before.len() && joined.ends_with(is);
    // In scripts without case, figures follow words directly.
    let is_cased = |c: char| c.is_lowercase() || c.is_uppercase();
    let is_name = goes_on(char::is_alphabetic) || before.ends_with(is_cased);
    let is_figure = unit.len() < word.len() && !is_name;
    is_figure.then(|| (goes_on(char::is_numeric), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Memories given as `id | date | what it replaces | knowledge`.
    fn memories(told: &[&str]) -> Vec<MemoryRecord> {
        let memory = |text: &&str| {
            let parts: Vec<&str> = text.split('|').map(str::trim).collect();
            let [id, date, replaces, knowledge] = parts.as_slice() else { panic!("{text}") };
            MemoryRecord::new(*id, "fact")
                .with_date(*date)
                .with_replaces(replaces.split_whitespace().map(str::to_owned).collect())
                .with_knowledge(*knowledge)
        };
        told.iter().map(memory).collect()
    }

    #[track_caller]
    fn check(told: &[&str], by: &[Option<usize>], repeats: &[usize]) {
        let memories = memories(told);
        let order: Vec<usize> = (0..memories.len()).collect();
        let expect = Replaced { by: by.into(), repeats: repeats.into() };
        assert_eq!(Replaced::among(&memories, &order).unwrap(), expect, "{told:?}");
    }

    #[test]
    fn a_memory_replaces_what_it_names() {
        check(&["a | | | Deploy by hand.", "b | | a gone | A merge deploys."], &[Some(1), None], &[]);
        // The last of a chain is current, whatever the dates.
        check(
            &["a | 2025-01 | | One.", "b | 2024-01 | a | Two.", "c | 2023-01 | b | Three."],
            &[Some(2), Some(2), None],
            &[],
        );
        check(
            &["a | | | One.", "b | 2024-01 | a | Two.", "c | 2025-01 | a | Three."],
            &[Some(2), None, None],
            &[],
        );
        check(&["a | 2024-01 | | One.", "a | 2025-01 | a | Two."], &[Some(1), None], &[]);
        check(&["a | | | One.", "a | | a | Two.", "a | | a | Three."], &[Some(2), Some(2), None], &[]);
    }

    #[test]
    fn a_circle_is_an_error() {
        let check = |told: &[&str], expect: &str| {
            let memories = memories(told);
            let order: Vec<usize> = (0..memories.len()).collect();
            let error = Replaced::among(&memories, &order).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("memories replace one another in a circle: {expect};")),
                "{error}"
            );
        };
        check(&["a | | a | One."], "a -> a");
        check(&["x | | | Zero.", "a | | b | One.", "b | | a x | Two."], "b -> a -> b");
    }

    #[test]
    fn of_the_same_words_the_newer_count() {
        check(
            &[
                "a | 2024-01-01 | | Logs are kept for 30 days.",
                "b | 2025-01-01 | | Logs are kept for 1,000 days!",
                "c | 2024-06-01 | | Logs are kept for 2.5 days.",
                "d | 2026-01-01 | | Logs are never kept for 30 days.",
                "e | 2026-01-01 | | logs are kept for 30 weeks",
            ],
            &[Some(1), None, Some(1), None, None],
            &[],
        );
        check(&["a | 2024-01 | | Wait 30s.", "b | 2025-01 | | wait 45s"], &[Some(1), None], &[]);
        check(&["a | 2024-01 | | Wait 30s.", "b | 2025-01 | | Wait 45ms."], &[None, None], &[]);
        check(&["a | 2024-01 | | db-1 is full.", "b | 2025-01 | | db-2 is full."], &[None, None], &[]);
        check(&["a | 2024-01 | | 重试3次", "b | 2025-01 | | 重试5次。"], &[Some(1), None], &[]);
        // Digits in names are not figures, and signs matter.
        for (older, newer) in [
            ("db1 is full", "db2 is full"),
            ("Keep -18 degrees", "Keep 18 degrees"),
            ("It costs $30", "It costs €30"),
            ("A score < 5 fails", "A score > 5 fails"),
        ] {
            let told = [format!("a | 2024-01 | | {older}."), format!("b | 2025-01 | | {newer}.")];
            check(&told.each_ref().map(String::as_str), &[None, None], &[]);
        }
        // The replacement by name continues the chain.
        check(
            &["a | 2024-01 | | It is 1.", "b | 2025-01 | | It is 2.", "c | | b | Nothing is left."],
            &[Some(2), Some(2), None],
            &[],
        );
        check(&["a | 2025-01 | b | It is 1.", "b | 2026-01 | | It is 2."], &[None, Some(0)], &[]);
    }

    #[test]
    fn tags_say_what_it_is_about() {
        let of = |id: &str, date: &str, tag: &str| {
            MemoryRecord::new(id, "fact")
                .with_date(date)
                .with_tags(vec![tag.into()])
                .with_knowledge(format!("The limit is {} a day.", date.len()))
        };
        let by = |memories: &[MemoryRecord]| Replaced::among(memories, &[0, 1]).unwrap().by;
        assert_eq!(by(&[of("a", "2024-01", "berlin"), of("b", "2025-01-01", "paris")]), [None, None]);
        assert_eq!(by(&[of("a", "2024-01", "berlin"), of("b", "2025-01-01", "berlin")]), [Some(1), None]);
    }

    #[test]
    fn the_same_without_a_date_is_a_repetition() {
        check(&["a | | | It is 1.", "b | | | it is 1!", "c | | | It is 2."], &[None; 3], &[1]);
        check(&["a | | | ", "b | | | "], &[None; 2], &[1]);
    }
}
