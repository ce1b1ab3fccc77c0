//! Memories as the packer sees them: what is decided together, at which levels, at what cost.

use std::{cmp::Reverse, collections::HashMap};

use contextfit_kernel::{Blocker, Hold, Importance, Level, MemoryRecord, Tokens};
use contextfit_packing::{Choice, Items};

use crate::{FitOptions, HierarchicalCompressor, alike::alike, compressor::allowed};

/// Tokens of the line feed behind a memory.
pub(crate) const FEED: usize = 1;

/// A memory by itself, or those of a group.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Places of its members.
    pub(crate) members: Vec<usize>,
    /// The levels it can be shown at, each a choice.
    pub(crate) levels: Vec<Level>,
    /// Whether it must be shown.
    pub(crate) required: bool,
}

/// All that the packer needs to know.
pub(crate) struct Entries<'a> {
    memories: &'a [MemoryRecord],
    pub(crate) worth: Vec<f64>,
    pub(crate) ladders: Vec<[Tokens; 4]>,
    /// The level at which each was sent before.
    pub(crate) sent: Vec<Option<Level>>,
    /// Critical ones first, equal ones by id: the order in which the greedy takes them, and in which ties are broken.
    pub(crate) entries: Vec<Entry>,
    compressor: &'a HierarchicalCompressor,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(
        compressor: &'a HierarchicalCompressor,
        memories: &'a [MemoryRecord],
        options: &FitOptions<'_>,
    ) -> Self {
        let sent: Vec<Option<Level>> =
            memories.iter().map(|memory| options.session.and_then(|session| session.level(memory))).collect();
        let mut order: Vec<usize> = (0..memories.len()).collect();
        order.sort_by_key(|&n| memories.get(n).map(|memory| (Reverse(memory.importance), &memory.id)));
        let mut entries: Vec<Entry> = Vec::with_capacity(memories.len());
        let mut groups: HashMap<&str, usize> = HashMap::new();
        for n in order {
            let Some(memory) = memories.get(n) else { continue };
            let sent = sent.get(n).copied().flatten();
            let floor = floor(memory, options);
            // A minimum that was sent before is met.
            let required = floor.is_some_and(|floor| sent.is_none_or(|sent| sent < floor));
            let levels = levels(floor.filter(|_| required), sent.filter(|_| memory.group.is_none()), options);
            let next = entries.len();
            let place = memory.group.as_deref().map_or(next, |group| *groups.entry(group).or_insert(next));
            match entries.get_mut(place) {
                Some(entry) => {
                    entry.members.push(n);
                    entry.required |= required;
                    entry.levels.retain(|level| levels.contains(level));
                    if entry.levels.is_empty() {
                        // One is pinned, another may not be shown whole: the pin decides.
                        entry.levels.push(Level::Full);
                    }
                }
                None => entries.push(Entry { members: vec![n], levels, required }),
            }
        }
        let worth = compressor.weights.worth(memories, options.query, &compressor.scorers);
        let ladders = memories.iter().map(|memory| compressor.ladder(memory)).collect();
        Self { memories, worth, ladders, sent, entries, compressor }
    }

    /// The entries as items; `floors` are choices that entries must not fall below.
    pub(crate) fn items(&self, floors: &[Option<usize>]) -> Items {
        let mut items = Items::new();
        for (n, entry) in self.entries.iter().enumerate() {
            let floor = floors.get(n).copied().flatten();
            let choices = entry.levels.iter().map(|&level| self.choice(entry, level));
            // Choices below the floor cost too much to be taken, so that the numbers of the others stay.
            let choices = choices.enumerate().map(|(number, choice)| match floor {
                Some(floor) if number < floor => Choice::new(usize::MAX / 4, 0.0),
                _ => choice,
            });
            if entry.required || floor.is_some() { items.push_required(choices) } else { items.push(choices) }
        }
        for set in self.alike() {
            items.set_alike(set, self.compressor.weights.redundancy);
        }
        items
    }

    /// `entry` at `level`.
    pub(crate) fn choice(&self, entry: &Entry, level: Level) -> Choice {
        let (mut weight, mut value) = (0, 0.0);
        for &n in &entry.members {
            let sent = self.sent.get(n).copied().flatten();
            if sent.is_none_or(|sent| sent < level) {
                let tokens = self.ladders.get(n).and_then(|ladder| ladder.get(usize::from(u8::from(level))));
                weight += tokens.copied().unwrap_or_default().get() + FEED;
                let before = sent.map_or(0.0, |sent| self.compressor.weights.share(sent));
                let share = self.compressor.weights.share(level) - before;
                value += share * self.worth.get(n).copied().unwrap_or_default();
            }
        }
        Choice::new(weight, value)
    }

    /// Sets of entries that say nearly the same. Groups are in none.
    fn alike(&self) -> Vec<Vec<usize>> {
        if self.compressor.weights.redundancy <= 0.0 {
            return Vec::new();
        }
        let alone = |entry: &Entry| match entry.members.as_slice() {
            [n] => self.memories.get(*n).cloned().unwrap_or_default(),
            _ => MemoryRecord::default(),
        };
        alike(&self.entries.iter().map(alone).collect::<Vec<_>>())
    }

    /// The memories that must be shown, with what they take at the least, the largest first.
    pub(crate) fn blockers(&self) -> Vec<Blocker> {
        let required = self.entries.iter().filter(|entry| entry.required);
        let members = required.flat_map(|entry| entry.members.iter().map(|&n| (n, entry.levels.first())));
        let mut members: Vec<(usize, Option<&Level>)> = members.collect();
        members.sort_by_key(|(n, _)| *n);
        let blocker = |(n, level): (usize, Option<&Level>)| {
            let memory = self.memories.get(n)?;
            let tokens = self.ladders.get(n)?.get(usize::from(u8::from(*level?))).copied()?;
            let hold = if memory.pinned { Hold::Pinned } else { Hold::Shown };
            Some(Blocker { id: memory.id.clone(), tokens, hold })
        };
        let mut blockers: Vec<Blocker> = members.into_iter().filter_map(blocker).collect();
        blockers.sort_by_key(|blocker| Reverse(blocker.tokens));
        blockers
    }

    /// Whether all members of `entry` are of this type.
    pub(crate) fn is_of_type(&self, entry: &Entry, memory_type: &str) -> bool {
        entry.members.iter().all(|&n| self.memories.get(n).is_some_and(|m| m.memory_type == memory_type))
    }
}

/// The least at which `memory` must be shown: whole where it is pinned, in a line where it is critical.
pub(crate) fn floor(memory: &MemoryRecord, options: &FitOptions<'_>) -> Option<Level> {
    let highest = options.max_level.max(options.min_level);
    match memory.importance {
        _ if memory.pinned => Some(Level::Full),
        Importance::Critical => Some(Level::Gist.min(highest).max(options.min_level)),
        _ => None,
    }
}

/// The levels that are allowed, from `floor` up and above what was `sent`.
fn levels(floor: Option<Level>, sent: Option<Level>, options: &FitOptions<'_>) -> Vec<Level> {
    if floor == Some(Level::Full) {
        return vec![Level::Full];
    }
    let levels = allowed(options);
    levels
        .filter(|level| floor.is_none_or(|floor| *level >= floor) && sent.is_none_or(|sent| *level > sent))
        .collect()
}
