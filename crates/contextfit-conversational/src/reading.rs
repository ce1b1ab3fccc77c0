//! The reading of a conversation before planning: who says what, and the score of each unit.

use std::borrow::Cow;

use contextfit_kernel::{
    Block, ByteRange, Level, Measured, MeasuredBlock, QuoteSource, Role, Scorer, Values,
};
use contextfit_text::{
    Analyzer, NaturalLanguage, Sentence, Speakers, float, relevance_in_order, standing_rules, words,
};
use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};

use crate::{
    units::{TurnUnit, UnitForm, Units},
    values::{ValueKind, values},
};

/// Everything about a conversation that does not depend on the room.
pub(crate) struct Reading<'a> {
    pub(crate) input: &'a Measured<'a>,
    /// Whether there is a query.
    pub(crate) asked: bool,
    pub(crate) speakers: Speakers,
    pub(crate) units: Units,
    /// The base score of each unit.
    pub(crate) own: Vec<f64>,
    /// The names in each unit.
    pub(crate) names: Vec<Vec<u32>>,
    /// The weight of each name.
    pub(crate) weights: Vec<f64>,
    /// The names in each block, sorted.
    pub(crate) names_of: Vec<Vec<u32>>,
    /// The strength of each unit as a standing rule; zero if it is not a rule, or if a later rule replaces it.
    pub(crate) rules: Vec<f64>,
}

impl<'a> Reading<'a> {
    /// Reads the conversation. `scorer` rates the relevance of turns to the query, or without one to the user's last
    /// words. Linearithmic in its length.
    pub(crate) fn new(input: &'a Measured<'a>, scorer: &dyn Scorer, worth: &Worth) -> Self {
        let query = input.context.query.as_deref().filter(|query| !query.trim().is_empty());
        let speakers = Speakers::of(&input.blocks);
        let numbers = input.context.numbers();
        // Only a conversation has a record to quote units in.
        let units = match input.context.layout.framing {
            Some(_) => Units::read(&input.blocks, &numbers, &speakers, query.is_some()),
            None => Units::default(),
        };
        let relevance = relevance(input, query.or_else(|| users_words(input, &speakers).next()), scorer);
        let mut reading = Self {
            input,
            asked: query.is_some(),
            own: Vec::new(),
            names: vec![Vec::new(); units.all.len()],
            weights: Vec::new(),
            names_of: vec![Vec::new(); input.blocks.len()],
            rules: Vec::new(),
            speakers,
            units,
        };
        reading.read_names(&numbers, worth);
        reading.read_own(&relevance, worth);
        reading.read_rules();
        reading
    }

    /// The block of `unit`.
    pub(crate) fn block_of(&self, unit: &TurnUnit) -> usize {
        self.units.holders.get(unit.holder).map_or(0, |holder| holder.block)
    }

    /// Whether the block at `at` is a message of the assistant's that calls nothing and that the user answers.
    pub(crate) fn reports(&self, at: usize) -> bool {
        let turn = |at: usize| self.input.blocks.get(at).and_then(|block| block.block().as_turn());
        let is_answered =
            turn(at + 1).is_some_and(|turn| turn.role == Role::User && !self.speakers.is_printed(at + 1));
        is_answered && turn(at).is_some_and(|turn| turn.role == Role::Assistant && turn.calls.is_empty())
    }

