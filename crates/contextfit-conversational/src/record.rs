//! The record: units that represent the turns that are not shown as messages.

use std::collections::BTreeMap;

use contextfit_kernel::{
    Action, ByteRange, Entry, Label, Measured, MeasuredBlock, Quote, QuoteSource, Reason, Role, Tokens,
    Values, Voice,
};
use contextfit_packing::{CoverItem, Coverage};
use contextfit_text::float;

use crate::{
    draft::{Draft, ExchangeForm},
    reading::Reading,
    units::{Holder, TurnUnit, UnitForm, Units},
};

/// The tokens between a unit and the previous one in its entry: a line feed and its indentation or a comma, and the
/// mark of a gap.
const SEAM_TOKENS: usize = 3;

/// Units with at most this score per token are taken last. It is that of one name of typical weight in 120 tokens.
const LEAST_SCORE_PER_TOKEN: f64 = 1.0 / 120.0;

/// How often the room is filled: first as it is, then with what overestimates have freed.
const FILLS: usize = 3;

/// The approximate length of a typical rule with its label, in tokens.
const USUAL_RULE: f64 = 30.0;

/// A record under construction.
pub(crate) struct RecordDraft<'r, 'a> {
    reading: &'r Reading<'a>,
    /// The exchange of each block.
    owners: Vec<usize>,
    /// The units of each exchange.
    by_exchange: Vec<Vec<usize>>,
    coverage: Coverage,
    /// The overestimate of the entries' tokens that has already been returned to the draft.
    returned: usize,
}

impl<'r, 'a> RecordDraft<'r, 'a> {
    /// An empty record for the exchanges that `draft` does not show. Linear.
    pub(crate) fn new(draft: &Draft<'a>, reading: &'r Reading<'a>) -> Self {
        let owners = draft.owners();
        let is_open = |at: usize| owners.get(at).is_some_and(|&n| draft.is_open(n));
        let input = reading.input;
        let units = &reading.units;
        let holders = units.holders.iter().map(|holder| {
            let is_entry =
                input.blocks.get(holder.block).is_some_and(|block| !block.block().level.shows_source());
            // An entry of an earlier record already has its label in its text.
            let is_free = is_entry || !is_open(holder.block);
            if is_free { 0 } else { label_cost(input, &holder.label.to_string()) }
        });
        let holders: Vec<usize> = holders.collect();
        let items = units.all.iter().enumerate().map(|(n, unit)| {
            if !is_open(reading.block_of(unit)) {
                return CoverItem::default();
            }
            let cost = cost(input, reading.block_of(unit), unit);
            let mut own = reading.own.at(n);
            let mut features = reading.names.get(n).cloned().unwrap_or_default();
            if reading.units.whole_turns {
                // Cancels the cost, so that units are taken in order of relevance.
                own *= float(cost + 3 + holders.at(unit.holder));
                features.clear();
            }
            CoverItem {
                cost,
                own,
                features,
                holder: unit.holder,
                needs: units.needs.get(n).cloned().unwrap_or_default(),
            }
        });
        let mut coverage = Coverage::new(reading.weights.clone(), holders.clone(), items.collect());
        for (n, unit) in units.all.iter().enumerate() {
            if !is_open(reading.block_of(unit)) || unit.form == UnitForm::Outdated {
                coverage.leave_out(n);
            }
        }
        for (_, names) in reading.names_of.iter().enumerate().filter(|(at, _)| !is_open(*at)) {
            names.iter().for_each(|&name| coverage.cover(name));
        }
        let mut by_exchange: Vec<Vec<usize>> = vec![Vec::new(); draft.exchanges.len()];
        for (n, unit) in units.all.iter().enumerate() {
            let owner = owners.get(reading.block_of(unit)).and_then(|&owner| by_exchange.get_mut(owner));
            owner.into_iter().for_each(|units| units.push(n));
        }
        Self { reading, owners, by_exchange, coverage, returned: 0 }
    }

    /// Takes standing rules, strongest first, in at most `room` tokens.
    pub(crate) fn take_rules(&mut self, draft: &mut Draft<'_>, least: f64, room: Tokens) {
        // ablate: chat.rules => ()
        // Prefers several short rules to a long one, by the square root of its length.
        let claim = |n: usize| {
            let tokens = float(self.coverage.cost(n)).max(USUAL_RULE);
            self.reading.rules.at(n) * (USUAL_RULE / tokens).sqrt()
        };
        let rules = (0..self.reading.units.all.len()).filter(|&n| self.reading.rules.at(n) >= least);
        let mut rules: Vec<(f64, usize)> = rules.map(|n| (claim(n), n)).collect();
        // Of equal rules, the newest comes first.
        rules.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let rules: Vec<usize> = rules.into_iter().map(|(_, n)| n).collect();
        self.take(draft, rules, room);
    }

