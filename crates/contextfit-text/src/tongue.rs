//! Natural languages, as far as words go: which stem and which say nothing.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;
use frostem::{Algorithm, Stemmer};

use crate::{stop_words::stop_words, words};

/// A language that people write, with a Snowball stemmer and stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tongue {
    /// `en`
    English,
    /// `de`
    German,
    /// `fr`
    French,
    /// `es`
    Spanish,
    /// `it`
    Italian,
    /// `pt`
    Portuguese,
    /// `nl`
    Dutch,
    /// `sv`
    Swedish,
    /// `da`
    Danish,
    /// `no`
    Norwegian,
    /// `ru`
    Russian,
    /// `tr`
    Turkish,
    /// `pl`
    Polish,
    /// `ar`
    Arabic,
}

impl Tongue {
    /// All of them; where a text could be of several, the first of them is taken.
    pub const ALL: [Self; 14] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Swedish,
        Self::Danish,
        Self::Norwegian,
        Self::Russian,
        Self::Turkish,
        Self::Polish,
        Self::Arabic,
    ];

    /// Its tag by ISO 639-1: `en`.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Dutch => "nl",
            Self::Swedish => "sv",
            Self::Danish => "da",
            Self::Norwegian => "no",
            Self::Russian => "ru",
            Self::Turkish => "tr",
            Self::Polish => "pl",
            Self::Arabic => "ar",
        }
    }

    /// The language of `tag`, regions and case aside: `en`, `pt-BR`, `DE`.
    ///
    /// ```
    /// use contextfit_text::Tongue;
    ///
    /// assert_eq!(Tongue::tagged("pt-BR"), Some(Tongue::Portuguese));
    /// assert_eq!(Tongue::tagged("tlh"), None);
    /// ```
    #[must_use]
    pub fn tagged(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next().unwrap_or(tag);
        Self::ALL.into_iter().find(|tongue| tongue.tag().eq_ignore_ascii_case(language))
    }

    /// The language that `texts` are most likely in, by their stop words: English where nothing speaks for another.
    /// Reads at most 2 KB, less where the first texts leave no doubt.
    ///
    /// ```
    /// use contextfit_text::Tongue;
    ///
    /// assert_eq!(Tongue::of_texts(["wo wird das Budget geprüft"]), Tongue::German);
    /// assert_eq!(Tongue::of_texts(["fn enforce_budget()"]), Tongue::English);
    /// ```
    #[must_use]
    pub fn of_texts(texts: impl IntoIterator<Item: AsRef<str>>) -> Self {
        leading(&stop_words_seen(texts)).0
    }

    /// The language that `texts` are in beyond doubt: at least two stop words speak more for it than for any other. Reads
    /// at most 2 KB.
    ///
    /// ```
    /// use contextfit_text::Tongue;
    ///
    /// assert_eq!(Tongue::surely_of(["how are tokens counted"]), Some(Tongue::English));
    /// assert_eq!(Tongue::surely_of(["fn enforce_budget()"]), None);
    /// ```
    #[must_use]
    pub fn surely_of(texts: impl IntoIterator<Item: AsRef<str>>) -> Option<Self> {
        let (tongue, lead) = leading(&stop_words_seen(texts));
        (lead >= CLEAR).then_some(tongue)
    }

    /// Whether `word`, in lower case, says nothing about what a text is about.
    #[must_use]
    pub fn is_stop_word(self, word: &str) -> bool {
        let place = Self::ALL.iter().position(|tongue| *tongue == self).unwrap_or(0);
        SPEAKERS.get(word).is_some_and(|tongues| tongues >> place & 1 == 1)
    }

    /// Its name in English.
    #[must_use]
    pub const fn english_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
            Self::French => "French",
            Self::Spanish => "Spanish",
            Self::Italian => "Italian",
            Self::Portuguese => "Portuguese",
            Self::Dutch => "Dutch",
            Self::Swedish => "Swedish",
            Self::Danish => "Danish",
            Self::Norwegian => "Norwegian",
            Self::Russian => "Russian",
            Self::Turkish => "Turkish",
            Self::Polish => "Polish",
            Self::Arabic => "Arabic",
        }
    }

    /// Its stemmer.
    pub(crate) fn stemmer(self) -> Stemmer {
        Stemmer::new(match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
            Self::Italian => Algorithm::Italian,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Dutch => Algorithm::Dutch,
            Self::Swedish => Algorithm::Swedish,
            Self::Danish => Algorithm::Danish,
            Self::Norwegian => Algorithm::Norwegian,
            Self::Russian => Algorithm::Russian,
            Self::Turkish => Algorithm::Turkish,
            Self::Polish => Algorithm::Polish,
            Self::Arabic => Algorithm::Arabic,
        })
    }
}

/// How many stop words of each language `texts` begin with, in the order of [`Tongue::ALL`].
fn stop_words_seen(texts: impl IntoIterator<Item: AsRef<str>>) -> [usize; Tongue::ALL.len()] {
    let mut seen = [0_usize; Tongue::ALL.len()];
    let mut left = SAMPLE;
    let mut small = String::new();
    for text in texts {
        let text = text.as_ref();
        let sample = text.get(..text.floor_char_boundary(left.min(SAMPLE_OF_ONE))).unwrap_or(text);
        count_stop_words(sample, &mut seen, &mut small);
        left = left.saturating_sub(sample.len());
        if left == 0 || leading(&seen).1 >= CERTAIN {
            break;
        }
    }
    seen
}

