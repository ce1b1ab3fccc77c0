//! Memories as the packer sees them: which are decided together, at which levels, at what cost.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use contextfit_kernel::{Blocker, Hold, Importance, Level, MemoryRecord, Tokens};
use contextfit_packing::{Choice, Items};

use crate::{
    FitOptions, MemoryCompressor,
    alike::alike,
    compressor::allowed,
    floors::{FEED, Known, ON_SUBJECT},
    newer::newer,
    render::Note,
    worth::{Worth, relevance},
};

/// A single memory, or the memories of a group.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// Indices of its members.
    pub(crate) members: Vec<usize>,
    /// The levels it can be shown at, each a choice.
    pub(crate) levels: Vec<Level>,
    /// Whether it must be shown.
    pub(crate) required: bool,
}

/// Everything the packer needs to know.
pub(crate) struct Entries<'a> {
    memories: &'a [MemoryRecord],
    /// The indices of the memories, critical ones first, ties by id.
    order: Vec<usize>,
    pub(crate) worth: Worth,
    /// The relevance of each to the query; `None` if there is no query or nothing answers it.
    pub(crate) relevant: Option<Vec<f64>>,
    pub(crate) ladders: Vec<[Tokens; 4]>,
    /// The notes in the first line of each about its date and newer memories.
    pub(crate) notes: Vec<Note<'a>>,
    /// The index of the newer memory that replaces each.
    pub(crate) newer: Vec<Option<usize>>,
    /// The level at which each was sent before.
    pub(crate) sent: Vec<Option<Level>>,
    /// The minimum level at which each must be shown.
    pub(crate) floors: Vec<Option<Level>>,
    /// Sets of near-duplicates.
    alike: Vec<Vec<usize>>,
    /// Sorted by `order`, in which the greedy packer takes them and ties are broken.
    pub(crate) entries: Vec<Entry>,
    compressor: &'a MemoryCompressor,
}

impl<'a> Entries<'a> {
    /// The entries of `memories`, none of them required yet. `known` is their relevance if it is known.
    pub(crate) fn new(
        compressor: &'a MemoryCompressor,
        memories: &'a [MemoryRecord],
        options: &FitOptions<'_>,
        known: Option<Option<Vec<f64>>>,
    ) -> Self {
        let sent: Vec<Option<Level>> =
            memories.iter().map(|memory| options.session.and_then(|session| session.level(memory))).collect();
        let mut order: Vec<usize> = (0..memories.len()).collect();
        order.sort_by_key(|&n| memories.get(n).map(|memory| (Reverse(memory.importance), &memory.id)));
        let in_order: Vec<&MemoryRecord> = order.iter().filter_map(|&n| memories.get(n)).collect();
        let mut alike = alike(&in_order);
        alike.iter_mut().flatten().for_each(|n| *n = order.get(*n).copied().unwrap_or(*n));
        let newer = newer(memories, &alike);
        let mut notes = notes(memories, &newer);
        let relevant = known.unwrap_or_else(|| {
            let mut relevant = relevance(memories, options.query, compressor.scorer.as_deref());
            relevant.iter_mut().for_each(|relevant| hand_on(relevant, &newer));
            relevant
        });
        for ((memory, note), relevant) in memories.iter().zip(&mut notes).zip(relevant.iter().flatten()) {
            let plain = note.older_than.is_none() && memory.importance == Importance::Critical;
            note.brief = plain && *relevant < ON_SUBJECT;
        }
        let mut worth = compressor.weights.worth(memories, relevant.as_deref());
        let mut replaced: Vec<usize> =
            newer.iter().enumerate().filter(|(_, newer)| newer.is_some()).map(|(n, _)| n).collect();
        replaced.extend(alike.iter().flat_map(|set| repeats(memories, set, &newer)));
        replaced.into_iter().for_each(|n| worth.keep(n, compressor.weights.older));
        let ladders: Vec<[Tokens; 4]> =
            memories.iter().zip(&notes).map(|(memory, note)| compressor.ladder_noted(memory, note)).collect();
        let (floors, entries) = (Vec::new(), Vec::new());
        Self {
            memories,
            order,
            worth,
            relevant,
            ladders,
            notes,
            newer,
            sent,
            floors,
            alike,
            entries,
            compressor,
        }
    }

