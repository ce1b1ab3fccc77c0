//! The ranking of a repository.

use std::collections::HashSet;

use contextfit_kernel::{ByteRange, Scorer, Values};
use contextfit_text::scaled;

use super::{
    calls::{Bearers, Call, calls},
    document::Document,
    features::{FEATURES, Features, IN_PATH, MEANING, ReadFile, ReadUnit, of_files, of_units, scores, sum},
    kind::FileKind,
    meaning::nearest_windows,
    question::Question,
    weights::WEIGHTS,
};
use crate::ranking::features::{Counts, TextReader};

/// Ranks files, and the units of files, by relevance to a query, or without a query by the number of their callers.
///
/// The score of a unit is a sum of its [features](FEATURES), weighted as described in `docs/ranking.md`: words in its
/// body, name, holders, comment, path and file (BM25), its callers, and the kind of its file. A kind has less influence
/// if the query asks for it. Linear in the length of the texts.
#[derive(Debug, Clone)]
pub struct Ranker {
    question: Question,
}

/// The data that a [`Ranker`] has read from one file.
#[derive(Debug, Clone)]
pub struct Surveyed(ReadFile);

/// The score of a unit, with its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The logarithm of the probability that it is the unit the query asks for, up to a constant.
    pub score: f64,
    /// Whether a word of the query occurs in any of the units that are ranked together. If none does, they are scored
    /// as without a query.
    pub is_asked: bool,
    features: Features,
    weights: &'static Features,
    change: Option<Change>,
}

/// What a unit has to do with the lines that changed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    /// It has some of them.
    Changed,
    /// It names a unit that has some, with this certainty.
    Caller(f64),
}

impl Change {
    /// The name of its part of a score, and that part: what changed comes before its callers, and they before everything
    /// else, whatever the query.
    fn part(self) -> (&'static str, f64) {
        match self {
            Self::Changed => ("changed", 2000.0),
            Self::Caller(certainty) => ("calls what changed", 1000.0 * (0.5 + 0.5 * certainty)),
        }
    }
}

impl Ranked {
    /// The features by name, each with its value: the input for fitting weights.
    pub fn features(&self) -> impl Iterator<Item = (&'static str, f64)> {
        FEATURES.into_iter().zip(self.features)
    }

    /// The contribution of each feature to the score.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let weighted =
            self.features().zip(self.weights).map(|((name, value), weight)| (name, value * weight));
        weighted.chain(self.change.map(Change::part))
    }
}

