//! The features of a unit, as numbers around one.

use contextfit_kernel::Values;
use std::collections::HashMap;

use contextfit_text::{Bm25, Lexicon, Term, float, inverse_document_frequency};

use crate::ranking::{
    DocumentUnit,
    calls::Call,
    document::{Document, UnitKind},
    kind::{FileKind, names_test},
    question::Question,
};

/// The names of the features of a unit. Features based on words are relative to the best unit for the query.
pub const FEATURES: [&str; N] = [
    "words",
    "coverage",
    "name",
    "whole name",
    "said",
    "holders",
    "path",
    "file",
    "best of file",
    "calls",
    "called",
    "length",
    "passage of code",
    "type",
    "meaning",
    "test",
    "example",
    "documentation",
    "changelog",
    "configuration",
    "foreign",
    "test asked",
    "example asked",
    "documentation asked",
    "changelog asked",
    "configuration asked",
    "foreign asked",
];

/// The number of features.
pub(crate) const N: usize = 27;

/// The features of one unit.
pub(crate) type Features = [f64; N];

/// BM25 parameters that hardly penalize long units.
const LOOSE: (f64, f64) = (1.2, 0.3);

/// The usual BM25 parameters for comparing units, and those for files.
const USUAL: (f64, f64) = (1.2, 0.75);
const FILE: (f64, f64) = (1.2, 0.6);

/// The number of words in the text that one word in a path is worth.
pub(crate) const IN_PATH: u32 = 2;

/// The term counts of a unit.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReadUnit {
    pub(crate) name: Counts,
    pub(crate) holders: Counts,
    pub(crate) body: Counts,
}

/// The term counts of a file, and its kind.
#[derive(Debug, Clone)]
pub(crate) struct ReadFile {
    pub(crate) path: Counts,
    /// Path and text together.
    pub(crate) all: Counts,
    pub(crate) kind: FileKind,
}

/// The weight of each term of a query among some texts, and the average length of these texts.
struct Rarity {
    weights: Vec<f64>,
    average: f64,
}

impl Rarity {
    fn new<'c>(question: &Question, texts: impl Iterator<Item = &'c Counts>) -> Self {
        let mut having = vec![0_usize; question.len()];
        let (mut n, mut length) = (0, 0.0);
        for text in texts {
            n += 1;
            length += f64::from(text.length);
            for &(term, _) in &text.terms {
                having.change(term as usize, |having| *having += 1);
            }
        }
        let weigh = |(weight, having): (&f64, usize)| {
            if having == 0 { 0.0 } else { weight * inverse_document_frequency(having, n) }
        };
        let weights = question.weights.iter().zip(having).map(weigh).collect();
        Self { weights, average: (length / float(n.max(1))).max(1.0) }
    }

    fn weight(&self, term: u32) -> f64 {
        self.weights.at(term as usize)
    }

    /// The BM25 score of a text.
    fn score(&self, text: &Counts, (k1, b): (f64, f64)) -> f64 {
        let (bm25, length) = (Bm25::new(k1, b), f64::from(text.length) / self.average);
        text.terms
            .iter()
            .map(|&(term, count)| self.weight(term) * bm25.saturated(f64::from(count), length))
            .sum()
    }

    /// The total weight of the terms that occur in any text.
    fn all(&self) -> f64 {
        self.weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// The total weight of the terms that occur in `text`.
    fn present(&self, text: &Counts) -> f64 {
        text.terms.iter().map(|&(term, _)| self.weight(term)).sum()
    }
}

/// The BM25 score of each text. Linear in their counted terms.
pub(crate) fn scores(question: &Question, texts: &[Counts]) -> Vec<f64> {
    let rarity = Rarity::new(question, texts.iter());
    texts.iter().map(|text| rarity.score(text, USUAL)).collect()
}

