//! The scores of values: by content, by what is unusual in them, by closeness to the query and by position.

use std::{collections::hash_map::Entry, hash::BuildHasher, sync::LazyLock};

use contextfit_text::words;
use foldhash::{HashMap, HashMapExt, HashSet, fast::FixedState};

use crate::{
    json::tree::{Node, NodeForm, Tree},
    names::is_naming,
    signals::{Signal, is_nothing, signal},
    table::RARE_BELOW_AVERAGE,
    worth::{EDGE, END, ERROR, FOCUS, NOTABLE, PLAIN, TOTAL},
};

/// A value with at most this many nodes is a record, which is taken whole if possible.
pub(super) const LARGEST_RECORD_NODES: u32 = 24;

/// In an object with more members than this, the keys are names, and the members are alike, as in an array.
pub(super) const KEYS: u32 = 24;

/// The maximum bytes of a member that can report an error. A longer one is a text that may merely mention errors.
const LONGEST_MEMBER_BYTES: usize = 200;

/// The share of a nested object's score that the name of the enclosing object gets.
const WITHIN: f32 = 0.75;

/// The maximum number of distinct values that are remembered as seen.
const MAX_SEEN_VALUES: usize = 1 << 16;

impl Tree<'_, '_> {
    /// The score of each leaf. Members of an object score alike unless they stand out. In an array the first element
    /// scores highest, because it shows what they are all like.
    pub(super) fn worth(&self) -> Vec<f32> {
        let mut seen: HashMap<u64, u32> = HashMap::new();
        // A value that many records have is not informative, even if the query asks for it.
        let mut rung = |(n, (node, is_outlier)): (usize, (&Node, bool))| {
            let (rung, alarm) = self.rung(node, self.node(node.parent));
            let alarm = if is_outlier { alarm.max(NOTABLE) } else { alarm };
            let is_line = self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Text);
            let focus = self.focus.get(n).copied().unwrap_or(0.0) * if is_line { 0.5 } else { 1.0 };
            let alike = 1.0 + self.before(node, &mut seen) as f32;
            (rung / alike, (alarm + FOCUS * focus) / alike)
        };
        let (rungs, own): (Vec<f32>, Vec<f32>) =
            self.nodes.iter().zip(outliers(self)).enumerate().map(&mut rung).unzip();
        let near = self.nearness(own);
        let mut shares: Vec<f32> = Vec::with_capacity(self.nodes.len());
        let mut worth = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = shares.get(node.parent as usize).copied().unwrap_or(1.0);
            let parent = self.node(node.parent);
            let share = above * 0.9 * parent.map_or(1.0, |parent| place(parent, node));
            shares.push(share);
            let rung = rungs.get(n).copied().unwrap_or(0.0);
            let near = near.get(n).copied().unwrap_or(0.0);
            worth.push(if node.children > 0 { 0.0 } else { rung * share + near });
        }
        worth
    }

    /// The base score of a leaf and, separately, the score of an error or a concern, which members nearby share. Codes,
    /// ids and dates have a higher base score than other values; `null`, `false`, 0 and empty values have the lowest.
    fn rung(&self, node: &Node, parent: Option<&Node>) -> (f32, f32) {
        if node.children > 0 {
            return (0.0, 0.0);
        }
        let text = self.opening(node);
        let form = parent.map(|parent| parent.form);
        if form == Some(NodeForm::Text) {
            return match signal(text.trim_start_matches("\\n")) {
                Signal::Error => (EDGE, ERROR),
                Signal::Total => (EDGE, TOTAL),
                _ => (EDGE, 0.0),
            };
        }
        let (key, value) =
            text.split_once(':').filter(|_| form == Some(NodeForm::Object)).unwrap_or(("", text));
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let key = key.trim().trim_matches('"');
        let is_of_error = || parent.is_some_and(|parent| is_error(self.opening(parent)));
        if !key.is_empty() && is_reason(key) && is_of_error() {
            return (EDGE, ERROR);
        }
        if value.starts_with(['{', '[']) && value.len() > 2 {
            // A small undivided value is worth the sum of its parts.
            let parts = value.split(',').map(|part| part.split_once(':').map_or(part, |(_, part)| part));
            return (parts.map(plain_rung).sum(), 0.0);
        }
        if matches!(value, "null" | "\"\"" | "[]" | "{}" | "false" | "0") {
            (PLAIN, 0.0)
        } else if key.eq_ignore_ascii_case("error")
            || is_exit_code(key)
            || text.len() < LONGEST_MEMBER_BYTES && signal(text) == Signal::Error
        {
            (EDGE, ERROR)
        } else if text.len() < LONGEST_MEMBER_BYTES && is_concern(text) {
            (EDGE, NOTABLE)
        } else if key.ends_with("id") {
            (END, 0.0)
        } else {
            (plain_rung(value), 0.0)
        }
    }

    /// The number of earlier leaves with the same text.
    fn before(&self, node: &Node, seen: &mut HashMap<u64, u32>) -> u32 {
        if node.children > 0 {
            return 0;
        }
        let full = seen.len() >= MAX_SEEN_VALUES;
        match seen.entry(FixedState::default().hash_one(self.opening(node).trim_matches([' ', ',', '\n']))) {
            Entry::Occupied(mut entry) => {
                *entry.get_mut() += 1;
                *entry.get() - 1
            }
            Entry::Vacant(entry) => {
                if !full {
                    entry.insert(1);
                }
                0
            }
        }
    }

    /// The score that focus and errors add to each leaf. The leaf itself and the member that names its object get all
    /// of it, the other members of that object half, and those of nested objects a quarter.
    fn nearness(&self, own: Vec<f32>) -> Vec<f32> {
        let mut record = own;
        let mut names: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            let is_member = node.children == 0
                && self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Object);
            if !is_member {
                continue;
            }
            let here = record.get(n).copied().unwrap_or(0.0);
            record.get_mut(node.parent as usize).into_iter().for_each(|record| *record = record.max(here));
            if let Some(name) =
                names.get_mut(node.parent as usize).filter(|_| names_its_object(self.opening(node)))
            {
                name.get_or_insert(n);
            }
        }
        // The name of an object gets most of the highest score in the objects within it.
        let mut inner = record.clone();
        for (n, node) in self.nodes.iter().enumerate().rev().filter(|(_, node)| node.children > 0) {
            let own = inner.get(n).copied().unwrap_or(0.0) * WITHIN;
            inner.get_mut(node.parent as usize).into_iter().for_each(|outer| *outer = outer.max(own));
        }
        // For a container, the score that it passes down.
        let mut near: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = near.get(node.parent as usize).copied().unwrap_or(0.0);
            let here = record.get(n).copied().unwrap_or(0.0);
            let is_name = names.get(node.parent as usize).copied().flatten() == Some(n);
            let whole = inner.get(node.parent as usize).copied().filter(|_| is_name).unwrap_or(0.0);
            // The name of a long list or a large object is hardly about each value in it.
            let part = if node.children <= LARGEST_RECORD_NODES { 2.0 } else { 8.0 };
            near.push(if node.children == 0 { here.max(above).max(whole) } else { here.max(above) / part });
        }
        near
    }
}