    /// Finds the names and the units that contain them.
    fn read_names(&mut self, numbers: &[usize], worth: &Worth) {
        let mut seen: HashMap<&'a str, u32> = HashMap::new();
        let mut found: Vec<(ValueKind, usize, usize)> = Vec::new();
        let mut by_block: Vec<Vec<usize>> = vec![Vec::new(); self.input.blocks.len()];
        for (n, unit) in self.units.all.iter().enumerate() {
            by_block.change(self.block_of(unit), |units| units.push(n));
        }
        for ((at, measured), &number) in self.input.blocks.iter().enumerate().zip(numbers) {
            let block: &'a Block = measured.block();
            let Some(turn) = block.as_turn().filter(|turn| !turn.role.instructs()) else { continue };
            let mut sources: Vec<(QuoteSource, usize)> =
                (0..turn.calls.len()).map(|n| (QuoteSource::Arguments(n), 0)).collect();
            let body =
                if block.level < Level::Extract { block.text.find(':').map_or(0, |at| at + 1) } else { 0 };
            sources.push((QuoteSource::Text, body));
            for (source, from) in sources {
                let Some(text) = source.of(block).and_then(|text| text.get(from..)) else { continue };
                let units = by_block.get(at).into_iter().flatten().copied();
                let mut units: Vec<(usize, ByteRange)> = units
                    .filter_map(|n| Some((n, self.units.all.get(n)?.quote)))
                    .filter(|(_, quote)| quote.source == source)
                    .map(|(n, quote)| (n, quote.range))
                    .collect();
                units.sort_by_key(|(_, range)| range.start());
                let mut units = units.into_iter().peekable();
                for value in values(text) {
                    let Some(word) = value.range.of(text) else { continue };
                    let next = u32::try_from(found.len()).unwrap_or(u32::MAX);
                    let name = *seen.entry(word).or_insert(next);
                    if name == next {
                        found.push((value.kind, 0, usize::MAX));
                    }
                    if let Some((_, turns, last)) = found.get_mut(name as usize) {
                        *turns += usize::from(*last != number);
                        *last = number;
                    }
                    self.names_of.change(at, |names| names.push(name));
                    while units.next_if(|(_, range)| range.end() <= value.range.start() + from).is_some() {}
                    if let Some((n, _)) =
                        units.peek().filter(|(_, range)| range.start() < value.range.end() + from)
                    {
                        self.names.change(*n, |names| names.push(name));
                    }
                }
            }
        }
        let last = float(numbers.last().copied().unwrap_or(1).max(1));
        let weight = |(kind, turns, number): &(ValueKind, usize, usize)| {
            worth.of_name(*kind, *turns, float(*number) / last)
        };
        self.weights = found.iter().map(weight).collect();
        for names in self.names.iter_mut().chain(&mut self.names_of) {
            names.sort_unstable();
            names.dedup();
        }
    }

    /// Computes the base scores of units.
    fn read_own(&mut self, relevance: &[f64], worth: &Worth) {
        let last = float(self.input.blocks.len().max(1));
        let own = |unit: &TurnUnit| {
            let at = self.block_of(unit);
            let relevant = relevance.at(at);
            let lately = worth.lately(float(at + 1) / last);
            match unit.form {
                // Ranked by relevance alone, whatever their length.
                UnitForm::Sentence if self.units.whole_turns => relevant,
                UnitForm::Entry if self.units.whole_turns => relevant,
                UnitForm::Line(signal) => {
                    worth.of_signal(signal) * lately + worth.relevance * relevant * lately / 4.0
                }
                UnitForm::Entry => worth.relevance * (0.5 + relevant) * lately,
                UnitForm::Sentence
                | UnitForm::Words
                | UnitForm::Member(_)
                | UnitForm::Call
                | UnitForm::Outdated => worth.relevance * relevant * lately,
            }
        };
        self.own = self.units.all.iter().map(own).collect();
    }

