//! The place of a token in the tables: the hash of its bytes, and the slot that a perfect hash gives it.
//!
//! `cargo xtask codegen` compiles this file too, and so puts the tokens where the counter looks for them.
//!
//! A perfect hash maps each of a fixed set of keys to its own slot. This is the scheme of PTHash (Pibiri and Trani,
//! 2021, arXiv:2104.10402): keys are put into small buckets, and each bucket has a pilot, a number found by trial that
//! sends all keys of the bucket to free slots. A look-up reads one pilot and one slot.

// The multipliers of SplitMix64 (Steele et al., 2014) and wyhash: odd, with irregular bits.
const A: u64 = 0x9E37_79B9_7F4A_7C15;
const B: u64 = 0xA076_1D64_78BD_642F;
const C: u64 = 0xE703_7ED1_A0B4_28DB;

/// Multiplies two numbers to 128 bits and folds the product into 64.
#[inline(always)]
const fn fold(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a token of up to 8 bytes, padded with 0xFF.
#[inline(always)]
pub(crate) const fn short(key: u64) -> u64 {
    fold(key ^ A, B)
}

/// The hash of a token of 9 to 16 bytes, padded with 0xFF.
#[inline(always)]
pub(crate) const fn mid(key: u128) -> u64 {
    fold(key as u64 ^ A, (key >> 64) as u64 ^ B)
}

/// The hash of a token of more than 16 bytes.
#[inline(always)]
pub(crate) fn long(token: &[u8]) -> u64 {
    let start = (token.len() as u64).wrapping_mul(C);
    let (chunks, _) = token.as_chunks::<8>();
    let hash = chunks.iter().fold(start, |hash, chunk| fold(hash ^ u64::from_le_bytes(*chunk), B));
    token.last_chunk::<8>().map_or(hash, |chunk| fold(hash ^ u64::from_le_bytes(*chunk), A))
}

/// The bucket of `hash` among `buckets`.
#[inline(always)]
pub(crate) const fn bucket(hash: u64, buckets: usize) -> usize {
    (((hash >> 32) * buckets as u64) >> 32) as usize
}

/// The slot among `slots` to which `pilot` sends `hash`.
#[inline(always)]
pub(crate) const fn slot(hash: u64, pilot: u16, slots: usize) -> usize {
    let mixed = (hash ^ (pilot as u64).wrapping_mul(C)).wrapping_mul(A) >> 32;
    ((mixed * slots as u64) >> 32) as usize
}

/// The bit of `hash` in a filter of `bits`, a power of two.
#[inline(always)]
pub(crate) const fn bit(hash: u64, bits: usize) -> usize {
    hash as usize & (bits - 1)
}
