//! Checks on the tokens of a `tokenizer.json`.
//!
//! The libraries that read such a file do not check it: a token that is undefined or out of range makes them panic,
//! some while loading and some while encoding. The file is therefore checked first.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

/// The parts of the file that are checked.
#[derive(Deserialize)]
pub(crate) struct TokenizerJson {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    model: Model,
}

#[derive(Deserialize)]
struct AddedToken {
    content: String,
}

#[derive(Deserialize)]
struct Model {
    vocab: Vocabulary,
    unk_id: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Vocabulary {
    /// Each token with its number.
    Numbers(HashMap<String, u32>),
    /// Each token with its weight; its number is its position. The kind called Unigram.
    Weights(Vec<(String, f64)>),
}

impl TokenizerJson {
    /// Whether there is no token for unknown text. Unigram needs one to encode an unknown character; the other kinds do
    /// not.
    pub(crate) fn cannot_name_unknowns(&self) -> bool {
        matches!(self.model.vocab, Vocabulary::Weights(_)) && self.model.unk_id.is_none()
    }

    /// One more than the highest number a token can have. Added tokens outside the vocabulary are numbered after it,
    /// whatever number the file gives them.
    pub(crate) fn tokens(&self) -> usize {
        let (known, end): (HashSet<&str>, usize) = match &self.model.vocab {
            Vocabulary::Numbers(numbers) => {
                let end = numbers.values().max().map_or(0, |&last| last as usize + 1);
                (numbers.keys().map(String::as_str).collect(), end)
            }
            Vocabulary::Weights(weights) => {
                (weights.iter().map(|(token, _)| token.as_str()).collect(), weights.len())
            }
        };
        let added: HashSet<&str> = self.added_tokens.iter().map(|token| token.content.as_str()).collect();
        end.max(known.len()) + added.difference(&known).count()
    }
}
