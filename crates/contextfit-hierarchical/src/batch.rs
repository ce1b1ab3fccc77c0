//! Many memories within a budget.

use contextfit_kernel::{Error, Importance, Level, MemoryRecord, Reason, TokenCounter, Tokens, Values};
use contextfit_packing::{Packer, Packing};
use serde::Serialize;

use crate::{
    CompressedMemory, FitOptions, MemoryCompressor,
    entries::{Entries, FEED, line},
    worth::unmatched,
};

/// The maximum number of times a choice is remade because its text is longer or shorter than the sum of its parts, or
/// because it shows an older memory above a newer one.
const REMAKE_ATTEMPTS: u32 = 8;

/// Memories within a budget, and a measure of how good the choice of their levels is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MemoryBatch {
    /// The memories as one text, in their order, separated by line feeds, and a line with the number left out.
    pub text: String,
    /// The tokens of the text, as actually counted.
    pub tokens: Tokens,
    /// The tokens of all memories at level 3, each counted alone, and of the line feeds between them.
    pub tokens_before: Tokens,
    /// The memories that are shown, in order.
    pub memories: Vec<CompressedMemory>,
    /// The outcome for each memory, in order.
    pub shown: Vec<Shown>,
    /// The value of the choice, by the [formula](crate::Weights).
    pub value: f64,
    /// An upper bound on the value of any choice within the budget, each memory counted alone.
    pub bound: f64,
    /// The tokens saved because memories were already sent in the session.
    pub tokens_not_resent: Tokens,
    /// The words of the query that no memory contains in any form, in order, without stop words.
    pub unmatched: Vec<String>,
}

/// The outcome for one memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Shown {
    /// Its id.
    pub id: String,
    /// The level; `None` if it is left out.
    pub level: Option<Level>,
    /// Its tokens at each level, from level 0 up.
    pub ladder: [Tokens; 4],
    /// Its value at level 3.
    pub worth: f64,
    /// Its relevance to the query, as a share of the best; `None` if there is no query or nothing answers it.
    pub relevance: Option<f64>,
    /// Whether it is critical but only named, because there is no room for its line.
    pub is_below_its_least: bool,
    /// The reason for its level, or for leaving it out.
    pub reason: Reason,
}

impl Shown {
    /// Its tokens at the level shown; none if it is left out.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        let at = |level: Level| self.ladder.get(usize::from(u8::from(level))).copied();
        self.level.and_then(at).unwrap_or_default()
    }
}

impl MemoryBatch {
    /// The share of the bound by which the value may fall short of it, from 0 to 1; 0 if the choice is proven optimal.
    #[must_use]
    pub fn gap(&self) -> f64 {
        if self.bound > self.value { (self.bound - self.value) / self.bound } else { 0.0 }
    }

    /// The number of memories shown at each level, from level 0 up.
    #[must_use]
    pub fn distribution(&self) -> [usize; 4] {
        Level::ALL.map(|level| self.shown.iter().filter(|shown| shown.level == Some(level)).count())
    }
}