/// Whether `member` identifies its object among others.
fn names_its_object(member: &str) -> bool {
    key(member).is_some_and(is_naming)
}

/// The key of `member`.
fn key(member: &str) -> Option<&str> {
    Some(member.trim_start().strip_prefix('"')?.split_once('"')?.0)
}

/// Whether an object with this opening is an error: `"error": {`.
fn is_error(opening: &str) -> bool {
    let names = ["error", "exception", "failure"];
    key(opening).is_some_and(|key| names.iter().any(|name| key.eq_ignore_ascii_case(name)))
}

/// Whether the member of an error with this `key` says what happened.
fn is_reason(key: &str) -> bool {
    ["message", "msg", "detail", "details", "reason", "description", "code", "type", "status"]
        .iter()
        .any(|name| key.eq_ignore_ascii_case(name))
}

/// Whether `key` has the exit code of a process; other values than zero are failures.
fn is_exit_code(key: &str) -> bool {
    let key: String = key.chars().filter(char::is_ascii_alphabetic).collect();
    ["exitcode", "exitstatus", "returncode"].iter().any(|code| key.eq_ignore_ascii_case(code))
}

/// The base score of a value that is not an error.
fn plain_rung(value: &str) -> f32 {
    if is_name(value.trim_matches([' ', '{', '}', '[', ']'])) { END } else { EDGE }
}

