//! Memories as items for the packer: which share a level, which levels they can have, and what these cost.

use std::{cmp::Reverse, collections::HashMap};

use contextfit_kernel::{Blocker, Error, Hold, Importance, Level, MemoryRecord, Tokens, Values};
use contextfit_packing::{Choice, Items, Packer, PackingMode};
use contextfit_text::share_of;

use crate::{
    FitOptions, MemoryCompressor,
    compressor::allowed,
    render::Note,
    replaced::Replaced,
    worth::{Worth, relevance},
};

/// A memory with less than this share of the best relevance is not about the query.
const ON_SUBJECT: f64 = 0.5;

/// The tokens of the line feed after a memory.
pub(crate) const FEED: usize = 1;

/// The level of a line: the minimum of a critical memory, if there is room, and of the best answer to a query.
pub(crate) fn line(options: &FitOptions<'_>) -> Level {
    Level::Gist.min(options.max_level.max(options.min_level)).max(options.min_level)
}

/// A single memory, or the memories of a group.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// The indices of its members.
    members: Vec<usize>,
    /// The levels at which it can be shown, one per choice of the packer.
    pub(crate) levels: Vec<Level>,
    /// Whether it must be shown.
    required: bool,
}

/// The input of the packer, and the memories that it is made from.
pub(crate) struct Entries<'a> {
    pub(crate) memories: &'a [MemoryRecord],
    pub(crate) worth: Worth,
    /// The relevance of each memory to the query; `None` if there is no query or nothing answers it.
    pub(crate) relevant: Option<Vec<f64>>,
    pub(crate) ladders: Vec<[Tokens; 4]>,
    /// The note in the first line of each memory, about its date and newer memories.
    pub(crate) notes: Vec<Note<'a>>,
    /// For each memory, the index of the newer one that replaces it.
    newer: Vec<Option<usize>>,
    /// The level at which each memory was sent before.
    pub(crate) sent: Vec<Option<Level>>,
    /// Sorted by importance, critical first, then by id: the order for the greedy packer and for ties.
    entries: Vec<Entry>,
}

impl<'a> Entries<'a> {
    /// The entries of `memories`. `known` is their relevance if it was determined before.
    ///
    /// # Errors
    /// [`Error::Circular`] if memories replace one another in a circle.
    pub(crate) fn new(
        compressor: &MemoryCompressor,
        memories: &'a [MemoryRecord],
        options: &FitOptions<'_>,
        known: Option<Option<Vec<f64>>>,
    ) -> Result<Self, Error> {
        let sent: Vec<Option<Level>> =
            memories.iter().map(|memory| options.session.and_then(|session| session.level(memory))).collect();
        let mut order: Vec<usize> = (0..memories.len()).collect();
        order.sort_by_key(|&n| memories.get(n).map(|memory| (Reverse(memory.importance), &memory.id)));
        let Replaced { by: newer, repeats } = Replaced::among(memories, &order)?;
        let mut notes = notes(memories, &newer);
        let relevant = known.unwrap_or_else(|| {
            let mut relevant = relevance(memories, options.query, compressor.scorer.as_deref());
            relevant.iter_mut().for_each(|relevant| hand_on(relevant, &newer));
            relevant
        });
        for ((memory, note), relevant) in memories.iter().zip(&mut notes).zip(relevant.iter().flatten()) {
            note.brief = is_brief(memory, note, *relevant);
        }
        let mut worth = compressor.weights.worth(memories, relevant.as_deref());
        let replaced = newer.iter().enumerate().filter(|(_, newer)| newer.is_some()).map(|(n, _)| n);
        replaced.chain(repeats).for_each(|n| worth.keep(n, compressor.weights.older));
        let ladders = ladders(compressor, memories, &notes);
        let mut entries = entries(memories, &order, &sent, options);
        // A name answers no query, and does not show that a newer memory counts instead.
        let is_mute = |n: usize| relevant.is_some() || matches!(newer.get(n), Some(Some(_)));
        for entry in entries.iter_mut().filter(|entry| !entry.required && entry.levels.len() > 1) {
            if matches!(entry.members.as_slice(), [n] if is_mute(*n)) {
                entry.levels.retain(|level| *level > Level::Reference);
            }
        }
        Ok(Self { memories, worth, relevant, ladders, notes, newer, sent, entries })
    }

    /// The level of each memory after these choices of the entries; `None` if it is not shown.
    pub(crate) fn levels(&self, chosen: &[Option<usize>]) -> Vec<Option<Level>> {
        let mut levels = vec![None; self.memories.len()];
        for (entry, choice) in self.entries.iter().zip(chosen) {
            let level = choice.and_then(|number| entry.levels.get(number)).copied();
            for &n in &entry.members {
                let sent = self.sent(n);
                levels.set(n, level.filter(|level| sent.is_none_or(|sent| sent < *level)));
            }
        }
        levels
    }

