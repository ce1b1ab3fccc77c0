//! The parts of turns that lines can show, and what they are worth.

use contextfit_kernel::{Block, ByteRange, MeasuredBlock, Role, Tokens};
use foldhash::{HashMap, HashMapExt};

use super::{
    claim,
    head::{SHORT_ARGUMENTS, is_bookkeeping, is_ledger},
    worth::Worth,
};
use crate::{
    draft::Draft,
    hierarchical::Reading,
    instructions::Instruction,
    opening::said_from,
    relevance::exact,
    values::{Kind, values},
};

/// A sentence longer than this is shown by its values, in tokens.
const SHORT_SENTENCE: usize = 48;

/// How many tokens the usual value has: for one of so many, worth for a token and worth over the square root of the tokens
/// are set equal, so that sentences and values compare.
const USUAL_VALUE: f64 = 4.0;

/// Where a text stands: in a message, or in the arguments of one of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Arguments(usize),
    Text,
}

impl Source {
    pub(super) fn text(self, block: &Block) -> &str {
        match self {
            Self::Text => &block.text,
            Self::Arguments(n) => {
                block.as_turn().and_then(|turn| turn.calls.get(n)).map_or("", |call| call.arguments.as_str())
            }
        }
    }

    /// Whether the head of the line shows it whole.
    pub(super) fn is_in_head(self, block: &Block) -> bool {
        self != Self::Text && self.text(block).len() <= SHORT_ARGUMENTS
    }
}

/// What kind of part it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// A standing instruction, by its claim.
    Instruction(f64),
    /// A sentence, worth this beside its values.
    Sentence(f64),
    /// A value by itself.
    Value,
}

/// A part of a turn that a line can show.
#[derive(Debug)]
pub(super) struct Atom {
    pub(super) block: usize,
    pub(super) source: Source,
    pub(super) range: ByteRange,
    pub(super) part: Part,
    pub(super) tokens: Tokens,
    /// Its values, by their places in the list of all.
    values: Vec<usize>,
}

/// The parts of the turns that are not shown, and the values in them.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    pub(super) all: Vec<Atom>,
    /// For each value what it is worth, until it is carried.
    values: Vec<f64>,
}

/// A value while the turns are read.
struct Seen {
    kind: Kind,
    turns: usize,
    /// The block that it stands in last.
    last: usize,
    said: bool,
    /// Whether a turn that is shown carries it.
    shown: bool,
    /// Where it stands last in a turn that is not shown.
    hidden: Option<(usize, Source, ByteRange)>,
}

impl Atoms {
    /// Reads the turns. Linear in their length.
    pub(super) fn read(
        draft: &Draft<'_>,
        reading: &Reading<'_>,
        worth: &Worth,
        pledged: &[Instruction],
        hidden: &dyn Fn(usize) -> bool,
    ) -> Self {
        let mut reader = Reader { draft, atoms: Self::default(), seen: Vec::new(), places: HashMap::new() };
        let count = draft.input.blocks.len();
        let mut pledged = pledged.iter().peekable();
        let mut stale = reading.instructions.iter().filter(|found| !found.stands()).peekable();
        for (at, measured) in draft.input.blocks.iter().enumerate() {
            let Some(turn) = measured.block().as_turn() else { continue };
            let here = |found: &&Instruction| found.block == at;
            let mut instructions: Vec<&Instruction> = Vec::new();
            while let Some(found) = pledged.next_if(|found| found.block <= at) {
                instructions.extend(Some(found).filter(here));
            }
            // What is replaced, and the time in front, are not carried.
            let mut passed: Vec<ByteRange> =
                ByteRange::new(0, said_from(measured.block())).into_iter().collect();
            while let Some(found) = stale.next_if(|found| found.block <= at) {
                passed.extend(Some(found.range).filter(|_| here(&found)));
            }
            if turn.role.instructs() {
                continue;
            }
            let first = reader.atoms.all.len();
            let printed = reading.outputs.get(at).copied().unwrap_or_default();
            let is_hidden = hidden(at);
            if is_hidden && !printed {
                reader.instructions(at, measured, &instructions);
                let by_speaker = if turn.role == Role::User { worth.user } else { worth.assistant };
                let relevance = reading.relevance.get(at).copied().unwrap_or_default();
                let own = by_speaker * worth.fading(exact(count - at)) * (1.0 + relevance);
                reader.sentences(at, measured, own, &instructions, &passed);
            }
            for (n, call) in turn.calls.iter().enumerate() {
                reader.values(at, Source::Arguments(n), &call.arguments, first, (printed, is_hidden), &[]);
            }
            reader.values(at, Source::Text, &measured.block().text, first, (printed, is_hidden), &passed);
        }
        reader.finish(worth)
    }

    /// By what the atom is chosen: the highest first. Zero when everything that it has is carried.
    /// `opening` is what the line takes that it would open.
    pub(super) fn rate(&self, atom: usize, opening: Tokens) -> f64 {
        let Some(atom) = self.all.get(atom) else { return 0.0 };
        let worth: f64 = atom.values.iter().filter_map(|&value| self.values.get(value)).sum();
        let tokens = exact((atom.tokens + opening).get().max(1));
        match atom.part {
            // Before everything else.
            Part::Instruction(claim) => f64::MAX / 2.0 * (1.0 + claim),
            Part::Sentence(own) => (worth + own) * USUAL_VALUE.sqrt() / tokens,
            Part::Value => worth / tokens.sqrt(),
        }
    }

