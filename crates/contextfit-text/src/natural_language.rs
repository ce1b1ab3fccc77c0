//! Natural languages: their names, their stemmers and their words.

use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

use crate::{WordLists, word_lists::lists_in};

/// Languages, each by the name of its variant, which is that of its Snowball stemmer, and by its tag, which is that of
/// its file; then the tags of files without stop words. A stemmer needs its feature at `frostem` in `Cargo.toml`.
macro_rules! languages {
    ($($language:ident $tag:literal,)+; $($other:literal,)+) => {
        /// A natural language that has a Snowball stemmer and a file of words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum NaturalLanguage {
            $(#[doc = concat!("`", $tag, "`")] $language,)+
        }

        impl NaturalLanguage {
            /// All languages, in order of preference: if a text could be in several, the first one is chosen.
            pub const ALL: [Self; [$($tag),+].len()] = [$(Self::$language),+];

            /// The ISO 639-1 tag: `en`.
            #[must_use]
            pub const fn tag(self) -> &'static str {
                match self {
                    $(Self::$language => $tag,)+
                }
            }

            /// The name of the language in English.
            pub(crate) const fn english_name(self) -> &'static str {
                match self {
                    $(Self::$language => stringify!($language),)+
                }
            }

            /// The file of its words.
            pub(crate) const fn file(self) -> &'static str {
                match self {
                    $(Self::$language => include_str!(concat!("../languages/", $tag, ".txt")),)+
                }
            }

            /// The stemmer for this language.
            pub(crate) fn stemmer(self) -> Stemmer {
                Stemmer::new(match self {
                    $(Self::$language => Algorithm::$language,)+
                })
            }
        }

        /// The files of words of all languages, English first.
        pub(crate) fn all_languages() -> impl Iterator<Item = &'static str> {
            let others = [$(include_str!(concat!("../languages/", $other, ".txt"))),+];
            NaturalLanguage::ALL.map(NaturalLanguage::file).into_iter().chain(others)
        }
    };
}

languages! {
    English "en",
    German "de",
    French "fr",
    Spanish "es",
    Italian "it",
    Portuguese "pt",
    Dutch "nl",
    Swedish "sv",
    Danish "da",
    Norwegian "no",
    Russian "ru",
    Turkish "tr",
    Polish "pl",
    Arabic "ar",
    ;
    "zh", "ja", "ko", "th", "el", "cs", "hi",
}

impl NaturalLanguage {
    /// The language of `tag`, ignoring region and case: `en`, `pt-BR`, `DE`.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::NaturalLanguage;
    ///
    /// assert_eq!(NaturalLanguage::tagged("pt-BR"), Some(NaturalLanguage::Portuguese));
    /// assert_eq!(NaturalLanguage::tagged("tlh"), None);
    /// ```
    #[must_use]
    pub fn tagged(tag: &str) -> Option<Self> {
        let language = tag.split(['-', '_']).next().unwrap_or(tag);
        Self::ALL.into_iter().find(|natural_language| natural_language.tag().eq_ignore_ascii_case(language))
    }

    /// Its bit among those of [`ALL`](Self::ALL).
    pub(crate) const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The words of all languages together; `languages/en.txt` describes the lists.
pub static WORDS: LazyLock<WordLists> = LazyLock::new(|| {
    // Cues of rules have an automaton of their own.
    let lists = all_languages().flat_map(lists_in).filter(|(name, _)| !name.starts_with("rule "));
    WordLists::of(lists)
});

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_tag_is_found() {
        for natural_language in NaturalLanguage::ALL {
            assert_eq!(NaturalLanguage::tagged(natural_language.tag()), Some(natural_language));
            assert!(!natural_language.stemmer().stem("budget").is_empty());
        }
    }

    /// Each language has the lists that matter for every text, or says why one is empty, and no list is misspelled.
    #[test]
    fn languages_are_complete() {
        const NEEDED: [&str; 9] = [
            "stop words",
            "refers back",
            "articles and conjunctions",
            "sentence beginnings",
            "abbreviations inside a sentence",
            "abbreviations before a number",
            "abbreviations at the end or inside",
            "refusals",
            "rule",
        ];
        let of_rules = |name: &'static str| if name.starts_with("rule ") { "rule" } else { name };
        let names =
            |file: &'static str| lists_in(file).map(|(name, _)| of_rules(name)).collect::<HashSet<_>>();
        let english = names(NaturalLanguage::English.file());
        for language in all_languages() {
            assert!(names(language).is_subset(&english), "{:?}", names(language).difference(&english));
        }
        for natural_language in NaturalLanguage::ALL {
            let names = names(natural_language.file());
            assert!(NEEDED.iter().all(|needed| names.contains(needed)), "{natural_language:?}: {names:?}");
        }
    }

    /// Words that are compared in lowercase are in lowercase, and no list has a word twice.
    #[test]
    fn words_are_as_they_are_compared() {
        for language in all_languages() {
            for (name, phrases) in lists_in(language).filter(|(name, _)| !name.starts_with("rule ")) {
                let phrases: Vec<&str> = phrases.collect();
                let distinct: HashSet<&&str> = phrases.iter().collect();
                assert_eq!(distinct.len(), phrases.len(), "{name}");
                let is_small = |phrase: &&str| phrase.to_lowercase() == **phrase;
                let has_case =
                    ["abbreviations", "sentence", "name", "months", "elided", "words before an ordinal"];
                assert!(
                    has_case.iter().any(|start| name.starts_with(start)) || phrases.iter().all(is_small),
                    "{name}"
                );
            }
        }
    }
}
