//! The whole units of a conversation that its record can quote, including those of JSON texts.

use std::ops::Range;

use contextfit_excerpt::unit_worths;
use contextfit_kernel::{
    Block, ByteRange, Label, Level, MeasuredBlock, Quote, QuoteSource, Role, ToolCall, Turn, Values, Voice,
    entry_body,
};
use contextfit_text::{
    JsonKind, NaturalLanguage, Needs, Shape, Speakers, Spoken, begins_as_json, is_json, json_string_end,
    json_tokens, unit_ends,
};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// The maximum bytes of a quoted line; a sentence may have twice as many. A longer one is minified or a dump.
const LONGEST_QUOTE_BYTES: usize = 400;

/// The maximum length, in bytes, of call arguments that are always quoted whole.
const SHORT_ARGUMENTS: usize = 240;

/// The kind of a unit, which determines its score and how it joins its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum UnitForm {
    /// An entry of an earlier record, whole.
    Entry,
    /// The user's words: all of a message, or the text around a paste.
    Words,
    /// A sentence of the conversation.
    Sentence,
    /// A line printed by a program, with its score on the scale of excerpts.
    Line(f32),
    /// A member of JSON; members of one object have the same number.
    Member(usize),
    /// All arguments of a call.
    Call,
    /// The result of a call that is made again later: never quoted.
    Outdated,
}

/// A run of whole units of a turn.
#[derive(Debug, Clone)]
pub(crate) struct TurnUnit {
    pub(crate) holder: usize,
    pub(crate) quote: Quote,
    pub(crate) form: UnitForm,
    /// The places of its headings and of what announces it, without which it could say the opposite.
    heads: Vec<(usize, usize)>,
}

impl TurnUnit {
    /// Its holder and its start.
    const fn place(&self) -> (usize, usize) {
        (self.holder, self.quote.range.start())
    }
}

/// The source of an entry: a part of the text of a turn, or one of its calls.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    pub(crate) block: usize,
    pub(crate) source: QuoteSource,
    pub(crate) label: Label,
    /// Whether this is the result of a call.
    is_output: bool,
}

/// All units and their holders, both in the order of the conversation.
#[derive(Debug, Default)]
pub(crate) struct Units {
    pub(crate) all: Vec<TurnUnit>,
    pub(crate) holders: Vec<Holder>,
    /// For each unit, the others without which it is not quoted: its heads, theirs and so on. A head that is no unit is
    /// `usize::MAX`.
    pub(crate) needs: Vec<Vec<usize>>,
    /// Whether turns are quoted whole or not at all, as in a conversation without tools that has a query.
    pub(crate) whole_turns: bool,
}

