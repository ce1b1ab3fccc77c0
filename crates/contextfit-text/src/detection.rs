//! Which natural language a text is in, by its stop words.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use crate::{NaturalLanguage, word_lists::texts_by_word, words};

impl NaturalLanguage {
    /// The most likely language of `texts`, judged by their stop words: English if nothing points to another. Reads at
    /// most 2 KB, less if the first texts leave no doubt.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::NaturalLanguage;
    ///
    /// assert_eq!(NaturalLanguage::of_texts(["wo wird das Budget geprüft"]), NaturalLanguage::German);
    /// assert_eq!(NaturalLanguage::of_texts(["fn enforce_budget()"]), NaturalLanguage::English);
    /// ```
    #[must_use]
    pub fn of_texts(texts: impl IntoIterator<Item: AsRef<str>>) -> Self {
        // ablate: text.detection => Self::English
        leading(&stop_words_seen(texts)).0
    }

    /// The language of `texts` if it is beyond doubt: its stop words outnumber those of any other by at least two.
    /// Reads at most 2 KB.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::NaturalLanguage;
    ///
    /// assert_eq!(NaturalLanguage::surely_of(["how are tokens counted"]), Some(NaturalLanguage::English));
    /// assert_eq!(NaturalLanguage::surely_of(["fn enforce_budget()"]), None);
    /// ```
    #[must_use]
    pub fn surely_of(texts: impl IntoIterator<Item: AsRef<str>>) -> Option<Self> {
        let (natural_language, _, lead) = leading(&stop_words_seen(texts));
        (lead >= CLEAR).then_some(natural_language)
    }

    /// Whether `word` is a stop word of any language, in any case.
    pub(crate) fn is_any_stop_word(word: &str) -> bool {
        let is_small = || !word.contains(char::is_uppercase);
        word.len() <= LONGEST_STOP_WORD_BYTES
            && (SPEAKERS.contains_key(word)
                || !is_small() && SPEAKERS.contains_key(word.to_lowercase().as_str()))
    }

    /// Whether `word`, in lowercase, says nothing about the subject of a text.
    pub(crate) fn is_stop_word(self, word: &str) -> bool {
        // ablate: text.stop-words => false
        SPEAKERS.get(word).is_some_and(|languages| languages & self.bit() != 0)
    }
}

/// Counts the stop words of each language in a sample of `texts`, in the order of [`NaturalLanguage::ALL`].
fn stop_words_seen(texts: impl IntoIterator<Item: AsRef<str>>) -> [usize; NaturalLanguage::ALL.len()] {
    let mut seen = [0_usize; NaturalLanguage::ALL.len()];
    let mut left = LANGUAGE_SAMPLE_BYTES;
    for text in texts {
        let text = text.as_ref();
        let sample = text.get(..text.floor_char_boundary(left.min(SAMPLE_OF_ONE))).unwrap_or(text);
        count_stop_words(sample, &mut seen);
        left = left.saturating_sub(sample.len());
        if left == 0 || leading(&seen).2 >= CERTAIN {
            break;
        }
    }
    seen
}

/// Counts the stop words of each language in all of `text`. Linear.
pub(crate) fn stop_words_of(text: &str) -> [usize; NaturalLanguage::ALL.len()] {
    let mut seen = [0; NaturalLanguage::ALL.len()];
    count_stop_words(text, &mut seen);
    seen
}

/// Adds the stop words of `text` to those `seen`.
fn count_stop_words(text: &str, seen: &mut [usize; NaturalLanguage::ALL.len()]) {
    for word in
        words(text).filter(|word| (SHORTEST_STOP_WORD_BYTES..=LONGEST_STOP_WORD_BYTES).contains(&word.len()))
    {
        let known = |word: &str| SPEAKERS.get(word).copied().unwrap_or(0);
        let is_small = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let mut languages = if is_small { known(word) } else { known(&word.to_lowercase()) };
        while languages != 0 {
            seen.get_mut(languages.trailing_zeros() as usize).into_iter().for_each(|count| *count += 1);
            languages &= languages - 1;
        }
    }
}

