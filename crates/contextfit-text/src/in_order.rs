//! Relevance among texts in sequence, to which the texts just before and after contribute.

use std::{collections::HashMap, hash::BuildHasher, ops::Range};

use crate::{float, words};
use contextfit_kernel::{Scorer, Values};
use foldhash::fast::FixedState;

/// The weight of the better of a turn's two neighbours, the factor by which it fades with each turn of distance, and
/// the maximum distance in turns. Chat answers what was said just before.
const NEIGHBOUR_WEIGHT: f64 = 0.7;
const FADING: f64 = 0.6;
const NEIGHBOUR_REACH: usize = 2;

/// The weights of the turns around a turn: of their mean under a bell curve with this standard deviation, and of their
/// mean over this many turns on each side. Conversation stays with a subject for a while.
const BELL: (f64, f64) = (4.0, 8.0);
const MEAN: (f64, usize) = (4.0, 60);

/// The weights of the scores of the stretches around a turn, and their lengths in turns. With them, words a few turns
/// apart are found together.
const STRETCHES: [(f64, usize); 2] = [(1.0, 16), (2.0, 64)];

/// The maximum number of bytes of a turn that are read. Relevance only chooses turns; the visible part of a long one is
/// chosen within it.
const READ_TURN_BYTES: usize = 1 << 15;

/// The relevance to `query` of each of `texts`, turns of a conversation or notes in the order in which they were said
/// or written; never negative.
///
/// Relevance spreads from the words of a text to its neighbours, and more thinly over the stretch that stays with the
/// subject, narrow in chat and wide in meetings. The constants were chosen on the development halves of LoCoMo and
/// QMSum together; removing the bell, the mean or the stretches of 16 turns, one at a time, moved LoCoMo at a tenth of
/// the tokens and QMSum at a quarter by at most .011. Linear in the length of the texts.
#[must_use]
pub fn relevance_in_order(query: &str, texts: &[&str], scorer: &dyn Scorer) -> Vec<f64> {
    let texts: Vec<&str> = texts.iter().map(|text| beginning(text)).collect();
    let own = scorer.score(query, &texts);
    let neighbours = neighbours(&own);
    let bell = bell(&own, BELL.1);
    let mean = mean(&own, MEAN.1);
    let stretches = STRETCHES.map(|(weight, turns)| (weight, stretches(query, &texts, scorer, turns)));
    let relevance = |(n, text): (usize, &&str)| {
        let spread: f64 = stretches.iter().map(|(weight, scores)| weight * scores.at(n)).sum();
        let score = own.at(n)
            + NEIGHBOUR_WEIGHT * neighbours.at(n)
            + BELL.0 * bell.at(n)
            + MEAN.0 * mean.at(n)
            + spread;
        // A turn of a word or two says little, whatever is around it.
        let length = float(words(text).take(16).count());
        score * length / (length + 1.0)
    };
    texts.iter().enumerate().map(relevance).collect()
}

/// The beginning of a text that is read, in whole characters.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(READ_TURN_BYTES)).unwrap_or(text)
}

/// For each score, the best of those near it, reduced by distance.
fn neighbours(scores: &[f64]) -> Vec<f64> {
    let at = |n: Option<usize>| n.and_then(|n| scores.get(n)).copied().unwrap_or_default();
    let best = |n: usize| {
        let mut fading = 1.0;
        let mut best: f64 = 0.0;
        for distance in 1..=NEIGHBOUR_REACH {
            best = best.max(fading * at(n.checked_sub(distance)).max(at(n.checked_add(distance))));
            fading *= FADING;
        }
        best
    };
    (0..scores.len()).map(best).collect()
}

/// The scores smoothed by a bell curve of standard deviation `width`, with zeros beyond the ends.
fn bell(scores: &[f64], width: f64) -> Vec<f64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive constant")]
    let reach = (3.0 * width).ceil() as usize;
    let weight = |distance: usize| (-float(distance).powi(2) / (2.0 * width * width)).exp();
    let whole = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f64>();
    let smooth = |n: usize| {
        let near = n.saturating_sub(reach)..(n + reach + 1).min(scores.len());
        let weighed = near.clone().zip(scores.get(near).unwrap_or_default());
        weighed.map(|(at, score)| score * weight(at.abs_diff(n))).sum::<f64>() / whole
    };
    (0..scores.len()).map(smooth).collect()
}

/// The mean of the scores at most `reach` turns away, with zeros beyond the ends.
fn mean(scores: &[f64], reach: usize) -> Vec<f64> {
    let sums = running(scores);
    let sum = |end: usize| sums.at(end.min(scores.len()));
    let of = |n: usize| (sum(n + reach + 1) - sum(n.saturating_sub(reach))) / float(2 * reach + 1);
    (0..scores.len()).map(of).collect()
}

