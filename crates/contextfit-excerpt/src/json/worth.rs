//! The scores of values: by features, as those of rows, and by closeness to the query.

use contextfit_kernel::Values;
use std::hash::BuildHasher;

use contextfit_text::{TOOLS, words};
use foldhash::{HashMap, HashMapExt, fast::FixedState};

use crate::{
    evidence::{Feature, Notes, RowFeatures, length},
    json::tree::{Node, NodeForm, Tree},
    names::naming_rank,
    signals::{Signal, is_none, signal},
    worth::FOCUS,
};

/// A value with at most this many nodes is a record, which is taken whole if possible.
pub(super) const LARGEST_RECORD_NODES: u32 = 24;

/// In an object with more members than this, the keys are names, and the members are alike, as in an array.
pub(super) const KEYS: u32 = 24;

/// The maximum number of distinct values that are remembered as seen.
const MAX_SEEN_VALUES: usize = 1 << 16;

/// Where a value is, added up over the values that it is in.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    depth: f32,
    /// How far it is from the first element of each list.
    later: f32,
    /// How close it is to the last one.
    end: f32,
    /// Whether it is in an error (`"error": {`), or beside one (`"status": "failed"`).
    in_error: bool,
}

impl Place {
    /// The place of `node` in `parent`, which is here.
    fn of(self, parent: &Node, node: &Node) -> Self {
        let is_list = match parent.form {
            NodeForm::Object => parent.children > KEYS && node.children > 0,
            NodeForm::Leaf => false,
            NodeForm::Array | NodeForm::Lines | NodeForm::Text => true,
        };
        let from_end = parent.children - node.index - 1;
        Self {
            depth: self.depth + 1.0,
            later: self.later + if is_list { (1.0 + node.index as f32).ln() } else { 0.0 },
            end: self.end + if is_list && node.index > 0 { 1.0 / (1.0 + from_end as f32) } else { 0.0 },
            in_error: self.in_error,
        }
    }
}

impl Tree<'_, '_> {
    /// The score of each leaf; 0 for other nodes.
    pub(super) fn worth(&self) -> Vec<f32> {
        let notes = self.notes(Notes::new(self.nodes.len()));
        let scores = self.nodes.iter().zip(notes.scores(!self.focus.is_empty())).zip(self.answers());
        let worth = |((node, score), answer): ((&Node, f32), f32)| {
            if node.children > 0 { 0.0 } else { score + FOCUS * answer }
        };
        scores.map(worth).collect()
    }

    /// The features of the leaves.
    pub(crate) fn features(&self) -> Vec<RowFeatures> {
        let notes = self.notes(Notes::new(self.nodes.len()).writing_down());
        let leaves =
            self.nodes.iter().zip(self.answers()).enumerate().filter(|(_, (node, _))| node.children == 0);
        let of = |(n, (node, focus)): (usize, (&Node, f32))| RowFeatures {
            range: self.block.range(node.from as usize, node.to as usize),
            focus,
            values: notes.values(n),
        };
        leaves.map(of).collect()
    }

    /// Notes the features of each leaf.
    fn notes(&self, mut notes: Notes) -> Notes {
        let said: Vec<Option<Feature>> = self.nodes.iter().map(|node| self.said(node)).collect();
        let mut have_errors = vec![false; self.nodes.len()];
        for (node, _) in self.nodes.iter().zip(&said).filter(|(_, said)| said.is_some_and(Feature::is_alarm))
        {
            have_errors.set(node.parent as usize, true);
        }
        let mut seen = HashMap::new();
        let mut places: Vec<Place> = Vec::with_capacity(self.nodes.len());
        let leaves = usual(self).into_iter().zip(rarity_of_words(self));
        for ((n, node), (usual, (mean, most))) in self.nodes.iter().enumerate().zip(leaves) {
            let parent = self.node(node.parent);
            let above = places.at(node.parent as usize);
            let mut place = parent.map_or(above, |parent| above.of(parent, node));
            let text = self.opening(node);
            place.in_error |= node.form == NodeForm::Object && have_errors.at(n)
                || matches!(node.form, NodeForm::Object | NodeForm::Array) && signal(text) == Signal::Error;
            places.push(place);
            if node.children > 0 {
                continue;
            }
            let form = parent.map(|parent| parent.form);
            let tokens = self.block.tokens_between(node.from as usize, node.to as usize).get();
            notes.note(n, Feature::Value, 1.0);
            notes.note(n, Feature::Depth, place.depth);
            notes.note(n, Feature::LaterInList, place.later);
            notes.note(n, Feature::EndOfList, place.end);
            if place.in_error {
                notes.note(n, Feature::Explains, 1.0);
            }
            let value = hash(text.trim_matches([' ', ',', '\n']));
            if seen.len() < MAX_SEEN_VALUES || seen.contains_key(&value) {
                let before: &mut u32 = seen.entry(value).or_default();
                notes.note(n, Feature::Repeated, (1.0 + *before as f32).ln());
                *before += 1;
            }
            notes.note(n, Feature::Length, length(tokens));
            notes.note(n, Feature::RareValue, usual.rarer);
            notes.note(n, Feature::Variety, usual.variety);
            notes.note(n, Feature::RareWords, mean);
            notes.note(n, Feature::RarestWord, most);
            let is = marks(text, form, &usual).chain(said.at(n));
            is.for_each(|feature| notes.note(n, feature, 1.0));
        }
        notes
    }

