//! Words of code and of questions about it as vectors.

use std::{collections::HashMap, sync::LazyLock};

use contextfit_kernel::{PartedText, Question, Scorer, nearness};
use foldhash::fast::FixedState;

/// The pieces that words are made of, one a line.
static PIECES: &str = include_str!("../../data/pieces.txt");

/// The vector of each piece, as signed bytes.
static VECTORS: &[u8] = include_bytes!("../../data/vectors.bin");

/// The length of a vector.
const DIMENSIONS: usize = 256;

/// The bytes of the longest piece.
const LONGEST: usize = 24;

static PLACES: LazyLock<HashMap<&str, usize, FixedState>> =
    LazyLock::new(|| PIECES.lines().enumerate().map(|(place, piece)| (piece, place)).collect());

/// How near code is to a question by a built-in table: a vector for each piece of a word, trained on code and what
/// comments and commits say about it. How it was made: docs/ranking.md.
///
/// Words are in lowercase and divided by spaces, as the ranking writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CodeVectors;

impl Scorer for CodeVectors {
    /// The [`nearness`] of each text to `query`; 0 if either has no known word.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        near(query, texts.iter().map(|text| sum(text)))
    }

    /// Reads each part once.
    fn score_parts(&self, parts: &[&str], questions: &[Question<'_>]) -> Vec<Vec<f64>> {
        let sums: Vec<Sum> = parts.iter().map(|part| sum(part)).collect();
        let of = |text: &PartedText| text.of(&sums).fold([0; DIMENSIONS], plus);
        questions.iter().map(|question| near(question.query, question.texts.iter().map(of))).collect()
    }
}

/// A sum of vectors.
type Sum = [i32; DIMENSIONS];

fn plus(mut sum: Sum, other: &Sum) -> Sum {
    sum.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
    sum
}

/// The nearness of texts to `query`, given the sums of their vectors.
fn near(query: &str, texts: impl Iterator<Item = Sum>) -> Vec<f64> {
    let texts: Vec<Vec<f32>> = texts.map(|text| at_unit_length(&text)).collect();
    nearness(&at_unit_length(&sum(query)), &texts.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// The sum of the vectors of the pieces in `text`.
fn sum(text: &str) -> Sum {
    let mut sum = [0; DIMENSIONS];
    for piece in text.split(' ').flat_map(pieces) {
        let values = VECTORS.get(piece * DIMENSIONS..(piece + 1) * DIMENSIONS).unwrap_or_default();
        sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += i32::from(value.cast_signed()));
    }
    sum
}

/// The direction of `sum`; of zeros if there is none.
fn at_unit_length(sum: &Sum) -> Vec<f32> {
    let square: f64 = sum.iter().map(|value| f64::from(*value).powi(2)).sum();
    let length = if square > 0.0 { square.sqrt() } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, reason = "between -1 and 1")]
    sum.iter().map(|value| (f64::from(*value) / length) as f32).collect()
}

/// The places of the pieces of `word`, each the longest that continues it. Empty if it cannot be divided into known
/// pieces, as words of other scripts. Linear in its length.
fn pieces(word: &str) -> Vec<usize> {
    let (mut found, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let longest = rest.floor_char_boundary(LONGEST);
        let piece = (1..=longest).rev().find_map(|end| Some((*PLACES.get(rest.get(..end)?)?, end)));
        let Some((place, end)) = piece else { return Vec::new() };
        found.push(place);
        rest = rest.get(end..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_piece_has_a_vector() {
        assert_eq!(PIECES.lines().count() * DIMENSIONS, VECTORS.len());
        assert!(PIECES.lines().all(|piece| piece.len() <= LONGEST));
        assert_eq!(PLACES.len(), PIECES.lines().count(), "no piece twice");
    }

    #[test]
    fn words_are_divided_into_the_longest_pieces() {
        let of = |word: &str| -> Vec<&str> {
            pieces(word).into_iter().map(|place| PIECES.lines().nth(place).unwrap()).collect()
        };
        assert_eq!(of("thread"), ["thread"]);
        assert_eq!(of("mutexes"), ["mutex", "es"]);
        assert_eq!(of("日本"), [""; 0]);
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn code_that_does_what_is_asked_is_nearer() {
        let query = "how long does it wait before it tries again";
        let texts = ["retry backoff delay attempts", "draw rectangle with border color", "", "日本"];
        let near = CodeVectors.score(query, &texts);
        assert!(near[0] > near[1] && near[2] + near[3] <= 0.0, "{near:?}");
        assert_eq!(CodeVectors.score("", &texts), [0.0; 4]);
        let whole = ["retry backoff delay", "backoff delay attempts"];
        let parts = ["retry ", "backoff delay ", "attempts"];
        let texts = [PartedText::from(0..2), PartedText::from(1..3)];
        let of_parts = CodeVectors.score_parts(&parts, &[Question { query, texts: &texts }]);
        assert_eq!(of_parts, [CodeVectors.score(query, &whole)]);
    }

    proptest! {
        #[test]
        fn any_text_has_a_vector(text in "\\PC{0,200}|[a-z ]{0,300}") {
            let vector = at_unit_length(&sum(&text));
            prop_assert_eq!(vector.len(), DIMENSIONS);
            let square: f32 = vector.iter().map(|x| x * x).sum();
            prop_assert!(square <= 0.0 || (square - 1.0).abs() < 1e-3);
        }
    }
}
