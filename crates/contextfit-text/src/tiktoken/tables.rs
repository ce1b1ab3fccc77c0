//! The vocabularies and the classes of characters, used in place: nothing is unpacked, built or copied at start.
//!
//! `cargo xtask codegen` writes the files and defines their layout. Numbers are little-endian.

use super::hash;
use contextfit_kernel::Values;

/// The rank of bytes that are not a token.
pub(super) const NONE: u32 = u32::MAX;
/// The rank of a pair of bytes that occurs inside a token but is not one itself.
pub(super) const INSIDE: u32 = NONE - 1;

/// The tokens of an encoding with their ranks.
#[derive(Debug)]
pub(super) struct Vocabulary {
    /// The rank of the pair of bytes `a` and `b`, at index `256 a + b`.
    pairs: &'static [[u8; 4]],
    /// A bit for each hash of a token of 3 to 16 bytes: most look-ups during merging find nothing.
    filter: &'static [u8],
    /// Tokens of 3 to 8 bytes.
    short: TokenSlots<8>,
    /// Tokens of 9 to 16 bytes.
    mid: TokenSlots<16>,
    long: Long,
}

pub(super) static O200K: Vocabulary = Vocabulary::of(include_bytes!("../../vocabulary/o200k_base.bin"));
pub(super) static CL100K: Vocabulary = Vocabulary::of(include_bytes!("../../vocabulary/cl100k_base.bin"));

/// The section at the start of a file, which begins with its length in bytes, and the rest of the file.
const fn section(file: &'static [u8]) -> (&'static [u8], &'static [u8]) {
    match file.split_first_chunk::<4>() {
        Some((len, rest)) => rest.split_at(u32::from_le_bytes(*len) as usize),
        None => (&[], &[]),
    }
}

impl Vocabulary {
    const fn of(file: &'static [u8]) -> Self {
        let (pairs, file) = section(file);
        let (filter, file) = section(file);
        let (short, file) = TokenSlots::of(file);
        let (mid, file) = TokenSlots::of(file);
        Self { pairs: pairs.as_chunks().0, filter, short, mid, long: Long::of(file) }
    }

    /// The rank of two bytes.
    #[inline(always)]
    pub(super) fn pair(&self, a: u8, b: u8) -> u32 {
        let index = usize::from(a) << 8 | usize::from(b);
        self.pairs.get(index).map_or(NONE, |rank| u32::from_le_bytes(*rank))
    }

    /// Whether the first `len` bytes of `text` are a token.
    #[inline(always)]
    pub(super) fn has(&self, text: &[u8], len: usize) -> bool {
        match len {
            0 | 1 => true,
            2 => text.first_chunk().is_some_and(|&[a, b]| self.pair(a, b) < INSIDE),
            3..=8 => {
                let key = short_key(text, len);
                self.short.find(hash::short(key), key.to_le_bytes()).is_some()
            }
            9..=16 => {
                let key = mid_key(text, len);
                self.mid.find(hash::mid(key), key.to_le_bytes()).is_some()
            }
            _ => text.get(..len).is_some_and(|token| self.long.rank(token) != NONE),
        }
    }

    /// The rank of the first `len` bytes of `text`; [`NONE`] if they are not a token.
    #[inline(always)]
    pub(super) fn rank(&self, text: &[u8], len: usize) -> u32 {
        match len {
            0 | 1 => NONE,
            2 => text.first_chunk().map_or(NONE, |&[a, b]| self.pair(a, b)),
            3..=8 => {
                let key = short_key(text, len);
                let hash = hash::short(key);
                if self.may_have(hash) { self.short.rank(hash, key.to_le_bytes()) } else { NONE }
            }
            9..=16 => {
                let key = mid_key(text, len);
                let hash = hash::mid(key);
                if self.may_have(hash) { self.mid.rank(hash, key.to_le_bytes()) } else { NONE }
            }
            _ => text.get(..len).map_or(NONE, |token| self.long.rank(token)),
        }
    }

    #[inline(always)]
    fn may_have(&self, hash: u64) -> bool {
        let bit = hash::bit(hash, 8 * self.filter.len());
        self.filter.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }
}

/// The first `len` bytes of `text`, at most 8, padded with 0xFF, which no text contains.
#[inline(always)]
pub(super) fn short_key(text: &[u8], len: usize) -> u64 {
    match text.first_chunk::<8>() {
        Some(head) => u64::from_le_bytes(*head) | u64::MAX.checked_shl(8 * len as u32).unwrap_or(0),
        None => short_key_at_the_end(text, len),
    }
}

fn short_key_at_the_end(text: &[u8], len: usize) -> u64 {
    let mut key = [0xFF; 8];
    for (key, byte) in key.iter_mut().zip(text.iter().take(len)) {
        *key = *byte;
    }
    u64::from_le_bytes(key)
}

/// The first `len` bytes of `text`, 9 to 16, padded with 0xFF.
#[inline(always)]
fn mid_key(text: &[u8], len: usize) -> u128 {
    match text.split_first_chunk::<8>() {
        Some((head, tail)) => {
            u128::from(u64::from_le_bytes(*head)) | u128::from(short_key(tail, len - 8)) << 64
        }
        None => u128::MAX,
    }
}

/// Tokens of up to `N` bytes, padded with 0xFF, in the slots of a perfect hash.
#[derive(Debug)]
struct TokenSlots<const N: usize> {
    pilots: &'static [[u8; 2]],
    keys: &'static [[u8; N]],
    ranks: &'static [[u8; 3]],
}

