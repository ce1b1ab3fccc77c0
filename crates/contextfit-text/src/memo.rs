//! Words and their terms, remembered from one text to the next.

use std::{cell::RefCell, collections::HashMap, sync::Arc};

use foldhash::fast::FixedState;

use crate::{Analyzer, Tongue};

/// No place, and no number: of a stop word, of a term that a lexicon has not met.
pub(crate) const NONE: u32 = u32::MAX;

/// Words remembered on each thread, at most, and bytes of words and terms; then all are forgotten. A text without spaces is
/// one word of its whole length.
const MOST: usize = 65_536;
const MOST_BYTES: usize = 4 << 20;

/// What an analyzer is told apart by: its language, and whether stop words are terms.
pub(crate) type Kind = (Option<Tongue>, bool);

thread_local! {
    /// What nobody is using right now, of the two kinds of analyzer that were asked last: what is found to be in another
    /// language now and then must not cost what is known of the first.
    static REMEMBERED: RefCell<[Words; 2]> = RefCell::default();
}

/// The terms of words, each term at a place of its own, where the lexicon at work keeps its number too.
#[derive(Default)]
pub(crate) struct Words {
    kind: Option<Kind>,
    /// Words of up to 15 bytes, [`packed`]: nothing but the table is looked at for one of them.
    short: HashMap<u128, u32, FixedState>,
    long: HashMap<Box<str>, u32, FixedState>,
    terms: Vec<Arc<str>>,
    places: HashMap<Arc<str>, u32, FixedState>,
    /// Bytes of long words and of terms.
    bytes: usize,
    /// For each term its number in the lexicon at work.
    numbers: Vec<u32>,
}

impl Words {
    /// What this thread remembers of words as `kind` folds them; put it back with [`put_back`](Self::put_back).
    pub(crate) fn take(kind: Kind) -> Self {
        let known = |remembered: &mut [Self; 2]| {
            remembered.iter_mut().find(|words| words.kind == Some(kind)).map(std::mem::take)
        };
        let words = REMEMBERED.with_borrow_mut(known);
        words.unwrap_or_else(|| Self { kind: Some(kind), ..Self::default() })
    }

    /// Remembers the words for the next lexicon on this thread, now that the one that `met` the terms at these places is
    /// done.
    pub(crate) fn put_back(mut self, met: &[u32]) {
        for &place in met {
            self.numbers.get_mut(place as usize).into_iter().for_each(|number| *number = NONE);
        }
        // A thread that ends remembers nothing.
        let _ = REMEMBERED.try_with(|remembered| {
            let remembered = &mut *remembered.borrow_mut();
            let of = |kind| remembered.iter().position(|words| words.kind == kind);
            let place = of(self.kind).or_else(|| of(None)).unwrap_or(1);
            // Whoever asked last stands first; a third kind takes the place of the second.
            let [last, other] = remembered;
            if place == 1 {
                std::mem::swap(last, other);
            }
            let known = if last.kind == self.kind { last.len() } else { 0 };
            if (known..MOST).contains(&self.len()) && self.bytes <= MOST_BYTES {
                *last = self;
            }
        });
    }

    fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// The place of the term of `word`; [`NONE`] for a stop word. `analyzer` folds words not remembered.
    pub(crate) fn place(&mut self, word: &str, analyzer: &Analyzer) -> u32 {
        match self.remembered(word) {
            Some(place) => place,
            None => self.fold(word, analyzer),
        }
    }

    /// The same where the term has a place already.
    pub(crate) fn known_place(&self, word: &str, analyzer: &Analyzer) -> Option<u32> {
        let fold = || self.places.get(analyzer.term(word)?.as_ref()).copied();
        self.remembered(word).or_else(fold).filter(|&place| place != NONE)
    }

    fn remembered(&self, word: &str) -> Option<u32> {
        match packed(word) {
            Some(packed) => self.short.get(&packed).copied(),
            None => self.long.get(word).copied(),
        }
    }

    #[cold]
    fn fold(&mut self, word: &str, analyzer: &Analyzer) -> u32 {
        let place = analyzer.term(word).map_or(NONE, |term| self.place_of_term(&term));
        match packed(word) {
            Some(packed) => self.short.insert(packed, place),
            None => {
                self.bytes += word.len();
                self.long.insert(word.into(), place)
            }
        };
        place
    }

    /// The place of `term`, a new one for a term not remembered.
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

    /// The same, shared.
    pub(crate) fn shared_term(&self, place: u32) -> Option<Arc<str>> {
        self.terms.get(place as usize).cloned()
    }

    /// The number of the term at `place` in the lexicon at work, which has `met` the terms at these places in the order of
    /// their numbers; a new number for a term not met, `None` where there is no term.
    pub(crate) fn number(&mut self, place: u32, met: &mut Vec<u32>) -> Option<u32> {
        let number = self.numbers.get_mut(place as usize)?;
        if *number == NONE {
            *number = u32::try_from(met.len()).unwrap_or(NONE);
            met.push(place);
        }
        Some(*number)
    }

    /// The same for a term that was met; `None` for others.
    pub(crate) fn known_number(&self, place: u32) -> Option<u32> {
        self.numbers.get(place as usize).copied().filter(|&number| number != NONE)
    }
}

/// The bytes of `word` and their number in one; `None` where there are more than 15.
fn packed(word: &str) -> Option<u128> {
    let bytes = word.as_bytes();
    let (head, tail) = match bytes.len() {
        9..=15 => {
            let (head, tail) = (bytes.first_chunk()?, bytes.last_chunk()?);
            (u64::from_le_bytes(*head), u64::from_le_bytes(*tail) >> (8 * (16 - bytes.len())))
        }
        4..=8 => {
            let (head, tail) = (bytes.first_chunk()?, bytes.last_chunk()?);
            let tail = u64::from(u32::from_le_bytes(*tail)) << (8 * (bytes.len() - 4));
            (u64::from(u32::from_le_bytes(*head)) | tail, 0)
        }
        0..4 => (bytes.iter().rev().fold(0, |head, &byte| head << 8 | u64::from(byte)), 0),
        _ => return None,
    };
    Some(u128::from(head) | u128::from(tail) << 64 | (bytes.len() as u128) << 120)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_of_megabytes_is_not_remembered() {
        let analyzer = Analyzer::new(None);
        let remembered = |word: &str| {
            let mut words = Words::take(analyzer.kind());
            let place = words.place(word, &analyzer);
            words.put_back(&[place]);
            Words::take(analyzer.kind()).len()
        };
        assert_eq!(remembered(&"a".repeat(MOST_BYTES)), 0);
        assert_eq!(remembered(&"a".repeat(MOST_BYTES / 4)), 1);
    }

    proptest! {
        #[test]
        fn packed_is_the_bytes(word in ".{0,16}") {
            let mut bytes = [0; 16];
            bytes.iter_mut().zip(word.bytes()).for_each(|(place, byte)| *place = byte);
            bytes[15] = word.len() as u8;
            let expect = (word.len() < 16).then_some(u128::from_le_bytes(bytes));
            prop_assert_eq!(packed(&word), expect);
        }
    }
}
