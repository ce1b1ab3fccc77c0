//! Counts as floating-point numbers, and back.

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