impl Units {
    /// Reads the turns. If units repeat word for word, only the last counts, and repeated calls become one. Linear in
    /// the length of the conversation. `asked` is whether there is a query.
    pub(crate) fn read(
        blocks: &[MeasuredBlock<'_>],
        numbers: &[usize],
        speakers: &Speakers,
        asked: bool,
    ) -> Self {
        let whole_turns = asked && !speakers.has_tools(); // ablate: chat.whole-turns => false
        let mut units = Self { whole_turns, ..Self::default() };
        for ((at, measured), &number) in blocks.iter().enumerate().zip(numbers) {
            units.read_block(at, measured, number, speakers);
        }
        let made_again = units.merge_repeated(blocks, speakers);
        units.mark_outdated(blocks, &made_again);
        units.needs = units.with_heads();
        units
    }

    /// For each unit, its heads, theirs and so on.
    fn with_heads(&self) -> Vec<Vec<usize>> {
        let places = self.all.iter().enumerate().map(|(n, unit)| (unit.place(), n));
        let places: HashMap<(usize, usize), usize> = places.collect();
        let needs = |n: usize| {
            let (mut all, mut at) = (vec![n], 0);
            while let Some(now) = all.get(at) {
                let unit = self.all.get(*now);
                let heads = unit.into_iter().flat_map(|unit| &unit.heads);
                for head in heads.map(|head| places.get(head).copied().unwrap_or(usize::MAX)) {
                    if !all.contains(&head) {
                        all.push(head);
                    }
                }
                at += 1;
            }
            all.split_off(1)
        };
        (0..self.all.len()).map(needs).collect()
    }

    fn read_block(&mut self, at: usize, measured: &MeasuredBlock<'_>, number: usize, speakers: &Speakers) {
        let block = measured.block();
        let Some(turn) = block.as_turn().filter(|turn| !turn.role.instructs()) else { return };
        if block.level < Level::Extract {
            self.read_entry(at, block);
            return;
        }
        let needs = match self.whole_turns {
            true => Needs::default(),
            false => Needs::of_measured(measured, NaturalLanguage::of_texts([&block.text])),
        };
        for (part, tool) in turn.texts(&block.text).filter(|(part, _)| !part.is_empty()) {
            self.read_part(at, (measured, &needs), (turn, number), (part, tool), speakers);
        }
        for (n, call) in turn.calls.iter().enumerate() {
            let label = Label::new(number, Voice::Called { tool: call.name.clone() });
            let holder = self.hold(at, QuoteSource::Arguments(n), label);
            self.read_call(holder, n, call);
        }
    }

    /// Reads one part of a message, which is a text on its own.
    fn read_part(
        &mut self,
        at: usize,
        (measured, needs): (&MeasuredBlock<'_>, &Needs),
        (turn, number): (&Turn, usize),
        (part, tool): (ByteRange, Option<&str>),
        speakers: &Speakers,
    ) {
        let text = &measured.block().text;
        let name = turn.name_for(text, part).map(str::to_owned);
        let said_by = Label::new(number, Voice::Said { role: turn.role, name });
        let holder = self.hold(at, QuoteSource::Text, said_by);
        let is_output = turn.role == Role::Tool || tool.is_some();
        self.holders.last_mut().into_iter().for_each(|holder| holder.is_output = is_output);
        let (from, to) = (measured.units_before(part.start()), measured.units_before(part.end()));
        if self.whole_turns {
            self.push_whole(holder, text, part, UnitForm::Sentence);
        } else if turn.role == Role::User && speakers.has_tools() && tool.is_none() {
            let pasted = self.hold(at, QuoteSource::Text, Label::new(number, Voice::Pasted));
            match speakers.is_whole(measured, part) {
                true => self.push_whole(holder, text, part, UnitForm::Words),
                false => self.read_words((holder, pasted), (measured, needs), part),
            }
        } else if speakers.is_printed(at) {
            self.read_printed(holder, (measured, needs), part, (&Spoken::default(), holder));
        } else {
            self.read_sentences(holder, (measured, needs), from..to);
        }
    }

    fn hold(&mut self, block: usize, source: QuoteSource, label: Label) -> usize {
        self.holders.push(Holder { block, source, label, is_output: false });
        self.holders.len() - 1
    }

    fn push(&mut self, holder: usize, range: ByteRange, form: UnitForm) {
        let source = self.holders.get(holder).map_or(QuoteSource::Text, |holder| holder.source);
        self.all.push(TurnUnit { holder, quote: Quote::new(source, range), form, heads: Vec::new() });
    }

    fn push_whole(&mut self, holder: usize, text: &str, part: ByteRange, form: UnitForm) {
        if let Some(range) = part.trimmed(text) {
            self.push(holder, range, form);
        }
    }

    fn read_entry(&mut self, at: usize, block: &Block) {
        let Some((label, _)) = Label::parse(&block.text) else { return };
        let holder = self.hold(at, QuoteSource::Text, label);
        self.push(holder, ByteRange::whole(&block.text), UnitForm::Entry);
    }

    /// Reads the user's words in a long text, and the paste or the output of a program between them.
    fn read_words(
        &mut self,
        (words, pasted): (usize, usize),
        (measured, needs): (&MeasuredBlock<'_>, &Needs),
        part: ByteRange,
    ) {
        let text = &measured.block().text;
        let units = measured.units_before(part.start())..measured.units_before(part.end());
        let spoken = Spoken::in_part(measured, needs, part);
        for n in units.filter(|n| !measured.is_part(*n)) {
            let range = measured.range(n, n + 1).trimmed(text);
            if let Some(range) = range.filter(|range| spoken.holds(*range)) {
                self.push(words, range, UnitForm::Words);
                self.put_under(measured, needs.heads_of(n), |range| spoken.holds(range).then_some(words));
            }
        }
        self.read_printed(pasted, (measured, needs), part, (&spoken, words));
    }

    /// Reads a `part` that a tool or a program printed, without the text that is `spoken` in it, which `words` holds.
    fn read_printed(
        &mut self,
        holder: usize,
        (measured, needs): (&MeasuredBlock<'_>, &Needs),
        part: ByteRange,
        (spoken, words): (&Spoken, usize),
    ) {
        let text = &measured.block().text;
        let inside = part.of(text).unwrap_or_default();
        if begins_as_json(inside) {
            self.read_json(holder, part.start(), inside, spoken);
            return;
        }
        let (from, to) = (measured.units_before(part.start()), measured.units_before(part.end()));
        let worths = (from..to).zip(unit_worths(measured, part));
        for (n, worth) in worths.filter(|(n, _)| !measured.is_part(*n)) {
            let range = measured.range(n, n + 1).trimmed(text).filter(|range| !spoken.holds(*range));
            if range.is_some_and(|range| self.push_line(holder, text, range, worth)) {
                let place = |range| {
                    let holder = if spoken.holds(range) { words } else { holder };
                    part.contains(range.start()).then_some(holder)
                };
                self.put_under(measured, needs.heads_of(n), place);
            }
        }
    }

    /// Adds a line of at least three letters or digits, unless it is too long. Returns whether it did.
    fn push_line(&mut self, holder: usize, text: &str, range: ByteRange, worth: f32) -> bool {
        let line = range.of(text).unwrap_or_default();
        let says = worth >= 0.0
            && line.len() <= LONGEST_QUOTE_BYTES
            && !is_bare_value(text, range)
            && line.chars().filter(|c| c.is_alphanumeric()).nth(2).is_some();
        if says {
            self.push(holder, range, UnitForm::Line(worth));
        }
        says
    }

    /// Reads the members of the JSON `text`, which begins at `start` in the text that holds it, without what is `spoken`.
    fn read_json(&mut self, holder: usize, start: usize, text: &str, spoken: &Spoken) {
        for (range, unit) in
            json_units(text).into_iter().filter(|(range, _)| range.len() <= LONGEST_QUOTE_BYTES)
        {
            let moved = ByteRange::new(start + range.start(), start + range.end());
            let Some(range) = moved.filter(|range| !spoken.holds(*range)) else { continue };
            match unit {
                JsonUnit::Member(object) => self.push(holder, range, UnitForm::Member(object)),
                JsonUnit::Line => {
                    self.push(holder, range, UnitForm::Line(1.0));
                    self.all.last_mut().into_iter().for_each(|unit| unit.quote = unit.quote.with_escapes());
                }
            }
        }
    }

    fn read_sentences(
        &mut self,
        holder: usize,
        (measured, needs): (&MeasuredBlock<'_>, &Needs),
        units: Range<usize>,
    ) {
        let text = &measured.block().text;
        let heads: HashSet<usize> = units.clone().flat_map(|n| needs.heads_of(n)).collect();
        let inside = measured.range(units.start, units.end);
        for n in units.filter(|n| !measured.is_part(*n)) {
            let Some(range) = measured.range(n, n + 1).trimmed(text) else { continue };
            let sentence = range.of(text).unwrap_or_default();
            let says = sentence.chars().filter(|c| c.is_alphanumeric()).nth(3).is_some()
                && !is_bare_value(text, range);
            if (says || heads.contains(&n)) && sentence.len() <= 2 * LONGEST_QUOTE_BYTES {
                self.push(holder, range, UnitForm::Sentence);
                let place = |range: ByteRange| inside.contains(range.start()).then_some(holder);
                self.put_under(measured, needs.heads_of(n), place);
            }
        }
    }

    /// Puts the last unit under those of the units `heads` of its block that have a `holder`.
    fn put_under(
        &mut self,
        measured: &MeasuredBlock<'_>,
        heads: impl Iterator<Item = usize>,
        holder: impl Fn(ByteRange) -> Option<usize>,
    ) {
        let range = |n: usize| measured.range(n, n + 1).trimmed(&measured.block().text);
        if let Some(unit) = self.all.last_mut() {
            let places = heads.filter_map(range).filter_map(|range| Some((holder(range)?, range.start())));
            unit.heads = places.collect();
        }
    }

    fn read_call(&mut self, holder: usize, n: usize, call: &ToolCall) {
        let arguments = call.arguments.as_str();
        if arguments.len() <= SHORT_ARGUMENTS || !is_json(arguments) {
            if arguments.len() <= 2 * LONGEST_QUOTE_BYTES {
                let whole = ByteRange::whole(arguments);
                let whole = whole.trimmed(arguments).unwrap_or(whole);
                let quote = Quote::new(QuoteSource::Arguments(n), whole);
                self.all.push(TurnUnit { holder, quote, form: UnitForm::Call, heads: Vec::new() });
            }
            return;
        }
        self.read_json(holder, 0, arguments, &Spoken::default());
    }

    /// Keeps only the last of lines, sentences and whole calls that repeat word for word; the label of a call then
    /// states how often it was made. People's words are never merged. Returns the holders of the repeated calls.
    fn merge_repeated(&mut self, blocks: &[MeasuredBlock<'_>], speakers: &Speakers) -> HashSet<usize> {
        // ablate: chat.repeated => HashSet::new()
        let mut last: HashMap<(Option<String>, bool, String), (usize, usize)> = HashMap::new();
        let mut is_repeated = vec![false; self.all.len()];
        // What announces something is needed beside it.
        let heads: HashSet<(usize, usize)> =
            self.all.iter().flat_map(|unit| unit.heads.iter().copied()).collect();
        for (n, unit) in self.all.iter().enumerate() {
            if heads.contains(&unit.place()) {
                continue;
            }
            let Some(holder) = self.holders.get(unit.holder) else { continue };
            let Some(block) = blocks.get(holder.block).map(MeasuredBlock::block) else { continue };
            let tool = match &holder.label.voice {
                Voice::Called { tool } => Some(tool.clone()),
                _ => None,
            };
            let text = match unit.form {
                // In the user's name, programs often repeat themselves.
                UnitForm::Words if !speakers.is_printed(holder.block) => continue,
                UnitForm::Entry if tool.is_none() => continue,
                UnitForm::Entry => entry_body(&block.text),
                _ => unit.quote.text(block).unwrap_or_default().trim().to_owned(),
            };
            // The label of a call counts only calls, not what an earlier record says of them.
            let is_entry = unit.form == UnitForm::Entry;
            let tool = tool.filter(|_| is_entry || unit.form == UnitForm::Call);
            let (before, times) = last.entry((tool, is_entry, text)).or_insert((n, 0));
            if *before != n {
                is_repeated.set(*before, true);
                *before = n;
            }
            *times += 1;
        }
        for (n, times) in last.into_values().filter(|(_, times)| *times > 1) {
            let holder = self.all.get(n).filter(|unit| unit.form == UnitForm::Call).map(|unit| unit.holder);
            let holder = holder.and_then(|holder| self.holders.get_mut(holder));
            holder.into_iter().for_each(|holder| holder.label.times = times);
        }
        let calls = self
            .all
            .iter()
            .zip(&is_repeated)
            .filter(|(unit, repeated)| **repeated && unit.form == UnitForm::Call);
        let made_again = calls.map(|(unit, _)| unit.holder).collect();
        let mut repeated = is_repeated.into_iter();
        self.all.retain(|_| !repeated.next().unwrap_or_default());
        made_again
    }

    /// Marks the results of the calls `made_again` as outdated: only the last result counts.
    fn mark_outdated(&mut self, blocks: &[MeasuredBlock<'_>], made_again: &HashSet<usize>) {
        // ablate: chat.outdated => ()
        // The calls of each group and their outputs, both in order.
        let mut groups: HashMap<&str, (Vec<usize>, Vec<usize>)> = HashMap::new();
        for (n, holder) in self.holders.iter().enumerate() {
            let Some(block) = blocks.get(holder.block).map(MeasuredBlock::block) else { continue };
            let Some((calls, outputs)) = block.group.as_deref().map(|group| groups.entry(group).or_default())
            else {
                continue;
            };
            match holder.label.voice {
                Voice::Called { .. } => calls.push(n),
                _ if holder.is_output => outputs.push(n),
                _ => {}
            }
        }
        let mut outdated = HashSet::new();
        for (calls, outputs) in groups.into_values() {
            for (&call, &output) in calls.iter().zip(&outputs).filter(|_| calls.len() == outputs.len()) {
                outdated.extend(made_again.contains(&call).then_some(output));
            }
        }
        for unit in self.all.iter_mut().filter(|unit| outdated.contains(&unit.holder)) {
            unit.form = UnitForm::Outdated;
        }
    }
}

/// Whether `range` of `text` is an element of an array of JSON among other lines, which says nothing without its key.
fn is_bare_value(text: &str, range: ByteRange) -> bool {
    let before = text.get(..range.start()).unwrap_or_default().trim_end();
    let line = range.of(text).unwrap_or_default().trim_end_matches(',');
    let mut tokens = json_tokens(line);
    let is_value = tokens.next().is_some_and(|token| token.kind != JsonKind::Sign && token.text == line);
    before.ends_with(['[', ',']) && is_value
}

/// The maximum length, in bytes, of an array of scalars that is quoted.
const LONG_ARRAY_BYTES: usize = 320;

/// A JSON unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonUnit {
    /// A member with its key, or all members of a small object; members of one object have the same number.
    Member(usize),
    /// A line of a string that has several lines.
    Line,
}

/// The units of the JSON `text`, in order. Values without a key are left out, and so are the lines that only open or
/// close an object. Linear.
fn json_units(text: &str) -> Vec<(ByteRange, JsonUnit)> {
    let mut units = Vec::new();
    // The open objects and arrays, numbered from 1 in the order of their starts; 0 is outside all of them.
    let (mut open, mut n) = (Vec::new(), 0);
    let mut start = 0;
    let mut in_string = false;
    // The start of the open array, if it has a key and only scalars so far.
    let mut array: Option<usize> = None;
    for end in unit_ends(text, Shape::Json) {
        let unit = start..end;
        start = end;
        let Some(raw) = text.get(unit.clone()) else { continue };
        if in_string {
            let stop = json_string_end(raw);
            in_string = stop.is_none();
            // A cut line continues in the next unit.
            let begun = units.pop_if(|(range, kind): &mut (ByteRange, JsonUnit)| {
                *kind == JsonUnit::Line && range.end() == unit.start && !raw.starts_with("\\n")
            });
            let from = begun.map_or(unit.start, |(range, _)| range.start());
            units.extend(line(text, from, unit.start + stop.unwrap_or(raw.len())));
            continue;
        }
        let trimmed = raw.trim().trim_end_matches(',').trim_end();
        let begin = unit.start + raw.len() - raw.trim_start().len();
        let (outer, inner) = (open.last().copied().unwrap_or_default(), n + 1);
        let read = json_tokens(trimmed).inspect(|token| match token.text {
            "{" | "[" => {
                n += 1;
                open.push(n);
            }
            "}" | "]" => drop(open.pop()),
            _ => {}
        });
        let Some(last) = read.last() else { continue };
        if last.kind == JsonKind::CutText {
            in_string = true;
            array = None;
            units.extend(line(text, begin + last.at + 1, unit.end));
        } else if matches!(last.text, "{" | "[") {
            array = (last.text == "[" && is_keyed(trimmed)).then_some(begin);
        } else if trimmed.starts_with(['}', ']']) {
            let whole = array.take().and_then(|from| ByteRange::new(from, begin + 1));
            let short = whole.filter(|range| trimmed.starts_with(']') && range.len() <= LONG_ARRAY_BYTES);
            let object = open.last().copied().unwrap_or_default();
            units.extend(short.map(|range| (range, JsonUnit::Member(object))));
        } else if let Some(range) = member(trimmed, begin) {
            array = None;
            // A small object is a unit on its own.
            let object = if trimmed.starts_with('{') { inner } else { outer };
            units.push((range, JsonUnit::Member(object)));
        }
    }
    units
}

/// A line of a string, from one escaped line feed to the next; `None` if it has no letter or digit.
fn line(text: &str, start: usize, end: usize) -> Option<(ByteRange, JsonUnit)> {
    let begin = start + if text.get(start..end)?.starts_with("\\n") { 2 } else { 0 };
    let rest = text.get(begin..end)?;
    let line = rest.strip_suffix("\\r").unwrap_or(rest);
    let range = ByteRange::new(begin, begin + line.len()).filter(|_| line.contains(char::is_alphanumeric))?;
    Some((range, JsonUnit::Line))
}

/// The bytes of a member with its key, or of the members of a small object without its brackets.
fn member(unit: &str, begin: usize) -> Option<ByteRange> {
    let inner = unit.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let shown = inner.map_or(unit, str::trim);
    let begin = begin + unit.find(shown)?;
    (is_keyed(shown) && shown.contains(char::is_alphanumeric))
        .then(|| ByteRange::new(begin, begin + shown.len()))
        .flatten()
}

/// Whether `unit` begins with a key.
fn is_keyed(unit: &str) -> bool {
    let mut tokens = json_tokens(unit).map(|token| (token.kind, token.text));
    matches!((tokens.next(), tokens.next()), (Some((JsonKind::Text, _)), Some((_, ":"))))
}

#[cfg(test)]
mod tests {
    use JsonUnit::{Line, Member};

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, JsonUnit)]) {
        let units: Vec<_> =
            json_units(text).into_iter().map(|(range, unit)| (range.of(text).unwrap(), unit)).collect();
        assert_eq!(units, expect);
    }

    #[test]
    fn members_and_lines() {
        check(
            r#"{"id": 7, "name": "Mia", "tags": ["a", "b"], "home": {"city": "Rome"}}"#,
            &[
                (r#""id": 7"#, Member(1)),
                (r#""name": "Mia""#, Member(1)),
                (r#""tags": ["a", "b"]"#, Member(1)),
                (r#""home": {"city": "Rome"}"#, Member(1)),
            ],
        );
        check(
            "[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2, \"n\": 3}\n]",
            &[("\"id\": 1", Member(2)), ("\"id\": 2, \"n\": 3", Member(3))],
        );
        check("[1, 2]", &[]);
        let long = format!(r#"{{"path": "a.rs", "text": "use x;\n{}\n\n  say(\"hi\");"}}"#, "y".repeat(200));
        check(
            &long,
            &[
                (r#""path": "a.rs""#, Member(1)),
                ("use x;", Line),
                (&"y".repeat(200), Line),
                (r#"  say(\"hi\");"#, Line),
            ],
        );
    }
}
