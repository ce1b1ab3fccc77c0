//! Which memory replaces which: if two say the same or different things about one subject, the newer counts.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use contextfit_kernel::MemoryRecord;
use contextfit_text::{Analyzer, Lexicon, NaturalLanguage, Term, words};

use crate::{
    dates::{Date, date},
    one_liner::sentences,
};

/// A word found in more memories than this is not used to match them, which keeps the time linear.
const FEW: usize = 8;

/// The share of the shorter memory's words, in tenths, and the number of words that two memories on the same subject
/// have in common.
const SHARED: (usize, usize) = (7, 4);
const OF: usize = 10;

/// Phrases for something that is over.
const OVER: [&str; 20] = [
    "no longer",
    "any more",
    "anymore",
    "instead of",
    "replace",
    "supersede",
    "obsolete",
    "deprecated",
    "used to",
    "retired",
    "switched off",
    "turned off",
    "shut down",
    "decommissioned",
    "discontinued",
    "left the company",
    "has left",
    "migrated",
    "migration from",
    "moved from",
];

/// Verbs of a change from one figure to another.
const CHANGING: [&str; 14] = [
    "changed",
    "extended",
    "raised",
    "increased",
    "lowered",
    "reduced",
    "shortened",
    "cut",
    "moved",
    "grew",
    "rose",
    "fell",
    "dropped",
    "went",
];

/// Phrases of a memory that replaces another, whatever their dates.
const REPLACES: [&str; 2] = ["replaces ", "supersedes "];

/// When a memory was written: by its date, or by the recency the application states.
#[derive(Clone, Copy)]
struct Written<'m> {
    date: Option<Date<'m>>,
    recency: Option<f64>,
}

impl Written<'_> {
    const fn is_known(&self) -> bool {
        self.date.is_some() || self.recency.is_some()
    }

    /// Whether it is known to be newer than another.
    fn is_after(&self, other: &Self) -> bool {
        match (self.date, other.date, self.recency, other.recency) {
            (Some(own), Some(other), ..) => own.day > other.day,
            (_, _, Some(own), Some(other)) => own > other,
            _ => false,
        }
    }
}

/// The subject of a memory, as sorted terms.
struct Subject {
    /// Those of the summary, without figures: what may have changed.
    summary: Vec<Term>,
    all: Vec<Term>,
    /// Those without digits: conflicting memories differ in figures.
    words: Vec<Term>,
    /// The first terms of its summary and of what it says: usually the subject.
    first: [Option<Term>; 2],
    /// The figures that its summary, or without one its knowledge, gives.
    figures: Vec<Term>,
    /// The terms of sentences that say from which figure to which something changed, and those figures.
    changed: Vec<Term>,
    was: Vec<Term>,
    /// The terms of sentences that say something is over.
    over: Vec<Term>,
    /// The terms of sentences that say what the memory replaces.
    replaced: Vec<Term>,
}

/// For each of `memories`, the newest one that replaces it. `alike` holds sets of near-duplicates. A newer memory
/// replaces an older one of the same type if one summary contains all words of the other but for figures, or they share
/// most of their words; and one of any type if it says that something is over that only the two of them name. A memory
/// that says itself what it replaces needs no date. Linear in the length of the memories.
pub(crate) fn newer(memories: &[MemoryRecord], alike: &[Vec<usize>]) -> Vec<Option<usize>> {
    let written = |memory| Written { date: date(memory), recency: memory.recency };
    let written: Vec<Written<'_>> = memories.iter().map(written).collect();
    let is_known = |n: &usize| written.get(*n).is_some_and(Written::is_known);
    let says_so = |memory: &MemoryRecord| !said(&memory.knowledge, &REPLACES).is_empty();
    let read: Vec<usize> = if memories.iter().any(says_so) {
        (0..memories.len()).collect()
    } else {
        (0..memories.len()).filter(is_known).collect()
    };
    let mut newest = Newest { found: vec![None; memories.len()], written };
    if read.len() >= 2 {
        alike.iter().for_each(|set| newest.replace_alike(set));
        newest.replace_by_subject(memories, &read);
    }
    newest.found
}

/// For each memory, the newest one found to replace it.
struct Newest<'m> {
    written: Vec<Written<'m>>,
    found: Vec<Option<usize>>,
}

