//! The stored form of a value: the value after its expiry and a checksum.

use std::{sync::Arc, time::SystemTime};

use sha2::{Digest as _, Sha256};

use crate::{
    CacheError, Key,
    clock::{from_millis, to_millis},
};

/// The version of the record; others are not read.
const VERSION: u8 = 1;

/// Bytes of the checksum: the first of a SHA-256.
const CHECKSUM: usize = 16;

/// Version, time, checksum.
const HEAD_BYTES: usize = 1 + 8 + CHECKSUM;

/// A value as it was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) expires: Option<SystemTime>,
    pub(crate) value: Vec<u8>,
}

impl Record {
    /// The bytes to store under `key`.
    pub(crate) fn seal(key: Key, expires: Option<SystemTime>, value: &[u8]) -> Arc<[u8]> {
        let expires = to_millis(expires).to_le_bytes();
        let mut bytes = Vec::with_capacity(HEAD_BYTES + value.len());
        bytes.push(VERSION);
        bytes.extend(expires);
        bytes.extend(checksum(key, expires, value));
        bytes.extend(value);
        bytes.into()
    }

    /// The record in `bytes`.
    ///
    /// # Errors
    /// [`CacheError::Damaged`] if [`seal`](Record::seal) did not make them for this key.
    pub(crate) fn open(key: Key, bytes: &[u8]) -> Result<Self, CacheError> {
        let damaged = |what| CacheError::Damaged { key, what };
        let (version, rest) = bytes.split_first().ok_or(damaged("it is empty"))?;
        if *version != VERSION {
            return Err(damaged("it has another version"));
        }
        let (expires, rest) = rest.split_first_chunk::<8>().ok_or(damaged("it is too short"))?;
        let (sum, value) = rest.split_first_chunk::<CHECKSUM>().ok_or(damaged("it is too short"))?;
        if *sum != checksum(key, *expires, value) {
            return Err(damaged("the checksum does not match"));
        }
        Ok(Self { expires: from_millis(u64::from_le_bytes(*expires)), value: value.to_vec() })
    }

    /// Whether it has expired.
    pub(crate) fn is_over(&self, now: SystemTime) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// Binds the value to its key, so that a value under the wrong key is detected too.
fn checksum(key: Key, expires: [u8; 8], value: &[u8]) -> [u8; CHECKSUM] {
    let mut hash = Sha256::new();
    hash.update(key.to_bytes());
    hash.update(expires);
    hash.update(value);
    let full: [u8; 32] = hash.finalize().into();
    full.first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_sealed_opens(value in prop::collection::vec(any::<u8>(), 0..200), millis in any::<u32>()) {
            let key = Key::of_original(b"key");
            let expires = from_millis(u64::from(millis));
            let record = Record::open(key, &Record::seal(key, expires, &value)).unwrap();
            prop_assert_eq!(record, Record { expires, value });
        }

        #[test]
        fn every_flipped_bit_is_found(value in prop::collection::vec(any::<u8>(), 0..60), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
            let key = Key::of_original(b"key");
            let mut bytes = Record::seal(key, None, &value).to_vec();
            let at = at.index(bytes.len());
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(Record::open(key, &bytes).is_err());
        }
    }

    #[test]
    fn a_record_of_another_key_or_cut_short_is_damaged() {
        let (key, other) = (Key::of_original(b"key"), Key::of_original(b"other"));
        let bytes = Record::seal(key, None, b"value");
        assert!(matches!(Record::open(other, &bytes), Err(CacheError::Damaged { .. })));
        for end in 0..bytes.len() {
            assert!(Record::open(key, &bytes[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn a_time_is_over_when_it_is_reached() {
        let time = from_millis(5_000).unwrap();
        let record = Record { expires: Some(time), value: Vec::new() };
        assert!(!record.is_over(time - Duration::from_millis(1)));
        assert!(record.is_over(time));
        assert!(!Record { expires: None, value: Vec::new() }.is_over(time));
    }
}