    /// Determines which memories must be shown in `room` tokens.
    pub(crate) fn settle(&mut self, room: usize, options: &FitOptions<'_>) {
        self.require(self.known().floors(room, options), options);
    }

    /// Gives critical memories that are only named at `levels` the room that memories on another subject take, and
    /// `unused` tokens, for their lines; whether there are any.
    pub(crate) fn raise(
        &mut self,
        levels: &[Option<Level>],
        unused: usize,
        options: &FitOptions<'_>,
    ) -> bool {
        let raised = self.known().raised(&self.floors, levels, unused, options);
        let is_raised = raised.is_some();
        raised.into_iter().for_each(|floors| self.require(floors, options));
        is_raised
    }

    /// Whether a memory that answers is lower at `levels` than at `before`.
    pub(crate) fn loses_answers(&self, before: &[Option<Level>], levels: &[Option<Level>]) -> bool {
        let answers = self.relevant.iter().flatten().map(|relevant| *relevant >= ON_SUBJECT);
        answers.zip(before).zip(levels).any(|((answers, before), level)| answers && level < before)
    }

    /// Sets the minimum level of each memory.
    pub(crate) fn require(&mut self, floors: Vec<Option<Level>>, options: &FitOptions<'_>) {
        self.floors = floors;
        self.entries = entries(self.memories, &self.order, &self.sent, &self.floors, options);
        // A name does not answer, and does not say that a newer memory counts.
        let is_mute = |n: usize| self.relevant.is_some() || matches!(self.newer.get(n), Some(Some(_)));
        for entry in self.entries.iter_mut().filter(|entry| !entry.required && entry.levels.len() > 1) {
            if matches!(entry.members.as_slice(), [n] if is_mute(*n)) {
                entry.levels.retain(|level| *level > Level::Reference);
            }
        }
    }

    fn known(&self) -> Known<'_> {
        Known {
            memories: self.memories,
            ladders: &self.ladders,
            sent: &self.sent,
            worth: &self.worth,
            relevant: self.relevant.as_deref(),
        }
    }

    /// The indices of memories shown at one of `levels` although a newer one replaces them and is shown at a lower
    /// level.
    pub(crate) fn shown_above_newer(&self, levels: &[Option<Level>]) -> Vec<usize> {
        let at = |n: usize| levels.get(n).copied().flatten().max(self.sent.get(n).copied().flatten());
        let newer = self.newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?)));
        newer.filter(|&(n, newer)| levels.get(n).copied().flatten() > at(newer)).map(|(n, _)| n).collect()
    }

    /// Limits the memories at `places` to level 1, unless they must be shown above it.
    pub(crate) fn lower(&mut self, places: &[usize]) {
        let lowered = |entry: &&mut Entry| matches!(entry.members.as_slice(), [n] if places.contains(n));
        for entry in self.entries.iter_mut().filter(lowered) {
            let least = entry.levels.first().copied().unwrap_or(Level::Full);
            entry.levels.retain(|level| *level <= Level::Gist.max(least));
        }
    }

    /// The entries as items; `floors` are choices that entries must not fall below.
    pub(crate) fn items(&self, floors: &[Option<usize>]) -> Items {
        let mut items = Items::new();
        for (n, entry) in self.entries.iter().enumerate() {
            let floor = floors.get(n).copied().flatten();
            let choices = entry.levels.iter().map(|&level| self.choice(entry, level));
            // Choices below the floor get a prohibitive cost, so that the numbers of the others stay the same.
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
                value += self.worth.at(n, level) - sent.map_or(0.0, |sent| self.worth.at(n, sent));
            }
        }
        Choice::new(weight, value)
    }

    /// Sets of near-duplicate entries. Groups are in none.
    fn alike(&self) -> Vec<Vec<usize>> {
        if self.compressor.weights.redundancy <= 0.0 || self.alike.is_empty() {
            return Vec::new();
        }
        let mut entry_of = vec![None; self.memories.len()];
        for (place, entry) in self.entries.iter().enumerate() {
            if let [n] = entry.members.as_slice()
                && let Some(entry_of) = entry_of.get_mut(*n)
            {
                *entry_of = Some(place);
            }
        }
        let entry = |n: &usize| entry_of.get(*n).copied().flatten();
        self.alike.iter().map(|set| set.iter().filter_map(entry).collect()).collect()
    }

    /// The memories that must be shown, with the fewest tokens each can take, largest first; all of them take at least
    /// `needed`.
    pub(crate) fn blockers(&self, needed: Tokens) -> Vec<Blocker> {
        let required = self.entries.iter().filter(|entry| entry.required);
        let members = required.flat_map(|entry| entry.members.iter().map(|&n| (n, entry.levels.first())));
        let mut members: Vec<(usize, Option<&Level>)> = members.collect();
        members.sort_by_key(|(n, _)| *n);
        let blocker = |(n, level): (usize, Option<&Level>)| {
            let memory = self.memories.get(n)?;
            let tokens = self.ladders.get(n)?.get(usize::from(u8::from(*level?))).copied()?;
            let hold = if memory.pinned { Hold::Pinned } else { Hold::Shown };
            Some(Blocker { id: memory.id.clone(), tokens: tokens.min(needed), hold })
        };
        let mut blockers: Vec<Blocker> = members.into_iter().filter_map(blocker).collect();
        blockers.sort_by_key(|blocker| Reverse(blocker.tokens));
        blockers
    }

    /// The tokens of memory `n` at `level`.
    pub(crate) fn tokens(&self, n: usize, level: Level) -> Tokens {
        let ladder = self.ladders.get(n).copied().unwrap_or_default();
        ladder.get(usize::from(u8::from(level))).copied().unwrap_or_default()
    }

    /// Whether all members of `entry` are of this type.
    pub(crate) fn is_of_type(&self, entry: &Entry, memory_type: &str) -> bool {
        entry.members.iter().all(|&n| self.memories.get(n).is_some_and(|m| m.memory_type == memory_type))
    }
}