impl Newest<'_> {
    /// Notes that `new` replaces `old`, if it is newer, or if it `surely` replaces it and is not older.
    fn replace(&mut self, old: usize, new: usize, surely: bool) {
        let written = &self.written;
        let (Some(own), Some(other), Some(found)) =
            (written.get(old), written.get(new), self.found.get_mut(old))
        else {
            return;
        };
        let after = other.is_after(own) || surely && !own.is_after(other);
        let better = |found: &usize| written.get(*found).is_none_or(|found| other.is_after(found));
        if after && found.as_ref().is_none_or(better) {
            *found = Some(new);
        }
    }

    /// Replaces near-duplicates. The newest of a set is newer than all members that it can be compared with.
    fn replace_alike(&mut self, set: &[usize]) {
        let last = set.iter().copied().reduce(|a, b| match (self.written.get(a), self.written.get(b)) {
            (Some(first), Some(second)) if second.is_after(first) => b,
            _ => a,
        });
        last.into_iter().for_each(|last| set.iter().for_each(|&n| self.replace(n, last, false)));
    }

    /// Replaces those of the memories at `read` whose subject is that of another.
    fn replace_by_subject(&mut self, memories: &[MemoryRecord], read: &[usize]) {
        let subjects = subjects(memories, read);
        let mut having: HashMap<Term, Vec<usize>> = HashMap::new();
        for (&n, subject) in read.iter().zip(&subjects) {
            subject.all.iter().for_each(|term| having.entry(*term).or_default().push(n));
        }
        let subject = |n: usize| subjects.get(read.binary_search(&n).ok()?);
        let rare = |term: &Term| having.get(term).is_some_and(|having| having.len() == 2);
        let mut seen = HashSet::new();
        for places in having.values().filter(|places| places.len() <= FEW) {
            let pairs = places
                .iter()
                .enumerate()
                .flat_map(|(at, &a)| places.iter().skip(at + 1).map(move |&b| (a, b)));
            for (a, b) in pairs.filter(|pair| seen.insert(*pair)) {
                let (Some(one), Some(other)) = (memories.get(a), memories.get(b)) else { continue };
                let (Some(first), Some(second)) = (subject(a), subject(b)) else { continue };
                let same = one.memory_type == other.memory_type && first.is_that_of(second);
                for (old, new, of_old, of_new) in [(a, b, first, second), (b, a, second, first)] {
                    let surely = of_new.replaces(of_old, rare);
                    if same || surely || of_new.retires(of_old, rare) || of_new.changes(of_old) {
                        self.replace(old, new, surely);
                    }
                }
            }
        }
    }
}

/// The subjects of the memories at `places`.
fn subjects(memories: &[MemoryRecord], places: &[usize]) -> Vec<Subject> {
    let memories: Vec<&MemoryRecord> = places.iter().filter_map(|&n| memories.get(n)).collect();
    let natural_language = NaturalLanguage::of_texts(memories.iter().map(|memory| memory.knowledge.as_str()));
    let analyzer = Analyzer::new(Some(natural_language));
    let mut lexicon = Lexicon::new(analyzer);
    let mut read = |texts: &mut dyn Iterator<Item = &str>| {
        let mut terms = Vec::new();
        // In lowercase a name is one word: the SQL in MySQL is not what only two memories name, but MySQL may be.
        for text in texts {
            [text, &text.to_lowercase()].iter().for_each(|text| lexicon.read(text, &mut terms));
        }
        let first = terms.first().copied();
        terms.sort_unstable();
        terms.dedup();
        (terms, first)
    };
    let subject = |memory: &&MemoryRecord| {
        let (summary, named) = read(&mut [without_figures(&memory.summary, &analyzer).as_str()].into_iter());
        let gist = if memory.summary.trim().is_empty() { &memory.knowledge } else { &memory.summary };
        let changes: Vec<(&str, &str)> =
            sentences(&memory.knowledge).filter_map(|said| Some((said, figure_before(said)?))).collect();
        Subject {
            figures: read(&mut figures(gist)).0,
            changed: read(&mut changes.iter().map(|(said, _)| *said)).0,
            was: read(&mut changes.iter().map(|(_, was)| *was)).0,
            summary,
            all: read(&mut [memory.summary.as_str(), &memory.knowledge].into_iter()).0,
            words: Vec::new(),
            first: [named, read(&mut [memory.knowledge.as_str()].into_iter()).1],
            over: read(&mut said(&memory.knowledge, &OVER).iter().map(String::as_str)).0,
            replaced: read(&mut said(&memory.knowledge, &REPLACES).iter().map(String::as_str)).0,
        }
    };
    let mut subjects: Vec<Subject> = memories.iter().map(subject).collect();
    let is_word = |term: &Term| !lexicon.text(*term).contains(|c: char| c.is_numeric());
    for subject in &mut subjects {
        subject.words = subject.all.iter().copied().filter(is_word).collect();
        subject.over.retain(|term| !lexicon.text(*term).chars().all(char::is_numeric));
        subject.changed.retain(is_word);
    }
    subjects
}

