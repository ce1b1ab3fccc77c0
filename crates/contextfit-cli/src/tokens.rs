//! Numbers of tokens on the command line.

use contextfit::kernel::Tokens;

/// The largest number of tokens that is accepted, the same as in requests.
const LARGEST: usize = 1_000_000_000_000;

/// Parses a number of tokens, or of thousands of them as in `8k`.
pub(crate) fn tokens(text: &str) -> Result<Tokens, String> {
    let (digits, unit) = text.strip_suffix('k').map_or((text, 1), |digits| (digits, 1_000));
    let number = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    number
        .filter(|number| *number <= LARGEST)
        .map(Tokens::new)
        .ok_or_else(|| format!("expected a whole number of tokens from 0 to {LARGEST}, such as 8000 or 8k"))
}

/// Parses a number of tokens that is not zero.
pub(crate) fn some_tokens(text: &str) -> Result<Tokens, String> {
    tokens(text)
        .ok()
        .filter(|tokens| *tokens > Tokens::ZERO)
        .ok_or_else(|| format!("expected a whole number of tokens from 1 to {LARGEST}, such as 8000 or 8k"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<usize>) {
        assert_eq!(tokens(text).ok(), expect.map(Tokens::new), "{text}");
    }

    #[test]
    fn numbers_and_thousands() {
        check("0", Some(0));
        check("8000", Some(8000));
        check("8k", Some(8000));
        check("1000000000k", Some(LARGEST));
        check("1000000001k", None);
        check("99999999999999999999k", None);
        check("k", None);
        check("1.5k", None);
        check("-1", None);
    }
}
