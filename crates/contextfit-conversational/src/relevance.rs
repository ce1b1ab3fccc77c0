//! How much each turn has to do with what is asked.

use std::ops::Range;

use contextfit_kernel::{Measured, Scorer};
use contextfit_text::words;

/// What the better of the two turns beside a turn adds to it, and how much less the ones behind them add. Chat answers
/// what was said just before.
const NEIGHBOUR: f64 = 0.7;
const FADING: f64 = 0.6;
const REACH: usize = 2;

/// What the turns around a turn add: their mean under a bell curve of this many turns, and over so many turns each side.
/// Talk stays with a subject for a while.
const BELL: (f64, f64) = (4.0, 8.0);
const MEAN: (f64, usize) = (4.0, 60);

/// What the score of the stretch around a turn adds, for stretches of so many turns: words that stand a few turns apart
/// are found together.
const STRETCHES: [(f64, usize); 2] = [(1.0, 16), (2.0, 64)];

/// How much more the turns of a speaker count whom the request names.
const NAMED: f64 = 1.5;

/// No more of a turn than this is read, in bytes: relevance is for choosing turns, what of a long one is shown is chosen
/// within it.
const READ: usize = 1 << 15;

/// The relevance of each turn to `request`, never negative; the turns at `silent` places have none and lend none.
///
/// Relevance spreads to where it was said: from the words of the turn to its neighbours, and thinner over the stretch that
/// stays with the subject, narrow in chat and wide in meetings. The figures were chosen on the development halves of LoCoMo
/// and QMSum together; without the bell, the mean or the stretches of 16 turns, one at a time, LoCoMo at a tenth of the tokens and
/// QMSum at a quarter moved by .011 at most. Linear in the length of the turns.
pub(crate) fn relevance(
    input: &Measured<'_>,
    request: &str,
    scorer: &dyn Scorer,
    silent: &dyn Fn(usize) -> bool,
) -> Vec<f64> {
    let texts: Vec<&str> = input
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| if silent(at) { "" } else { beginning(&block.block().text) })
        .collect();
    let own = scorer.score(request, &texts);
    let neighbours = neighbours(&own);
    let bell = bell(&own, BELL.1);
    let mean = mean(&own, MEAN.1);
    let stretches = STRETCHES.map(|(weight, turns)| (weight, stretches(request, &texts, scorer, turns)));
    let named = named_speakers(input, request);
    let at = |list: &[f64], n: usize| list.get(n).copied().unwrap_or_default();
    let turn = |(n, text): (usize, &&str)| {
        let spread: f64 = stretches.iter().map(|(weight, scores)| weight * at(scores, n)).sum();
        let score = at(&own, n)
            + NEIGHBOUR * at(&neighbours, n)
            + BELL.0 * at(&bell, n)
            + MEAN.0 * at(&mean, n)
            + spread;
        // A turn of a word or two says little, whatever stands around it.
        let length = exact(words(text).take(16).count());
        let said = length / (length + 1.0);
        score * said * if named.get(n) == Some(&true) { NAMED } else { 1.0 }
    };
    texts.iter().enumerate().map(turn).collect()
}

/// The first bytes of a text, whole characters.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(READ)).unwrap_or(text)
}

/// For each score the best of those near it, less the further away.
fn neighbours(scores: &[f64]) -> Vec<f64> {
    let at = |n: Option<usize>| n.and_then(|n| scores.get(n)).copied().unwrap_or_default();
    let best = |n: usize| {
        let mut fading = 1.0;
        let mut best: f64 = 0.0;
        for distance in 1..=REACH {
            best = best.max(fading * at(n.checked_sub(distance)).max(at(n.checked_add(distance))));
            fading *= FADING;
        }
        best
    };
    (0..scores.len()).map(best).collect()
}

/// The scores smoothed by a bell curve of standard deviation `width`, counting nothing beyond the ends.
fn bell(scores: &[f64], width: f64) -> Vec<f64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive constant")]
    let reach = (3.0 * width).ceil() as usize;
    let weight = |distance: usize| (-exact(distance).powi(2) / (2.0 * width * width)).exp();
    let whole = weight(0) + 2.0 * (1..=reach).map(weight).sum::<f64>();
    let smooth = |n: usize| {
        let near = n.saturating_sub(reach)..(n + reach + 1).min(scores.len());
        let weighed = near.clone().zip(scores.get(near).unwrap_or_default());
        weighed.map(|(at, score)| score * weight(at.abs_diff(n))).sum::<f64>() / whole
    };
    (0..scores.len()).map(smooth).collect()
}

/// The mean of the scores at most `reach` away, counting nothing beyond the ends.
fn mean(scores: &[f64], reach: usize) -> Vec<f64> {
    let sums = running(scores);
    let sum = |end: usize| sums.get(end.min(scores.len())).copied().unwrap_or_default();
    let of = |n: usize| (sum(n + reach + 1) - sum(n.saturating_sub(reach))) / exact(2 * reach + 1);
    (0..scores.len()).map(of).collect()
}

/// The sums of the first none, one, two and so on.
fn running(scores: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let through = scores.iter().map(|score| {
        sum += score;
        sum
    });
    std::iter::once(0.0).chain(through).collect()
}

/// For each text the score of the stretches of `turns` texts around it, the more the nearer their middles.
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
        let middle = f64::midpoint(exact(range.start), exact(range.end)) - 0.5;
        for n in range {
            let weight = 1.0 - (exact(n) - middle).abs() / (exact(step) + 1.0);
            let Some((sum, weights)) = sums.get_mut(n) else { continue };
            *sum += score * weight;
            *weights += weight;
        }
    }
    sums.into_iter().map(|(sum, weights)| if weights > 0.0 { sum / weights } else { 0.0 }).collect()
}

/// For each turn whether `request` names its speaker.
fn named_speakers(input: &Measured<'_>, request: &str) -> Vec<bool> {
    let asked = folded(request);
    let named = |name: &str| {
        let name = folded(name);
        !name.is_empty() && asked.windows(name.len()).any(|part| part == name.as_slice())
    };
    let name = |block: &contextfit_kernel::Block| {
        block.as_turn().and_then(|turn| turn.name.as_deref()).is_some_and(named)
    };
    input.blocks.iter().map(|block| name(block.block())).collect()
}

/// The words of a text or a name, in lower case; wire formats allow no spaces in names.
fn folded(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts of turns stay far below 2^53")]
pub(crate) const fn exact(n: usize) -> f64 {
    n as f64
}
