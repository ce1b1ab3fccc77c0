//! Lines in place of turns: who spoke or which tool was called, and what of it is most likely to be needed again.

use std::{cmp::Ordering, collections::BinaryHeap};

use contextfit_kernel::{Action, Block, ByteRange, Level, Reason, Role, Tokens};
use foldhash::{HashMap, HashMapExt};

use crate::{
    draft::{Draft, Form, in_one_line, is_output},
    relevance::exact,
    values::{Kind, values},
};

/// Arguments of a call that are longer than this are shown by their values, in bytes.
const SHORT_ARGUMENTS: usize = 96;

/// A sentence longer than this is shown by its values, in tokens.
const SHORT_SENTENCE: usize = 48;

/// What is worth a place in a line.
///
/// A value: its kind, more when it was said by the user or the assistant and not only printed by a tool, more when it
/// came up in several turns, less the longer ago. A sentence: who said it, and the values in it. The better ones for the
/// square root of their tokens come first: ranking by worth alone favours the long, ranking by worth for a token favours
/// numbers of one digit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// Identifiers: paths, addresses, codes, dates, names of code.
    pub identifier: f64,
    /// Numbers.
    pub number: f64,
    /// Names.
    pub name: f64,
    /// Words that stand as values of their own in JSON.
    pub word: f64,
    /// More when it was said, next to 1.
    pub said: f64,
    /// More for each e-fold of turns that it came up in, next to 1.
    pub again: f64,
    /// After so many messages something is worth half.
    pub half_life: f64,
    /// A sentence of the user's.
    pub user: f64,
    /// A sentence of the assistant's.
    pub assistant: f64,
    /// power
    pub power: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self {
            identifier: 1.0,
            number: 0.2,
            name: 0.5,
            word: 0.5,
            said: 1.0,
            again: 0.7,
            half_life: 50.0,
            user: 0.7,
            assistant: 0.1,
            power: 0.5,
        }
    }
}

/// Where a text stands: in a message, or in the arguments of one of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Text,
    Arguments(usize),
}

/// A part of a turn that a line can show.
struct Atom {
    block: usize,
    source: Source,
    range: ByteRange,
    /// Places of its values.
    values: Vec<usize>,
    /// What it is worth beside its values.
    own: f64,
    tokens: Tokens,
}

/// A value, wherever it stands.
struct Known {
    worth: f64,
    carried: bool,
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
    /// The better first; of equals the later, since newer turns matter more.
    fn cmp(&self, other: &Self) -> Ordering {
        self.rate.total_cmp(&other.rate).then(self.atom.cmp(&other.atom))
    }
}

/// Fills what is left of the room with lines for the exchanges that are not shown. Linear-logarithmic in their length.
pub(crate) fn fill(draft: &mut Draft<'_>, worth: &Worth, interest: &dyn Fn(usize) -> f64) {
    let mut lines = Lines::read(draft, worth, interest);
    let of = owners(draft);
    let stretches = draft.stretches();
    let mut ledgers = vec![false; stretches.last().map_or(1, |last| last + 1)];
    let mut first = true;
    let mut open: Vec<bool> = vec![false; draft.exchanges.len()];
    let mut taken: Vec<usize> = Vec::new();

    let rate = |lines: &Lines, atom: usize| lines.rate(atom, worth.power);
    let mut queue: BinaryHeap<Queued> =
        (0..lines.atoms.len()).map(|atom| Queued { rate: rate(&lines, atom), atom }).collect();
    while let Some(Queued { rate: before, atom }) = queue.pop() {
        // What it was worth may be carried by now.
        let now = rate(&lines, atom);
        if now <= 0.0 {
            continue;
        }
        if now < before {
            queue.push(Queued { rate: now, atom });
            continue;
        }
        let Some((block, tokens)) = lines.atoms.get(atom).map(|atom| (atom.block, atom.tokens)) else {
            continue;
        };
        let Some(&n) = of.get(block) else { continue };
        let mut needed = tokens;
        if open.get(n) == Some(&false) {
            needed += heads(draft, n);
            let has_ledger =
                stretches.get(n).and_then(|&stretch| ledgers.get(stretch)).copied().unwrap_or(true);
            // What the first takes is set aside.
            needed += if has_ledger || first { Tokens::ZERO } else { draft.input.ledger };
        }
        if needed > draft.left {
            continue;
        }
        draft.left = draft.left.saturating_sub(needed);
        first = false;
        open.get_mut(n).into_iter().for_each(|open| *open = true);
        stretches
            .get(n)
            .and_then(|&stretch| ledgers.get_mut(stretch))
            .into_iter()
            .for_each(|ledger| *ledger = true);
        lines.carry(atom);
        taken.push(atom);
    }
    show(draft, &lines, &open, &taken);
}

