//! SHA-256 as a type.

use std::{fmt, str::FromStr};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// A SHA-256 digest. Printed and parsed as 64 hexadecimal digits.
///
/// ```
/// # mod contextfit { pub use ::contextfit_cache as caches; }
/// use contextfit::caches::Digest;
///
/// let digest = Digest::of(b"abc");
/// assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// A digest computed elsewhere.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its first eight digits: enough to distinguish the originals of one store.
    #[must_use]
    pub fn short(&self) -> String {
        self.0.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(NotADigest);
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |at: usize| pair.get(at).and_then(|&d| char::from(d).to_digit(16)).ok_or(NotADigest);
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).map_err(|_| NotADigest)?;
        }
        Ok(Self(bytes))
    }
}

/// The text is not a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("expected a handle of 64 hexadecimal digits")]
pub struct NotADigest;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, is_digest: bool) {
        assert_eq!(text.parse::<Digest>().is_ok(), is_digest, "{text:?}");
    }

    #[test]
    fn only_digests_are_read() {
        check(&("0aF".repeat(21) + "0"), true);
        check("", false);
        check(&"0".repeat(63), false);
        check(&"0".repeat(65), false);
        check(&("0".repeat(63) + "g"), false);
        check(&"é".repeat(32), false);
        check(&("+".to_owned() + &"0".repeat(63)), false);
    }
}
