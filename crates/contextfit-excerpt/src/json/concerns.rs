//! Words that say that something is not as it should be, also as parts of names: `OOMKilled`, `CrashLoopBackOff`.

use std::sync::LazyLock;

use foldhash::HashSet;

use crate::signals::is_nothing;

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

/// Whether `member` has a word of concern, unless there is none of it: `"dropped": 0`, `"Dead": false`.
pub(super) fn is_concern(member: &str) -> bool {
    // ablate: excerpt.concerns => false
    let mut start = 0;
    let next = || {
        let rest = member.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let (from, to) = (start, start + word(rest).max(1));
        start = to;
        Some((from, to))
    };
    std::iter::from_fn(next).any(|(from, to)| {
        let is_one = member.get(from..to).is_some_and(|word| word.len() > 2 && is_known(word));
        let (before, behind) = (member.get(..from).unwrap_or_default(), member.get(to..).unwrap_or_default());
        // Letters between digits are part of an id.
        let is_id = before.ends_with(|c: char| c.is_ascii_digit())
            || behind.starts_with(|c: char| c.is_ascii_digit());
        is_one && !is_id && !is_nothing(before, behind)
    })
}

/// The length of the word that `bytes` begin with: letters up to a hump, as in `timedOut` or `OOMKilled`.
fn word(bytes: &[u8]) -> usize {
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte >= 0x80).count();
    let is_upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
    let is_lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let humps = |at: &usize| is_upper(*at) && (is_lower(at - 1) || is_upper(at - 1) && is_lower(at + 1));
    (1..letters).find(humps).unwrap_or(letters)
}

/// Whether `word` is among [`WORDS`].
fn is_known(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
    word.len() <= LONGEST && KNOWN.contains(word.to_ascii_lowercase().as_str())
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
