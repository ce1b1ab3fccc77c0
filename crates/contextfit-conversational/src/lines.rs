//! Lines in place of turns: who spoke or what was called, and what of it is most likely to be needed again.

mod atoms;
mod head;
mod worth;

use std::{cmp::Ordering, collections::BinaryHeap};

use contextfit_kernel::{Action, Level, Reason, Tokens};

pub use self::worth::Worth;
use self::{
    atoms::{Atom, Atoms, Part},
    head::{head, line},
};
use crate::{
    draft::{Draft, Form},
    hierarchical::Reading,
    instructions::Instruction,
};

/// Fills what is left of the room with lines for the exchanges that are not shown: `pledged` instructions first, as far as
/// `most` has room for them, then what is worth most. Linear-logarithmic in the length of the conversation.
pub(crate) fn fill(
    draft: &mut Draft<'_>,
    worth: &Worth,
    reading: &Reading<'_>,
    pledged: &[&Instruction],
    mut most: Tokens,
) {
    let owners = draft.owners();
    let hidden = |at: usize| owners.get(at).is_some_and(|&n| draft.is_open(n));
    let mut atoms = Atoms::read(draft, reading, worth, pledged, &hidden);
    let mut ledgers = Ledgers::new(draft);
    let mut taken: Vec<Vec<usize>> = vec![Vec::new(); draft.exchanges.len()];

    let mut queue: BinaryHeap<Queued> =
        (0..atoms.all.len()).map(|atom| Queued { rate: atoms.rate(atom), atom }).collect();
    while let Some(Queued { rate, atom: place }) = queue.pop() {
        // Part of what it was worth may be carried by now.
        let now = atoms.rate(place);
        if now < rate && now > 0.0 {
            queue.push(Queued { rate: now, atom: place });
        }
        let Some(atom) = atoms.all.get(place).filter(|_| now >= rate && now > 0.0) else { continue };
        let Some(&n) = owners.get(atom.block) else { continue };
        let needed = atom.tokens + ledgers.opening(draft, n);
        if needed > draft.left || (atom.part == Part::Instruction && needed > most) {
            continue;
        }
        if atom.part == Part::Instruction {
            most = most.saturating_sub(needed);
        }
        draft.left = draft.left.saturating_sub(needed);
        ledgers.open(n);
        taken.get_mut(n).into_iter().for_each(|taken| taken.push(place));
        atoms.carry(place);
    }
    for (n, taken) in taken.into_iter().enumerate().filter(|(_, taken)| !taken.is_empty()) {
        let taken: Vec<&Atom> = taken.into_iter().filter_map(|atom| atoms.all.get(atom)).collect();
        draft.set(n, Form::As(lines(draft, n, &taken)));
    }
}

/// About what the lines of `pledged` take.
pub(crate) fn cost_of(draft: &Draft<'_>, pledged: &[&Instruction]) -> Tokens {
    let count = |found: &&Instruction| {
        let text = draft.block(found.block).and_then(|block| found.range.of(&block.text));
        draft.input.counter.count(text.unwrap_or_default()) + Tokens::new(4)
    };
    pledged.iter().map(count).sum()
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

/// Which exchanges have lines, and which stretches between messages a ledger.
struct Ledgers {
    /// For each exchange its stretch, and whether it has lines.
    exchanges: Vec<(usize, bool)>,
    stretches: Vec<bool>,
    /// Whether there is one at all.
    any: bool,
}

impl Ledgers {
    fn new(draft: &Draft<'_>) -> Self {
        let stretches = draft.stretches();
        let count = stretches.last().map_or(0, |last| last + 1);
        Self {
            exchanges: stretches.into_iter().map(|stretch| (stretch, false)).collect(),
            stretches: vec![false; count],
            any: false,
        }
    }

    /// What the lines of exchange `n` take without anything carried, if there are none yet; with them the ledger that they
    /// open. What the first ledger takes is set aside.
    fn opening(&self, draft: &Draft<'_>, n: usize) -> Tokens {
        let Some(&(stretch, false)) = self.exchanges.get(n) else { return Tokens::ZERO };
        let ledger = match self.stretches.get(stretch) {
            Some(false) if self.any => draft.input.ledger,
            _ => Tokens::ZERO,
        };
        let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
        let head = |&at: &usize| {
            draft.block(at).map_or(Tokens::ZERO, |block| {
                draft.input.counter.count(&head(block, &draft.input.context.layout))
            })
        };
        ledger + members.map(|at| head(at) + Tokens::new(2)).sum()
    }

    fn open(&mut self, n: usize) {
        let Some((stretch, open)) = self.exchanges.get_mut(n) else { return };
        *open = true;
        self.any = true;
        self.stretches.get_mut(*stretch).into_iter().for_each(|open| *open = true);
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
