//! The calls between units, as far as names show them.

use std::collections::{HashMap, HashSet};

use contextfit_kernel::ByteRange;
use contextfit_text::Language;
use foldhash::fast::FixedState;

use super::document::{Document, UnitKind};
use crate::{Outline, lines::Lines};

/// The minimum length of a name, in bytes. Shorter ones are too often ordinary words.
pub(crate) const SHORTEST_NAME_BYTES: usize = 4;

/// The maximum number of definitions with one name. With more, the name does not show which of them is meant.
const MAX_DEFINITIONS_OF_NAME: usize = 4;

/// The certainty that a plain word such as `open` names the definition here: definitions elsewhere have the same name.
const PLAIN_WORD_CERTAINTY: f64 = 0.3;

/// A reference from one unit to another by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Call {
    /// The unit with the reference, numbered across all documents.
    pub(crate) caller: usize,
    /// The unit it refers to.
    pub(crate) callee: usize,
    /// The certainty of the reference, divided among the definitions with the name.
    pub(crate) certainty: f64,
}

/// The definitions with each name.
#[derive(Debug, Default)]
pub(crate) struct Bearers<'a> {
    alone: HashMap<&'a str, Vec<usize>, FixedState>,
    /// By the name of the part that contains them and their own, as in `Pipeline::fit`.
    qualified: HashMap<(&'a str, &'a str), Vec<usize>, FixedState>,
}

impl<'a> Bearers<'a> {
    /// The definitions of `documents` whose names few enough of them share.
    pub(crate) fn new(documents: &'a [Document<'a>]) -> Self {
        let mut bearers = Self::default();
        for (n, unit) in documents.iter().flat_map(|document| &document.units).enumerate() {
            if unit.kind == UnitKind::Passage || unit.name.is_empty() {
                continue;
            }
            if unit.name.len() >= SHORTEST_NAME_BYTES {
                bearers.alone.entry(unit.name).or_default().push(n);
            }
            if let Some(holder) = words(&unit.holders).next() {
                bearers.qualified.entry((holder.1, unit.name)).or_default().push(n);
            }
        }
        bearers.alone.retain(|_, units| units.len() <= MAX_DEFINITIONS_OF_NAME);
        bearers.qualified.retain(|_, units| units.len() <= MAX_DEFINITIONS_OF_NAME);
        bearers
    }

    /// The definitions called `word` in a part called `before`.
    fn qualified(&'a self, before: &'a str, word: &'a str) -> Option<&'a Vec<usize>> {
        self.qualified.get(&(before, word))
    }
}

/// The names of definitions, by which their callers are found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DefinedNames(HashSet<String>);

impl DefinedNames {
    /// The names of the definitions in `text` that have some of these lines, which are runs in order, from 1; without
    /// them, of all definitions. Linear in the length of the text.
    #[must_use]
    pub fn of(text: &str, language: &'static Language, lines: Option<&[(usize, usize)]>) -> Self {
        let starts = Lines::new(text);
        let has_any = |range: ByteRange, runs: &[(usize, usize)]| {
            let first = runs.partition_point(|&(_, to)| starts.start(to) <= range.start());
            runs.get(first).is_some_and(|&(from, _)| starts.start(from.saturating_sub(1)) < range.end())
        };
        let outline = Outline::of(text, language);
        let defined = outline.items.iter().filter(|item| item.kind.defines());
        let defined = defined.filter(|item| lines.is_none_or(|runs| has_any(item.range, runs)));
        let names = defined.filter_map(|item| item.name?.of(text));
        Self(names.filter(|name| name.len() >= SHORTEST_NAME_BYTES).map(str::to_owned).collect())
    }

    /// These names and those of `other`.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Whether any of the names is a word of `text`. Linear in its length.
    #[must_use]
    pub fn occur_in(&self, text: &str) -> bool {
        words(text).any(|(_, word)| self.0.contains(word))
    }
}

/// The identifiers of `text` and their positions.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The units that unit `caller` with this `text` calls, each once. Linear in the length of the text.
pub(crate) fn calls(caller: usize, text: &str, bearers: &Bearers<'_>) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let (mut before, mut end) = ("", 0);
    for (start, word) in words(text) {
        let joined = matches!(text.get(end..start), Some("::" | "." | "->" | "#"));
        let qualified = if joined { bearers.qualified(before, word) } else { None };
        (before, end) = (word, start + word.len());
        let Some(units) = qualified.or_else(|| bearers.alone.get(word)) else { continue };
        // `line`, `right` and `print` are ordinary words more often than names, unless they are called or qualified.
        let is_word = qualified.is_none() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if is_word && !joined && !text.get(end..).is_some_and(|rest| rest.starts_with('(')) {
            continue;
        }
        let certainty = if is_word { PLAIN_WORD_CERTAINTY } else { 1.0 }
            / f64::from(u32::try_from(units.len()).unwrap_or(u32::MAX));
        let others = units.iter().filter(|unit| **unit != caller);
        found.extend(others.map(|&callee| Call { caller, callee, certainty }));
    }
    found.sort_by(|a, b| a.callee.cmp(&b.callee).then(b.certainty.total_cmp(&a.certainty)));
    found.dedup_by_key(|call| call.callee);
    found
}

#[cfg(test)]
mod tests {
    use super::super::DocumentUnit;
    use super::*;

    #[test]
    fn who_is_called() {
        let unit = |name, holders: &str, kind| DocumentUnit {
            range: ByteRange::whole(""),
            kind,
            name,
            holders: holders.into(),
            is_changed: false,
        };
        let function = UnitKind::Function;
        let units = vec![
            unit("fit", "Pipeline<C>", function),
            unit("fit", "Other", function),
            unit("check_plan", "", function),
            unit("check_plan", "", UnitKind::Passage),
            unit("open", "", function),
        ];
        let documents = [Document { path: "", text: "", score: None, units }];
        let bearers = Bearers::new(&documents);
        for (text, expect) in [
            ("`Pipeline::fit` and check_plan, é check_plan", &[0, 2][..]),
            ("fit(x); Pipeline fit", &[]),
            ("other.Other.fit()", &[1]),
            ("say open; x.open", &[4]),
            ("open(x)", &[4]),
            ("", &[]),
        ] {
            let callees: Vec<usize> = calls(9, text, &bearers).iter().map(|call| call.callee).collect();
            assert_eq!(callees, expect, "{text}");
        }
        assert!(calls(2, "fn check_plan() {}", &bearers).is_empty(), "of itself");
    }
}