impl<const N: usize> TokenSlots<N> {
    const fn of(file: &'static [u8]) -> (Self, &'static [u8]) {
        let (pilots, file) = section(file);
        let (keys, file) = section(file);
        let (ranks, file) = section(file);
        let part =
            Self { pilots: pilots.as_chunks().0, keys: keys.as_chunks().0, ranks: ranks.as_chunks().0 };
        (part, file)
    }

    /// The slot of `key`; `None` if it is not a token.
    #[inline(always)]
    fn find(&self, hash: u64, key: [u8; N]) -> Option<usize> {
        let slot = slot(self.pilots, hash, self.keys.len());
        (self.keys.get(slot) == Some(&key)).then_some(slot)
    }

    #[inline(always)]
    fn rank(&self, hash: u64, key: [u8; N]) -> u32 {
        let rank = self.find(hash, key).and_then(|slot| self.ranks.get(slot));
        rank.map_or(NONE, |&[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }
}

#[inline(always)]
fn slot(pilots: &[[u8; 2]], hash: u64, slots: usize) -> usize {
    let pilot = pilots.get(hash::bucket(hash, pilots.len())).map_or(0, |pilot| u16::from_le_bytes(*pilot));
    hash::slot(hash, pilot, slots)
}

/// Tokens of more than 16 bytes.
#[derive(Debug)]
struct Long {
    pilots: &'static [[u8; 2]],
    /// From the lowest bit: the offset of the token in `bytes` (20 bits), its length (8), its rank (18), and the highest
    /// bits of its hash (18).
    entries: &'static [[u8; 8]],
    bytes: &'static [u8],
}

impl Long {
    const fn of(file: &'static [u8]) -> Self {
        let (pilots, file) = section(file);
        let (entries, file) = section(file);
        let (bytes, _) = section(file);
        Self { pilots: pilots.as_chunks().0, entries: entries.as_chunks().0, bytes }
    }

    fn rank(&self, token: &[u8]) -> u32 {
        /// The maximum length of a token in both encodings, in bytes.
        const LONGEST_TOKEN_BYTES: usize = 128;
        if token.len() > LONGEST_TOKEN_BYTES {
            return NONE;
        }
        let hash = hash::long(token);
        let entry = self.entries.get(slot(self.pilots, hash, self.entries.len()));
        let entry = entry.map_or(0, |entry| u64::from_le_bytes(*entry));
        let (offset, len) = (entry as usize & 0xF_FFFF, (entry >> 20) as usize & 0xFF);
        let is_token = entry >> 46 == hash >> 46
            && len == token.len()
            && self.bytes.get(offset..offset + len) == Some(token);
        if is_token { (entry >> 28) as u32 & 0x3_FFFF } else { NONE }
    }
}

/// The classes of characters that the patterns distinguish, as bits.
pub(super) mod class {
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
    pub(crate) const UPPER: u8 = 1;
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
    pub(crate) const LOWER: u8 = 2;
    /// `\p{L}`
    pub(crate) const LETTER: u8 = 4;
    /// `\p{N}`
    pub(crate) const NUMBER: u8 = 8;
    /// `\s`
    pub(crate) const SPACE: u8 = 16;
    /// `[\r\n]`
    pub(crate) const FEED: u8 = 32;
}

/// The number of characters in a block of the table of classes.
const BLOCK_CHARS: usize = 128;
/// For each 128 characters, the index of their block in `CLASSES`.
static BLOCKS: &[u8] = CHARACTERS.0;
/// The distinct blocks, with the classes of their characters.
static CLASSES: &[[u8; BLOCK_CHARS]] = CHARACTERS.1.as_chunks().0;
const CHARACTERS: (&[u8], &[u8]) = section(include_bytes!("../../vocabulary/classes.bin"));

static ASCII: [u8; BLOCK_CHARS] = match CLASSES.first() {
    Some(ascii) => *ascii,
    None => [0; BLOCK_CHARS],
};

/// The classes of `character`.
#[inline(always)]
pub(super) fn classes(character: u32) -> u8 {
    let block = BLOCKS.get(character as usize / BLOCK_CHARS).map_or(0, |&block| usize::from(block));
    CLASSES.get(block).and_then(|block| block.get(character as usize % BLOCK_CHARS)).copied().unwrap_or(0)
}

/// The classes of the character that is the single byte `byte`.
#[inline(always)]
pub(super) fn ascii_classes(byte: u8) -> u8 {
    ASCII.at(usize::from(byte))
}

#[cfg(test)]
mod tests {
    use super::{class::*, *};

    #[track_caller]
    fn check(pattern: &str, bit: u8) {
        let pattern = regex::Regex::new(pattern).unwrap();
        for character in '\0'..=char::MAX {
            let expect = pattern.is_match(character.encode_utf8(&mut [0; 4]));
            assert_eq!(classes(character.into()) & bit != 0, expect, "{character:?} in {pattern}");
        }
    }

    #[test]
    fn classes_are_those_of_the_patterns() {
        check(r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", UPPER);
        check(r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", LOWER);
        check(r"\p{L}", LETTER);
        check(r"\p{N}", NUMBER);
        check(r"\s", SPACE);
        check(r"[\r\n]", FEED);
    }

    #[test]
    fn a_text_of_nuls_is_no_empty_slot() {
        for length in 3..=16 {
            assert!(!CL100K.has(&[0; 16], length), "{length} NULs");
        }
    }
}
