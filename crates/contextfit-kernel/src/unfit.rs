//! Why what a model answered cannot stand for a text.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a model's answer is no summary of its source: what was found, as data.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Unfit {
    /// The model had more to say than it was allowed to.
    #[error("the answer was cut off")]
    CutOff,
    /// The answer stops in the middle of a sentence.
    #[error("the answer ends in the middle of a sentence: {end:?}")]
    Unfinished {
        /// Its last words.
        end: String,
    },
    /// The model says that it does not do what was asked.
    #[error("the answer refuses: {sentence:?}")]
    Refused {
        /// The sentence that does.
        sentence: String,
    },
    /// The answer says the same again and again.
    #[error("the answer repeats itself: {again} of its {words} words, as {phrase:?}")]
    Repeated {
        /// Words that only say what was said before.
        again: usize,
        /// All words of the answer.
        words: usize,
        /// What is said most often.
        phrase: String,
    },
    /// A number that is not in the source.
    #[error("the answer has a number that the source does not have: {number}")]
    Number {
        /// The number, as the answer has it.
        number: String,
    },
    /// A name or an identifier that is not in the source.
    #[error("the answer has a name that the source does not have: {name:?}")]
    Name {
        /// The name.
        name: String,
    },
    /// A quotation of what the source does not say.
    #[error("the answer quotes what the source does not say: {quote:?}")]
    Quote {
        /// The quotation, without its marks.
        quote: String,
    },
    /// The answer, or a sentence of it, has too few words in common with the source.
    #[error("{shared} of {words} words are in the source: {text:?}")]
    Unrelated {
        /// Words that the source has too.
        shared: usize,
        /// All words that say something.
        words: usize,
        /// What they are of: the first words of the answer, or of the sentence.
        text: String,
    },
    /// The answer has a fraction of the length that was asked for.
    #[error("the answer has about {tokens} tokens, where {asked} were asked for")]
    TooShort {
        /// Tokens of the answer, about.
        tokens: usize,
        /// What was asked for.
        asked: usize,
    },
    /// The answer is in another language than the source.
    #[error("the answer is in {found}, the source in {expected}")]
    Language {
        /// The language or script of the answer.
        found: String,
        /// That of the source.
        expected: String,
    },
    /// By an embedding model, the answer means something else.
    #[error("the answer is not about the same: its nearness to the source is {percent} %")]
    Far {
        /// How near it is to the nearest part of the source, in percent.
        percent: u8,
    },
}
