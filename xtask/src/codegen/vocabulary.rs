//! The files from which `contextfit-text` counts: tokens by what is looked up, and classes of characters.
//!
//! The vocabularies are OpenAI's, as tiktoken-rs has them; the classes are those of the regex crate's Unicode version.

#[path = "../../../crates/contextfit-text/src/tiktoken/hash.rs"]
mod hash;

use std::{cmp::Reverse, collections::HashMap, fs, ops::RangeInclusive, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cargo_metadata::MetadataCommand;
use regex::Regex;

use crate::say::Result;

/// The folder of the files, relative to the root.
const FOLDER: &str = "crates/contextfit-text/vocabulary";

/// Each encoding, with the bits of the filter of its tokens: five to ten for each.
const ENCODINGS: [(&str, usize); 2] = [("o200k_base", 1 << 20), ("cl100k_base", 1 << 19)];

/// The files, each with its name relative to the root and its content.
///
/// # Errors
/// If tiktoken-rs or its vocabularies cannot be found or read.
pub(super) fn generate(root: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let metadata = MetadataCommand::new().current_dir(root).exec()?;
    let package = metadata.packages.iter().find(|package| *package.name == "tiktoken-rs");
    let manifest = &package.ok_or("tiktoken-rs is no dependency of the workspace")?.manifest_path;
    let mut files = Vec::new();
    for (name, bits) in ENCODINGS {
        let path = manifest.with_file_name("assets").join(format!("{name}.tiktoken"));
        let text = fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        let tokens = tokens(&text).map_err(|error| format!("{path}: {error}"))?;
        files.push((format!("{FOLDER}/{name}.bin"), vocabulary(&tokens, bits)?));
    }
    files.push((format!("{FOLDER}/classes.bin"), classes()?));
    Ok(files)
}

/// A token and its rank.
type Token = (u32, Vec<u8>);

/// The tokens that text can contain, from lines of base64 and a rank.
fn tokens(text: &str) -> Result<Vec<Token>> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let (token, rank) = line.split_once(' ').ok_or_else(|| format!("no rank in the line {line:?}"))?;
        let token = BASE64_STANDARD.decode(token)?;
        // UTF-8 has none of these bytes.
        if !token.iter().any(|byte| matches!(byte, 0xC0 | 0xC1 | 0xF5..)) {
            tokens.push((rank.parse()?, token));
        }
    }
    Ok(tokens)
}

/// The file of one encoding.
fn vocabulary(tokens: &[Token], bits: usize) -> Result<Vec<u8>> {
    let of = |lengths: RangeInclusive<usize>| -> Vec<&Token> {
        tokens.iter().filter(|(_, token)| lengths.contains(&token.len())).collect()
    };
    let (short, mid, long) = (of(3..=8), of(9..=16), of(17..=usize::MAX));
    let mut file = Vec::new();
    section(&mut file, &pairs(tokens))?;
    let hashes = [&short, &mid].into_iter().flatten().map(|(_, token)| hash(token));
    section(&mut file, &filter(hashes, bits))?;
    keyed(&mut file, &short, 8)?;
    keyed(&mut file, &mid, 16)?;
    spelled(&mut file, &long)?;
    Ok(file)
}

/// Appends `bytes` after their length.
fn section(file: &mut Vec<u8>, bytes: &[u8]) -> Result {
    file.extend(u32::try_from(bytes.len())?.to_le_bytes());
    file.extend(bytes);
    Ok(())
}

