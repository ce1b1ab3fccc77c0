//! The contents of a source, for looking up what an answer says.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::figures::{Figures, codes};
use crate::{Analyzer, NaturalLanguage, float, words};

/// Words that share this many first characters count as the same: `translate`, `translation`.
const SHORTEST_STEM_CHARS: usize = 5;

/// The words of a source, and their order.
pub(super) struct SourceText {
    plain: Analyzer,
    analyzer: Analyzer,
    /// Folded words, each with its number.
    numbers: HashMap<String, u32, FixedState>,
    terms: HashSet<String, FixedState>,
    /// The beginnings of words: the first [`SHORTEST_STEM_CHARS`] characters of every word in `stems`, and the first 3
    /// to 12 of every word with a capital in `capitals`.
    stems: HashSet<String, FixedState>,
    capitals: HashSet<String, FixedState>,
    pairs: HashSet<(u32, u32), FixedState>,
    runs: HashMap<[u32; 3], usize, FixedState>,
    /// The number of [`words`] in the source.
    len: usize,
    /// Runs of letters and digits that contain both, folded.
    pub(super) codes: HashSet<String, FixedState>,
    pub(super) figures: Figures,
}

/// Some words, counted, and those of them that a source has too.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shared {
    pub(super) shared: usize,
    pub(super) words: usize,
}

impl Shared {
    /// The shared words as a share of all; 0 if there are none.
    pub(super) fn share(self) -> f64 {
        if self.words == 0 { 0.0 } else { float(self.shared) / float(self.words) }
    }
}

impl SourceText {
    /// Reads `text` for answers in `natural_language`. Linear.
    pub(super) fn read(text: &str, natural_language: NaturalLanguage) -> Self {
        let mut source = Self {
            plain: Analyzer::new(None),
            analyzer: Analyzer::new(Some(natural_language)),
            numbers: HashMap::default(),
            terms: HashSet::default(),
            stems: HashSet::default(),
            capitals: HashSet::default(),
            pairs: HashSet::default(),
            runs: HashMap::default(),
            len: 0,
            codes: codes(text).map(str::to_lowercase).collect(),
            figures: Figures::read(text),
        };
        let mut before: [Option<u32>; 2] = [None, None];
        for word in words(text) {
            let folded = source.folded(word);
            let next = u32::try_from(source.numbers.len()).unwrap_or(u32::MAX);
            let number = *source.numbers.entry(folded.clone()).or_insert(next);
            if number == next {
                source.terms.extend(source.analyzer.term(word).map(std::borrow::Cow::into_owned));
                source.stems.extend(beginning(&folded, SHORTEST_STEM_CHARS).map(str::to_owned));
            }
            if word.starts_with(char::is_uppercase) {
                let ends = folded.char_indices().map(|(at, c)| at + c.len_utf8()).skip(2).take(10);
                source.capitals.extend(ends.filter_map(|end| folded.get(..end)).map(str::to_owned));
            }
            if let Some(last) = before[1] {
                source.pairs.insert((last, number));
                before[0].into_iter().for_each(|first| {
                    *source.runs.entry([first, last, number]).or_default() += 1;
                });
            }
            before = [before[1], Some(number)];
            source.len += 1;
        }
        source
    }

    /// The number of words in the source.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    fn folded(&self, word: &str) -> String {
        self.plain.term(word).map_or_else(String::new, std::borrow::Cow::into_owned)
    }

    /// Whether the source has `word`, another form of it, or a word with the same stem.
    pub(super) fn has(&self, word: &str) -> bool {
        let folded = self.folded(word);
        self.numbers.contains_key(&folded)
            || self.analyzer.term(word).is_none_or(|term| self.terms.contains(term.as_ref()))
            || beginning(&folded, SHORTEST_STEM_CHARS).is_some_and(|stem| self.stems.contains(stem))
    }

    /// Whether the source has the words of `name`, or words with a capital that begin with two thirds of them, because
    /// some languages decline names.
    pub(super) fn has_name(&self, name: &str) -> bool {
        words(name).all(|word| {
            let folded = self.folded(word);
            let most = (folded.chars().count() * 2).div_ceil(3).max(3);
            self.has(word) || beginning(&folded, most).is_some_and(|begin| self.capitals.contains(begin))
        })
    }

    /// Whether the source has the words of `text`, with every two consecutive ones in the same sequence.
    pub(super) fn says(&self, text: &str) -> bool {
        let mut last = None;
        words(text).all(|word| {
            let number = self.numbers.get(&self.folded(word)).copied();
            let before = std::mem::replace(&mut last, number);
            number.is_some_and(|number| before.is_none_or(|before| self.pairs.contains(&(before, number))))
        })
    }

    /// The number of different content words in `texts`, and of those in the source; and whether most are in a script
    /// without spaces, where they are pairs of characters.
    pub(super) fn shared<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> (Shared, bool) {
        let mut met: HashSet<String, FixedState> = HashSet::default();
        let (mut found, mut dense) = (Shared::default(), 0);
        for word in texts.into_iter().flat_map(words) {
            let Some(term) = self.analyzer.term(word) else { continue };
            if term.chars().all(char::is_numeric) || term.len() < 2 || !met.insert(term.into_owned()) {
                continue;
            }
            found.words += 1;
            found.shared += usize::from(self.has(word));
            dense += usize::from(is_dense(word));
        }
        (found, dense * 2 > found.words)
    }

    /// The number of times that three words are consecutive in the source.
    pub(super) fn times(&self, run: [&str; 3]) -> usize {
        let number = |word: &str| self.numbers.get(&self.folded(word)).copied();
        let [a, b, c] = run.map(number);
        let run = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
        run.and_then(|run| self.runs.get(&run)).copied().unwrap_or(0)
    }
}

/// The first `n` characters of `word`; `None` if it has fewer.
fn beginning(word: &str, n: usize) -> Option<&str> {
    let (at, c) = word.char_indices().nth(n.checked_sub(1)?)?;
    word.get(..at + c.len_utf8())
}

/// Whether `word` is a pair of characters in a script without spaces.
fn is_dense(word: &str) -> bool {
    word.chars().next().is_some_and(|c| c >= '\u{e00}') && word.chars().count() <= 2
}
