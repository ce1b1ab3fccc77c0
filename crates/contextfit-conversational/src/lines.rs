//! Lines in place of turns: who spoke or what was called, and what of it is most likely to be needed again.

mod atoms;
mod head;
mod worth;

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use contextfit_kernel::{Action, ByteRange, Level, Reason, Tokens};

pub(crate) use self::head::{in_one_line, is_ledger};
pub use self::worth::Worth;
use self::{
    atoms::{Atom, Atoms, Part},
    head::{head, line},
};
use crate::{
    draft::{Draft, Form},
    hierarchical::Reading,
    instructions::Instruction,
    relevance::exact,
};

/// Fills what is left of the room with lines for the exchanges that are not shown: `pledged` instructions first, as far as
/// `most` has room for them, then what is worth most. Returns what the instructions take that `most` has room for and the
/// draft has not. Linear-logarithmic in the length of the conversation.
pub(crate) fn fill(
    draft: &mut Draft<'_>,
    worth: &Worth,
    reading: &Reading<'_>,
    pledged: &[Instruction],
    mut most: Tokens,
) -> Tokens {
    let owners = draft.owners();
    let hidden = |at: usize| owners.get(at).is_some_and(|&n| draft.is_open(n));
    let mut atoms = Atoms::read(draft, reading, worth, pledged, &hidden);
    let mut ledgers = Ledgers::new(draft);
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); draft.exchanges.len()];

    let mut by_exchange: Vec<Vec<usize>> = vec![Vec::new(); draft.exchanges.len()];
    for (place, atom) in atoms.all.iter().enumerate() {
        let owner = owners.get(atom.block).and_then(|&n| by_exchange.get_mut(n));
        owner.into_iter().for_each(|places| places.push(place));
    }
    let openings: Vec<Tokens> = (0..draft.exchanges.len()).map(|n| heads(draft, n)).collect();
    // What a line takes is shared by the parts that it can carry.
    let shares: Vec<Tokens> = openings
        .iter()
        .zip(&by_exchange)
        .map(|(opening, parts)| Tokens::new(opening.get().div_ceil(parts.len().max(1))))
        .collect();
    let mut opened = vec![false; draft.exchanges.len()];
    let mut done = vec![false; atoms.all.len()];
    let mut missing = Tokens::ZERO;
    // What the lines of an exchange take without anything carried, if there are none yet.
    let unopened = |of: &[Tokens], n: usize, opened: &[bool]| match opened.get(n) {
        Some(false) => of.get(n).copied().unwrap_or_default(),
        _ => Tokens::ZERO,
    };

    let mut queue: BinaryHeap<Queued> = BinaryHeap::with_capacity(atoms.all.len());
    for (n, places) in by_exchange.iter().enumerate() {
        let share = unopened(&shares, n, &opened);
        queue.extend(places.iter().map(|&atom| Queued { rate: atoms.rate(atom, share), atom }));
    }
    while let Some(Queued { rate, atom: place }) = queue.pop() {
        let Some(atom) = atoms.all.get(place).filter(|_| done.get(place) == Some(&false)) else { continue };
        let Some(&n) = owners.get(atom.block) else { continue };
        // Part of what it was worth may be carried by now.
        let now = atoms.rate(place, unopened(&shares, n, &opened));
        if now < rate && now > 0.0 {
            queue.push(Queued { rate: now, atom: place });
        }
        if now < rate || now <= 0.0 {
            continue;
        }
        let is_pledged = matches!(atom.part, Part::Instruction(_));
        let opening = unopened(&openings, n, &opened);
        let needed = atom.tokens + opening + ledgers.needed(n, draft.input.ledger);
        if is_pledged {
            let Some(rest) = most.checked_sub(needed) else { continue };
            if needed > draft.left {
                missing += needed;
                continue;
            }
            most = rest;
        }
        if needed > draft.left {
            continue;
        }
        draft.spend(n, needed);
        done.get_mut(place).into_iter().for_each(|done| *done = true);
        taken.get_mut(n).into_iter().for_each(|taken| taken.push(place));
        atoms.carry(place);
        ledgers.open(n);
        // The others of the exchange need no line of their own any more.
        let first = opened.get_mut(n).is_some_and(|opened| !std::mem::replace(opened, true));
        for &other in by_exchange.get(n).into_iter().flatten().filter(|_| first) {
            queue.push(Queued { rate: atoms.rate(other, Tokens::ZERO), atom: other });
        }
    }
    for (n, taken) in taken.into_iter().enumerate().filter(|(_, taken)| !taken.is_empty()) {
        let taken: Vec<&Atom> = taken.into_iter().filter_map(|atom| atoms.all.get(atom)).collect();
        draft.set(n, Form::As(lines(draft, n, &taken)));
    }
    missing
}

