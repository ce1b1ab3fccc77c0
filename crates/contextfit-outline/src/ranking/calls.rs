//! Which units call which, as far as names show.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::document::{Document, UnitKind};

/// Shorter names are too often ordinary words.
pub(crate) const SHORTEST_NAME_BYTES: usize = 4;

/// A name that more definitions have does not say which of them is meant.
const MAX_DEFINITIONS_OF_NAME: usize = 4;

/// How certain it is that a plain word such as `open` names the definition here, as others elsewhere have the same
/// name.
const PLAIN_WORD_CERTAINTY: f64 = 0.3;

/// A unit naming another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Call {
    /// The unit that names, numbered across all documents.
    pub(crate) caller: usize,
    /// The named unit.
    pub(crate) callee: usize,
    /// How certain that is, divided among the definitions that have the name.
    pub(crate) certainty: f64,
}

/// The definitions that have each name.
#[derive(Debug, Default)]
pub(crate) struct Bearers<'a> {
    alone: HashMap<&'a str, Vec<usize>, FixedState>,
    /// After the name of what contains them, as in `Pipeline::fit`.
    qualified: HashMap<(&'a str, &'a str), Vec<usize>, FixedState>,
}

impl<'a> Bearers<'a> {
    /// The names that few enough definitions of `documents` have.
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

    /// The definitions that `word` names within something called `before`.
    fn qualified(&'a self, before: &'a str, word: &'a str) -> Option<&'a Vec<usize>> {
        self.qualified.get(&(before, word))
    }
}

/// The identifiers of `text` and where they start.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The units that unit `caller`, whose text is `text`, calls, each once. Linear in the text.
pub(crate) fn calls(caller: usize, text: &str, bearers: &Bearers<'_>) -> Vec<Call> {
    let mut found: Vec<Call> = Vec::new();
    let (mut before, mut end) = ("", 0);
    for (start, word) in words(text) {
        let joined = matches!(text.get(end..start), Some("::" | "." | "->" | "#"));
        let qualified = if joined { bearers.qualified(before, word) } else { None };
        (before, end) = (word, start + word.len());
        let Some(units) = qualified.or_else(|| bearers.alone.get(word)) else { continue };
        // `line`, `right`, `print` are words more often than names, unless they are called or qualified.
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
    use contextfit_kernel::ByteRange;

    use super::super::DocumentUnit;
    use super::*;

    #[test]
    fn who_is_called() {
        let unit = |name, holders: &str, kind| DocumentUnit {
            range: ByteRange::whole(""),
            kind,
            name,
            holders: holders.into(),
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