impl MemoryCompressor {
    /// Shows `memories` within `budget`, in their order, each at the level that maximizes the total value.
    ///
    /// Pinned memories are shown at level 3, and critical ones at least at level 0. If there is room, the best answer
    /// to the query comes next, at level 3 or else at level 1, and then critical memories at level 1. The members of a
    /// group have the same level. The whole text is counted, and the choice is remade if it does not fit. Linear in the
    /// length of the memories, plus the cost of the [packer](contextfit_packing::Packer).
    ///
    /// # Errors
    /// [`Error::Infeasible`] if the memories that must be shown do not fit; [`Error::Circular`] if memories replace one
    /// another in a circle.
    pub fn compress_batch_to_fit(
        &self,
        memories: &[MemoryRecord],
        budget: impl Into<Tokens>,
        options: &FitOptions<'_>,
    ) -> Result<MemoryBatch, Error> {
        let budget = budget.into();
        // The weight of a memory includes a line feed, but the last memory has none.
        let start = budget.get().saturating_add(FEED);
        let mut entries = Entries::new(self, memories, options, None)?;
        let rooms = match entries.relevant {
            // The best answer must not lose its room to the line about omitted memories.
            Some(_) => [start.saturating_sub(self.marker(memories.len())), start],
            // Counted together, lines can take fewer tokens than counted individually.
            None => [start.saturating_add(memories.len()), start],
        };
        let fit = |entries: &Entries<'_>| {
            let [first, second] = rooms;
            self.fitted(entries, first, budget, options)
                .or_else(|_| self.fitted(entries, second, budget, options))
        };
        let mut fitted = fit(&entries)?;
        // The new choice may show the newer memory at a lower level, so one pass is not always enough.
        for _ in 0..REMAKE_ATTEMPTS {
            let above = entries.shown_above_newer(&fitted.1.levels);
            if above.is_empty() {
                break;
            }
            entries.lower(&above);
            fitted = fit(&entries)?;
        }
        let (packing, text) = fitted;
        Ok(finished(&entries, options, text, [packing.value, packing.bound]))
    }

    /// The tokens of the line about `n` omitted memories and its line feed.
    fn marker(&self, n: usize) -> usize {
        self.counter.count(&omitted(n)).get() + FEED
    }

    /// The best choice of levels within `budget`, and its text. Levels required only if they fit have `room` tokens.
    fn fitted(
        &self,
        entries: &Entries<'_>,
        room: usize,
        budget: Tokens,
        options: &FitOptions<'_>,
    ) -> Result<(Packing, Text), Error> {
        let start = budget.get().saturating_add(FEED);
        let packer = Packer::new(entries.items(room, start, options), options.mode);
        let marker = self.marker(entries.memories.len());
        let mut capacity = start.max(packer.min_weight());
        if packer.pack(capacity).is_ok_and(|packing| packing.chosen.contains(&None)) {
            // The line about omitted memories takes tokens too.
            capacity = start.saturating_sub(marker).max(packer.min_weight());
        }
        let mut best: Option<(Packing, Text)> = None;
        // The largest capacity whose choice fits, and the smallest whose choice does not.
        let (mut enough, mut too_much) = (None, None);
        for attempt in 0..REMAKE_ATTEMPTS {
            let Ok(packing) = packer.pack(capacity) else { break };
            let text = self.text_at(entries, entries.levels(&packing.chosen));
            let tokens = text.tokens;
            let planned = packing.weight + if text.omitted == 0 { 0 } else { marker };
            let fits = tokens <= budget;
            if fits && best.as_ref().is_none_or(|(best, _)| packing.value > best.value) {
                best = Some((packing, text));
            }
            let unused = budget.saturating_sub(tokens).get();
            if fits && (unused == 0 || planned <= tokens.get().saturating_add(FEED) && too_much.is_none()) {
                break;
            }
            *(if fits { &mut enough } else { &mut too_much }) = Some(capacity);
            // Counted together, memories can take fewer or more tokens than counted individually.
            let excess = tokens.saturating_sub(budget).get().saturating_mul(1 << attempt);
            let next = match (enough, too_much) {
                (Some(enough), Some(too_much)) => usize::midpoint(enough, too_much),
                _ if fits => capacity.saturating_add(unused),
                _ => capacity.saturating_sub(excess),
            };
            // Try the smallest choice before giving up, and no choice twice.
            let next = next.max(packer.min_weight());
            if Some(next) == enough || Some(next) == too_much {
                break;
            }
            capacity = next;
        }
        match best {
            Some(best) => Ok(best),
            None => self.smallest(entries, budget, &packer),
        }
    }

    /// The smallest choice of levels and its text, without the line about omitted memories if only that fits.
    fn smallest(
        &self,
        entries: &Entries<'_>,
        budget: Tokens,
        packer: &Packer<'_>,
    ) -> Result<(Packing, Text), Error> {
        let infeasible =
            |needed| Error::Infeasible { needed, available: budget, blockers: entries.blockers(needed) };
        let packing =
            packer.pack(packer.min_weight()).map_err(|_| infeasible(Tokens::new(packer.min_weight())))?;
        let mut text = self.text_at(entries, entries.levels(&packing.chosen));
        if text.tokens > budget {
            text = text.without_marker(&*self.counter);
        }
        if text.tokens > budget { Err(infeasible(text.tokens)) } else { Ok((packing, text)) }
    }

    /// The number of `memories` that the best choice within `budget` shows at each level, from level 0 up.
    ///
    /// # Errors
    /// As [`compress_batch_to_fit`](Self::compress_batch_to_fit).
    pub fn suggest_distribution(
        &self,
        memories: &[MemoryRecord],
        budget: Tokens,
        options: &FitOptions<'_>,
    ) -> Result<[usize; 4], Error> {
        Ok(self.compress_batch_to_fit(memories, budget, options)?.distribution())
    }

    /// The text of the memories at `levels`.
    fn text_at(&self, entries: &Entries<'_>, levels: Vec<Option<Level>>) -> Text {
        let shown = entries.memories.iter().zip(&entries.notes).zip(&levels);
        let shown: Vec<CompressedMemory> = shown
            .filter_map(|((memory, note), level)| Some(self.compress_noted(memory, note, (*level)?)))
            .collect();
        let is_omitted = |(level, sent): &(&Option<Level>, &Option<Level>)| level.is_none() && sent.is_none();
        let omitted = levels.iter().zip(&entries.sent).filter(is_omitted).count();
        Text::new(shown, levels, omitted, &*self.counter)
    }
}

