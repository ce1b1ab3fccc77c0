//! Answers that refuse to answer.

use contextfit_kernel::Unfit;

use super::{
    source::SourceText,
    statements::{Statements, quoted},
};
use crate::{natural_language::WORDS, words};

/// A refusing answer of at most this many words is only a refusal, unless it has something that only this source has.
const LONGEST_REFUSAL_WORDS: usize = 40;

/// In a sentence that refuses, less than this share of the words is in the source.
const LEAST_SHARED_BY_REFUSAL: f64 = 0.5;

/// Checks that no sentence of the answer refuses to summarize.
pub(super) fn check(statements: &Statements<'_>, source: &SourceText) -> Result<(), Unfit> {
    let n_words: usize = statements.bodies().map(|body| words(body).count()).sum();
    let bare = || !statements.bodies().any(|body| has_something(body, source));
    let refuses = |sentence: &&str| {
        is_sign(sentence) && !source.says(sentence) && {
            let (found, _) = source.shared([*sentence]);
            found.share() < LEAST_SHARED_BY_REFUSAL || n_words <= LONGEST_REFUSAL_WORDS && bare()
        }
    };
    let sentence = statements.sentences().find(refuses);
    sentence.map_or(Ok(()), |sentence| Err(Unfit::Refused { sentence: quoted(sentence) }))
}

/// Whether the speaker of `sentence` apologizes or says that they cannot. The words around those show what they cannot do:
/// a summary in the first person says what the source says.
fn is_sign(sentence: &str) -> bool {
    let folded = sentence.to_lowercase().replace('’', "'");
    let words: Vec<&str> = folded.split(|c: char| !(c.is_alphanumeric() || c == '\'')).collect();
    let has = |name: &str, has: &dyn Fn(&str) -> bool| {
        WORDS.list(name).phrases().iter().any(|sign| sign.split(' ').all(has))
    };
    has("refusals", &|word| words.contains(&word))
        || has("refusals inside words", &|part| folded.contains(part))
}

/// Whether `text` has a number, a code or a name of the source, which no refusal knows.
fn has_something(text: &str, source: &SourceText) -> bool {
    let mut tokens = text.split_whitespace().skip(1);
    tokens.any(|token| {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let names = bare.contains(|c: char| c.is_ascii_digit())
            || bare.chars().count() >= 3 && bare.starts_with(char::is_uppercase);
        names && source.says(bare)
    })
}
