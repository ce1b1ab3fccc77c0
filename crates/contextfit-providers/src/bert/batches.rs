//! Batches of texts that go through the network together.

/// The most tokens in a batch, including padding; keeps activations at some tens of megabytes.
const BATCH_TOKENS: usize = 4096;

/// Groups texts of similar length into batches, to keep padding low. Takes the token count of each text and returns
/// their indices. Ties keep their order; texts without tokens are in no batch. O(n log n).
pub(super) fn batches(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<(usize, usize)> =
        lengths.iter().copied().enumerate().filter(|&(_, length)| length > 0).collect();
    order.sort_by_key(|&(place, length)| (length, place));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    for (place, length) in order {
        match batches.last_mut().filter(|batch| (batch.len() + 1) * length <= BATCH_TOKENS) {
            Some(batch) => batch.push(place),
            None => batches.push(vec![place]),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[usize], expect: &[&[usize]]) {
        assert_eq!(batches(lengths), expect, "{lengths:?}");
    }

    #[test]
    fn like_goes_with_like() {
        check(&[], &[]);
        check(&[7], &[&[0]]);
        check(&[9, 3, 9, 4], &[&[1, 3, 0, 2]]);
        check(&[0, 5, 0], &[&[1]]);
        check(&[2048, 1, 2048, 2048], &[&[1, 0], &[2, 3]]);
        check(&[5000, 4000, 5000], &[&[1], &[0], &[2]]);
    }
}