/// The line that replaces omitted memories.
fn omitted(n: usize) -> String {
    if n == 1 { "[... 1 memory]".into() } else { format!("[... {n} memories]") }
}

/// Memories as one text.
pub(crate) struct Text {
    text: String,
    pub(crate) tokens: Tokens,
    shown: Vec<CompressedMemory>,
    levels: Vec<Option<Level>>,
    /// The number of memories left out.
    omitted: usize,
}

impl Text {
    fn new(
        shown: Vec<CompressedMemory>,
        levels: Vec<Option<Level>>,
        n: usize,
        counter: &dyn TokenCounter,
    ) -> Self {
        let mut parts: Vec<&str> = shown.iter().map(|memory| memory.text.as_str()).collect();
        let marker = omitted(n);
        parts.extend((n > 0).then_some(marker.as_str()));
        let text = parts.join("\n");
        Self { tokens: counter.count(&text), text, shown, levels, omitted: n }
    }

    /// The text without the line about omitted memories.
    fn without_marker(self, counter: &dyn TokenCounter) -> Self {
        Self::new(self.shown, self.levels, 0, counter)
    }
}

/// Whether `memory` is critical and shown at a lower level than its line.
fn is_below_its_least(memory: &MemoryRecord, level: Option<Level>, options: &FitOptions<'_>) -> bool {
    memory.importance == Importance::Critical && level.is_some_and(|level| level < line(options))
}