/// How many stop words of each language all of `text` has. Linear.
pub(crate) fn stop_words_of(text: &str) -> [usize; Tongue::ALL.len()] {
    let mut seen = [0; Tongue::ALL.len()];
    count_stop_words(text, &mut seen, &mut String::new());
    seen
}

/// Adds the stop words of `text` to those `seen`; `small` is room to fold words in.
fn count_stop_words(text: &str, seen: &mut [usize; Tongue::ALL.len()], small: &mut String) {
    for word in words(text).filter(|word| (SHORTEST..=LONGEST).contains(&word.len())) {
        let known = |word: &str| SPEAKERS.get(word).copied().unwrap_or(0);
        let mut tongues = if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            known(word)
        } else if word.is_ascii() {
            small.clear();
            small.push_str(word);
            small.make_ascii_lowercase();
            known(small)
        } else {
            known(&word.to_lowercase())
        };
        while tongues != 0 {
            seen.get_mut(tongues.trailing_zeros() as usize).into_iter().for_each(|count| *count += 1);
            tongues &= tongues - 1;
        }
    }
}

/// The first language of those with the most stop words, and how many more it has than all others.
fn leading(seen: &[usize; Tongue::ALL.len()]) -> (Tongue, usize) {
    let (mut best, mut most, mut second) = (Tongue::English, 0, 0);
    for (tongue, &count) in Tongue::ALL.into_iter().zip(seen) {
        if count > most {
            (best, most, second) = (tongue, count, most);
        } else {
            second = second.max(count);
        }
    }
    (best, most - second)
}

/// How much is read to tell the language, in bytes: of all texts, and of each.
const SAMPLE: usize = 2048;
const SAMPLE_OF_ONE: usize = 256;

/// By how many stop words a language must lead all others to be sure, and to be so certain that no more is read.
const CLEAR: usize = 2;
const CERTAIN: usize = 24;

/// A letter of ASCII by itself is a name in code as often as a word of French.
const SHORTEST: usize = 2;

/// No stop word has more bytes than this.
const LONGEST: usize = 20;

/// For each stop word the languages that have it, a bit each in the order of [`Tongue::ALL`].
static SPEAKERS: LazyLock<HashMap<&str, u32, FixedState>> = LazyLock::new(|| {
    let mut speakers = HashMap::default();
    for (n, tongue) in Tongue::ALL.into_iter().enumerate() {
        for word in stop_words(tongue).split(' ').filter(|word| !word.is_empty()) {
            *speakers.entry(word).or_insert(0) |= 1 << n;
        }
    }
    speakers
});

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(texts: &[&str], tongue: Tongue) {
        assert_eq!(Tongue::of_texts(texts.iter().copied()), tongue);
    }

    #[test]
    fn told_by_stop_words() {
        check(&[], Tongue::English);
        check(&["", "42", "日本語の文"], Tongue::English);
        check(&["where is the budget enforced"], Tongue::English);
        check(&["où est-ce que le budget est vérifié", "La limite est connue."], Tongue::French);
        check(&["¿dónde se comprueba el presupuesto?"], Tongue::Spanish);
        check(&["dove si controlla il limite", "Il limite è noto."], Tongue::Italian);
        check(&["waar wordt het budget gecontroleerd"], Tongue::Dutch);
        check(&["где проверяется бюджет и кто его задаёт"], Tongue::Russian);
        check(&["gdzie jest sprawdzany budżet"], Tongue::Polish);
        check(&["bütçe nerede ve nasıl denetlenir"], Tongue::Turkish);
        check(&["أين يتم فحص الميزانية في هذا النظام"], Tongue::Arabic);
    }

    #[test]
    fn told_beyond_doubt() {
        let sure = |text: &str| Tongue::surely_of([text]);
        assert_eq!(sure("Where is the budget enforced?"), Some(Tongue::English));
        assert_eq!(sure("wo wird das Budget geprüft"), Some(Tongue::German));
        assert_eq!(sure("die hard in english"), None, "`die` and `in` are German, `in` is English");
        assert_eq!(sure("let c = d.l(s)"), None);
        assert_eq!(sure(""), None);
    }

    #[test]
    fn the_first_texts_are_enough_where_they_leave_no_doubt() {
        let english = "It was the best of times, and it was the worst of times for all of them. ".repeat(4);
        let german = "Es war die beste und es war auch die schlechteste Zeit für alle von ihnen.";
        let texts = |times| std::iter::repeat_n(english.as_str(), times).chain([german; 20]);
        assert_eq!(Tongue::of_texts(texts(1)), Tongue::English);
        assert_eq!(Tongue::of_texts([german].into_iter().chain(texts(9))), Tongue::English);
    }

    #[test]
    fn every_tag_is_found() {
        for tongue in Tongue::ALL {
            assert_eq!(Tongue::tagged(tongue.tag()), Some(tongue));
            assert!(!tongue.stemmer().stem("budget").is_empty());
        }
    }

    #[test]
    fn stop_words_are_words() {
        for tongue in Tongue::ALL {
            for word in stop_words(tongue).split(' ').filter(|word| !word.is_empty()) {
                assert_eq!(words(word).collect::<Vec<_>>(), [word], "{tongue:?}");
                assert!(tongue.is_stop_word(word) && word.len() <= LONGEST);
            }
        }
    }
}