/// The rank of each two bytes; one less than the highest number if they only occur inside a token, the highest if nowhere.
fn pairs(tokens: &[Token]) -> Vec<u8> {
    let mut pairs = vec![u32::MAX; 1 << 16];
    for (rank, token) in tokens {
        for pair in token.windows(2) {
            let index = pair.iter().fold(0, |index, byte| index << 8 | usize::from(*byte));
            if let Some(known) = pairs.get_mut(index) {
                *known = if token.len() == 2 { *rank } else { (u32::MAX - 1).min(*known) };
            }
        }
    }
    pairs.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn filter(hashes: impl Iterator<Item = u64>, bits: usize) -> Vec<u8> {
    let mut filter = vec![0_u8; bits / 8];
    for bit in hashes.map(|hash| hash::bit(hash, bits)) {
        if let Some(byte) = filter.get_mut(bit / 8) {
            *byte |= 1 << (bit % 8);
        }
    }
    filter
}

/// `token` of up to 16 bytes, then 0xFF.
fn padded(token: &[u8]) -> [u8; 16] {
    let mut key = [0xFF; 16];
    key.iter_mut().zip(token).for_each(|(key, byte)| *key = *byte);
    key
}

fn hash(token: &[u8]) -> u64 {
    let key = u128::from_le_bytes(padded(token));
    match token.len() {
        0..=8 => hash::short(key as u64),
        9..=16 => hash::mid(key),
        _ => hash::long(token),
    }
}

/// Appends tokens of up to `width` bytes: pilots, keys, ranks in three bytes.
fn keyed(file: &mut Vec<u8>, tokens: &[&Token], width: usize) -> Result {
    let (pilots, slots) = place(tokens)?;
    let mut keys = Vec::new();
    let mut ranks = Vec::new();
    for slot in slots {
        // No text has the key of an empty slot.
        let (rank, key) = slot.map_or((0, padded(&[])), |(rank, token)| (*rank, padded(token)));
        keys.extend(key.iter().take(width));
        ranks.extend(rank.to_le_bytes().iter().take(3));
    }
    section(file, &pilots)?;
    section(file, &keys)?;
    section(file, &ranks)
}

/// Appends longer tokens: pilots, entries, the bytes of all tokens.
fn spelled(file: &mut Vec<u8>, tokens: &[&Token]) -> Result {
    let (pilots, slots) = place(tokens)?;
    let mut bytes = Vec::new();
    let mut entries = Vec::new();
    for slot in slots {
        let entry = slot.map_or(0, |(rank, token)| {
            let (offset, len) = (bytes.len() as u64, token.len() as u64);
            bytes.extend(token);
            offset | len << 20 | u64::from(*rank) << 28 | hash(token) >> 46 << 46
        });
        entries.extend(entry.to_le_bytes());
    }
    if bytes.len() >= 1 << 20 {
        return Err(format!("{} bytes of long tokens do not fit an entry", bytes.len()).into());
    }
    section(file, &pilots)?;
    section(file, &entries)?;
    section(file, &bytes)
}

/// The pilots of a perfect hash of `tokens`, and the token in each slot. The fullest buckets choose first.
///
/// # Errors
/// If no pilot sends the tokens of a bucket to free slots.
fn place<'t>(tokens: &[&'t Token]) -> Result<(Vec<u8>, Vec<Option<&'t Token>>)> {
    // Few slots are left over, and buckets are small enough to find pilots of two bytes.
    let (slots, buckets) = (tokens.len() + tokens.len() / 64 + 1, tokens.len() / 5 + 1);
    let mut full = vec![Vec::new(); buckets];
    for token in tokens {
        let hash = hash(&token.1);
        if let Some(bucket) = full.get_mut(hash::bucket(hash, buckets)) {
            bucket.push((hash, *token));
        }
    }
    let mut order: Vec<_> = full.into_iter().enumerate().collect();
    order.sort_by_key(|(n, bucket)| (Reverse(bucket.len()), *n));
    let mut taken = vec![None; slots];
    let mut pilots = vec![0_u16; buckets];
    for (n, bucket) in order {
        let places = |pilot| -> Vec<usize> {
            bucket.iter().map(|(hash, _)| hash::slot(*hash, pilot, slots)).collect()
        };
        let is_free = |pilot: &u16| {
            let mut places = places(*pilot);
            places.sort_unstable();
            places.is_sorted_by(|a, b| a < b)
                && places.iter().all(|place| taken.get(*place).is_some_and(Option::is_none))
        };
        let pilot = (0..=u16::MAX).find(is_free).ok_or("no pilot for a bucket of the perfect hash")?;
        for (place, (_, token)) in places(pilot).into_iter().zip(&bucket) {
            if let Some(slot) = taken.get_mut(place) {
                *slot = Some(*token);
            }
        }
        if let Some(known) = pilots.get_mut(n) {
            *known = pilot;
        }
    }
    Ok((pilots.into_iter().flat_map(u16::to_le_bytes).collect(), taken))
}

/// The file of classes: for each 128 characters the number of their block, then the blocks.
fn classes() -> Result<Vec<u8>> {
    /// In the order of the bits.
    const PATTERNS: [&str; 6] = [
        r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]",
        r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]",
        r"\p{L}",
        r"\p{N}",
        r"\s",
        r"[\r\n]",
    ];
    let patterns = PATTERNS.map(Regex::new).into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
    let class = |character: u32| {
        let Some(character) = char::from_u32(character) else { return 0 };
        let mut buffer = [0; 4];
        let text: &str = character.encode_utf8(&mut buffer);
        let bits = patterns.iter().enumerate().map(|(bit, pattern)| u8::from(pattern.is_match(text)) << bit);
        bits.sum()
    };
    let all: Vec<u8> = (0..=u32::from(char::MAX)).map(class).collect();
    let (mut numbers, mut blocks) = (Vec::new(), Vec::new());
    let mut seen = HashMap::new();
    for block in all.chunks(128) {
        let next = seen.len();
        let number = *seen.entry(block).or_insert_with(|| {
            blocks.extend_from_slice(block);
            next
        });
        numbers.push(u8::try_from(number)?);
    }
    let mut file = Vec::new();
    section(&mut file, &numbers)?;
    file.extend(blocks);
    Ok(file)
}