    /// Takes earlier summaries of a model, newest first, in at most `room` tokens.
    pub(crate) fn take_summaries(&mut self, draft: &mut Draft<'_>, room: Tokens) {
        // ablate: chat.summaries => ()
        let summaries =
            self.newest(|unit, voice| unit.form == UnitForm::Entry && matches!(voice, Voice::Summary { .. }));
        self.take(draft, summaries, room);
    }

    /// Takes the user's words, newest first, in at most `room` tokens; only the newest may take more.
    pub(crate) fn take_words(&mut self, draft: &mut Draft<'_>, room: Tokens) {
        // ablate: chat.words => ()
        let words = self.newest(|unit, voice| match unit.form {
            UnitForm::Words => true,
            UnitForm::Entry => matches!(voice, Voice::Said { role: Role::User, .. }),
            _ => false,
        });
        let newest = words.iter().find(|&&n| self.open_owner(draft, n).is_some());
        let room = room.max(newest.map_or(Tokens::ZERO, |&n| Tokens::new(self.coverage.cost(n))));
        self.take(draft, words, room);
    }

    /// Takes what the assistant reported before the user spoke again, newest first, in at most `room` tokens. An entry of
    /// an earlier record does not say whether it is of a report, so it may be one.
    pub(crate) fn take_reports(&mut self, draft: &mut Draft<'_>, room: Tokens) {
        // ablate: chat.reports => ()
        let reports = self.newest(|unit, voice| match unit.form {
            UnitForm::Sentence => self.reading.reports(self.reading.block_of(unit)),
            UnitForm::Entry => matches!(voice, Voice::Said { role: Role::Assistant, .. }),
            _ => false,
        });
        self.take(draft, reports, room);
    }

    /// The units for which `is` holds, newest first.
    fn newest(&self, is: impl Fn(&TurnUnit, &Voice) -> bool) -> Vec<usize> {
        let Units { all, holders, .. } = &self.reading.units;
        let voice = |unit: &TurnUnit| holders.get(unit.holder).map(|holder| &holder.label.voice);
        let wanted = |(_, unit): &(usize, &TurnUnit)| voice(unit).is_some_and(|voice| is(unit, voice));
        all.iter().enumerate().filter(wanted).map(|(n, _)| n).rev().collect()
    }

    /// Takes every one of `units` that fits.
    fn take(&mut self, draft: &mut Draft<'_>, units: impl IntoIterator<Item = usize>, room: Tokens) {
        let mut room = room.min(draft.left).get();
        for n in units {
            let Some(owner) = self.open_owner(draft, n) else { continue };
            let cost = self.coverage.cost(n);
            if cost <= room && !self.coverage.is_taken(n) {
                let cost = self.coverage.take(n);
                room -= cost;
                draft.spend(owner, Tokens::new(cost));
            }
        }
    }

    /// Takes the units with the highest score per token that fit in the remaining room; unless `all` is set, only those
    /// with more than [`LEAST_SCORE_PER_TOKEN`]. Costs are overestimates, so the entries are then counted, and the room
    /// that they leave is filled again.
    pub(crate) fn fill(&mut self, draft: &mut Draft<'_>, all: bool) {
        for _ in 0..FILLS {
            for (n, cost) in
                self.coverage.fill(draft.left.get(), if all { 0.0 } else { LEAST_SCORE_PER_TOKEN })
            {
                if let Some(owner) = self.open_owner(draft, n) {
                    draft.spend(owner, Tokens::new(cost));
                }
            }
            let spare = self.coverage.spent().saturating_sub(self.tokens(draft));
            draft.left += Tokens::new(spare.saturating_sub(self.returned));
            let more = spare > self.returned;
            self.returned = self.returned.max(spare);
            if !more {
                break;
            }
        }
    }

    /// The tokens of the entries so far.
    fn tokens(&self, draft: &Draft<'_>) -> usize {
        self.tokens_together(draft, self.entries())
    }