/// Whether `value` is a code, a date or a machine-made name: one word with digits and other characters, or in capitals.
fn is_name(value: &str) -> bool {
    let word = value.trim_matches('"');
    let (digits, other) =
        (word.bytes().any(|b| b.is_ascii_digit()), word.bytes().any(|b| !b.is_ascii_digit()));
    let capitals = || word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    word.len() <= 64 && word.len() < value.len() && !word.contains(' ') && (digits && other || capitals())
}

/// The factor for the position of `node` in `parent`.
fn place(parent: &Node, node: &Node) -> f32 {
    let (index, from_end) = (node.index as f32, (parent.children - node.index - 1) as f32);
    match parent.form {
        NodeForm::Object if parent.children <= KEYS || node.children == 0 => 1.0,
        NodeForm::Leaf => 1.0,
        _ if node.index == 0 => 1.0,
        NodeForm::Text => 2.0 / (2.0 + index.min(from_end)),
        NodeForm::Array if node.children == 0 => 2.0 / (2.0 + index.min(2.0 * from_end)),
        NodeForm::Array | NodeForm::Lines | NodeForm::Object => {
            (0.6 * 8.0 / (8.0 + index)).max(0.4 * 2.0 / (2.0 + from_end))
        }
    }
}

/// With fewer values than this, a key does not show what is usual.
const MIN_VALUES_OF_KEY: usize = 8;

/// A key is repetitive if at most one in this many of its values is distinct.
const DIFFERENT: usize = 6;

/// A value is rare if at most one in this many is equal to it.
const RARE_ONE_IN: usize = 20;

/// The statistics of the values of one key.
#[derive(Default)]
struct Key {
    values: usize,
    different: usize,
}

/// For each node, whether it is a member with a rare value or a small undivided object that has one. Linear.
fn outliers(tree: &Tree<'_, '_>) -> Vec<bool> {
    // ablate: excerpt.rare-values => vec![false; tree.nodes.len()]
    let hash = |text: &str| FixedState::default().hash_one(text);
    let members = |node: &Node| {
        let text = if node.children == 0 { tree.opening(node) } else { "" };
        let member = |part| Some((hash(str::split_once(part, "\":")?.0), hash(part)));
        parts(text).filter_map(member).collect::<Vec<_>>()
    };
    let members: Vec<Vec<(u64, u64)>> = tree.nodes.iter().map(members).collect();
    let mut keys: HashMap<u64, Key> = HashMap::default();
    let mut values: HashMap<u64, usize> = HashMap::default();
    for (key, value) in members.iter().flatten() {
        let count = values.entry(*value).or_default();
        *count += 1;
        let key = keys.entry(*key).or_default();
        key.values += 1;
        key.different += usize::from(*count == 1);
    }
    let is_rare = |(key, value): &(u64, u64)| {
        let count = values.get(value).copied().unwrap_or_default();
        keys.get(key).is_some_and(|key| {
            // A rare value must be much rarer than the average: among many distinct values, each is rare.
            key.values >= MIN_VALUES_OF_KEY
                && key.different * DIFFERENT <= key.values
                && (count == 1 || count * RARE_ONE_IN.max(key.different * RARE_BELOW_AVERAGE) <= key.values)
        })
    };
    members.iter().map(|members| members.iter().any(is_rare)).collect()
}

/// The members in `text`, which is a member or a small object. Commas and brackets in strings split values into pieces,
/// but no key is repeated in these.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['{', '}', ',']).map(str::trim).filter(|part| part.starts_with('"'))
}

/// The factor for members that name an object: a query for the version of serde is about the object with that name, not
/// about every list that mentions it.
const NAME_MEMBER_FACTOR: f32 = 1.5;

/// With fewer records than this, a list does not show what they have in common.
const SHORTEST_LIST: usize = 4;

/// To keep its full focus, a record must exceed the median by at least this share of the best match.
const LEAD: f32 = 0.25;

/// The minimum share of its focus that a member of a record keeps, because the query may name its key.
const UNMATCHED_MEMBER_SHARE: f32 = 0.1;

/// The factor for each level of nesting within an object.
const DEEPER: f32 = 0.7;