/// What an instruction of this length has of the room before others: long ones give way to several short ones, by the square
/// root of their length.
pub(crate) fn claim(strength: f64, tokens: Tokens) -> f64 {
    strength * (USUAL_INSTRUCTION / exact(tokens.get()).max(USUAL_INSTRUCTION)).sqrt()
}

/// About as many tokens has the usual instruction.
const USUAL_INSTRUCTION: f64 = 20.0;

/// About what the lines of `pledged` take.
pub(crate) fn cost_of(draft: &Draft<'_>, pledged: &[Instruction]) -> Tokens {
    pledged.iter().map(|found| cost(draft, found)).sum()
}

/// About what the line of `found` takes.
pub(crate) fn cost(draft: &Draft<'_>, found: &Instruction) -> Tokens {
    let layout = &draft.input.context.layout;
    let Some(block) = draft.block(found.block) else { return Tokens::ZERO };
    let head = if is_ledger(block, layout) { String::new() } else { head(block, layout) };
    let text = found.range.of(&block.text).unwrap_or_default();
    draft.input.counter.count(text) + draft.input.counter.count(&head) + Tokens::new(3)
}

/// `pledged` in about `most` tokens if that can be: those that have most beside them go without it. Linear-logarithmic.
pub(crate) fn within<'r>(
    draft: &Draft<'_>,
    pledged: impl Iterator<Item = &'r Instruction>,
    most: Tokens,
) -> Vec<Instruction> {
    let mut pledged: Vec<Instruction> = pledged.cloned().collect();
    let mut total = cost_of(draft, &pledged);
    let beside = |found: &Instruction| {
        let length = |range: ByteRange| range.end() - range.start();
        length(found.range) - length(found.core)
    };
    let mut order: Vec<usize> = (0..pledged.len()).collect();
    order.sort_by_key(|&n| Reverse(pledged.get(n).map_or(0, beside)));
    for n in order {
        let Some(found) = pledged.get_mut(n).filter(|found| total > most && beside(found) > 0) else { break };
        total = total.saturating_sub(cost(draft, found));
        found.range = found.core;
        total += cost(draft, found);
    }
    pledged
}

/// A line for each message of exchange `n`, carrying what of `taken` is its own.
fn lines(draft: &Draft<'_>, n: usize, taken: &[&Atom]) -> Vec<(Action, Reason)> {
    let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
    let line = |&at: &usize| {
        let mut atoms: Vec<&Atom> = taken.iter().filter(|atom| atom.block == at).copied().collect();
        let text = draft
            .block(at)
            .map(|block| line(block, &mut atoms, &draft.input.context.layout))
            .unwrap_or_default();
        (Action::Render { level: Level::Gist, text }, Reason::Carried { parts: atoms.len() })
    };
    members.map(line).collect()
}

/// What the lines of exchange `n` take without anything carried.
fn heads(draft: &Draft<'_>, n: usize) -> Tokens {
    let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
    let blocks = members.filter_map(|&at| draft.block(at));
    let head = |block| draft.input.counter.count(&head(block, &draft.input.context.layout)) + Tokens::new(2);
    blocks.map(head).sum()
}

/// Which stretches between messages have a ledger.
struct Ledgers {
    /// For each exchange its stretch.
    stretches: Vec<usize>,
    open: Vec<bool>,
    /// Whether there is one at all.
    any: bool,
}

impl Ledgers {
    fn new(draft: &Draft<'_>) -> Self {
        let stretches = draft.stretches();
        let count = stretches.last().map_or(0, |last| last + 1);
        Self { stretches, open: vec![false; count], any: false }
    }

    /// What the ledger takes that lines of exchange `n` would open. What the first takes is set aside.
    fn needed(&self, n: usize, ledger: Tokens) -> Tokens {
        let open = self.stretches.get(n).and_then(|&stretch| self.open.get(stretch));
        if open == Some(&false) && self.any { ledger } else { Tokens::ZERO }
    }

    fn open(&mut self, n: usize) {
        self.any = true;
        let open = self.stretches.get(n).and_then(|&stretch| self.open.get_mut(stretch));
        open.into_iter().for_each(|open| *open = true);
    }
}

/// An atom in the queue.
struct Queued {
    rate: f64,
    atom: usize,
}

impl PartialEq for Queued {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Queued {
    /// The better first; of equals the later, since what is newer matters more.
    fn cmp(&self, other: &Self) -> Ordering {
        self.rate.total_cmp(&other.rate).then(self.atom.cmp(&other.atom))
    }
}