    /// The memories that `levels` shows at a higher level than the newer ones that replace them, each with the level of
    /// the newer one.
    pub(crate) fn shown_above_newer(&self, levels: &[Option<Level>]) -> Vec<(usize, Option<Level>)> {
        let newer = self.newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?)));
        let of_newer = newer.map(|(n, newer)| (n, levels.at(newer).max(self.sent(newer))));
        of_newer.filter(|(n, newer)| levels.at(*n) > *newer).collect()
    }

    /// Limits memories to at most the given levels. Those that must be shown keep at least their lowest level.
    pub(crate) fn lower(&mut self, limits: &[(usize, Option<Level>)]) {
        let limits: HashMap<usize, Option<Level>> = limits.iter().copied().collect();
        for entry in &mut self.entries {
            let [n] = entry.members.as_slice() else { continue };
            let Some(limit) = limits.get(n) else { continue };
            let below = entry.levels.iter().filter(|level| Some(**level) <= *limit).count();
            entry.levels.truncate(below.max(usize::from(entry.required)));
        }
    }

    /// The entries as items. Those that must be shown are required, and so are, as long as they fit into `room` tokens,
    /// first the best answer, whole or else as a line, then critical memories as lines, the most valuable first. As
    /// long as they fit into `capacity` tokens, the choices that the share of each type buys are required as well.
    pub(crate) fn items(&self, room: usize, capacity: usize, options: &FitOptions<'_>) -> Items {
        let mut items = Items::new();
        for entry in &self.entries {
            let choices = entry.levels.iter().map(|&level| self.choice(entry, level));
            if entry.required { items.push_required(choices) } else { items.push(choices) }
        }
        let line = line(options);
        items.require_in_turn(self.best(line).into_iter().flatten().chain(self.critical(line)), room);
        items.require_in_turn(self.shares(capacity, options), capacity);
        items
    }

    /// The choices that show the best answer whole and as a line.
    fn best(&self, line: Level) -> Option<[(usize, usize); 2]> {
        // ablate: hierarchical.best => None
        let relevant = self.relevant.as_ref()?;
        let worth = |n: &usize| self.worth.whole(*n);
        let best = (0..relevant.len()).max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let place = self.entries.iter().position(|entry| entry.members.contains(&best))?;
        let levels = &self.entries.get(place)?.levels;
        Some([(place, levels.len().checked_sub(1)?), (place, at_least(levels, line))])
    }

    /// The choices that show critical entries as lines, the most valuable first, unless they were sent or replaced.
    fn critical(&self, line: Level) -> Vec<(usize, usize)> {
        // ablate: hierarchical.critical => Vec::new()
        let worth = |entry: &Entry| entry.members.iter().map(|&n| self.worth.whole(n)).sum::<f64>();
        let is_critical = |n: &usize| {
            let is_known = self.sent(*n) >= Some(line);
            !is_known
                && !self.is_replaced(*n)
                && self.memories.get(*n).is_some_and(|memory| memory.importance == Importance::Critical)
        };
        let mut critical: Vec<(usize, &Entry)> = self.entries.iter().enumerate().collect();
        critical.retain(|(_, entry)| entry.members.iter().any(is_critical));
        critical.sort_by(|(_, a), (_, b)| worth(b).total_cmp(&worth(a)));
        critical.into_iter().map(|(n, entry)| (n, at_least(&entry.levels, line))).collect()
    }

    /// The choices that the share of each type buys from `capacity` tokens.
    fn shares(&self, capacity: usize, options: &FitOptions<'_>) -> Vec<(usize, usize)> {
        let mut bought = Vec::new();
        for (memory_type, share) in options.shares {
            let is_type = |memory: &MemoryRecord| memory.memory_type == *memory_type;
            let of_type = |n: &usize| !self.is_replaced(*n) && self.memories.get(*n).is_some_and(is_type);
            let entries = self.entries.iter().enumerate();
            let entries: Vec<_> = entries.filter(|(_, entry)| entry.members.iter().all(of_type)).collect();
            let mut items = Items::new();
            for (_, entry) in &entries {
                let choices = entry.levels.iter().map(|&level| self.choice(entry, level));
                if entry.required { items.push_required(choices) } else { items.push(choices) }
            }
            let packer = Packer::new(items, PackingMode::Optimal);
            let room = share_of(Tokens::new(capacity), *share).get().max(packer.min_weight());
            let chosen = packer.pack(room).map(|packing| packing.chosen).unwrap_or_default();
            bought.extend(entries.iter().zip(chosen).filter_map(|((n, _), choice)| Some((*n, choice?))));
        }
        bought
    }

    /// The choice of `level` for `entry`. Members that were sent at that level cost nothing and have no value.
    fn choice(&self, entry: &Entry, level: Level) -> Choice {
        let (mut weight, mut value) = (0, 0.0);
        for &n in &entry.members {
            let sent = self.sent(n);
            if sent.is_none_or(|sent| sent < level) {
                weight += self.tokens(n, level).get() + FEED;
                value += self.worth.at(n, level) - sent.map_or(0.0, |sent| self.worth.at(n, sent));
            }
        }
        Choice::new(weight, value)
    }

    /// The memories that must be shown, which take at least `needed` tokens together. Each has the tokens of its lowest
    /// level, largest first.
    pub(crate) fn blockers(&self, needed: Tokens) -> Vec<Blocker> {
        let required = self.entries.iter().filter(|entry| entry.required);
        let members = required.flat_map(|entry| entry.members.iter().map(|&n| (n, entry.levels.first())));
        let mut members: Vec<(usize, Option<&Level>)> = members.collect();
        members.sort_by_key(|(n, _)| *n);
        let blocker = |(n, level): (usize, Option<&Level>)| {
            let memory = self.memories.get(n)?;
            let hold = if memory.pinned { Hold::Pinned } else { Hold::Shown };
            Some(Blocker { id: memory.id.clone(), tokens: self.tokens(n, *level?).min(needed), hold })
        };
        let mut blockers: Vec<Blocker> = members.into_iter().filter_map(blocker).collect();
        blockers.sort_by_key(|blocker| Reverse(blocker.tokens));
        blockers
    }

    /// The tokens of memory `n` at `level`.
    pub(crate) fn tokens(&self, n: usize, level: Level) -> Tokens {
        let ladder = self.ladders.at(n);
        ladder.at(usize::from(u8::from(level)))
    }

    fn is_replaced(&self, n: usize) -> bool {
        matches!(self.newer.get(n), Some(Some(_)))
    }

    /// The level at which memory `n` was sent before.
    fn sent(&self, n: usize) -> Option<Level> {
        self.sent.at(n)
    }
}

