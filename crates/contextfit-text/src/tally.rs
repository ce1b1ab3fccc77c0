//! Counting a text once, with a running total for each of its units.

use contextfit_kernel::{TokenCounter, Tokens, Unit};

/// Units are counted together until they have this many bytes: one call per short line would take a quarter longer.
const GRAIN: usize = 64;

/// The units of `text` that end at `ends`, each with the tokens from the start of the text through its end.
///
/// `ends` are byte offsets at character boundaries, ascending, the last one `text.len()`; an empty text has none. The
/// totals never decrease. The last one is exactly `counter.count(text)`, and at every unit that
/// [`splits`](Unit::splits) the total is exactly the count of the text up to its end. The units in between, most of
/// them shorter than 64 bytes, share their tokens in proportion to their bytes, except for rules (`-----`).
///
/// Every byte is counted once: linear in the length of the text. A counter that splits nowhere is called once.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{CharsPer, tally};
///
/// let counter = CharsPer::new(4).unwrap();
/// let units = tally(&counter, "counted by the four characters\n", &[11, 20, 31]);
/// assert_eq!(units.iter().map(|unit| unit.tokens_through.get()).collect::<Vec<_>>(), [3, 5, 8]);
/// ```
#[must_use]
pub fn tally(counter: &dyn TokenCounter, text: &str, ends: &[usize]) -> Vec<Unit> {
    let mut units = Vec::with_capacity(ends.len());
    // Everything before `at` has been counted and has `tokens`; the units from `open` on have no totals yet.
    let (mut at, mut tokens, mut open) = (0, Tokens::ZERO, 0);
    let is_rule = |from: usize, to: usize| text.get(from..to).is_some_and(is_rule);
    let mut start = 0;
    for (n, &end) in ends.iter().enumerate() {
        // A rule has few tokens for its length, so it must not share those of the lines around it.
        let is_apart = || is_rule(start, end) || ends.get(n + 1).is_some_and(|&next| is_rule(end, next));
        let splits = (end.saturating_sub(at) >= GRAIN || is_apart()) && counter.splits_at(text, end);
        start = end;
        units.push(Unit { end, tokens_through: tokens, splits });
        if !splits && end < text.len() {
            continue;
        }
        let counted = counter.count(text.get(at..end).unwrap_or_default());
        for unit in units.iter_mut().skip(open) {
            unit.tokens_through =
                tokens + share(counted, unit.end.saturating_sub(at), end.saturating_sub(at));
        }
        (at, tokens, open) = (end, tokens + counted, units.len());
    }
    units
}

/// Whether `line` draws a rule, judged by its first bytes. Constant time.
fn is_rule(line: &str) -> bool {
    const RULE: usize = 8;
    let start = line.as_bytes().get(..RULE).unwrap_or_default();
    start.first().is_some_and(|first| first.is_ascii_punctuation() && start.iter().all(|byte| byte == first))
}

/// The share of `tokens` for `part` of `whole` bytes, rounded to nearest; all of them for all bytes.
fn share(tokens: Tokens, part: usize, whole: usize) -> Tokens {
    if part >= whole {
        return tokens;
    }
    let exact = tokens.get().checked_mul(part).and_then(|exact| exact.checked_add(whole / 2));
    if let Some(exact) = exact {
        return Tokens::new(exact / whole);
    }
    let (tokens, part, whole) = (tokens.get() as u128, part as u128, whole as u128);
    Tokens::new(usize::try_from((tokens * part + whole / 2) / whole).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CharsPer;

    #[track_caller]
    fn check(per_token: usize, text: &str, ends: &[usize], expect: &[(usize, bool)]) {
        let units = tally(&CharsPer::new(per_token).unwrap(), text, ends);
        let found: Vec<_> = units.iter().map(|unit| (unit.tokens_through.get(), unit.splits)).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn short_units_share() {
        check(1, "", &[], &[]);
        check(1, "one two", &[4, 7], &[(4, false), (7, false)]);
        check(2, "one two", &[4, 7], &[(2, false), (4, false)]);
    }

    #[test]
    fn long_units_are_counted_where_the_counter_splits() {
        let text = "x".repeat(200);
        check(1, &text, &[70, 80, 150, 200], &[(70, true), (80, false), (150, true), (200, false)]);
        check(4, &text, &[70, 80, 150, 200], &[(18, false), (20, false), (38, false), (50, false)]);
    }
}
