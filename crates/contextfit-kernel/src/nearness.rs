//! The nearness of vectors to one another.

/// The number of zero vectors that are added to the mean. They keep it small if there are few texts, because it then
/// says more about these texts than about what all texts have in common.
const MEANINGLESS: f64 = 2.0;

/// The nearness of each of `texts` to `query`, from 0 to 1: their cosine after the mean of `texts` is subtracted from
/// both. Negative values become 0.
///
/// The vectors of compared texts have a large common component, from their subject and from the model; the difference
/// is in the rest (Mu and Viswanath 2018, "All-but-the-Top: Simple and Effective Postprocessing for Word
/// Representations"). Nearness therefore depends on the other texts, as the scores of a [`Scorer`](crate::Scorer) may.
/// The result is 0 for a zero vector, a vector whose dimension differs from that of the query, or a vector with a
/// component that is not finite. Linear.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::nearness;
///
/// // All three point mostly the same way, and so does the query.
/// let texts: [&[f32]; 3] = [&[9.0, 1.0, 0.0], &[9.0, 0.0, 1.0], &[9.0, 0.0, 0.0]];
/// let near = nearness(&[9.0, 1.0, 0.0], &texts);
/// assert!(near[0] > 0.99 && near[1] < 0.95, "{near:?}");
/// ```
#[must_use]
pub fn nearness(query: &[f32], texts: &[&[f32]]) -> Vec<f64> {
    if !means(query) {
        return vec![0.0; texts.len()];
    }
    let compared = |text: &[f32]| text.len() == query.len() && means(text);
    let mut mean = vec![0.0; query.len()];
    let mut all = MEANINGLESS;
    for text in texts.iter().filter(|text| compared(text)) {
        all += 1.0;
        mean.iter_mut().zip(*text).for_each(|(sum, x)| *sum += f64::from(*x));
    }
    mean.iter_mut().for_each(|sum| *sum /= all);
    let near = |text: &&[f32]| if compared(text) { cosine(query, text, &mean).clamp(0.0, 1.0) } else { 0.0 };
    texts.iter().map(near).collect()
}

/// Whether the vector is finite and not zero.
fn means(vector: &[f32]) -> bool {
    vector.iter().all(|x| x.is_finite()) && vector.iter().any(|x| *x != 0.0)
}

/// The cosine of `a` and `b` as seen from `origin`; 0 if one of them is at the origin.
fn cosine(a: &[f32], b: &[f32], origin: &[f64]) -> f64 {
    let (mut dot, mut left, mut right) = (0.0, 0.0, 0.0);
    for ((a, b), origin) in a.iter().zip(b).zip(origin) {
        let (a, b) = (f64::from(*a) - origin, f64::from(*b) - origin);
        dot += a * b;
        left += a * a;
        right += b * b;
    }
    let length = (left * right).sqrt();
    if length > 0.0 { dot / length } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(query: &[f32], texts: &[&[f32]], expected: &[f64]) {
        let near = nearness(query, texts);
        assert_eq!(near.len(), expected.len());
        for (near, expected) in near.iter().zip(expected) {
            assert!((near - expected).abs() < 1e-6, "{near} for {expected}");
        }
    }

    #[test]
    fn cases() {
        check(&[1.0, 0.0], &[], &[]);
        check(&[1.0, 0.0], &[&[1.0, 0.0], &[-1.0, 0.0], &[0.0, 1.0]], &[1.0, 0.0, 0.0]);
        check(&[1.0, 0.0], &[&[2.0, 0.0]], &[1.0]);
        // A zero or incomparable vector is near to nothing and does not shift the mean.
        check(&[0.0, 0.0], &[&[1.0, 0.0]], &[0.0]);
        check(&[], &[&[], &[1.0]], &[0.0, 0.0]);
        check(
            &[1.0, 0.0],
            &[&[], &[0.0, 0.0], &[1.0], &[f32::NAN, 1.0], &[1.0, 0.0]],
            &[0.0, 0.0, 0.0, 0.0, 1.0],
        );
        check(&[f32::INFINITY, 1.0], &[&[1.0, 1.0]], &[0.0]);
        check(&[f32::MAX, f32::MAX], &[&[f32::MAX, f32::MAX]], &[1.0]);
    }

    #[test]
    fn what_all_have_in_common_does_not_count() {
        // By plain cosine, both are within 1.3 % of the query.
        let texts: [&[f32]; 4] = [&[9.0, 1.0, 0.0], &[9.0, 0.0, 1.0], &[9.0, 0.0, -1.0], &[9.0, -1.0, 0.0]];
        let near = nearness(&[9.0, 1.0, 0.0], &texts);
        assert!(near[0] > 0.99 && near[1] < 0.95 && near[3] < near[1], "{near:?}");
    }

    proptest! {
        #[test]
        fn finite_and_never_negative(
            query in prop::collection::vec(any::<f32>(), 0..6),
            texts in prop::collection::vec(prop::collection::vec(any::<f32>(), 0..6), 0..8),
        ) {
            let texts: Vec<&[f32]> = texts.iter().map(Vec::as_slice).collect();
            let near = nearness(&query, &texts);
            prop_assert_eq!(near.len(), texts.len());
            prop_assert!(near.iter().all(|near| (0.0..=1.0).contains(near)));
        }
    }
}