/// For each block its exchange.
fn owners(draft: &Draft<'_>) -> Vec<usize> {
    let mut of = vec![0; draft.input.blocks.len()];
    for (n, exchange) in draft.exchanges.iter().enumerate() {
        for &at in &exchange.members {
            of.get_mut(at).into_iter().for_each(|of| *of = n);
        }
    }
    of
}

/// What the lines of exchange `n` take without anything carried.
fn heads(draft: &Draft<'_>, n: usize) -> Tokens {
    let members = draft.exchanges.get(n).into_iter().flat_map(|exchange| &exchange.members);
    let head = |&at: &usize| {
        draft.block(at).map_or(Tokens::ZERO, |block| draft.input.counter.count(&head(block)) + Tokens::new(2))
    };
    members.map(head).sum()
}

/// How a line begins: who spoke and what was called with short arguments; an arrow for what a tool returned.
fn head(block: &Block) -> String {
    let Some(turn) = block.as_turn() else { return String::new() };
    if turn.role == Role::Tool {
        return "->".to_owned();
    }
    let mut head = turn.name.clone().unwrap_or_else(|| turn.role.name().to_owned());
    for (n, call) in turn.calls.iter().enumerate() {
        head.push_str(if n == 0 { " called " } else { ", " });
        head.push_str(&call.name);
        if call.arguments.len() <= SHORT_ARGUMENTS {
            head.extend([" ", &in_one_line(&call.arguments, ByteRange::whole(&call.arguments))]);
        }
    }
    head
}

/// The parts of the turns that are not shown, and the values in them.
struct Lines {
    atoms: Vec<Atom>,
    known: Vec<Known>,
}

impl Lines {
    fn read(draft: &Draft<'_>, worth: &Worth, interest: &dyn Fn(usize) -> f64) -> Self {
        let of = owners(draft);
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut seen: Vec<Seen> = Vec::new();
        let mut atoms: Vec<Atom> = Vec::new();
        let count = draft.input.blocks.len();
        let mut users = 0;
        for (at, measured) in draft.input.blocks.iter().enumerate() {
            let block = measured.block();
            let Some(turn) = block.as_turn().filter(|turn| !turn.role.instructs()) else { continue };
            let hidden = of.get(at).is_some_and(|&n| draft.is_open(n));
            let printed = is_output(block, users == 0);
            users += usize::from(turn.role == Role::User);
            let age = exact(count - at) / worth.half_life;
            let fading = 1.0 / (1.0 + age);
            let mut read = |source: Source, text: &'_ str, is_short: bool| {
                let _ = (source, text, is_short);
            };
            let _ = &mut read;
            let arguments = turn
                .calls
                .iter()
                .enumerate()
                .map(|(n, call)| (Source::Arguments(n), call.arguments.as_str()));
            for (source, text) in arguments.chain([(Source::Text, block.text.as_str())]) {
                // Short arguments stand in the head of the line.
                let in_head = matches!(source, Source::Arguments(_)) && text.len() <= SHORT_ARGUMENTS;
                let first_atom = atoms.len();
                let sentences = !printed && source == Source::Text;
                if hidden && sentences {
                    let own = match turn.role {
                        Role::User => worth.user,
                        _ => worth.assistant,
                    };
                    for unit in 0..measured.units().len() {
                        let tokens = measured.tokens_between(unit, unit + 1);
                        let range = measured.range(unit, unit + 1);
                        if tokens.get() > SHORT_SENTENCE || measured.text(unit, unit + 1).trim().len() < 2 {
                            continue;
                        }
                        atoms.push(Atom {
                            block: at,
                            source,
                            range,
                            values: Vec::new(),
                            own: own * fading * (1.0 + interest(at)),
                            tokens: tokens + Tokens::new(1),
                        });
                    }
                }
                let mut unit = first_atom;
                let units_end = atoms.len();
                for value in values(text) {
                    let Some(word) = value.range.of(text) else { continue };
                    let place = *places.entry(word).or_insert_with(|| {
                        seen.push(Seen {
                            kind: value.kind,
                            turns: 0,
                            last: usize::MAX,
                            said: false,
                            shown: false,
                            fading: 0.0,
                            atom: None,
                        });
                        seen.len() - 1
                    });
                    let Some(known) = seen.get_mut(place) else { continue };
                    known.turns += usize::from(known.last != at);
                    known.last = at;
                    known.said |= !printed;
                    known.fading = fading;
                    known.shown |= !hidden;
                    if !hidden {
                        continue;
                    }
                    while unit < units_end
                        && atoms.get(unit).is_some_and(|atom| atom.range.end() <= value.range.start())
                    {
                        unit += 1;
                    }
                    if let Some(atom) = atoms
                        .get_mut(unit)
                        .filter(|atom| unit < units_end && atom.range.start() <= value.range.start())
                    {
                        atom.values.push(place);
                    }
                    known.atom = Some((at, source, value.range, in_head));
                }
            }
        }
        let mut known: Vec<Known> = Vec::with_capacity(seen.len());
        for (place, seen) in seen.iter().enumerate() {
            let kind = match seen.kind {
                Kind::Identifier => worth.identifier,
                Kind::Number => worth.number,
                Kind::Name => worth.name,
                Kind::Word => worth.word,
            };
            let said = if seen.said { worth.said } else { 0.0 };
            let worth = kind * (1.0 + worth.again * exact(seen.turns).ln() + said) * seen.fading;
            known.push(Known { worth, carried: seen.shown });
            if let Some((block, source, range, in_head)) = seen.atom.filter(|_| !seen.shown) {
                let text = draft.block(block).map(|block| source.text(block)).unwrap_or_default();
                let tokens = draft.input.counter.count(range.of(text).unwrap_or_default()) + Tokens::new(1);
                let tokens = if in_head { Tokens::ZERO } else { tokens };
                atoms.push(Atom { block, source, range, values: vec![place], own: 0.0, tokens });
            }
        }
        Self { atoms, known }
    }

    fn rate(&self, atom: usize, power: f64) -> f64 {
        let Some(atom) = self.atoms.get(atom) else { return 0.0 };
        let values = atom.values.iter().filter_map(|&place| self.known.get(place));
        let worth: f64 = values.filter(|known| !known.carried).map(|known| known.worth).sum();
        let tokens = exact(atom.tokens.get().max(1));
        if atom.own > 0.0 { (worth + atom.own) * 2.0 / tokens } else { worth / tokens.powf(power) }
    }

    /// The values of an atom are carried from now on.
    fn carry(&mut self, atom: usize) {
        let Some(atom) = self.atoms.get(atom) else { return };
        for &place in &atom.values {
            self.known.get_mut(place).into_iter().for_each(|known| known.carried = true);
        }
    }
}

