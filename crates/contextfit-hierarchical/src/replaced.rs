//! Memories that are replaced by others or repeat others.

use std::{collections::HashMap, hash::Hash};

use contextfit_kernel::{Error, MemoryRecord, Values};

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
    /// A memory replaces those that it [names](MemoryRecord::replaces). Of current memories of one type with the same
    /// texts, tags, examples and links, all but the newest, or else the first in `order`, are repeats. Linear in the
    /// length of the memories.
    ///
    /// # Errors
    /// [`Error::Circular`] if memories name one another in a circle.
    pub(crate) fn among(memories: &[MemoryRecord], order: &[usize]) -> Result<Self, Error> {
        let mut by = named(memories);
        follow(&mut by).map_err(|circle| circular(memories, &circle))?;
        let (mut kept, mut repeats) = (HashMap::new(), Vec::new());
        for &n in order.iter().filter(|n| by.get(**n) == Some(&None)) {
            let Some(memory) = memories.get(n) else { continue };
            let place = kept.entry(content(memory)).or_insert(n);
            if *place != n {
                let is_newer = memories.get(*place).is_some_and(|first| is_newer(memory, first));
                repeats.push(if is_newer { std::mem::replace(place, n) } else { n });
            }
        }
        Ok(Self { by, repeats })
    }
}

/// What two memories have in common if one repeats the other.
fn content(memory: &MemoryRecord) -> impl Eq + Hash {
    let MemoryRecord { memory_type, tags, summary, knowledge, examples, .. } = memory;
    let MemoryRecord { linked_patterns, linked_constraints, linked_files, linked_functions, .. } = memory;
    let links = [linked_patterns, linked_constraints, linked_files, linked_functions];
    (memory_type, tags, summary, knowledge, examples, links)
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
    fn repetitions() {
        check(&["a | | | It is 1.", "b | | | It is 1.", "c | | | It is 2."], &[None; 3], &[1]);
        check(&["a | | | ", "b | | | "], &[None; 2], &[1]);
        // The newest counts.
        check(
            &["a | 2024-01 | | Wait.", "b | 2026-01 | | Wait.", "c | 2025-01 | | Wait."],
            &[None; 3],
            &[0, 2],
        );
        // What has been replaced repeats nothing.
        check(&["a | | | Wait.", "b | | a | Go on.", "c | | | Wait."], &[Some(1), None, None], &[]);
        let of =
            |tag: &str| MemoryRecord::new(tag, "fact").with_tags(vec![tag.into()]).with_knowledge("It is 1.");
        assert!(Replaced::among(&[of("berlin"), of("paris")], &[0, 1]).unwrap().repeats.is_empty());
    }
}