/// The features of each file as a whole. Those that describe a unit are computed for the whole text: its words, and the
/// share of the query that it covers. Linear in the number of files and their counted terms.
pub(crate) fn of_files(question: &Question, files: &[&ReadFile]) -> Vec<Features> {
    let rarity = Rarity::new(question, files.iter().map(|file| &file.all));
    let by_path = shares(files.iter().map(|file| rarity.present(&file.path)).collect());
    let by_text = shares(files.iter().map(|file| rarity.score(&file.all, FILE)).collect());
    let all = rarity.all();
    let features = files.iter().zip(by_path.into_iter().zip(by_text)).map(|(file, (path, text))| {
        let mut features = [0.0; N];
        let values = [
            (WORDS, text),
            (COVERAGE, rarity.present(&file.all) / all),
            (PATH, path),
            (FILE_TEXT, text),
            (BEST, text),
        ];
        values.into_iter().for_each(|(place, value)| features.set(place, value));
        set_kind(&mut features, file.kind, question);
        features
    });
    features.collect()
}

/// The indices of the features that files share with units.
const WORDS: usize = 0;
const COVERAGE: usize = 1;
const PATH: usize = 6;
const FILE_TEXT: usize = 7;
const BEST: usize = 8;

/// The index of the first feature for a kind of file.
const KINDS: usize = N - 2 * FileKind::OTHERS.len();

/// The index of the nearness by meaning, which is set last; 0 for all units if nothing compares them.
pub(crate) const MEANING: usize = KINDS - 1;

/// Sets the feature for the kind of file. Each kind has two features, one for queries that ask for it and one for all
/// others.
fn set_kind(features: &mut Features, kind: FileKind, question: &Question) {
    for ((n, other), asked) in FileKind::OTHERS.into_iter().enumerate().zip(question.asked) {
        let asked = if asked { FileKind::OTHERS.len() } else { 0 };
        features.set(KINDS + n + asked, if kind == other { 1.0 } else { 0.0 });
    }
}