    /// The tokens of `entries`, one after another. One of an earlier record is shown unchanged.
    fn tokens_together(
        &self,
        draft: &Draft<'_>,
        entries: impl IntoIterator<Item = RecordEntry<'r>>,
    ) -> usize {
        let mut text = String::new();
        let entries: Vec<RecordEntry<'r>> = entries.into_iter().collect();
        for of_block in entries.chunk_by(|(one, ..), (other, ..)| one.block == other.block) {
            let block = of_block.first().and_then(|(holder, ..)| self.reading.input.blocks.get(holder.block));
            let Some(block) = block.map(MeasuredBlock::block) else { continue };
            let quoting: Option<Vec<Entry>> = of_block.iter().map(|(_, entry, _)| entry.clone()).collect();
            text += &quoting
                .map_or_else(|| block.text.clone(), |entries| Entry::texts(&entries, block).join("\n"));
            text.push('\n');
        }
        draft.input.counter.count(&text).get()
    }

    /// The entries so far.
    fn entries(&self) -> Vec<RecordEntry<'r>> {
        let entries = self.reading.units.holders.iter().zip(self.taken());
        entries.filter_map(|(holder, units)| self.entry(holder, units)).collect()
    }

    /// The entry of `holder` that quotes `units`; `None` without units.
    fn entry(&self, holder: &'r Holder, units: Vec<&TurnUnit>) -> Option<RecordEntry<'r>> {
        let block = self.reading.input.blocks.get(holder.block).map(MeasuredBlock::block)?;
        let is_source = units.first()?.form != UnitForm::Entry;
        let text = holder.source.of(block).unwrap_or_default();
        let entry = is_source.then(|| Entry { label: holder.label.clone(), lines: lines(&units, text) });
        Some((holder, entry, units.len()))
    }

    /// The taken units of each holder.
    fn taken(&self) -> Vec<Vec<&'r TurnUnit>> {
        let mut taken: Vec<Vec<&TurnUnit>> = vec![Vec::new(); self.reading.units.holders.len()];
        for (_, unit) in self.reading.units.all.iter().enumerate().filter(|(n, _)| self.coverage.is_taken(*n))
        {
            taken.change(unit.holder, |units| units.push(unit));
        }
        taken
    }

    /// The tokens of the entry in which the pipeline names the calls that are neither shown nor quoted so far.
    pub(crate) fn names(&self, draft: &Draft<'_>) -> Tokens {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for (holder, units) in self.reading.units.holders.iter().zip(self.taken()) {
            let is_open = self.owners.get(holder.block).is_some_and(|&owner| draft.is_open(owner));
            if let Voice::Called { tool } = &holder.label.voice
                && is_open
                && units.is_empty()
            {
                *left.entry(tool).or_default() += holder.label.times;
            }
        }
        if left.is_empty() {
            return Tokens::ZERO;
        }
        let tools = left.into_iter().map(|(tool, times)| (tool.to_owned(), times)).collect();
        let label = Label::new(draft.input.blocks.len(), Voice::Calls { tools });
        Tokens::new(label_cost(draft.input, &label.to_string()))
    }

    /// The exchange of unit `n` if it is not shown yet.
    fn open_owner(&self, draft: &Draft<'_>, n: usize) -> Option<usize> {
        let unit = self.reading.units.all.get(n)?;
        let owner = *self.owners.get(self.reading.block_of(unit))?;
        draft.is_open(owner).then_some(owner)
    }

    /// Excludes exchange `n` from the record: it is shown, or another one says the same.
    pub(crate) fn leave_out(&mut self, n: usize) {
        for &unit in self.by_exchange.get(n).into_iter().flatten() {
            self.coverage.leave_out(unit);
        }
    }

    /// Shows exchange `n` whole instead of its entries if that fits.
    pub(crate) fn show_whole(&mut self, draft: &mut Draft<'_>, n: usize) -> bool {
        // What its entries take less than was charged for them is in the remaining room already.
        let spare = draft.spent(n).get().saturating_sub(self.tokens_of(draft, n)).min(self.returned);
        let (cost, room) = (draft.cost(n), draft.room_for(n));
        if room == Tokens::ZERO || cost + Tokens::new(spare) > room {
            return false;
        }
        draft.replace(n, ExchangeForm::Kept(Reason::Recent), cost);
        draft.left = draft.left.saturating_sub(Tokens::new(spare));
        self.returned -= spare;
        self.leave_out(n);
        true
    }

    /// The tokens of the entries of exchange `n` so far. Linear in the length of the exchange.
    fn tokens_of(&self, draft: &Draft<'_>, n: usize) -> usize {
        let Units { all, holders, .. } = &self.reading.units;
        let mut taken: BTreeMap<usize, Vec<&TurnUnit>> = BTreeMap::new();
        for &unit in
            self.by_exchange.get(n).into_iter().flatten().filter(|unit| self.coverage.is_taken(**unit))
        {
            all.get(unit).into_iter().for_each(|unit| taken.entry(unit.holder).or_default().push(unit));
        }
        let entries = taken.into_iter().filter_map(|(at, units)| self.entry(holders.get(at)?, units));
        self.tokens_together(draft, entries)
    }

    /// Whether any part of exchange `n` is quoted.
    pub(crate) fn quotes(&self, n: usize) -> bool {
        self.by_exchange.get(n).into_iter().flatten().any(|&unit| self.coverage.is_taken(unit))
    }

    /// Writes the entries into the plan.
    pub(crate) fn write(&self, draft: &mut Draft<'_>) {
        let mut shown: Vec<Option<(Action, Reason)>> = vec![None; self.reading.input.blocks.len()];
        for (holder, entry, n) in self.entries() {
            let Some(slot) = shown.get_mut(holder.block) else { continue };
            let Some(entry) = entry else {
                *slot = Some((Action::Keep, Reason::Recorded));
                continue;
            };
            let (action, reason) =
                slot.get_or_insert((Action::Record { entries: Vec::new() }, Reason::Quoted { units: 0 }));
            if let (Action::Record { entries }, Reason::Quoted { units: all }) = (action, reason) {
                entries.push(entry);
                *all += n;
            }
        }
        for n in 0..draft.exchanges.len() {
            if !draft.is_open(n) {
                continue;
            }
            let members = draft.exchanges.get(n).map(|exchange| exchange.members.clone()).unwrap_or_default();
            let needed = draft.cost(n);
            let mut forms = members.iter().map(|&at| shown.get_mut(at).and_then(Option::take));
            let forms: Vec<(Action, Reason)> = forms
                .by_ref()
                .map(|form| form.unwrap_or((Action::Drop, Reason::NoRoom { needed })))
                .collect();
            draft.set(n, ExchangeForm::As(forms));
        }
    }
}