    /// Finds the standing rules in what users say, and assistants in a conversation without tools.
    fn read_rules(&mut self) {
        let mut sentences = Vec::new();
        let mut of_unit = Vec::new();
        for (n, unit) in self.units.all.iter().enumerate() {
            let at = self.block_of(unit);
            let Some(block) = self.input.blocks.get(at).map(MeasuredBlock::block) else { continue };
            let Some(turn) = block
                .as_turn()
                .filter(|_| matches!(unit.form, UnitForm::Entry | UnitForm::Sentence | UnitForm::Words))
            else {
                continue;
            };
            if !matches!(turn.role, Role::User | Role::Assistant)
                || (turn.role == Role::Assistant && self.speakers.has_tools())
            {
                continue;
            }
            let range = unit.quote.range;
            let Some(text) = range.of(&block.text) else { continue };
            // An entry begins with its label, and a whole turn may have several sentences.
            let body = if unit.form == UnitForm::Entry { text.find(": ").map_or(0, |at| at + 2) } else { 0 };
            let inside = text.get(body..).unwrap_or_default();
            let mut start = 0;
            for end in contextfit_text::unit_ends(inside, contextfit_text::Shape::Prose) {
                let sentence = inside.get(start..end).unwrap_or_default();
                let place = range.start() + body + start;
                start = end;
                let Some(range) = ByteRange::new(place, place + sentence.len()) else { continue };
                sentences.push(Sentence {
                    block: at,
                    range,
                    text: sentence.trim(),
                    role: turn.role,
                    name: turn.name.as_deref(),
                });
                of_unit.push(n);
            }
        }
        self.rules = vec![0.0; self.units.all.len()];
        let mut places: HashMap<(usize, usize), usize> = HashMap::new();
        for (sentence, &unit) in sentences.iter().zip(&of_unit) {
            places.insert((sentence.block, sentence.range.start()), unit);
        }
        for rule in standing_rules(&sentences).iter().filter(|rule| !rule.replaced) {
            let unit = places.get(&(rule.block, rule.range.start()));
            if let Some(known) = unit.and_then(|&unit| self.rules.get_mut(unit)) {
                *known = rule.strength.max(*known);
            }
        }
    }
}

/// The user's words, newest first.
fn users_words<'a>(input: &'a Measured<'_>, speakers: &Speakers) -> impl Iterator<Item = &'a str> {
    let blocks = input.blocks.iter().map(MeasuredBlock::block).enumerate();
    let words = blocks.filter_map(|(at, block)| {
        let turn = block.as_turn().filter(|turn| turn.role == Role::User && block.level.shows_source())?;
        // A message with tool results may also contain the user's words.
        let has_tools = turn.parts.iter().any(|part| part.tool.is_some());
        let parts = turn.texts(&block.text).filter(|(_, tool)| tool.is_none());
        let parts: Vec<&str> = parts.filter_map(|(part, _)| part.of(&block.text)).collect();
        (has_tools || !speakers.is_printed(at)).then_some(parts)
    });
    words.rev().flat_map(|parts| parts.into_iter().rev())
}

/// The query, or else the user's newest words that state a wish, which "go on" does not.
pub(crate) fn question<'a>(input: &'a Measured<'_>, speakers: &Speakers) -> Option<&'a str> {
    let query = input.context.query.as_deref();
    query.into_iter().chain(users_words(input, speakers)).find(|text| terms(text).nth(CONTENT - 1).is_some())
}

/// The content words of `text`.
fn terms(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let analyzer = Analyzer::new(Some(NaturalLanguage::of_texts([text])));
    words(text).filter_map(move |word| analyzer.term(word))
}

/// The minimum number of content words that state a wish.
const CONTENT: usize = 2;

/// The factor for turns of a speaker whom the request names.
const NAMED_SPEAKER_FACTOR: f64 = 1.5;

/// The relevance of each turn to `request`: 1 for the best, never negative; empty without a request. Instructions are
/// not rated and lend no relevance to their neighbours. Linear in the length of the turns.
pub(crate) fn relevance(input: &Measured<'_>, request: Option<&str>, scorer: &dyn Scorer) -> Vec<f64> {
    let Some(request) = request else { return Vec::new() };
    let instructs = |block: &Block| block.as_turn().is_some_and(|turn| turn.role.instructs());
    let blocks = input.blocks.iter().map(MeasuredBlock::block);
    let texts: Vec<&str> =
        blocks.map(|block| if instructs(block) { "" } else { block.text.as_str() }).collect();
    let mut relevance = relevance_in_order(request, &texts, scorer);
    for (score, named) in relevance.iter_mut().zip(named_speakers(input, request)) {
        *score *= if named { NAMED_SPEAKER_FACTOR } else { 1.0 };
    }
    let best = relevance.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    relevance.iter_mut().for_each(|score| *score /= best);
    relevance
}

