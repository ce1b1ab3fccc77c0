//! Natural languages, as far as words are concerned: their stemmers and stop words.

use std::str::FromStr;

use contextfit_kernel::UnknownName;
use frostem::{Algorithm, Stemmer};

/// A natural language that has a Snowball stemmer and stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NaturalLanguage {
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

impl FromStr for NaturalLanguage {
    type Err = UnknownName;

    /// As [`NaturalLanguage::tagged`].
    fn from_str(tag: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownName::new("language", tag, Self::ALL.map(Self::tag));
        Self::tagged(tag).ok_or_else(unknown)
    }
}

impl NaturalLanguage {
    /// All languages, in order of preference: if a text could be in several, the first one is chosen.
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

    /// The ISO 639-1 tag: `en`.
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

    /// The name of the language in English.
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

    /// The stemmer for this language.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_found() {
        for natural_language in NaturalLanguage::ALL {
            assert_eq!(NaturalLanguage::tagged(natural_language.tag()), Some(natural_language));
            assert_eq!(natural_language.tag().parse(), Ok(natural_language));
            assert!(!natural_language.stemmer().stem("budget").is_empty());
        }
    }
}