/// The first language among those with the most stop words, their number, and its lead over all others.
pub(crate) fn leading(seen: &[usize; NaturalLanguage::ALL.len()]) -> (NaturalLanguage, usize, usize) {
    let (mut best, mut most, mut second) = (NaturalLanguage::English, 0, 0);
    for (natural_language, &count) in NaturalLanguage::ALL.into_iter().zip(seen) {
        if count > most {
            (best, most, second) = (natural_language, count, most);
        } else {
            second = second.max(count);
        }
    }
    (best, most, most - second)
}

/// Bytes read to identify the language: of all texts, and of each.
const LANGUAGE_SAMPLE_BYTES: usize = 2048;
const SAMPLE_OF_ONE: usize = 256;

/// The lead in stop words at which a language is clear, and at which it is so certain that reading stops.
const CLEAR: usize = 2;
const CERTAIN: usize = 24;

/// A single ASCII letter is a name in code as often as a word in French.
const SHORTEST_STOP_WORD_BYTES: usize = 2;

/// No stop word is longer than this, in bytes.
const LONGEST_STOP_WORD_BYTES: usize = 20;

/// For each stop word, the languages that have it, one bit each in the order of [`NaturalLanguage::ALL`].
static SPEAKERS: LazyLock<HashMap<&str, u32, FixedState>> =
    LazyLock::new(|| texts_by_word("stop words", NaturalLanguage::ALL.map(NaturalLanguage::file)));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::natural_language::WORDS;

    #[track_caller]
    fn check(texts: &[&str], natural_language: NaturalLanguage) {
        assert_eq!(NaturalLanguage::of_texts(texts.iter().copied()), natural_language);
    }

    #[test]
    fn told_by_stop_words() {
        check(&[], NaturalLanguage::English);
        check(&["", "42", "日本語の文"], NaturalLanguage::English);
        check(&["where is the budget enforced"], NaturalLanguage::English);
        check(&["où est-ce que le budget est vérifié", "La limite est connue."], NaturalLanguage::French);
        check(&["¿dónde se comprueba el presupuesto?"], NaturalLanguage::Spanish);
        check(&["dove si controlla il limite", "Il limite è noto."], NaturalLanguage::Italian);
        check(&["waar wordt het budget gecontroleerd"], NaturalLanguage::Dutch);
        check(&["где проверяется бюджет и кто его задаёт"], NaturalLanguage::Russian);
        check(&["gdzie jest sprawdzany budżet"], NaturalLanguage::Polish);
        check(&["bütçe nerede ve nasıl denetlenir"], NaturalLanguage::Turkish);
        check(&["أين يتم فحص الميزانية في هذا النظام"], NaturalLanguage::Arabic);
    }

    #[test]
    fn told_beyond_doubt() {
        let sure = |text: &str| NaturalLanguage::surely_of([text]);
        assert_eq!(sure("Where is the budget enforced?"), Some(NaturalLanguage::English));
        assert_eq!(sure("wo wird das Budget geprüft"), Some(NaturalLanguage::German));
        assert_eq!(sure("die hard in english"), None, "`die` and `in` are German, `in` is English");
        assert_eq!(sure("let c = d.l(s)"), None);
        assert_eq!(sure(""), None);
    }

    #[test]
    fn the_first_texts_are_enough_where_they_leave_no_doubt() {
        let english = "It was the best of times, and it was the worst of times for all of them. ".repeat(4);
        let german = "Es war die beste und es war auch die schlechteste Zeit für alle von ihnen.";
        let texts = |times| std::iter::repeat_n(english.as_str(), times).chain([german; 20]);
        assert_eq!(NaturalLanguage::of_texts(texts(1)), NaturalLanguage::English);
        assert_eq!(NaturalLanguage::of_texts([german].into_iter().chain(texts(9))), NaturalLanguage::English);
    }

    #[test]
    fn stop_words_are_words() {
        for word in WORDS.list("stop words").words() {
            assert_eq!(words(word).collect::<Vec<_>>(), [word]);
            assert!(NaturalLanguage::is_any_stop_word(word) && word.len() <= LONGEST_STOP_WORD_BYTES);
        }
    }
}