/// The words of `text` that begin with a digit.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The figure that `sentence` says was there before: 14 in `extended from 14 to 30 days`, also `from 14 days to 30`.
fn figure_before(sentence: &str) -> Option<&str> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    words.iter().find(|word| CHANGING.contains(&word.to_lowercase().as_str()))?;
    let is_figure =
        |word: Option<&&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let (at, _) = words.iter().enumerate().find(|(at, word)| {
        let to = (at + 2..at + 4).find(|&to| words.get(to).is_some_and(|word| *word == "to"));
        word.eq_ignore_ascii_case("from")
            && is_figure(words.get(at + 1))
            && to.is_some_and(|to| is_figure(words.get(to + 1)))
    })?;
    words.get(at + 1).copied()
}

/// The sentences of `text` that contain one of `cues`, without the cues: they are not the subject.
fn said(text: &str, cues: &[&str]) -> Vec<String> {
    let stripped = |sentence: &str| {
        let lower = sentence.to_ascii_lowercase();
        let (at, cue) = cues.iter().find_map(|cue| Some((lower.find(cue)?, cue)))?;
        Some([sentence.get(..at)?, " ", sentence.get(at + cue.len()..)?].concat())
    };
    sentences(text).filter_map(stripped).collect()
}

/// The words of `text` without the figures in it. A number after a stop word is a figure (`is 30 days`); after another
/// word, it is part of a name (`order 17`).
fn without_figures(text: &str, analyzer: &Analyzer) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut after_stop_word = false;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !(after_stop_word && bare.starts_with(|c: char| c.is_numeric())) {
            kept.push(word);
        }
        after_stop_word = !bare.is_empty() && analyzer.term(bare).is_none();
    }
    kept.join(" ")
}

impl Subject {
    /// Whether both are about the same thing.
    fn is_that_of(&self, other: &Self) -> bool {
        let summary = self.summary.len().min(other.summary.len());
        let named = summary >= 2 && shared(&self.summary, &other.summary).count() == summary;
        let said = shared(&self.words, &other.words).count();
        let (share, least) = SHARED;
        named || said >= least && said * OF >= share * self.words.len().min(other.words.len())
    }

    /// Whether it says that something is over that only it and `old` name, according to `rare`, and both summaries or
    /// both texts begin with the same word or the sentence that says so names another word of `old`.
    fn retires(&self, old: &Self, rare: impl Fn(&Term) -> bool) -> bool {
        let named: Vec<&Term> = shared(&self.over, &old.all).collect();
        let same_first = self.first.iter().zip(&old.first).any(|(own, old)| own.is_some() && own == old);
        (named.len() >= 2 || same_first) && named.into_iter().any(rare)
    }

    /// Whether it says that the figure that `old` gives, in a sentence with two other words of it, became another.
    fn changes(&self, old: &Self) -> bool {
        shared(&self.was, &old.figures).next().is_some() && shared(&self.changed, &old.all).nth(1).is_some()
    }

    /// Whether it says that it replaces something that only it and `old` name, and they share another word.
    fn replaces(&self, old: &Self, rare: impl Fn(&Term) -> bool) -> bool {
        shared(&self.replaced, &old.all).any(rare) && shared(&self.all, &old.all).nth(1).is_some()
    }
}

/// The terms of `one` that are also in `other`.
fn shared<'t>(one: &'t [Term], other: &'t [Term]) -> impl Iterator<Item = &'t Term> {
    one.iter().filter(|term| other.binary_search(term).is_ok())
}
