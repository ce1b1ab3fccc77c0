//! Numbers of tokens on the command line.

use contextfit_kernel::Tokens;

/// The largest number of tokens that is accepted, the same as in requests.
const LARGEST: usize = 1_000_000_000_000;

/// Parses a number of tokens.
pub(crate) fn tokens(text: &str) -> Result<Tokens, String> {
    match text.parse() {
        Ok(number) if number <= LARGEST => Ok(Tokens::new(number)),
        _ => Err(format!("expected a whole number of tokens from 0 to {LARGEST}")),
    }
}
