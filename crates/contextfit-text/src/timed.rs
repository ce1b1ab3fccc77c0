//! Lines with a time of day.

/// A time of day within the first bytes of a line makes it a log entry.
const STAMP: usize = 40;

/// Whether a time of day, with or without a date before it, is near the beginning of `line`. Constant time.
#[must_use]
pub fn is_timed(line: &str) -> bool {
    let start = line.as_bytes().get(..STAMP.min(line.len())).unwrap_or_default();
    start.windows(8).any(|window| {
        window
            .iter()
            .enumerate()
            .all(|(n, byte)| if n % 3 == 2 { *byte == b':' } else { byte.is_ascii_digit() })
    })
}
