//! What a memory claims: its first sentence, word by word, so that two claims can be compared.

use std::{borrow::Cow, collections::HashSet};

use contextfit_kernel::MemoryRecord;
use contextfit_text::Analyzer;

use crate::one_liner::sentences;

/// The number of words that two claims on the same subject have in common: of summaries, and of other sentences.
const SHARED: [usize; 2] = [2, 4];

/// Words that announce a change.
const NOW: [&str; 9] =
    ["now", "nowadays", "jetzt", "sofort", "nunmehr", "désormais", "maintenant", "dorénavant", "ahora"];

/// Words around a figure that say nothing about its subject: `may use up to 40`, `is limited to 25`.
const LIMITING: [&str; 18] = [
    "may",
    "can",
    "allow",
    "allows",
    "allowed",
    "limit",
    "limited",
    "permitted",
    "use",
    "uses",
    "least",
    "most",
    "maximum",
    "minimum",
    "up",
    "only",
    "still",
    "currently",
];

/// Words that begin a clause without a comma.
const CLAUSES: [&str; 10] =
    ["since", "because", "due", "instead", "although", "seit", "weil", "depuis", "car", "porque"];

const NUMBERS: [&str; 18] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty",
    "once", "twice", "zwei", "drei", "deux", "dos",
];

/// Units of time, without their plural: `24 hours` and `3 days` are figures of the same thing.
const TIME: [&str; 7] = ["second", "minute", "hour", "day", "week", "month", "year"];

/// What a word contributes to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A quantity or a version, which may change.
    Figure,
    /// A name with a special character or a digit in it: `db-1.internal`.
    Name,
    /// A word that begins with a capital, perhaps a name; at the start of the sentence if the next one does too.
    Capital,
    Plain,
}

#[derive(Debug)]
struct Word {
    term: String,
    kind: Kind,
    /// Its place among all words, and the number of its clause.
    place: usize,
    clause: usize,
}

/// The first sentence of a memory's summary, or without one of its knowledge.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Without stop words and dates.
    words: Vec<Word>,
    terms: HashSet<String>,
    is_summary: bool,
    /// Whether it announces a change.
    is_now: bool,
}

impl Claim {
    /// The claim of `memory`. Linear in its length.
    pub(crate) fn of(memory: &MemoryRecord, analyzer: &Analyzer) -> Self {
        let is_summary = !memory.summary.trim().is_empty();
        let text = if is_summary { &memory.summary } else { &memory.knowledge };
        let tokens: Vec<&str> = sentences(text).next().unwrap_or_default().split_whitespace().collect();
        let words = words(&tokens, analyzer);
        let terms = words.iter().map(|word| word.term.clone()).collect();
        let is_now = tokens.iter().any(|token| NOW.contains(&bare(token).to_lowercase().as_str()));
        Self { words, terms, is_summary, is_now }
    }

    /// Whether `new` claims something else about the same thing, or names the same thing. All words before and beside
    /// the figure that changed are the same in both, since any other may name another subject; a claim that announces a
    /// change may change a name instead.
    pub(crate) fn is_changed_by(&self, new: &Self) -> bool {
        let counts = |word: &&Word| word.kind != Kind::Figure && new.terms.contains(&word.term);
        let shared: HashSet<&str> = self.words.iter().filter(counts).map(|word| word.term.as_str()).collect();
        let [summaries, others] = SHARED;
        if shared.len() < if self.is_summary && new.is_summary { summaries } else { others } {
            return false;
        }
        let (own, other) = (self.beside(new), new.beside(self));
        let all = |is: &dyn Fn(&Word) -> bool| own.iter().chain(&other).all(|word| is(word));
        let is_name = |word: &Word| word.kind == Kind::Name || new.is_now && word.kind == Kind::Capital;
        all(&|word| word.kind == Kind::Figure) || all(&is_name) && is_one(&own) && is_one(&other)
    }

    /// Whether both claims name something that the other does not.
    pub(crate) fn is_on_another_subject(&self, other: &Self) -> bool {
        let names = |words: Vec<&Word>| words.iter().any(|word| word.kind != Kind::Figure);
        names(self.beside(other)) && names(other.beside(self))
    }