    /// The values of an atom are carried from now on.
    pub(super) fn carry(&mut self, atom: usize) {
        let Some(atom) = self.all.get(atom) else { return };
        for &value in &atom.values {
            self.values.get_mut(value).into_iter().for_each(|worth| *worth = 0.0);
        }
    }
}

struct Reader<'a> {
    draft: &'a Draft<'a>,
    atoms: Atoms,
    seen: Vec<Seen>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    fn instructions(&mut self, block: usize, measured: &MeasuredBlock<'_>, found: &[&Instruction]) {
        for found in found {
            let text = found.range.of(&measured.block().text).unwrap_or_default();
            let tokens = self.draft.input.counter.count(text) + Tokens::new(1);
            self.push(block, found.range, Part::Instruction(claim(found.rank(), tokens)), tokens);
        }
    }

    fn sentences(
        &mut self,
        block: usize,
        measured: &MeasuredBlock<'_>,
        own: f64,
        instructions: &[&Instruction],
        passed: &[ByteRange],
    ) {
        let layout = &self.draft.input.context.layout;
        let longest = if is_ledger(measured.block(), layout) { usize::MAX } else { SHORT_SENTENCE };
        let said_from = said_from(measured.block());
        for unit in 0..measured.units().len() {
            let whole = measured.range(unit, unit + 1);
            let Some(range) = ByteRange::new(whole.start().max(said_from), whole.end()) else { continue };
            let mut tokens = measured.tokens_between(unit, unit + 1);
            let taken = instructions
                .iter()
                .map(|found| &found.range)
                .chain(passed)
                .any(|taken| overlap(*taken, range));
            let text = range.of(&measured.block().text).unwrap_or_default();
            if range != whole {
                tokens = self.draft.input.counter.count(text);
            }
            let says_nothing = text.trim().len() < 2 || is_bookkeeping(text, layout);
            if !taken && !says_nothing && tokens.get() <= longest {
                self.push(block, range, Part::Sentence(own), tokens + Tokens::new(1));
            }
        }
    }

    fn push(&mut self, block: usize, range: ByteRange, part: Part, tokens: Tokens) {
        let source = Source::Text;
        self.atoms.all.push(Atom { block, source, range, part, tokens, values: Vec::new() });
    }

    /// Reads the values of a text; those inside a sentence of the atoms from `first` on are the sentence's too.
    fn values(
        &mut self,
        at: usize,
        source: Source,
        text: &'a str,
        first: usize,
        (printed, hidden): (bool, bool),
        passed: &[ByteRange],
    ) {
        let sentences = self.atoms.all.get_mut(first..).unwrap_or_default();
        sentences.sort_by_key(|atom| atom.range.start());
        let mut sentences = sentences.iter_mut().filter(|_| source == Source::Text).peekable();
        for value in values(text) {
            let Some(word) = value.range.of(text) else { continue };
            if passed.iter().any(|range| overlap(*range, value.range)) {
                continue;
            }
            let place = *self.places.entry(word).or_insert_with(|| {
                let unseen = usize::MAX;
                self.seen.push(Seen {
                    kind: value.kind,
                    turns: 0,
                    last: unseen,
                    said: false,
                    shown: false,
                    hidden: None,
                });
                self.seen.len() - 1
            });
            let Some(seen) = self.seen.get_mut(place) else { continue };
            seen.turns += usize::from(seen.last != at);
            seen.last = at;
            seen.said |= !printed;
            if !hidden {
                seen.shown = true;
                continue;
            }
            seen.hidden = Some((at, source, value.range));
            while sentences.next_if(|atom| atom.range.end() <= value.range.start()).is_some() {}
            if let Some(sentence) = sentences.peek_mut().filter(|atom| overlap(atom.range, value.range)) {
                sentence.values.push(place);
            }
        }
    }

    /// The atoms, with one for each value where it stands last.
    fn finish(self, worth: &Worth) -> Atoms {
        let Self { draft, mut atoms, seen, .. } = self;
        let count = draft.input.blocks.len();
        for (place, seen) in seen.iter().enumerate() {
            let said = if seen.said { worth.said } else { 0.0 };
            let again = worth.again * exact(seen.turns.max(1)).ln();
            let fading = worth.fading(exact(count.saturating_sub(seen.last)));
            let value = worth.of(seen.kind) * (1.0 + again + said) * fading;
            atoms.values.push(if seen.shown { 0.0 } else { value });
            let Some((block, source, range)) = seen.hidden.filter(|_| !seen.shown) else { continue };
            let Some(source_block) = draft.block(block) else { continue };
            let tokens = if source.is_in_head(source_block) {
                Tokens::ZERO
            } else {
                let text = range.of(source.text(source_block)).unwrap_or_default();
                draft.input.counter.count(text) + Tokens::new(1)
            };
            atoms.all.push(Atom { block, source, range, part: Part::Value, tokens, values: vec![place] });
        }
        atoms
    }
}

/// Whether two ranges share a byte.
fn overlap(a: ByteRange, b: ByteRange) -> bool {
    a.start() < b.end() && b.start() < a.end()
}