/// An entry, with its holder and the number of its units; `None` for an entry of an earlier record.
type RecordEntry<'r> = (&'r Holder, Option<Entry>, usize);

/// The approximate tokens of a label in its entry.
fn label_cost(input: &Measured<'_>, label: &str) -> usize {
    input.counter.count(label).get() + 2
}

/// The tokens of a unit added to an existing entry.
fn cost(input: &Measured<'_>, at: usize, unit: &TurnUnit) -> usize {
    let Some(measured) = input.blocks.get(at) else { return 0 };
    let reckoned = || {
        let range = unit.quote.range;
        let from = measured.units_before(range.start());
        let to = measured.units().partition_point(|unit| unit.end < range.end()) + 1;
        let is_text = unit.quote.source == QuoteSource::Text && !unit.quote.escaped;
        // The tokens as measured, which include the surrounding whitespace.
        is_text.then(|| measured.tokens_between(from, to).get())
    };
    let counted = || unit.quote.text(measured.block()).map_or(0, |text| input.counter.count(&text).get());
    reckoned().unwrap_or_else(counted) + SEAM_TOKENS
}

/// The lines of an entry: members of one object share a line, adjacent units of the turn are joined, and every other
/// unit is on its own line.
fn lines(units: &[&TurnUnit], text: &str) -> Vec<Vec<Quote>> {
    let mut lines: Vec<Vec<Quote>> = Vec::new();
    let mut before: Option<&TurnUnit> = None;
    for unit in units {
        let between = |before: &TurnUnit| text.get(before.quote.range.end()..unit.quote.range.start());
        let joined = before.filter(|before| before.quote.escaped == unit.quote.escaped).and_then(|before| {
            let between = between(before)?;
            let is_side = match unit.quote.escaped {
                true => between == "\\n",
                false => between.trim().is_empty() && between.matches('\n').count() < 2,
            };
            let last = lines.last_mut()?;
            match (before.form, unit.form) {
                (UnitForm::Member(a), UnitForm::Member(b)) if a == b => last.push(unit.quote),
                (UnitForm::Member(_), _) | (_, UnitForm::Member(_)) => return None,
                _ if is_side => {
                    let quote = last.last_mut()?;
                    quote.range = ByteRange::new(quote.range.start(), unit.quote.range.end())?;
                }
                _ => return None,
            }
            Some(())
        });
        if joined.is_none() {
            lines.push(vec![unit.quote]);
        }
        before = Some(unit);
    }
    lines
}