/// The ladder of each memory with its note.
#[cfg(not(feature = "parallel"))]
fn ladders(compressor: &MemoryCompressor, memories: &[MemoryRecord], notes: &[Note<'_>]) -> Vec<[Tokens; 4]> {
    memories.iter().zip(notes).map(|(memory, note)| compressor.ladder_noted(memory, note)).collect()
}

/// The ladder of each memory with its note, made on all cores.
#[cfg(feature = "parallel")]
fn ladders(compressor: &MemoryCompressor, memories: &[MemoryRecord], notes: &[Note<'_>]) -> Vec<[Tokens; 4]> {
    use rayon::prelude::*;

    memories.par_iter().zip(notes).map(|(memory, note)| compressor.ladder_noted(memory, note)).collect()
}

/// The index of the first of `levels` that is at least `level`, or else of the last.
fn at_least(levels: &[Level], level: Level) -> usize {
    let last = levels.len().saturating_sub(1);
    levels.iter().position(|own| *own >= level).unwrap_or(last)
}

/// The note in the first line of each memory. `newer` has, for each memory, the index of the one that replaces it.
fn notes<'m>(memories: &'m [MemoryRecord], newer: &[Option<usize>]) -> Vec<Note<'m>> {
    let mut notes: Vec<Note<'m>> = memories.iter().map(Note::of).collect();
    for (n, newer) in newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?))) {
        notes.change(newer, |note| note.since = true);
        let id = memories.get(newer).map(|memory| memory.id.as_str());
        notes.change(n, |note| note.older_than = id);
    }
    notes
}

/// Whether `memory` gets a shorter line: it is critical, but not about the query.
fn is_brief(memory: &MemoryRecord, note: &Note<'_>, relevant: f64) -> bool {
    // ablate: hierarchical.brief => false
    memory.importance == Importance::Critical && note.older_than.is_none() && relevant < ON_SUBJECT
}

/// Raises the relevance of each newer memory to that of those it replaces, whose words may be closer to the query.
fn hand_on(relevant: &mut [f64], newer: &[Option<usize>]) {
    // ablate: hierarchical.hand-on => ()
    for (n, newer) in newer.iter().enumerate().filter_map(|(n, newer)| Some((n, (*newer)?))) {
        let older = relevant.at(n);
        relevant.change(newer, |relevant| *relevant = relevant.max(older));
    }
}

/// The entries in `order`: single memories, and groups. Pinned memories must be shown whole and critical ones at any
/// level, unless they were sent.
fn entries(
    memories: &[MemoryRecord],
    order: &[usize],
    sent: &[Option<Level>],
    options: &FitOptions<'_>,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::with_capacity(memories.len());
    let mut groups: HashMap<&str, usize> = HashMap::new();
    for &n in order {
        let Some(memory) = memories.get(n) else { continue };
        let sent = sent.at(n);
        let least = match memory.importance {
            _ if memory.pinned => Some(Level::Full),
            Importance::Critical => Some(line(options)),
            _ => None,
        };
        let required = least.is_some_and(|least| sent.is_none_or(|sent| sent < least));
        let levels: Vec<Level> = match memory.pinned && required {
            true => vec![Level::Full],
            false => allowed(options)
                .filter(|level| memory.group.is_some() || sent.is_none_or(|sent| sent < *level))
                .collect(),
        };
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
