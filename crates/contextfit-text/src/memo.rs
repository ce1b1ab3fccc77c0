//! Words and their terms, remembered from text to text.

use contextfit_kernel::Values;
use std::{cell::RefCell, collections::HashMap, sync::Arc};

use foldhash::fast::FixedState;

use crate::Analyzer;

/// The place of a stop word, or the number of a term that the lexicon does not have.
pub(crate) const NONE: u32 = u32::MAX;

/// The maximum number of words remembered on each thread, and of bytes of words and terms; beyond that, all are
/// dropped. A text without spaces is a single word of its whole length.
const MAX_WORDS: usize = 65_536;
const MAX_BYTES: usize = 4 << 20;

thread_local! {
    /// The words not in use at the moment, for the two analyzers used last: an occasional text in another
    /// language must not discard those of the first.
    static REMEMBERED: RefCell<[Words; 2]> = RefCell::default();
}

/// Words and the terms they fold to. Each term has its own place, which also holds its number in the current lexicon.
#[derive(Default)]
pub(crate) struct Words {
    /// The analyzer that folds them.
    analyzer: Option<Analyzer>,
    /// Words of at most 7 bytes, and of 8 to 15 bytes, which need no memory outside the table. Most words are of the
    /// first kind, whose table is half as large as one for both.
    tiny: HashMap<u64, u32, FixedState>,
    short: HashMap<u128, u32, FixedState>,
    long: HashMap<Box<str>, u32, FixedState>,
    terms: Vec<Arc<str>>,
    places: HashMap<Arc<str>, u32, FixedState>,
    /// Bytes of long words and of terms.
    bytes: usize,
    /// For each term, its number in the current lexicon.
    numbers: Vec<u32>,
}

impl Words {
    /// Takes the words that this thread remembers for `analyzer`; return them with [`put_back`](Self::put_back).
    pub(crate) fn take(analyzer: Analyzer) -> Self {
        let known = |remembered: &mut [Self; 2]| {
            remembered.iter_mut().find(|words| words.analyzer == Some(analyzer)).map(std::mem::take)
        };
        let words = REMEMBERED.with_borrow_mut(known);
        words.unwrap_or_else(|| Self { analyzer: Some(analyzer), ..Self::default() })
    }

    /// Remembers the words for the next lexicon on this thread. The finished lexicon has `met` the terms at these
    /// places.
    pub(crate) fn put_back(mut self, met: &[u32]) {
        for &place in met {
            self.numbers.set(place as usize, NONE);
        }
        // A thread that is ending remembers nothing.
        let _ = REMEMBERED.try_with(|remembered| {
            let remembered = &mut *remembered.borrow_mut();
            let of = |analyzer| remembered.iter().position(|words| words.analyzer == analyzer);
            let place = of(self.analyzer).or_else(|| of(None)).unwrap_or(1);
            // The analyzer used last comes first, and a third one replaces the second.
            let [last, other] = remembered;
            if place == 1 {
                std::mem::swap(last, other);
            }
            let known = if last.analyzer == self.analyzer { last.len() } else { 0 };
            if (known..MAX_WORDS).contains(&self.len()) && self.bytes <= MAX_BYTES {
                *last = self;
            }
        });
    }

    fn len(&self) -> usize {
        self.tiny.len() + self.short.len() + self.long.len()
    }

    /// The place of the term of `word`; [`NONE`] for a stop word. `analyzer` folds words that are not remembered.
    pub(crate) fn place(&mut self, word: &str, analyzer: &Analyzer) -> u32 {
        match self.remembered(word) {
            Some(place) => place,
            None => self.fold(word, analyzer),
        }
    }

    /// The place of the term of `word`, if it already has one.
    pub(crate) fn known_place(&self, word: &str, analyzer: &Analyzer) -> Option<u32> {
        let fold = || self.places.get(analyzer.term(word)?.as_ref()).copied();
        self.remembered(word).or_else(fold).filter(|&place| place != NONE)
    }

    fn remembered(&self, word: &str) -> Option<u32> {
        match packed(word) {
            Packed::Tiny(word) => self.tiny.get(&word).copied(),
            Packed::Short(word) => self.short.get(&word).copied(),
            Packed::Long => self.long.get(word).copied(),
        }
    }