impl Tree<'_, '_> {
    /// The focus of the unit that opens each node, at most 1. If several records match the query, those that match less
    /// get less, and matches of most of them do not count. `focus` starts at unit `start`. Empty without a query.
    pub(super) fn closeness(&self, focus: &[f64], start: usize) -> Vec<f32> {
        let own = |node: &Node| {
            let unit = (node.from as usize).saturating_sub(start);
            let score =
                focus.get(unit).copied().filter(|score| score.is_finite() && node.form != NodeForm::Lines);
            let score = score.unwrap_or(0.0).clamp(0.0, 1.0) as f32;
            let is_name = score > 0.0 && node.children == 0 && names_its_object(self.opening(node));
            if is_name { (score * NAME_MEMBER_FACTOR).min(1.0) } else { score }
        };
        let mut own: Vec<f32> = self.nodes.iter().map(own).collect();
        if own.iter().all(|focus| *focus <= 0.0) {
            return Vec::new();
        }
        // The two highest focuses within each node, and the highest sum of two among the children of each node.
        let mut closest: Vec<(f32, f32)> = own.iter().map(|focus| (*focus, 0.0)).collect();
        let mut best: Vec<f32> = vec![0.0; self.nodes.len()];
        let sum = |(first, second): (f32, f32)| first + second;
        for (n, node) in self.nodes.iter().enumerate().rev() {
            let here = closest.get(n).copied().unwrap_or_default();
            best.get_mut(node.parent as usize).into_iter().for_each(|best| *best = best.max(sum(here)));
            let part = if node.children > 0 { DEEPER } else { 1.0 };
            let here = (here.0 * part, here.1 * part);
            if let Some(outer) = closest.get_mut(node.parent as usize) {
                *outer = match *outer {
                    (first, second) if here.0 > first => (here.0, first.max(second).max(here.1).min(here.0)),
                    (first, second) => (first, second.max(here.0)),
                };
            }
        }
        let sums: Vec<f32> = closest.into_iter().map(sum).collect();
        let common = self.common(&sums);
        let mut shares: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let of_parent = |values: &[f32]| values.get(node.parent as usize).copied();
            let above = of_parent(&shares).unwrap_or(1.0);
            let (best, common) = (of_parent(&best).unwrap_or(0.0), of_parent(&common).unwrap_or(0.0));
            let is_record = node.form == NodeForm::Object && best > 0.0;
            let own = sums.get(n).copied().unwrap_or(0.0) - common;
            let most = (best - common).max(best * LEAD);
            shares.push(if is_record { above * (own / most).max(UNMATCHED_MEMBER_SHARE) } else { above });
        }
        own.iter_mut().zip(shares).for_each(|(focus, share)| *focus *= share);
        own
    }

    /// For each list of at least [`SHORTEST_LIST`] records, the median of `sums` among them: words that match half of
    /// the records do not distinguish them. 0 for all other nodes.
    fn common(&self, sums: &[f32]) -> Vec<f32> {
        let mut lists: HashMap<u32, Vec<f32>> = HashMap::default();
        let in_list =
            |node: &Node| self.node(node.parent).is_some_and(|parent| parent.form != NodeForm::Object);
        for (node, sum) in self.nodes.iter().zip(sums) {
            if node.form == NodeForm::Object && in_list(node) {
                lists.entry(node.parent).or_default().push(*sum);
            }
        }
        let mut common = vec![0.0; self.nodes.len()];
        for (list, mut sums) in lists.into_iter().filter(|(_, sums)| sums.len() >= SHORTEST_LIST) {
            let middle = sums.len() / 2;
            let (_, median, _) = sums.select_nth_unstable_by(middle, f32::total_cmp);
            common.get_mut(list as usize).into_iter().for_each(|common| *common = *median);
        }
        common
    }
}

/// Lowercase words of concern.
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

/// An upper bound for the bytes of [`WORDS`]; longer words are not looked up.
const LONGEST_WORD_BYTES: usize = 16;

/// Whether `member` has a word of concern that is not denied: `"dropped": 0` and `"Dead": false` are.
fn is_concern(member: &str) -> bool {
    // ablate: excerpt.concerns => false
    words(member).filter(|word| word.len() > 2 && is_known(word)).any(|word| {
        let at = word.as_ptr() as usize - member.as_ptr() as usize;
        let (before, behind) = (member.get(..at), member.get(at + word.len()..));
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        // Letters next to digits are part of an id.
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
