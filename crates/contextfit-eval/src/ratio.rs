//! Ratios of counts.

use contextfit_text::float;

/// `part` of `whole`; 1 if `whole` is zero.
pub(crate) fn fraction(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { ratio(part, whole) }
}

/// `part` of `whole`; 0 if `whole` is zero.
pub(crate) fn ratio(part: usize, whole: usize) -> f64 {
    float(part) / float(whole.max(1))
}