    /// The words that `other` does not have, to the end of the clause of the first of them.
    fn beside(&self, other: &Self) -> Vec<&Word> {
        let mut differing = self.words.iter().filter(|word| !other.terms.contains(&word.term)).peekable();
        let clause = differing.peek().map_or(0, |first| first.clause);
        differing.take_while(|word| word.clause == clause).collect()
    }
}

/// Whether `words` are neighbours: a single thing.
fn is_one(words: &[&Word]) -> bool {
    !words.is_empty() && words.windows(2).all(|pair| matches!(pair, [a, b] if a.place + 1 == b.place))
}

fn bare(token: &str) -> &str {
    token.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The words of a sentence, given as `tokens`.
fn words(tokens: &[&str], analyzer: &Analyzer) -> Vec<Word> {
    let is_silent = |word: &str| {
        let lower = word.to_lowercase();
        let lists: [&[&str]; 3] = [&NOW, &LIMITING, &CLAUSES];
        word.is_empty()
            || lists.iter().any(|list| list.contains(&lower.as_str()))
            || analyzer.term(word).is_none()
    };
    let mut words: Vec<Word> = Vec::with_capacity(tokens.len());
    let mut clause = 0;
    for (place, token) in tokens.iter().enumerate() {
        let word = bare(token);
        let before = place.checked_sub(1).and_then(|before| tokens.get(before)).map(|before| bare(before));
        clause += usize::from(CLAUSES.contains(&word.to_lowercase().as_str()) || token.starts_with('('));
        let ends = token.ends_with([',', ';', ':', ')']) || word.is_empty();
        let after = tokens.get(place + 1).map(|after| bare(after)).filter(|_| !ends);
        // A number after the word that a sentence begins with, or before a stop word, is part of a name: `order 17`.
        let is_figure = before.is_none_or(|before| is_silent(before) || is_product(before))
            || place > 1 && after.is_some_and(|after| !is_silent(after));
        let follows_figure =
            words.last().is_some_and(|last| last.kind == Kind::Figure && last.place + 1 == place);
        let is_since = is_year(word) && is_since(tokens.get(..place).unwrap_or_default());
        if !(is_silent(word) || is_date(word) || is_since) {
            let is_inside = place > 0 || after.is_some_and(is_capital);
            // A year names a time, which is over but not replaced by another.
            let is_figure = is_figure && !is_year(word);
            let kind = kind(word, is_inside, is_figure, follows_figure);
            let term = match kind {
                Kind::Name => word.to_lowercase(),
                _ => analyzer.term(word).map_or_else(String::new, Cow::into_owned),
            };
            words.push(Word { term, kind, place, clause });
        }
        clause += usize::from(ends);
    }
    words
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

fn kind(word: &str, is_inside: bool, is_figure: bool, follows_figure: bool) -> Kind {
    let lower = word.to_lowercase();
    let is_number = NUMBERS.contains(&lower.as_str());
    match () {
        () if word.starts_with(|c: char| c.is_numeric()) || is_number => {
            if is_figure || is_number {
                Kind::Figure
            } else {
                Kind::Plain
            }
        }
        () if follows_figure && TIME.contains(&lower.trim_end_matches('s')) => Kind::Figure,
        () if word.contains(|c: char| c.is_numeric() || matches!(c, '.' | '_' | '/' | '@' | ':')) => {
            Kind::Name
        }
        () if is_inside && is_capital(word) => Kind::Capital,
        () => Kind::Plain,
    }
}

/// Whether `word` is written like the name of a product, which has versions: `iOS`, `PHP`.
fn is_product(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
}

/// Whether `word` is a date such as `2025-03` or `2025/03/31`.
fn is_date(word: &str) -> bool {
    let digits = word.chars().take_while(char::is_ascii_digit).count();
    digits == 4 && word.get(4..).is_some_and(|rest| rest.starts_with(['-', '/']))
}

/// Whether `before` ends with words that say since when something holds: `as of`.
fn is_since(before: &[&str]) -> bool {
    let last = |n: usize| before.iter().rev().nth(n).map(|word| word.to_lowercase()).unwrap_or_default();
    CLAUSES.contains(&last(0).as_str()) || last(0) == "of" && last(1) == "as"
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u16| (1970..2100).contains(&year))
}