/// The running sums, starting from zero.
fn running(scores: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let through = scores.iter().map(|score| {
        sum += score;
        sum
    });
    std::iter::once(0.0).chain(through).collect()
}

/// For each text, the mean score of the stretches of `turns` texts around it, weighted by nearness.
fn stretches(request: &str, texts: &[&str], scorer: &dyn Scorer, turns: usize) -> Vec<f64> {
    let step = (turns / 2).max(1);
    let ranges: Vec<Range<usize>> = (0..=texts.len() / step)
        .map(|n| (n * step).saturating_sub(step)..(n * step + step).min(texts.len()))
        .collect();
    let joined: Vec<String> =
        ranges.iter().map(|range| texts.get(range.clone()).unwrap_or_default().join("\n")).collect();
    let scores = scorer.score(request, &joined.iter().map(String::as_str).collect::<Vec<_>>());
    let mut sums = vec![(0.0, 0.0); texts.len()];
    for (range, score) in ranges.into_iter().zip(scores) {
        let middle = f64::midpoint(float(range.start), float(range.end)) - 0.5;
        for n in range {
            let weight = 1.0 - (float(n) - middle).abs() / (float(step) + 1.0);
            let Some((sum, weights)) = sums.get_mut(n) else { continue };
            *sum += score * weight;
            *weights += weight;
        }
    }
    sums.into_iter().map(|(sum, weights)| if weights > 0.0 { sum / weights } else { 0.0 }).collect()
}

/// The number of standard errors by which neighbours must share words more often than other texts do.
const SURELY: f64 = 3.0;

/// Whether neighbours among `texts` are about the same subjects, as in notes kept in the order of writing, unlike a set
/// in arbitrary order.
///
/// This compares how often two texts share a word that at most a tenth of all texts have, for neighbours and for texts
/// far apart, in a two-sample z-test of the two proportions. Turns of LoCoMo reach 16 standard errors and more,
/// shuffled ones at most 2.6. Linear in the length of the texts.
#[must_use]
pub fn is_in_order(texts: &[&str]) -> bool {
    let mut having: HashMap<u64, usize> = HashMap::new();
    let hasher = FixedState::default();
    let mut terms: Vec<Vec<u64>> = Vec::with_capacity(texts.len());
    for text in texts {
        let mut own: Vec<u64> =
            words(beginning(text)).map(|word| hasher.hash_one(word.to_lowercase())).collect();
        own.sort_unstable();
        own.dedup();
        own.iter().for_each(|term| *having.entry(*term).or_default() += 1);
        terms.push(own);
    }
    let most = (texts.len() / 10).max(2);
    terms
        .iter_mut()
        .for_each(|own| own.retain(|term| having.get(term).is_some_and(|n| (2..=most).contains(n))));
    let share = |(a, b): (&Vec<u64>, &Vec<u64>)| a.iter().any(|term| b.binary_search(term).is_ok());
    let count = |shift: usize| terms.iter().zip(terms.iter().skip(shift)).filter(|pair| share(*pair)).count();
    let (near, n_near) = (float(count(1)), float(texts.len().saturating_sub(1)));
    let shifts = [texts.len() / 2, texts.len() / 3, texts.len() * 2 / 5];
    let far: usize = shifts.into_iter().map(count).sum();
    let (far, n_far) = (float(far), float(shifts.into_iter().map(|shift| texts.len() - shift).sum()));
    let both = (near + far) / (n_near + n_far);
    let error = (both * (1.0 - both) * (1.0 / n_near + 1.0 / n_far)).sqrt();
    near / n_near - far / n_far > SURELY * error && error > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bm25;

    #[test]
    fn neighbours_of_what_was_said_gain() {
        let texts = ["I went to the lake.", "How was it?", "We have a dog now.", "The weather is fine."];
        let scores = relevance_in_order("what about the lake", &texts, &Bm25::default());
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    }

    #[test]
    fn order_is_told_by_neighbours() {
        let subject = |n: usize| format!("Note{n} speaks of subject{} and day{n}.", n / 4);
        let texts: Vec<String> = (0..60).map(subject).collect();
        // A stride coprime to their number: every text is far from its neighbours.
        let shuffled: Vec<&str> = (0..60).map(|n| texts[n * 23 % 60].as_str()).collect();
        assert!(is_in_order(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
        assert!(!is_in_order(&shuffled));
        for few in [0, 1, 2, 5] {
            assert!(!is_in_order(&shuffled[..few]), "{few}");
        }
        assert!(!is_in_order(&["the same"; 40]));
    }
}