/// For each turn, whether `request` names its speaker.
fn named_speakers(input: &Measured<'_>, request: &str) -> Vec<bool> {
    // ablate: chat.named-speakers => Vec::new()
    let asked = folded(request);
    let named = |name: &str| {
        let name = folded(name);
        !name.is_empty() && asked.windows(name.len()).any(|part| part == name.as_slice())
    };
    let name = |block: &Block| block.as_turn().and_then(|turn| turn.name.as_deref()).is_some_and(named);
    input.blocks.iter().map(|block| name(block.block())).collect()
}

/// The lowercase words of a text or a name, split at all punctuation because wire formats allow no spaces in names.
fn folded(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// The weights that score the units of earlier turns.
///
/// A unit scores for the names in it that are not shown yet, plus a base score; the packer repeatedly takes the unit
/// with the highest score per token. A name (an identifier, a number, a name in prose) has the weight of its kind,
/// times 1 plus the natural logarithm of the number of turns that contain it, times its recency:
/// [`always`](Self::always) for the first turn of the session and 1 for the last, rising with the square of the
/// position in between. The base score of a unit is that of its signal (an error, a total) if a tool printed it, plus
/// that of its turn's relevance to the request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Worth {
    /// An identifier: a path, an address, a code, a date, a name in code.
    pub identifier: f64,
    /// A number.
    pub number: f64,
    /// A name in prose.
    pub name: f64,
    /// The share of its weight, from 0 to 1, that a name keeps if only the first turn contains it.
    pub always: f64,
    /// A line that reports an error; weaker signals score less.
    pub signal: f64,
    /// A sentence of the most relevant turn; sentences of other turns score less.
    pub relevance: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self { identifier: 1.0, number: 0.1, name: 0.05, always: 0.5, signal: 1.5, relevance: 0.1 }
    }
}

/// The thresholds of a signal on the scale of excerpts: nothing up to the first, full strength from the second, and
/// nothing again above the third. Higher scores belong to headers, which say nothing without the lines below them.
const SIGNAL: (f32, f32, f32) = (8.0, 24.0, 500.0);

impl Worth {
    /// The score of a name of `kind` that `turns` turns contain, the last of them at position `last` in the session,
    /// from 0 to 1.
    fn of_name(&self, kind: ValueKind, turns: usize, last: f64) -> f64 {
        let kind = match kind {
            ValueKind::Identifier => self.identifier,
            ValueKind::Number => self.number, // ablate: chat.numbers => 0.0
            ValueKind::Name => self.name,     // ablate: chat.names => 0.0
        };
        let turns = 1.0 + float(turns.max(1)).ln(); // ablate: chat.turns-of-a-name => 1.0
        kind * turns * self.lately(last)
    }

    /// The recency factor for `place` in the session, from 0 to 1.
    fn lately(&self, place: f64) -> f64 {
        // ablate: chat.recency => 1.0
        self.always + (1.0 - self.always) * place.clamp(0.0, 1.0).powi(2)
    }

    /// The base score of a line that has the score `worth` on the scale of excerpts.
    fn of_signal(&self, worth: f32) -> f64 {
        // ablate: chat.signals => 0.0
        self.signal * signal(worth)
    }
}

/// The strength, from 0 to 1, of the signal of a line with this score on the scale of excerpts.
pub(crate) fn signal(score: f32) -> f64 {
    let (none, whole, most) = SIGNAL;
    if score > most { 0.0 } else { f64::from(((score - none) / (whole - none)).clamp(0.0, 1.0)) }
}