    /// What the words of a leaf say.
    fn said(&self, node: &Node) -> Option<Feature> {
        let text = if node.children == 0 { self.opening(node) } else { return None };
        if self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Text) {
            return Feature::of_signal(signal(text.trim_start_matches("\\n")));
        }
        Feature::of_signal(signal(text)).or_else(|| is_concern(text).then_some(Feature::Warning))
    }

    /// How close each leaf is to the query, from 0 to 1: its own focus, or half of the highest in its object, or a quarter
    /// of that in the object around it, and so on.
    fn answers(&self) -> Vec<f32> {
        if self.focus.is_empty() {
            return vec![0.0; self.nodes.len()];
        }
        let mut closest = self.focus.clone();
        for (node, focus) in self.nodes.iter().zip(&self.focus).filter(|(node, _)| node.children == 0) {
            let is_object = self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Object);
            let object = closest.get_mut(node.parent as usize).filter(|_| is_object);
            object.into_iter().for_each(|object| *object = object.max(*focus));
        }
        // For a container, what it passes down.
        let mut near: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (node, here) in self.nodes.iter().zip(closest) {
            let above = near.at(node.parent as usize);
            // A long list or a large object is hardly about each value in it.
            let part = if node.children <= LARGEST_RECORD_NODES { 2.0 } else { 8.0 };
            near.push(if node.children == 0 { here.max(above) } else { here.max(above) / part });
        }
        near
    }
}

/// How well `member` identifies its object among others, the lowest best; `None` if it does not.
pub(super) fn naming(member: &str) -> Option<usize> {
    let (key, value) = member.trim_start().strip_prefix('"')?.split_once("\":")?;
    let is_name = value.trim_start().starts_with(|c: char| c == '"' || c.is_ascii_digit());
    naming_rank(key).filter(|_| is_name)
}

/// The marks of the text of a leaf; `form` is that of its parent.
fn marks(text: &str, form: Option<NodeForm>, usual: &Usual) -> impl Iterator<Item = Feature> {
    let is_line = form == Some(NodeForm::Text);
    let member = text.split_once(':').filter(|_| form == Some(NodeForm::Object));
    let value = member.map_or(text, |(_, value)| value).trim_matches(|c: char| c.is_whitespace() || c == ',');
    let is = [
        (Feature::LineOfString, is_line),
        (Feature::Code, !is_line && is_code(value)),
        (Feature::Number, text.contains(|c: char| c.is_ascii_digit())),
        (Feature::Single, usual.is_single),
        (Feature::Element, form == Some(NodeForm::Array)),
    ];
    is.into_iter().filter_map(|(feature, is)| is.then_some(feature))
}

/// Whether `value` is a code, a date or a machine-made name: one word with digits and other characters, or in capitals.
fn is_code(value: &str) -> bool {
    let word = value.trim_matches('"');
    let (digits, other) =
        (word.bytes().any(|b| b.is_ascii_digit()), word.bytes().any(|b| !b.is_ascii_digit()));
    let capitals = || word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    word.len() <= 64 && word.len() < value.len() && !word.contains(' ') && (digits && other || capitals())
}

/// The statistics of the values of one key.
#[derive(Debug, Clone, Copy, Default)]
struct Key {
    values: usize,
    different: usize,
}

/// How usual a leaf is.
#[derive(Debug, Clone, Copy, Default)]
struct Usual {
    /// How many times rarer its value is than the average value of its key, as a logarithm.
    rarer: f32,
    /// The share of the values of its key that are distinct.
    variety: f32,
    /// Whether its key has no other value.
    is_single: bool,
}

