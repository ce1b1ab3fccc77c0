//! The reasons for which an answer of a model is rejected.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason for which a model's answer is rejected as a summary of its source, with the evidence.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Unfit {
    /// The answer was cut off at its token limit.
    #[error("the answer was cut off")]
    CutOff,
    /// The answer ends in the middle of a sentence.
    #[error("the answer ends in the middle of a sentence: {end:?}")]
    Unfinished {
        /// Its last words.
        end: String,
    },
    /// The model declines the task.
    #[error("the answer refuses: {sentence:?}")]
    Refused {
        /// The sentence that declines.
        sentence: String,
    },
    /// The answer repeats itself.
    #[error("the answer repeats itself: {again} of its {words} words, such as {phrase:?}")]
    Repeated {
        /// Words that only repeat earlier words.
        again: usize,
        /// All words of the answer.
        words: usize,
        /// The phrase repeated most often.
        phrase: String,
    },
    /// A number that is not in the source.
    #[error("the answer contains a number that is not in the source: {number}")]
    Number {
        /// The number, as written in the answer.
        number: String,
    },
    /// A name or an identifier that is not in the source.
    #[error("the answer contains a name that is not in the source: {name:?}")]
    Name {
        /// The name.
        name: String,
    },
    /// A quotation that is not in the source.
    #[error("the answer contains a quotation that is not in the source: {quote:?}")]
    Quote {
        /// The quotation, without quotation marks.
        quote: String,
    },
    /// The answer, or a sentence of it, has too few words in common with the source.
    #[error("only {shared} of {words} words are in the source: {text:?}")]
    Unrelated {
        /// Words that also occur in the source.
        shared: usize,
        /// All content words.
        words: usize,
        /// The first words of the rejected answer or sentence.
        text: String,
    },
    /// The answer is much shorter than requested.
    #[error("the answer has about {tokens} tokens, but {asked} were requested")]
    TooShort {
        /// Approximate number of tokens in the answer.
        tokens: usize,
        /// Requested number of tokens.
        asked: usize,
    },
    /// The answer is not in the language of the source.
    #[error("the answer is in {found}, but the source is in {expected}")]
    Language {
        /// The language or script of the answer.
        found: String,
        /// The language or script of the source.
        expected: String,
    },
    /// The meaning differs from the source according to an embedding model.
    #[error("the answer is off topic: its similarity to the source is {percent} %")]
    Far {
        /// Similarity to the nearest part of the source, in percent.
        percent: u8,
    },
}