/// The reason for the `level` of memory `n`, or for leaving it out.
fn reason(
    entries: &Entries<'_>,
    n: usize,
    level: Option<Level>,
    memory: &MemoryRecord,
    options: &FitOptions<'_>,
) -> Reason {
    let at = |level: Level| entries.tokens(n, level);
    let older = entries.notes.get(n).and_then(|note| note.older_than);
    let Some(level) = level else {
        return match (entries.sent.at(n), older) {
            (Some(sent), _) => Reason::Other(format!("level {} was sent before", u8::from(sent))),
            (None, Some(newer)) => Reason::Other(format!("older than {newer}")),
            // With a query, no memory is shown by its name alone, so the minimum is a line.
            (None, None) if options.query.is_some() => Reason::NoRoom { needed: at(line(options)) },
            (None, None) => Reason::NoRoom { needed: at(options.min_level) },
        };
    };
    let next = Level::ALL.into_iter().find(|next| *next > level).unwrap_or(level);
    let line = line(options);
    match older {
        _ if memory.pinned => Reason::Pinned,
        Some(newer) if level < Level::Full => Reason::Other(format!("older than {newer}")),
        _ if level == options.max_level.max(options.min_level) => Reason::Fits,
        _ if is_below_its_least(memory, Some(level), options) => {
            let answers = if entries.relevant.is_some() { " beside the answer" } else { "" };
            let needed = at(line);
            Reason::Other(format!(
                "critical, but only named: no room for its line ({needed} tokens){answers}"
            ))
        }
        _ if level == line && memory.importance == Importance::Critical => {
            Reason::Other("critical: shown at its minimum level".into())
        }
        _ => Reason::Other(format!(
            "its {} tokens of level {} are worth more elsewhere",
            at(next),
            u8::from(next)
        )),
    }
}

fn finished(
    entries: &Entries<'_>,
    options: &FitOptions<'_>,
    text: Text,
    [value, bound]: [f64; 2],
) -> MemoryBatch {
    let memories = entries.memories;
    let feeds = Tokens::new(memories.len().saturating_sub(1) * FEED);
    let mut tokens_not_resent = Tokens::ZERO;
    let mut shown = Vec::with_capacity(memories.len());
    for (n, (memory, &level)) in memories.iter().zip(&text.levels).enumerate() {
        if let (None, Some(sent)) = (level, entries.sent.at(n)) {
            tokens_not_resent += entries.tokens(n, sent);
        }
        shown.push(Shown {
            id: memory.id.clone(),
            level,
            ladder: entries.ladders.at(n),
            worth: entries.worth.whole(n),
            relevance: entries.relevant.as_ref().and_then(|relevant| relevant.get(n)).copied(),
            is_below_its_least: is_below_its_least(memory, level, options),
            reason: reason(entries, n, level, memory, options),
        });
    }
    MemoryBatch {
        text: text.text,
        tokens: text.tokens,
        tokens_before: (0..memories.len()).map(|n| entries.tokens(n, Level::Full)).sum::<Tokens>() + feeds,
        memories: text.shown,
        shown,
        value,
        bound,
        tokens_not_resent,
        unmatched: options.query.map(|query| unmatched(memories, query)).unwrap_or_default(),
    }
}

/// A choice of levels from which a batch was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryChoice {
    /// The level of each memory.
    pub levels: Vec<Option<Level>>,
    /// The relevance of each memory to the query, as in [`MemoryBatch::shown`](crate::MemoryBatch::shown).
    pub relevance: Option<Vec<f64>>,
    /// The value of the choice.
    pub value: f64,
    /// The upper bound on the value.
    pub bound: f64,
}

impl MemoryCompressor {
    /// Shows `memories` at levels that were chosen before, to check a batch. Nothing is scored or packed, and the
    /// reason given for each memory is that its level was chosen before. Linear in the length of the memories.
    ///
    /// # Errors
    /// [`Error::Circular`] if memories replace one another in a circle.
    pub fn compress_batch_at(
        &self,
        memories: &[MemoryRecord],
        budget: Tokens,
        choice: MemoryChoice,
        options: &FitOptions<'_>,
    ) -> Result<MemoryBatch, Error> {
        let MemoryChoice { levels, relevance, value, bound } = choice;
        let entries = Entries::new(self, memories, options, Some(relevance))?;
        let levels = (0..memories.len()).map(|n| levels.at(n)).collect();
        let mut text = self.text_at(&entries, levels);
        if text.tokens > budget {
            text = text.without_marker(&*self.counter);
        }
        let mut batch = finished(&entries, options, text, [value, bound]);
        for shown in &mut batch.shown {
            shown.reason = Reason::Other("chosen before".into());
        }
        Ok(batch)
    }
}