/// A value while texts are being read.
struct Seen {
    kind: Kind,
    turns: usize,
    last: usize,
    said: bool,
    shown: bool,
    fading: f64,
    atom: Option<(usize, Source, ByteRange, bool)>,
}

impl Source {
    fn text(self, block: &Block) -> &str {
        match self {
            Self::Text => &block.text,
            Self::Arguments(n) => {
                block.as_turn().and_then(|turn| turn.calls.get(n)).map_or("", |call| call.arguments.as_str())
            }
        }
    }
}

/// Writes the lines.
fn show(draft: &mut Draft<'_>, lines: &Lines, open: &[bool], taken: &[usize]) {
    let mut by_block: HashMap<usize, Vec<&Atom>> = HashMap::new();
    for atom in taken.iter().filter_map(|&atom| lines.atoms.get(atom)) {
        by_block.entry(atom.block).or_default().push(atom);
    }
    for n in (0..draft.exchanges.len()).filter(|&n| open.get(n) == Some(&true)) {
        let members = draft.exchanges.get(n).map(|exchange| exchange.members.clone()).unwrap_or_default();
        let forms = members.iter().map(|at| {
            let mut atoms = by_block.remove(at).unwrap_or_default();
            atoms.sort_by_key(|atom| (atom.source, atom.range.start(), atom.range.len()));
            let text = draft.block(*at).map(|block| line(block, &atoms)).unwrap_or_default();
            let action = Action::Render { level: Level::Gist, text };
            (action, Reason::NoRoomWhole { kept: atoms.len(), of: atoms.len() })
        });
        let forms = forms.collect();
        draft.set(n, Form::As(forms));
    }
}

/// A line: its head and what it carries. A result that carries nothing has none.
fn line(block: &Block, atoms: &[&Atom]) -> String {
    let head = head(block);
    let mut text = head.clone();
    let mut end = None;
    for atom in atoms {
        let source = atom.source.text(block);
        if matches!(atom.source, Source::Arguments(_)) && source.len() <= SHORT_ARGUMENTS {
            continue;
        }
        // A value inside a sentence that is shown.
        if end.is_some_and(|(source, end)| source == atom.source && atom.range.start() < end) {
            continue;
        }
        let shown = in_one_line(source, atom.range);
        text.push_str(match end {
            None if block.as_turn().is_some_and(|turn| turn.role == Role::Tool) => " ",
            None => ": ",
            Some(_) if text.ends_with(['.', '!', '?', ':', ';', ',']) => " ",
            Some(_) => ", ",
        });
        text.push_str(&shown);
        end = Some((atom.source, atom.range.end()));
    }
    if end.is_none() && head == "->" { String::new() } else { text }
}