/// The weighted sum of the features.
pub(crate) fn sum(features: &Features, weights: &Features) -> f64 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// The features of all units, across all documents in order. Linear in the number of units, counted terms and calls.
pub(crate) fn of_units(
    question: &Question,
    documents: &[Document<'_>],
    files: &[ReadFile],
    units: &[ReadUnit],
    calls: &[Call],
) -> Vec<Features> {
    let rarity = Rarity::new(question, units.iter().map(|unit| &unit.body));
    let file_of = files_of(documents);
    let words: Vec<f64> = units.iter().map(|unit| rarity.score(&unit.body, USUAL)).collect();
    let by_name: Vec<f64> = units.iter().map(|unit| rarity.present(&unit.name)).collect();
    let base: Vec<f64> = words.iter().zip(&by_name).map(|(words, name)| words + 0.5 * name).collect();
    let best = base.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let best_of_file = best_of_files(documents.len(), &file_of, &base);
    let by_file = of_files(question, &files.iter().collect::<Vec<_>>());
    let said = said(question, documents);
    let (spread, called) = spread(calls, &base);
    let most_called = called.iter().copied().fold(1.0, f64::max);
    let all = rarity.all();
    let declared = documents.iter().flat_map(|document| &document.units);
    let features = units.iter().zip(declared).zip(&file_of).enumerate().map(|(n, ((read, unit), &file))| {
        let of_file = by_file.get(file).copied().unwrap_or([0.0; N]);
        let mut seen = read.body.clone();
        seen.add(&read.name, 1);
        files.get(file).into_iter().for_each(|file| seen.add(&file.path, 1));
        let name_length = f64::from(read.name.length.max(1)).sqrt();
        let length = float(unit.range.len().max(40)).ln() / 5.0;
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        let kind = files.get(file).map_or(FileKind::Source, |file| file.kind);
        let is_code = matches!(kind, FileKind::Source | FileKind::Test | FileKind::Example);
        let mut features = [0.0; N];
        let values = [
            rarity.score(&read.body, LOOSE) / best,
            rarity.present(&seen) / all,
            by_name.at(n) / best,
            by_name.at(n) / best / name_length,
            said.at(n),
            rarity.present(&read.holders) / best,
            of_file.at(PATH),
            of_file.at(FILE_TEXT),
            best_of_file.at(file) / best,
            spread.at(n) / best,
            (1.0 + called.at(n)).ln() / (1.0 + most_called).ln(),
            length,
            flag(unit.kind == UnitKind::Passage && is_code),
            flag(unit.kind == UnitKind::Type),
        ];
        features.iter_mut().zip(values).for_each(|(feature, value)| *feature = value);
        let in_tests = kind == FileKind::Source && is_test(unit);
        let kind = if in_tests { FileKind::Test } else { kind };
        set_kind(&mut features, kind, question);
        features
    });
    features.collect()
}

/// The file of each unit.
fn files_of(documents: &[Document<'_>]) -> Vec<usize> {
    let files = documents.iter().enumerate();
    files.flat_map(|(n, document)| std::iter::repeat_n(n, document.units.len())).collect()
}

/// The score of the best unit of each of `n_files` files.
fn best_of_files(n_files: usize, file_of: &[usize], scores: &[f64]) -> Vec<f64> {
    let mut best_of_file = vec![0.0_f64; n_files];
    for (&file, &score) in file_of.iter().zip(scores) {
        best_of_file.change(file, |best| *best = best.max(score));
    }
    best_of_file
}

/// Whether a unit of source code is a test or is among tests.
fn is_test(unit: &DocumentUnit<'_>) -> bool {
    let test = |name: &str| names_test(&name.to_ascii_lowercase()) || name.starts_with("Test");
    test(unit.name) || unit.holders.split_whitespace().any(test)
}

/// For each unit, the certainty that the query refers to it by name, divided among the units with that name.
fn said(question: &Question, documents: &[Document<'_>]) -> Vec<f64> {
    let mut bearers: HashMap<&str, f64> =
        question.identifiers().map(|identifier| (identifier, 0.0)).collect();
    let units = || documents.iter().flat_map(|document| &document.units);
    units().for_each(|unit| bearers.get_mut(unit.name).into_iter().for_each(|bearers| *bearers += 1.0));
    units().map(|unit| bearers.get(unit.name).map_or(0.0, |bearers| 1.0 / bearers)).collect()
}

/// For each unit, the highest score of a caller or half that of a callee, by their own words; and the number of its
/// callers, weighted by certainty.
fn spread(calls: &[Call], base: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut spread, mut called) = (vec![0.0_f64; base.len()], vec![0.0_f64; base.len()]);
    let mut raise = |n: usize, to: f64| spread.change(n, |value| *value = value.max(to));
    for &Call { caller, callee, certainty } in calls {
        raise(callee, certainty * base.at(caller));
        raise(caller, 0.5 * certainty * base.at(callee));
        called.change(callee, |called| *called += certainty);
    }
    (spread, called)
}

/// The values as shares of the highest.
fn shares(mut values: Vec<f64>) -> Vec<f64> {
    let best = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    values.iter_mut().for_each(|value| *value /= best);
    values
}

/// The number of times that each term of a query occurs in a text, and the number of all its terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of terms in the text.
    pub(crate) length: u32,
    /// The terms of the query that occur, and the number of times each does.
    pub(crate) terms: Vec<(u32, u32)>,
}

impl Counts {
    /// Adds the counts of another text, as if it occurred `times` times.
    pub(crate) fn add(&mut self, other: &Self, times: u32) {
        self.length = self.length.saturating_add(other.length.saturating_mul(times));
        for &(term, count) in &other.terms {
            let count = count.saturating_mul(times);
            match self.terms.iter_mut().find(|(known, _)| *known == term) {
                Some((_, known)) => *known = known.saturating_add(count),
                None => self.terms.push((term, count)),
            }
        }
    }
}

/// Reads texts one at a time.
pub(crate) struct TextReader {
    lexicon: Lexicon,
    read: Vec<Term>,
    counts: Vec<u32>,
}

impl TextReader {
    pub(crate) fn new(question: &Question) -> Self {
        Self { lexicon: question.lexicon(), read: Vec::new(), counts: vec![0; question.len()] }
    }

    /// Counts the terms of `text`. Linear in its length.
    pub(crate) fn counts(&mut self, text: &str) -> Counts {
        self.read.clear();
        self.lexicon.read(text, &mut self.read);
        let mut found =
            Counts { length: u32::try_from(self.read.len()).unwrap_or(u32::MAX), terms: Vec::new() };
        for &term in &self.read {
            if let Some(count) = self.counts.get_mut(term as usize) {
                if *count == 0 {
                    found.terms.push((term, 0));
                }
                *count += 1;
            }
        }
        for (term, count) in &mut found.terms {
            *count = self.counts.get_mut(*term as usize).map_or(0, std::mem::take);
        }
        found
    }
}
