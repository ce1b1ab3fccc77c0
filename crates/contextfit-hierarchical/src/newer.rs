//! Which memory replaces which: if two say the same or different things about one subject, the newer counts.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use contextfit_kernel::MemoryRecord;
use contextfit_text::{Analyzer, Lexicon, NaturalLanguage, Term};

use crate::{
    claim::Claim,
    dates::{Date, date},
    endings::{REPLACES, figure_before, figures, over, purpose, said},
    one_liner::sentences,
};

/// A word found in more memories than this is not used to match them, which keeps the time linear.
const FEW: usize = 8;

/// The share of the shorter memory's words, in tenths, and the number of words that a memory which says that it replaces
/// another has in common with it.
const SHARED: (usize, usize) = (7, 4);
const OF: usize = 10;

/// The number of terms that the name of a person or a thing has at most.
const NAME: usize = 2;

/// Types of memories that tell what happened, in lowercase. A later event does not undo an earlier one.
const EVENTS: [&str; 6] = ["incident", "event", "episode", "episodic", "outage", "postmortem"];

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
    claim: Claim,
    all: Vec<Term>,
    /// Those of the summary and the first sentence: what the memory is about.
    gist: Vec<Term>,
    /// Those without digits: conflicting memories differ in figures.
    words: Vec<Term>,
    /// The first terms of its summary and of what it says: usually the subject.
    first: [Option<Term>; 2],
    /// The figures that its summary, or without one its knowledge, gives.
    figures: Vec<Term>,
    /// The terms of sentences that say from which figure to which something changed, and those figures.
    changed: Vec<Term>,
    was: Vec<Term>,
    endings: Vec<Ending>,
    /// The terms of sentences that say what the memory replaces.
    replaced: Vec<Term>,
}

/// A sentence that says that something is over, as sorted terms.
struct Ending {
    said: Vec<Term>,
    /// Those of what is over.
    over: Vec<Term>,
    /// Those of its subject, if a single name stands before the phrase that says so, and of what it was for.
    subject: Vec<Term>,
    purpose: Vec<Term>,
}

/// For each of `memories`, the newest one that replaces it. `alike` holds sets of near-duplicates. A newer memory
/// replaces an older one of the same type if the claim of one [changes](Claim::is_changed_by) that of the other; and one
/// of any type if it says that something is over that only the two of them name. A memory that says itself what it
/// replaces needs no date. What happened is not replaced. Linear in the length of the memories.
pub(crate) fn newer(memories: &[MemoryRecord], alike: &[Vec<usize>]) -> Vec<Option<usize>> {
    let written = |memory| Written { date: date(memory), recency: memory.recency };
    let written: Vec<Written<'_>> = memories.iter().map(written).collect();
    let is_known = |n: &usize| written.get(*n).is_some_and(Written::is_known);
    let says_so = |memory: &MemoryRecord| !said(&text(memory), &REPLACES).is_empty();
    let read: Vec<usize> = if memories.iter().any(says_so) {
        (0..memories.len()).collect()
    } else {
        (0..memories.len()).filter(is_known).collect()
    };
    let mut newest = Newest { found: vec![None; memories.len()], written };
    if read.len() >= 2 {
        let subjects = Subjects::new(memories, read);
        alike.iter().for_each(|set| newest.replace_alike(&subjects, set));
        newest.replace_by_subject(memories, &subjects);
    }
    let happened = |memory: &MemoryRecord| EVENTS.contains(&memory.memory_type.to_lowercase().as_str());
    let events = newest.found.iter_mut().zip(memories).filter(|(_, memory)| happened(memory));
    events.for_each(|(found, _)| *found = None);
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

    /// Replaces near-duplicates, but for those whose claims name different things. The newest of a set is newer than
    /// all members that it can be compared with.
    fn replace_alike(&mut self, subjects: &Subjects, set: &[usize]) {
        let last = set.iter().copied().reduce(|a, b| match (self.written.get(a), self.written.get(b)) {
            (Some(first), Some(second)) if second.is_after(first) => b,
            _ => a,
        });
        let Some(last) = last else { return };
        let differs = |n: usize| {
            let claims = subjects.get(n).zip(subjects.get(last));
            claims.is_some_and(|(old, new)| old.claim.is_on_another_subject(&new.claim))
        };
        set.iter().filter(|n| !differs(**n)).for_each(|&n| self.replace(n, last, false));
    }

    /// Replaces those of the memories whose subject is that of another.
    fn replace_by_subject(&mut self, memories: &[MemoryRecord], subjects: &Subjects) {
        let mut having: HashMap<Term, Vec<usize>> = HashMap::new();
        for (&n, subject) in subjects.places.iter().zip(&subjects.subjects) {
            subject.all.iter().for_each(|term| having.entry(*term).or_default().push(n));
        }
        let rare = |term: &Term| having.get(term).is_some_and(|having| having.len() == 2);
        let mut seen = HashSet::new();
        for places in having.values().filter(|places| places.len() <= FEW) {
            let pairs = places
                .iter()
                .enumerate()
                .flat_map(|(at, &a)| places.iter().skip(at + 1).map(move |&b| (a, b)));
            for (a, b) in pairs.filter(|pair| seen.insert(*pair)) {
                let (Some(one), Some(other)) = (memories.get(a), memories.get(b)) else { continue };
                let (Some(first), Some(second)) = (subjects.get(a), subjects.get(b)) else { continue };
                let same_type = one.memory_type == other.memory_type;
                for (old, new, of_old, of_new) in [(a, b, first, second), (b, a, second, first)] {
                    let surely = of_new.replaces(of_old, rare);
                    let same = same_type && of_new.is_about(of_old);
                    if same || surely || of_new.retires(of_old, rare) || of_new.changes(of_old) {
                        self.replace(old, new, surely);
                    }
                }
            }
        }
    }
}

