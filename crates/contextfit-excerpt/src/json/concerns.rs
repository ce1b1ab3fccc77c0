//! Words that say that something is not as it should be, also as parts of names: `OOMKilled`, `CrashLoopBackOff`.

use std::sync::LazyLock;

use contextfit_text::words;
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
const LONGEST_WORD_BYTES: usize = 16;

/// Whether `member` has a word of concern, unless there is none of it: `"dropped": 0`, `"Dead": false`.
pub(super) fn is_concern(member: &str) -> bool {
    // ablate: excerpt.concerns => false
    words(member).filter(|word| word.len() > 2 && is_known(word)).any(|word| {
        let at = word.as_ptr() as usize - member.as_ptr() as usize;
        let (before, behind) = (member.get(..at), member.get(at + word.len()..));
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        // Letters between digits are part of an id.
        let is_id = before.ends_with(|c: char| c.is_ascii_digit())
            || behind.starts_with(|c: char| c.is_ascii_digit());
        !is_id && !is_nothing(before, behind)
    })
}

/// Whether `word` is among [`WORDS`].
fn is_known(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());
    word.len() <= LONGEST_WORD_BYTES && KNOWN.contains(word.to_ascii_lowercase().as_str())
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
