//! Counts as floating-point numbers, and back; scores on one scale.

use contextfit_kernel::Tokens;

/// `n` as a floating-point number. Exact up to 2^53, far more than any text has bytes, words or tokens.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub const fn float(n: usize) -> f64 {
    n as f64
}

/// A share of `tokens`, rounded down: zero for a negative share or NaN, all of them for a share above 1.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Tokens; pub use ::contextfit_text as text; }
/// use contextfit::{Tokens, text::share_of};
///
/// assert_eq!(share_of(Tokens::new(1_289), 0.1), Tokens::new(128));
/// assert_eq!(share_of(Tokens::new(7), 1.5), Tokens::new(7));
/// ```
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between zero and the tokens")]
pub fn share_of(tokens: Tokens, share: f64) -> Tokens {
    Tokens::new((float(tokens.get()) * share.clamp(0.0, 1.0)) as usize).min(tokens)
}

/// `scores` scaled to 0..1. If all are equal, they become 0. Non-finite values count as the lowest.
#[must_use]
pub fn scaled(scores: &[f64]) -> Vec<f64> {
    let finite = || scores.iter().copied().filter(|score| score.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    // The scores are halved first, because the difference of two finite scores may not be finite.
    let range = high / 2.0 - low / 2.0;
    let scale = |&score: &f64| match score.is_finite() && range > 0.0 {
        true => (score / 2.0 - low / 2.0) / range,
        false => 0.0,
    };
    scores.iter().map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_to_the_request() {
        for (scores, expect) in [
            (vec![], vec![]),
            (vec![3.0], vec![0.0]),
            (vec![2.0, 2.0], vec![0.0, 0.0]),
            (vec![1.0, 3.0, 2.0], vec![0.0, 1.0, 0.5]),
            (vec![-1.0, f64::NAN, 1.0, f64::INFINITY], vec![0.0, 0.0, 1.0, 0.0]),
            (vec![f64::MIN, 0.0, f64::MAX], vec![0.0, 0.5, 1.0]),
            (vec![f64::NAN], vec![0.0]),
        ] {
            assert_eq!(scaled(&scores), expect, "{scores:?}");
        }
    }
}