/// The notes in the first line of each memory in addition to its fields; `newer` holds the indices of their
/// replacements.
fn notes<'m>(memories: &'m [MemoryRecord], newer: &[Option<usize>]) -> Vec<Note<'m>> {
    let mut notes: Vec<Note<'m>> = memories.iter().map(Note::of).collect();
    for (n, newer) in newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?))) {
        notes.get_mut(newer).into_iter().for_each(|note| note.since = true);
        let id = memories.get(newer).map(|memory| memory.id.as_str());
        notes.get_mut(n).into_iter().for_each(|note| note.older_than = id);
    }
    notes
}

/// The members of `set` that repeat another current member word for word.
fn repeats(memories: &[MemoryRecord], set: &[usize], newer: &[Option<usize>]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let counts = |n: &&usize| matches!(newer.get(**n), Some(None));
    let repeats = |n: &&usize| {
        memories.get(**n).is_some_and(|memory| !seen.insert((memory.summary.trim(), memory.knowledge.trim())))
    };
    set.iter().filter(counts).filter(repeats).copied().collect()
}

/// Raises the relevance of each newer memory to that of the one it replaces.
fn hand_on(relevant: &mut [f64], newer: &[Option<usize>]) {
    for (n, newer) in newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?))) {
        let older = relevant.get(n).copied().unwrap_or_default();
        relevant.get_mut(newer).into_iter().for_each(|relevant| *relevant = relevant.max(older));
    }
}

/// The memories in `order`, those of a group together.
fn entries(
    memories: &[MemoryRecord],
    order: &[usize],
    sent: &[Option<Level>],
    floors: &[Option<Level>],
    options: &FitOptions<'_>,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(memories.len());
    let mut groups: HashMap<&str, usize> = HashMap::new();
    for &n in order {
        let Some(memory) = memories.get(n) else { continue };
        let at = |levels: &[Option<Level>]| levels.get(n).copied().flatten();
        let (sent, floor) = (at(sent), at(floors));
        // A minimum level that was sent before is satisfied.
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
                    // One is pinned and another may not be shown whole: the pin wins.
                    entry.levels.push(Level::Full);
                }
            }
            None => entries.push(Entry { members: vec![n], levels, required }),
        }
    }
    entries
}

/// The allowed levels from `floor` up and above the one `sent`.
fn levels(floor: Option<Level>, sent: Option<Level>, options: &FitOptions<'_>) -> Vec<Level> {
    if floor == Some(Level::Full) {
        return vec![Level::Full];
    }
    let levels = allowed(options);
    levels
        .filter(|level| floor.is_none_or(|floor| *level >= floor) && sent.is_none_or(|sent| *level > sent))
        .collect()
}
