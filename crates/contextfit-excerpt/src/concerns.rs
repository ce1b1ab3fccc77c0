//! Words that say that something is not as it should be, also as parts of names: `OOMKilled`, `CrashLoopBackOff`.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt};

use crate::{rows::Rows, signals::is_nothing};

/// Lowercase words.
const WORDS: &str = "\
    abnormal abort aborted aborting attack backoff bad blocked broken bypass conflict conflicted conflicting \
    corrupt corrupted corruption crash crashed crashes damaged dangling dead deadlock degraded denied deprecated \
    destroy destroyed died disallowed disconnected discrepancy down dropped dropping drops duplicate \
    duplicated err error evicted evicting eviction exceeded exceeding exceeds exhausted expired fail failed \
    failing failure fatal fault faulty forbidden hang hung illegal impossible inaccessible incompatible \
    inconsistent incorrect infeasible insecure insufficient interrupted invalid kill killed killing leak leaked \
    leaking leaks lost malformed malicious mismatch mismatched missing obsolete oom orphan orphaned outage \
    overflow overflowed overflows overload overloaded overrun panic pressure problem prohibited race refused \
    reject regressed regression rejected rejects retries revoked rollback severe stale stall stalled stuck suspended \
    suspicious throttled throttling timeout truncated unable unauthorized unavailable undefined \
    underflow unexpected unhealthy unknown unreachable unresolved unsafe unsupported untrusted unusable violated \
    violates violation vulnerability vulnerable wrong yanked";

/// The longest of [`WORDS`], in bytes.
const LONGEST: usize = 16;

/// The words of concern in the rows of a text.
pub(crate) struct Concerns {
    /// How rare the rarest one of each row is.
    rarity: Vec<f32>,
}

impl Concerns {
    /// Linear.
    pub(crate) fn of(rows: &Rows<'_, '_>) -> Self {
        let of_rows: Vec<Vec<u16>> = rows.bodies().map(|line| concerns(line).collect()).collect();
        let mut counts: HashMap<u16, u32> = HashMap::new();
        of_rows.iter().flatten().for_each(|&word| *counts.entry(word).or_default() += 1);
        let rarity = |words: &Vec<u16>| {
            let rarest = words.iter().filter_map(|word| counts.get(word)).min();
            rarest.map_or(0.0, |&count| 1.0 / (count as f32).sqrt())
        };
        Self { rarity: of_rows.iter().map(rarity).collect() }
    }

    /// How much of a concern row `n` is: 1 if no other row has the same word, less the more of them do; 0 if it has
    /// none.
    pub(crate) fn at(&self, n: usize) -> f32 {
        self.rarity.get(n).copied().unwrap_or(0.0)
    }
}

/// Whether `line` has a word of concern.
pub(crate) fn is_concern(line: &str) -> bool {
    concerns(line).next().is_some()
}

/// The words of concern in `line`, unless there is none of it: `dropped 0`, `"Dead": false`.
fn concerns(line: &str) -> impl Iterator<Item = u16> {
    let line = if is_unset(line) { "" } else { line };
    let mut start = 0;
    let next = move || {
        let rest = line.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let (from, to) = (start, start + word(rest).max(1));
        start = to;
        Some((from, to))
    };
    std::iter::from_fn(next).filter_map(|(from, to)| {
        let found = line.get(from..to).filter(|word| word.len() > 2).and_then(index)?;
        let (before, behind) = (line.get(..from).unwrap_or_default(), line.get(to..).unwrap_or_default());
        // Letters between digits are part of an id.
        let is_id = before.ends_with(|c: char| c.is_ascii_digit())
            || behind.starts_with(|c: char| c.is_ascii_digit());
        (!is_id && !is_nothing(before, behind)).then_some(found)
    })
}

/// Whether `line` gives nothing to a key: `evicted_keys:0`, `bool CrashOnError = false  {product}`.
fn is_unset(line: &str) -> bool {
    let (key, value) = line.split_at(line.find([':', '=']).unwrap_or(line.len()));
    key.split_whitespace().nth(KEY).is_none() && is_nothing("", value)
}

/// A key of more words is a sentence.
const KEY: usize = 3;

/// The length of the word that `bytes` begin with: letters up to a hump, as in `timedOut` or `OOMKilled`.
fn word(bytes: &[u8]) -> usize {
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte >= 0x80).count();
    let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let is_lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let humps = |at: &usize| is_upper(*at) && (is_lower(at - 1) || is_upper(at - 1) && is_lower(at + 1));
    (1..letters).find(humps).unwrap_or(letters)
}

/// The index of `word` among [`WORDS`].
fn index(word: &str) -> Option<u16> {
    static INDICES: LazyLock<HashMap<&str, u16>> =
        LazyLock::new(|| WORDS.split_whitespace().zip(0..).collect());
    let mut lower = [0; LONGEST];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    INDICES.get(std::str::from_utf8(lower).ok()?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_concern() {
        for line in
            ["    Reason: OOMKilled", "CrashLoopBackOff", "FAILING_NOW 4120", "(yanked)", "disk-pressure"]
        {
            assert!(is_concern(line), "{line}");
        }
        for line in [
            "dropped 0",
            "\"Dead\": false",
            "lost: none",
            "0 packets rejected",
            "req=47dead84",
            "bad7db98",
            "crashpad",
            "badge",
            "ready",
            "",
        ] {
            assert!(!is_concern(line), "{line}");
        }
    }
}
