//! Counts as floating-point numbers.

/// `n` as a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
pub(crate) const fn float(n: usize) -> f64 {
    n as f64
}