/// Summary and knowledge of `memory`.
fn text(memory: &MemoryRecord) -> String {
    [&memory.summary, "\n\n", &memory.knowledge].concat()
}

/// The subjects of the memories at some places, in order.
struct Subjects {
    places: Vec<usize>,
    subjects: Vec<Subject>,
}

impl Subjects {
    fn new(memories: &[MemoryRecord], places: Vec<usize>) -> Self {
        let memories: Vec<&MemoryRecord> = places.iter().filter_map(|&n| memories.get(n)).collect();
        let texts = memories.iter().flat_map(|memory| [memory.summary.as_str(), &memory.knowledge]);
        let analyzer = Analyzer::new(Some(NaturalLanguage::of_texts(texts)));
        let mut lexicon = Lexicon::new(analyzer);
        let mut subjects: Vec<Subject> =
            memories.iter().map(|memory| Subject::of(memory, &mut lexicon)).collect();
        let is_word = |term: &Term| !lexicon.text(*term).contains(|c: char| c.is_numeric());
        for subject in &mut subjects {
            subject.words = subject.all.iter().copied().filter(is_word).collect();
            let is_figure = |term: &Term| lexicon.text(*term).chars().all(char::is_numeric);
            subject.endings.iter_mut().for_each(|ending| ending.over.retain(|term| !is_figure(term)));
            subject.changed.retain(is_word);
        }
        Self { places, subjects }
    }

    /// The subject of memory `n`.
    fn get(&self, n: usize) -> Option<&Subject> {
        self.subjects.get(self.places.binary_search(&n).ok()?)
    }
}

impl Subject {
    fn of(memory: &MemoryRecord, lexicon: &mut Lexicon) -> Self {
        let analyzer = lexicon.analyzer();
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
        let (summary, knowledge) = (memory.summary.as_str(), memory.knowledge.as_str());
        let text = text(memory);
        let gist = if summary.trim().is_empty() { knowledge } else { summary };
        let changes: Vec<(&str, &str)> =
            sentences(&text).filter_map(|said| Some((said, figure_before(said)?))).collect();
        let endings = sentences(&text).filter_map(|said| Some((said, over(said)?))).map(|(said, over)| {
            let [before, after] = over.map(str::to_owned);
            let mut subject = read(&mut [before.as_str()].into_iter()).0;
            subject.truncate(if subject.len() > NAME { 0 } else { NAME });
            Ending {
                said: read(&mut [said].into_iter()).0,
                over: read(&mut [before.as_str(), after.as_str()].into_iter()).0,
                subject,
                purpose: read(&mut purpose(&after).into_iter()).0,
            }
        });
        let endings: Vec<Ending> = endings.collect();
        Self {
            claim: Claim::of(memory, &analyzer),
            figures: read(&mut figures(gist)).0,
            changed: read(&mut changes.iter().map(|(said, _)| *said)).0,
            was: read(&mut changes.iter().map(|(_, was)| *was)).0,
            all: read(&mut [summary, knowledge].into_iter()).0,
            gist: read(&mut [summary].into_iter().chain(sentences(knowledge).next())).0,
            words: Vec::new(),
            first: [read(&mut [summary].into_iter()).1, read(&mut [knowledge].into_iter()).1],
            endings,
            replaced: read(&mut said(&text, &REPLACES).iter().map(String::as_str)).0,
        }
    }

    /// Whether it claims something else about what `old` is about, or shares most words with it and says that it
    /// replaces something.
    fn is_about(&self, old: &Self) -> bool {
        let said = shared(&self.words, &old.words).count();
        let (share, least) = SHARED;
        let is_like = said >= least && said * OF >= share * self.words.len().min(old.words.len());
        old.claim.is_changed_by(&self.claim) || is_like && !self.replaced.is_empty()
    }

    /// Whether it says that something is over that only it and `old` name, according to `rare`, which is what `old` is
    /// about and does not say itself, and both summaries or both texts begin with the same word or the sentence that
    /// says so names another word of `old`. Whose or what for it was is the same in `old`.
    fn retires(&self, old: &Self, rare: impl Fn(&Term) -> bool) -> bool {
        let same_first = self.first.iter().zip(&old.first).any(|(own, old)| own.is_some() && own == old);
        let says = |term: &Term| old.endings.iter().any(|ending| ending.over.binary_search(term).is_ok());
        let names = |terms: &[Term]| terms.is_empty() || shared(terms, &old.all).next().is_some();
        self.endings.iter().any(|ending| {
            (same_first || shared(&ending.said, &old.all).nth(1).is_some())
                && shared(&ending.over, &old.gist).any(|term| rare(term) && !says(term))
                && names(&ending.subject)
                && names(&ending.purpose)
        })
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