    #[cold]
    fn fold(&mut self, word: &str, analyzer: &Analyzer) -> u32 {
        let place = analyzer.term(word).map_or(NONE, |term| self.place_of_term(&term));
        match packed(word) {
            Packed::Tiny(word) => self.tiny.insert(word, place),
            Packed::Short(word) => self.short.insert(word, place),
            Packed::Long => {
                self.bytes += word.len();
                self.long.insert(word.into(), place)
            }
        };
        place
    }

    /// The place of `term`; a new one if the term is not remembered.
    pub(crate) fn place_of_term(&mut self, term: &str) -> u32 {
        if let Some(&place) = self.places.get(term) {
            return place;
        }
        let place = u32::try_from(self.terms.len()).unwrap_or(NONE);
        self.bytes += term.len();
        let term: Arc<str> = term.into();
        self.terms.push(Arc::clone(&term));
        self.places.insert(term, place);
        self.numbers.push(NONE);
        place
    }

    /// The term at `place`.
    pub(crate) fn term(&self, place: u32) -> &str {
        self.terms.get(place as usize).map_or("", AsRef::as_ref)
    }

    /// The term at `place`, shared.
    pub(crate) fn shared_term(&self, place: u32) -> Option<Arc<str>> {
        self.terms.get(place as usize).cloned()
    }

    /// The number of the term at `place` in the current lexicon, which has `met` the terms at these places, in the
    /// order of their numbers. A term that it has not met gets a new number; `None` if there is no term at `place`.
    pub(crate) fn number(&mut self, place: u32, met: &mut Vec<u32>) -> Option<u32> {
        let number = self.numbers.get_mut(place as usize)?;
        if *number == NONE {
            *number = u32::try_from(met.len()).unwrap_or(NONE);
            met.push(place);
        }
        Some(*number)
    }

    /// The number of the term at `place`, if the lexicon has met it.
    pub(crate) fn known_number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied().filter(|&number| number != NONE)
    }
}

/// A word as one number: its bytes, with their count in the highest byte.
#[derive(Debug, PartialEq, Eq)]
enum Packed {
    /// Up to 7 bytes.
    Tiny(u64),
    /// 8 to 15 bytes.
    Short(u128),
    /// More bytes, which do not fit.
    Long,
}

/// `word` as a number, if it is short enough.
#[inline]
fn packed(word: &str) -> Packed {
    let bytes = word.as_bytes();
    let len = bytes.len();
    if let (Some(head), Some(tail), ..=7) = (bytes.first_chunk(), bytes.last_chunk(), len) {
        let tail = u64::from(u32::from_le_bytes(*tail)) << (8 * (len - 4));
        return Packed::Tiny(u64::from(u32::from_le_bytes(*head)) | tail | (len as u64) << 56);
    }
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(head), Some(tail)) if len <= 15 => {
            let tail = u128::from(u64::from_le_bytes(*tail)) << (8 * (len - 8));
            Packed::Short(u128::from(u64::from_le_bytes(*head)) | tail | (len as u128) << 120)
        }
        (Some(_), _) => Packed::Long,
        (None, _) => {
            let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            Packed::Tiny(word | (len as u64) << 56)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_of_megabytes_is_not_remembered() {
        let analyzer = Analyzer::new(None);
        let remembered = |word: &str| {
            let mut words = Words::take(analyzer);
            let place = words.place(word, &analyzer);
            words.put_back(&[place]);
            Words::take(analyzer).len()
        };
        assert_eq!(remembered(&"a".repeat(MAX_BYTES)), 0);
        assert_eq!(remembered(&"a".repeat(MAX_BYTES / 4)), 1);
    }

    proptest! {
        #[test]
        fn packed_is_the_bytes(word in ".{0,16}") {
            let bytes = |room: usize| {
                let bytes = word.bytes().chain(std::iter::repeat(0)).take(room - 1).chain([word.len() as u8]);
                bytes.collect::<Vec<u8>>()
            };
            let expect = match word.len() {
                0..8 => Packed::Tiny(u64::from_le_bytes(bytes(8).try_into().unwrap())),
                8..16 => Packed::Short(u128::from_le_bytes(bytes(16).try_into().unwrap())),
                _ => Packed::Long,
            };
            prop_assert_eq!(packed(&word), expect);
        }
    }
}
