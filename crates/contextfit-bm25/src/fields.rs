//! BM25 over the fields of a request: sentences with their headings, and passages.

use contextfit_kernel::Values;
use contextfit_text::{Bm25, Query, Term, float, inverse_document_frequency};

use crate::{SentenceOptions, corpus::Corpus, explanation::Explanation, options::weight};

/// A number in the query that occurs in at most this many sentences is treated as a name of their subject.
const MAX_SENTENCES_OF_NUMBER: usize = 3;

/// The statistics of a request's terms, and the scoring of sentences and passages by them.
///
/// The inverse document frequency of a term is computed over the sentences of the whole request, so that scores are
/// comparable between blocks. Its square root is taken, because retrieved text has the words of the query more often
/// than other text, and the rarest word would decide alone. Rare numbers are an exception: in `exit code 28`, all units
/// are about exit codes, and only one is about 28.
pub(crate) struct Fields<'r> {
    pub(crate) corpus: &'r Corpus,
    pub(crate) query: &'r Query,
    pub(crate) options: &'r SentenceOptions,
    bm25: Bm25,
    heading: f64,
    sentences: Statistics,
    passages: Statistics,
}

/// The weights of the query's terms and the average length for one kind of text.
struct Statistics {
    idf: Vec<f64>,
    average: f64,
}

impl Statistics {
    fn new(having: &[usize], all: usize, length: f64) -> Self {
        let idf = having.iter().map(|&n| inverse_document_frequency(n, all)).collect();
        Self { idf, average: (length / float(all.max(1))).max(1.0) }
    }
}

/// The number of occurrences of each term of the query in the current text.
struct Counts {
    counts: Vec<f64>,
    places: Vec<usize>,
}

impl Counts {
    fn new(query: &Query) -> Self {
        Self { counts: vec![0.0; query.len()], places: Vec::new() }
    }

    fn add(&mut self, place: usize, by: f64) {
        let Some(count) = self.counts.get_mut(place).filter(|_| by > 0.0) else { return };
        if *count == 0.0 {
            self.places.push(place);
        }
        *count += by;
    }

    /// Adds `by` for each of `terms` that is in `query`.
    fn add_all(&mut self, query: &Query, terms: &[Term], by: f64) {
        terms.iter().filter_map(|&term| query.place(term)).for_each(|place| self.add(place, by));
    }

    fn count(&self, place: usize) -> f64 {
        self.counts.at(place)
    }

    /// Clears all counts, in time proportional to the number of counted terms.
    fn clear(&mut self) {
        for place in self.places.drain(..) {
            self.counts.set(place, 0.0);
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, f64)> {
        self.places.iter().map(|&place| (place, self.count(place)))
    }
}

/// The scores of all sentences and passages by their words.
pub(crate) struct FieldScores {
    /// The BM25 score of each sentence, including the heading of its block.
    pub(crate) sentences: Vec<f64>,
    /// The total weight of the query's word pairs that are adjacent in each sentence too.
    pub(crate) phrases: Vec<f64>,
    /// The BM25 score of each passage, including its headings and the heading of its block.
    pub(crate) passages: Vec<f64>,
}

impl<'r> Fields<'r> {
    /// Counts the sentences and passages in which each term of `query` occurs. Linear in the length of the request.
    pub(crate) fn new(corpus: &'r Corpus, query: &'r Query, options: &'r SentenceOptions) -> Self {
        let heading = weight(options.heading);
        let (mut sentences, mut passages) = (vec![0_usize; query.len()], vec![0_usize; query.len()]);
        let (mut length, mut counts, mut in_passage) = (0.0, Counts::new(query), Counts::new(query));
        let mut in_heading = Counts::new(query);
        for passage in corpus.passages() {
            let n = passage.sentences.len();
            for &term in passage.of_block() {
                let Some(place) = query.place(term).filter(|_| heading > 0.0) else { continue };
                if in_heading.count(place) == 0.0 {
                    sentences.change(place, |having| *having += n);
                }
                in_heading.add(place, 1.0);
            }
            in_passage.add_all(query, passage.heading(), heading);
            for sentence in passage.sentences.clone() {
                for place in corpus.sentence(sentence).iter().filter_map(|&term| query.place(term)) {
                    if counts.count(place) == 0.0 && in_heading.count(place) == 0.0 {
                        sentences.change(place, |having| *having += 1);
                    }
                    counts.add(place, 1.0);
                    in_passage.add(place, 1.0);
                }
                counts.clear();
            }
            in_heading.clear();
            for &place in &in_passage.places {
                passages.change(place, |having| *having += 1);
            }
            in_passage.clear();
            length += heading * float(passage.of_block().len() * n);
        }
        let headings: f64 =
            corpus.passages().iter().map(|passage| heading * float(passage.heading().len())).sum();
        let words = float(corpus.terms().len());
        let mut by_sentence = Statistics::new(&sentences, corpus.len(), words + length);
        by_sentence.idf.iter_mut().enumerate().zip(&sentences).for_each(|((place, idf), having)| {
            let is_label = *having <= MAX_SENTENCES_OF_NUMBER
                && query.name(place).bytes().all(|byte| byte.is_ascii_digit());
            *idf = if is_label { *idf } else { idf.sqrt() } * query.weight(place);
        });
        let mut by_passage = Statistics::new(&passages, corpus.passages().len(), words + headings);
        by_passage.idf.iter_mut().enumerate().for_each(|(place, idf)| *idf *= query.weight(place));
        let bm25 = Bm25::new(options.k1, options.b);
        Self { corpus, query, options, bm25, heading, sentences: by_sentence, passages: by_passage }
    }