impl Ranker {
    /// A ranking by `query`; an empty one means that there is no query.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self { question: Question::new(query) }
    }

    /// Reads the file at `path` without keeping its text. Linear in its length.
    #[must_use]
    pub fn survey(&self, path: &str, text: &str) -> Surveyed {
        let mut reader = TextReader::new(&self.question);
        let mut all = reader.counts(text);
        let path_counts = reader.counts(path);
        all.add(&path_counts, IN_PATH);
        Surveyed(ReadFile { path: path_counts, all, kind: FileKind::of(path, text) })
    }

    /// The score of each file, as far as it can be determined without its units. Linear in the number of files.
    #[must_use]
    pub fn rank_files<'s>(&self, files: impl IntoIterator<Item = &'s Surveyed>) -> Vec<f64> {
        let read: Vec<&ReadFile> = files.into_iter().map(|file| &file.0).collect();
        let weights = self.weights();
        of_files(&self.question, &read).iter().map(|features| sum(features, weights)).collect()
    }

    /// The BM25 score of each text among only these. Linear in their length.
    pub(crate) fn among_themselves(&self, texts: &[&str]) -> Vec<f64> {
        let mut reader = TextReader::new(&self.question);
        let counts: Vec<Counts> = texts.iter().map(|text| reader.counts(text)).collect();
        scores(&self.question, &counts)
    }

    const fn weights(&self) -> &'static Features {
        if self.question.len() == 0 { &UNASKED } else { &WEIGHTS }
    }

    /// The score of each unit of each document, in which the nearness by `scorer` counts if there is one. Linear in the
    /// length of the texts.
    #[must_use]
    pub fn rank(&self, documents: &[Document<'_>], scorer: Option<&dyn Scorer>) -> Vec<Vec<Ranked>> {
        let bearers = Bearers::new(documents);
        let mut first = 0;
        let numbered = documents.iter().map(|document| {
            let at = first;
            first += document.units.len();
            (at, document)
        });
        let numbered: Vec<(usize, &Document<'_>)> = numbered.collect();
        let read = read_all(&self.question, &numbered, &bearers);
        let (mut files, mut units, mut found) = (Vec::new(), Vec::new(), Vec::new());
        for (file, of_file, calls) in read {
            files.push(file);
            units.extend(of_file);
            found.extend(calls);
        }
        let mut features = of_units(&self.question, documents, &files, &units, &found);
        // If no word of the query occurs, the query cannot rank the units.
        let matched = features.iter().any(|features| features.iter().take(MATCHES).any(|value| *value > 0.0));
        let weights = if matched { self.weights() } else { &UNASKED };
        let by_retriever = retrieved(documents);
        if let Some(scorer) = scorer.filter(|_| matched) {
            let by_words = features.iter().map(|features| sum(features, weights)).collect::<Vec<_>>();
            let near = nearest_windows(self.question.text(), documents, &by_words, scorer);
            features.iter_mut().zip(near).for_each(|(features, near)| features.set(MEANING, near));
        }
        let mut changes = changes(documents, &found).into_iter();
        let mut features = features.into_iter();
        let ranked = documents.iter().zip(by_retriever).map(|(document, retrieved)| {
            let of_document = features.by_ref().take(document.units.len());
            let rank = |(features, change): (Features, Option<Change>)| Ranked {
                score: sum(&features, weights)
                    + SCORE * retrieved
                    + change.map_or(0.0, |change| change.part().1),
                is_asked: matched,
                features,
                weights,
                change,
            };
            of_document.zip(changes.by_ref()).map(rank).collect()
        });
        ranked.collect()
    }
}

/// The weights without a query: callers, and kinds of files. Chosen by hand.
const UNASKED: Features = [
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.5, -2.0, 1.0, 0.0, -3.0, -3.0, -2.0, -4.0, -3.0,
    -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
];

/// The number of features, the first ones, that are zero if no word of the query occurs.
const MATCHES: usize = 8;

/// The difference that a retriever's highest score makes, compared with its lowest.
const SCORE: f64 = 1.0;

/// What each unit has to do with the lines that changed.
fn changes(documents: &[Document<'_>], calls: &[Call]) -> Vec<Option<Change>> {
    let units = || {
        let files = documents.iter().enumerate();
        files.flat_map(|(file, document)| document.units.iter().map(move |unit| (file, unit)))
    };
    let mut changes: Vec<_> = units().map(|(_, unit)| unit.is_changed.then_some(Change::Changed)).collect();
    if !changes.contains(&Some(Change::Changed)) {
        return changes;
    }
    let of_units: Vec<(usize, &str)> = units().map(|(file, unit)| (file, unit.name)).collect();
    let defined: HashSet<(usize, &str)> = of_units.iter().copied().collect();
    for call in calls {
        if changes.get(call.callee) != Some(&Some(Change::Changed)) {
            continue;
        }
        let (Some(&(file, _)), Some(&callee)) = (of_units.get(call.caller), of_units.get(call.callee)) else {
            continue;
        };
        // A name that the file of the caller defines too is usually that one.
        let is_other = file != callee.0 && call.certainty < 1.0 && defined.contains(&(file, callee.1));
        if let Some(change) = changes.get_mut(call.caller).filter(|_| !is_other) {
            *change = match *change {
                Some(Change::Caller(certainty)) => Some(Change::Caller(certainty.max(call.certainty))),
                None => Some(Change::Caller(call.certainty)),
                changed => changed,
            };
        }
    }
    changes
}

/// The data read from one document.
type Read = (ReadFile, Vec<ReadUnit>, Vec<Call>);

fn read_document(question: &Question, first: usize, document: &Document<'_>, bearers: &Bearers<'_>) -> Read {
    let mut reader = TextReader::new(question);
    let text = |range: ByteRange| range.of(document.text).unwrap_or_default();
    let path = reader.counts(document.path);
    let mut all = Counts::default();
    all.add(&path, IN_PATH);
    let (mut units, mut found) = (Vec::with_capacity(document.units.len()), Vec::new());
    for (n, unit) in document.units.iter().enumerate() {
        let read = ReadUnit {
            name: reader.counts(unit.name),
            holders: reader.counts(&unit.holders),
            body: reader.counts(text(unit.range)),
        };
        all.add(&read.body, 1);
        units.push(read);
        found.extend(calls(first + n, text(unit.range), bearers));
    }
    (ReadFile { path, all, kind: FileKind::of(document.path, document.text) }, units, found)
}

/// Reads all documents, in order.
#[cfg(not(feature = "parallel"))]
fn read_all(question: &Question, documents: &[(usize, &Document<'_>)], bearers: &Bearers<'_>) -> Vec<Read> {
    documents.iter().map(|(first, document)| read_document(question, *first, document, bearers)).collect()
}

/// Reads all documents, in order, on all cores.
#[cfg(feature = "parallel")]
fn read_all(question: &Question, documents: &[(usize, &Document<'_>)], bearers: &Bearers<'_>) -> Vec<Read> {
    use rayon::prelude::*;

    documents.par_iter().map(|(first, document)| read_document(question, *first, document, bearers)).collect()
}

/// The retriever's score of each document, scaled so that the highest is 1 and the lowest, or a missing one, is 0.
fn retrieved(documents: &[Document<'_>]) -> Vec<f64> {
    let score = |document: &Document<'_>| document.score.unwrap_or(f64::NAN);
    scaled(&documents.iter().map(score).collect::<Vec<f64>>())
}