impl Usual {
    /// For a value that `count` of its `key` are equal to.
    fn of(key: Key, count: usize) -> Self {
        let (all, different) = (key.values as f32, key.different as f32);
        let is_single = key.values == 1;
        Self {
            rarer: (all / (different * count as f32)).ln().max(0.0),
            variety: if is_single || key.different == 1 { 0.0 } else { different / all },
            is_single,
        }
    }
}

/// How usual each leaf is; a small undivided object is as usual as its rarest member. Linear.
fn usual(tree: &Tree<'_, '_>) -> Vec<Usual> {
    let member = |part: &str| Some((hash(part.split_once("\":")?.0), hash(part)));
    let (members, counts) = of_leaves(tree, |text, members| members.extend(parts(text).filter_map(member)));
    let (mut keys, mut values): (HashMap<u64, Key>, HashMap<u64, usize>) = Default::default();
    for (key, value) in &members {
        let count = values.entry(*value).or_default();
        *count += 1;
        let key = keys.entry(*key).or_default();
        key.values += 1;
        key.different += usize::from(*count == 1);
    }
    let of = |(key, value): &(u64, u64)| Some(Usual::of(*keys.get(key)?, *values.get(value)?));
    let mut rest = members.iter();
    let rarest = |count| {
        let members = rest.by_ref().take(count).filter_map(of);
        members.max_by(|a, b| a.rarer.total_cmp(&b.rarer)).unwrap_or_default()
    };
    counts.into_iter().map(rarest).collect()
}

/// How rare the words of each leaf are among the leaves: the mean, and the rarest. From 0, if all have them, to 1.
/// Linear.
fn rarity_of_words(tree: &Tree<'_, '_>) -> Vec<(f32, f32)> {
    let (mut known, mut having): (HashMap<u64, usize>, Vec<_>) = Default::default();
    let (words, counts) = of_leaves(tree, |text, words| {
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            let id = *known.entry(hash(word)).or_insert(having.len());
            match having.get_mut(id) {
                Some(having) => *having += 1.0,
                None => having.push(1.0_f32),
            }
            words.push(id);
        }
    });
    let all = (tree.nodes.len().max(2) as f32).ln();
    let rarity: Vec<f32> = having.into_iter().map(|having| (1.0 - having.ln() / all).max(0.0)).collect();
    let mut rest = words.into_iter().filter_map(|id| rarity.get(id).copied());
    let of_leaf = |count: usize| {
        let rarities = rest.by_ref().take(count);
        let (sum, most) = rarities.fold((0.0, 0.0_f32), |(sum, most), rare| (sum + rare, most.max(rare)));
        (sum / count.max(1) as f32, most)
    };
    counts.into_iter().map(of_leaf).collect()
}

/// What `add` appends for the text of each leaf, and how much for each node.
fn of_leaves<T>(tree: &Tree<'_, '_>, mut add: impl FnMut(&str, &mut Vec<T>)) -> (Vec<T>, Vec<usize>) {
    let mut all = Vec::new();
    let count = |node: &Node| {
        let before = all.len();
        if node.children == 0 {
            add(tree.opening(node), &mut all);
        }
        all.len() - before
    };
    let counts = tree.nodes.iter().map(count).collect();
    (all, counts)
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

/// The members in `text`, which is a member or a small object. Commas and brackets in strings split values into pieces,
/// but no key is repeated in these.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['{', '}', ',']).map(str::trim).filter(|part| part.starts_with('"'))
}

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
            score.unwrap_or(0.0).clamp(0.0, 1.0) as f32
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
            let here = closest.at(n);
            best.change(node.parent as usize, |best| *best = best.max(sum(here)));
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
            let own = sums.at(n) - common;
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
            common.set(list as usize, *median);
        }
        common
    }
}

/// The maximum length of a word of concern in bytes; longer words are not looked up.
const LONGEST_WORD_BYTES: usize = 16;

/// Whether `member` has a word of concern that is not denied: `"dropped": 0` and `"Dead": false` are.
fn is_concern(member: &str) -> bool {
    // ablate: excerpt.concerns => false
    let concerns = TOOLS.list("concerns");
    let is_known = |word: &&str| word.len() <= LONGEST_WORD_BYTES && concerns.has(&word.to_ascii_lowercase());
    words(member).filter(is_known).any(|word| {
        let at = word.as_ptr() as usize - member.as_ptr() as usize;
        let (before, behind) = (member.get(..at), member.get(at + word.len()..));
        let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
        // Letters next to digits are part of an id.
        let is_id = before.ends_with(|c: char| c.is_ascii_digit())
            || behind.starts_with(|c: char| c.is_ascii_digit());
        !is_id && !is_none(behind)
    })
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