    /// The score of a passage that all terms of the query contribute together.
    pub(crate) fn whole_query(&self) -> f64 {
        self.passages.idf.iter().sum()
    }

    /// The weight of the term at `place` in the query, for sentences.
    pub(crate) fn idf(&self, place: usize) -> f64 {
        self.sentences.idf.at(place)
    }

    /// Scores every sentence and passage. Linear in the length of the request.
    pub(crate) fn scores(&self) -> FieldScores {
        let (corpus, query) = (self.corpus, self.query);
        let mut scores = FieldScores {
            sentences: Vec::with_capacity(corpus.len()),
            phrases: Vec::with_capacity(corpus.len()),
            passages: Vec::with_capacity(corpus.passages().len()),
        };
        let (mut counts, mut in_passage) = (Counts::new(query), Counts::new(query));
        for passage in corpus.passages() {
            let (of_block, heading) = (passage.of_block(), passage.heading());
            let head = self.heading * float(of_block.len());
            let mut words = self.heading * float(heading.len());
            in_passage.add_all(query, heading, self.heading);
            for sentence in passage.sentences.clone() {
                let terms = corpus.sentence(sentence);
                let mut phrase = 0.0;
                let mut before = None;
                for &term in terms {
                    let place = query.place(term);
                    if let Some(place) = place {
                        counts.add(place, 1.0);
                        in_passage.add(place, 1.0);
                        if before.is_some_and(|before: usize| before + 1 == place) {
                            phrase += self.idf(place - 1).min(self.idf(place));
                        }
                    }
                    before = place;
                }
                counts.add_all(query, of_block, self.heading);
                let length = float(terms.len()) + head;
                scores.sentences.push(self.score(&counts, length, &self.sentences));
                scores.phrases.push(phrase);
                words += float(terms.len());
                counts.clear();
            }
            scores.passages.push(self.score(&in_passage, words, &self.passages));
            in_passage.clear();
        }
        scores
    }

    /// The score of a text of `length` with these `counts` of terms.
    fn score(&self, counts: &Counts, length: f64, over: &Statistics) -> f64 {
        let length = length / over.average;
        let term = |(place, count): (usize, f64)| {
            over.idf.get(place).unwrap_or(&0.0) * self.bm25.saturated(count, length)
        };
        counts.iter().map(term).sum()
    }

    /// Explains the score of sentence `n`, term by term.
    pub(crate) fn explain(&self, n: usize) -> Explanation {
        let heading = self.corpus.passage_of(n).map_or(&[][..], |(_, passage)| passage.of_block());
        let terms = self.corpus.sentence(n);
        let mut counts = Counts::new(self.query);
        counts.add_all(self.query, terms, 1.0);
        counts.add_all(self.query, heading, self.heading);
        let length = (float(terms.len()) + self.heading * float(heading.len())) / self.sentences.average;
        let part = |(place, count): (usize, f64)| {
            let (name, idf) = (self.query.name(place), self.idf(place));
            let times = if (count - 1.0).abs() < f64::EPSILON { "time" } else { "times" };
            let name = format!("{name}: {count} {times}, weight {idf:.3}, length {length:.2} of the average");
            Explanation::leaf(name, idf * self.bm25.saturated(count, length))
        };
        Explanation::sum("the sentence's words and its heading's", counts.iter().map(part).collect())
    }
}
