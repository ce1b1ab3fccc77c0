//! Whether a record tells what it quotes as the text does: the user's own words apart from what they pasted, and a list
//! with what announces it.

use contextfit_kernel::{ByteRange, Entry, MeasuredBlock, QuoteSource, Role, Voice};
use contextfit_text::{NaturalLanguage, Needs, Speakers, Spoken, begins_as_json};

/// Whether `entries`, which quote `measured`, have what the user said under their name and what they pasted under that
/// label, and each unit beside its headings and what announces it. Linearithmic.
pub(crate) fn is_told(measured: &MeasuredBlock<'_>, entries: &[Entry], speakers: &Speakers) -> bool {
    let block = measured.block();
    let quotes = |entry: &Entry| {
        let texts = entry.lines.iter().flatten().filter(|quote| quote.source == QuoteSource::Text);
        texts.map(|quote| quote.range).collect::<Vec<_>>()
    };
    let mut quotes: Vec<(ByteRange, bool)> = entries
        .iter()
        .flat_map(|entry| quotes(entry).into_iter().map(|range| (range, entry.label.voice == Voice::Pasted)))
        .collect();
    quotes.sort_unstable();
    let Some(turn) = block.as_turn().filter(|_| !quotes.is_empty()) else { return true };
    let needs = Needs::of_measured(measured, NaturalLanguage::of_texts([&block.text]));
    turn.texts(&block.text).all(|(part, tool)| {
        let quotes = quotes.iter().copied().filter(|(range, _)| part.contains(range.start()));
        let told = Told { measured, needs: &needs, part, quotes: quotes.collect() };
        let is_user = turn.role == Role::User && tool.is_none();
        told.quotes.is_empty() || told.is_announced() && (!is_user || told.is_apart(speakers))
    })
}

/// What is told of one part of a message.
struct Told<'a> {
    measured: &'a MeasuredBlock<'a>,
    needs: &'a Needs,
    part: ByteRange,
    /// The quotes in the part, in order, and whether each is in the entry of what was pasted.
    quotes: Vec<(ByteRange, bool)>,
}

impl Told<'_> {
    fn text(&self) -> &str {
        &self.measured.block().text
    }

    /// The units that begin in `range` and those that it ends, without the white space around them; none in JSON, of
    /// which members are quoted.
    fn units(&self, range: ByteRange) -> impl Iterator<Item = (usize, ByteRange)> + '_ {
        let is_json = self.part.of(self.text()).is_some_and(begins_as_json);
        let first = self.measured.units_before(range.start());
        let last = if is_json { first } else { self.measured.units_before(range.end()) };
        (first..last).filter_map(|n| Some((n, self.measured.range(n, n + 1).trimmed(self.text())?)))
    }

    /// Whether each unit is beside those of its part that announce it.
    fn is_announced(&self) -> bool {
        let is_quoted = |head: ByteRange| {
            let before = self.quotes.partition_point(|(range, _)| range.start() <= head.start());
            let quote = before.checked_sub(1).and_then(|last| self.quotes.get(last));
            quote.is_some_and(|(range, _)| head.end() <= range.end())
        };
        let head = |n: usize| self.measured.range(n, n + 1).trimmed(self.text());
        let mut heads = self
            .quotes
            .iter()
            .flat_map(|(range, _)| self.units(*range))
            .flat_map(|(n, _)| self.needs.heads_of(n))
            .filter_map(head)
            .filter(|head| self.part.contains(head.start()));
        heads.all(is_quoted)
    }

    /// Whether the user's own words are under their name, and only those.
    fn is_apart(&self, speakers: &Speakers) -> bool {
        if speakers.is_whole(self.measured, self.part) {
            return self.quotes.iter().all(|(_, is_pasted)| !is_pasted);
        }
        let spoken = Spoken::in_part(self.measured, self.needs, self.part);
        self.quotes.iter().all(|(range, is_pasted)| {
            let mut units = self.units(*range).map(|(_, unit)| unit).chain([*range]);
            units.all(|unit| spoken.holds(unit) != *is_pasted)
        })
    }
}
