//! The relevance of each sentence of a request to its query.

use contextfit_kernel::{Block, Measured, MeasuredBlock, Scorer, Values};
use contextfit_text::{
    Analyzer, Lexicon, NaturalLanguage, Needs, Query, Term, analyzer_for, float, inverse_document_frequency,
    scaled,
};

use crate::{
    SentenceOptions,
    corpus::{Corpus, sample},
    explanation::Explanation,
    fields::{FieldScores, Fields},
    fusion::{EmbeddingScores, Fusion},
    mentions::{mentioned, sharing_names, strongest},
    names::{Names, named_in},
    options::weight,
};

/// The gain of a passage whose title is in the query, as a share of the score of the whole query.
const NAMED_TITLE_GAIN: f64 = 0.1;

/// The weight of a term that was taken from the best sentences, relative to the query's own terms.
const FEEDBACK: f64 = 0.3;

/// The sentences of a request and their scores.
pub(crate) struct Relevance {
    pub(crate) corpus: Corpus,
    /// The score of each sentence, never negative.
    pub(crate) scores: Vec<f64>,
    /// Whether any sentence is related to the query.
    pub(crate) matched: bool,
}

/// The parts of the sentences' scores, for explanations.
struct Parts {
    by_fields: FieldScores,
    /// What other sentences and the retriever add to the score of each sentence.
    gains: [(&'static str, Vec<f64>); 3],
}

/// Scores the sentences of a request, and explains the lexical scores of those in `asked` (pairs of a block and a unit);
/// `None` for units that do not exist. Names are followed by the combined scores of words and `scorer`. Linear in the
/// length of the request.
pub(crate) fn score(
    input: &Measured<'_>,
    needs: &[Needs],
    options: &SentenceOptions,
    scorer: Option<(&dyn Scorer, Fusion)>,
    asked: &[(usize, usize)],
) -> (Relevance, Vec<Option<Explanation>>) {
    let text = input.context.query.as_deref().unwrap_or_default();
    let analyzer = match options.natural_language(sample(input)) {
        Some(natural_language) => analyzer_for(text, natural_language),
        None => Analyzer::new(None),
    };
    let mut lexicon = Lexicon::new(analyzer);
    let corpus = Corpus::read(&input.blocks, needs, &mut lexicon);
    let names = Names::read(&input.blocks, &mut lexicon);
    let query = query(text, &corpus, &mut lexicon, options);
    let fields = Fields::new(&corpus, &query, options);
    let mut by_fields = fields.scores();
    let named = named_in(text, &input.blocks);
    for (score, passage) in by_fields.passages.iter_mut().zip(corpus.passages()) {
        let is_named = named.at(passage.block);
        *score += if is_named { NAMED_TITLE_GAIN * fields.whole_query() } else { 0.0 };
    }
    let sum = |n| by_words(&fields, &by_fields, n).iter().map(|(_, part)| part).sum();
    let mut scores: Vec<f64> = (0..corpus.len()).map(sum).collect();
    // Fusion scales equal scores to 0, so check before it.
    let found_by_words = scores.iter().any(|score| *score > 0.0);
    if let (Some((scorer, fusion)), false) = (scorer, text.is_empty()) {
        fusion.fuse(&mut scores, &similarities(input, &corpus, text, scorer), &corpus);
    }
    let add = |scores: &mut [f64], gains: &[f64]| {
        scores.iter_mut().zip(gains).for_each(|(score, gain)| *score += gain);
    };
    let mentioned = mentioned(&fields, &names, &scores);
    add(&mut scores, &mentioned);
    let sharing = sharing_names(input, &fields, &lexicon, &scores);
    add(&mut scores, &sharing);
    let retrieval = retrieved(input, &fields, &scores);
    add(&mut scores, &retrieval);
    let gains = [
        ("named by a strong sentence", mentioned),
        ("shares a rare name", sharing),
        ("the retriever's score", retrieval),
    ];
    let parts = Parts { by_fields, gains };
    let why = asked.iter().map(|&asked| why(&fields, &parts, asked)).collect();
    let matched = found_by_words || scores.iter().any(|score| *score > 0.0);
    (Relevance { corpus, scores, matched }, why)
}

/// The needs of the units of each block. Units of code and data have none.
pub(crate) fn needs(input: &Measured<'_>, options: &SentenceOptions) -> Vec<Needs> {
    let natural_language = options.natural_language(sample(input)).unwrap_or(NaturalLanguage::English);
    input.blocks.iter().map(|block| Needs::of_measured(block, natural_language)).collect()
}

/// The terms of the query and, if the options request feedback, terms of the best sentences.
fn query(text: &str, corpus: &Corpus, lexicon: &mut Lexicon, options: &SentenceOptions) -> Query {
    let query = Query::new(text, lexicon, corpus.occurring());
    if options.feedback == 0 {
        return query;
    }
    let terms = feedback(&Fields::new(corpus, &query, options), lexicon);
    query.with_feedback(&terms, FEEDBACK, lexicon)
}

/// Explains the lexical score of a sentence, given as a block and a unit of it.
fn why(fields: &Fields<'_>, parts: &Parts, (block, unit): (usize, usize)) -> Option<Explanation> {
    let sentence = fields.corpus.sentences(block).nth(unit)?;
    let mut words = fields.explain(sentence);
    if fields.corpus.sentence(sentence).is_empty() {
        (words.value, words.parts) = (0.0, Vec::new());
    }
    let mut tree = vec![words];
    let lexical = by_words(fields, &parts.by_fields, sentence);
    tree.extend(lexical.into_iter().skip(1).map(|(name, value)| Explanation::leaf(name, value)));
    tree.extend(parts.gains.iter().map(|(name, gains)| Explanation::leaf(*name, gains.at(sentence))));
    Some(Explanation::sum("relevance", tree))
}

/// The parts of a sentence's score that come from words of the query in it and around it.
fn by_words(fields: &Fields<'_>, scores: &FieldScores, sentence: usize) -> [(&'static str, f64); 5] {
    let (corpus, options) = (fields.corpus, fields.options);
    // A sentence without words, such as a horizontal rule, is shown only with others.
    let says = if corpus.sentence(sentence).is_empty() { 0.0 } else { 1.0 };
    let of = |scores: &[f64], n: usize| says * scores.at(n);
    let found = corpus.passage_of(sentence);
    let (number, first, all) = found
        .map_or((usize::MAX, 0, 0..0), |(number, passage)| (number, passage.text, passage.sentences.clone()));
    let passage = of(&scores.passages, number);
    let beside = [sentence.wrapping_sub(1), sentence + 1].into_iter().filter(|n| all.contains(n));
    let neighbour = beside.map(|n| of(&scores.sentences, n)).fold(0.0, f64::max);
    let lead = if sentence == first { passage } else { 0.0 };
    [
        ("its words", of(&scores.sentences, sentence)),
        ("phrases", weight(options.phrase) * of(&scores.phrases, sentence)),
        ("the passage", weight(options.passage) * passage),
        ("the better neighbour", weight(options.neighbour) * neighbour),
        ("first of its passage", weight(options.lead) * lead),
    ]
}

/// For each sentence, the retriever's score, scaled to the highest of `scores`. In the block that the retriever ranks
/// first, the best sentence is raised to the highest score, unless it is too weak to be kept on its own.
fn retrieved(input: &Measured<'_>, fields: &Fields<'_>, scores: &[f64]) -> Vec<f64> {
    let (corpus, options) = (fields.corpus, fields.options);
    let best = scores.iter().copied().fold(0.0, f64::max);
    let share = weight(options.retrieval) * best;
    let least = weight(options.min_relevance).min(1.0) * best;
    let of = |block: &Block| block.as_passage().and_then(|passage| passage.score).unwrap_or(f64::NAN);
    let ranked = scaled(&input.context.blocks.iter().map(of).collect::<Vec<f64>>());
    let of_sentences = |(block, gain)| corpus.sentences(block).map(move |_| share * gain);
    let mut gains: Vec<f64> = ranked.iter().copied().enumerate().flat_map(of_sentences).collect();
    let first = ranked.iter().position(|rank| *rank >= 1.0).filter(|_| share > 0.0);
    let score = |n: &usize| scores.at(*n);
    let sentence = first.and_then(|block| {
        let sentences = corpus.sentences(block).rev().filter(|n| score(n) >= least);
        sentences.max_by(|a, b| score(a).total_cmp(&score(b)))
    });
    if let Some((n, gain)) = sentence.and_then(|n| Some((n, gains.get_mut(n)?))) {
        *gain = gain.max(best + share - score(&n));
    }
    gains
}

/// The terms with the highest weights in the best sentences that are not in the query, as many as the options request
/// (Rocchio feedback as in relevance models: Lavrenko and Croft 2001).
fn feedback(fields: &Fields<'_>, lexicon: &Lexicon) -> Vec<Term> {
    let corpus = fields.corpus;
    let best = strongest(&fields.scores().sentences);
    let mut having = vec![0_usize; lexicon.len()];
    for sentence in 0..corpus.len() {
        for &term in corpus.sentence(sentence) {
            having.change(term as usize, |having| *having += 1);
        }
    }
    let mut weights = vec![0.0_f64; lexicon.len()];
    for &sentence in &best {
        for &term in corpus.sentence(sentence).iter().filter(|&&term| fields.query.place(term).is_none()) {
            let idf = inverse_document_frequency(having.at(term as usize), corpus.len());
            weights.change(term as usize, |found| *found += idf / float(best.len()));
        }
    }
    let names = lexicon.texts().zip(0..);
    let weight = |term: Term| weights.at(term as usize);
    let mut terms: Vec<(&str, Term)> = names.filter(|(_, term)| weight(*term) > 0.0).collect();
    terms.sort_by(|(a, left), (b, right)| weight(*right).total_cmp(&weight(*left)).then(a.cmp(b)));
    terms.into_iter().map(|(_, term)| term).take(fields.options.feedback).collect()
}

/// The similarity of each sentence and each block to `query` according to `scorer`.
fn similarities(input: &Measured<'_>, corpus: &Corpus, query: &str, scorer: &dyn Scorer) -> EmbeddingScores {
    let texts = texts_to_embed(input);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut sentences = scorer.score(query, &texts);
    sentences.resize(corpus.len() + corpus.n_blocks(), 0.0);
    let passages = sentences.split_off(corpus.len());
    EmbeddingScores { sentences, passages }
}

/// The texts to embed: each sentence, then each whole block, all preceded by their titles.
pub(crate) fn texts_to_embed(input: &Measured<'_>) -> Vec<String> {
    let titled = |measured: &MeasuredBlock<'_>, text: &str| {
        let title =
            measured.block().as_passage().and_then(|passage| passage.title.as_deref()).unwrap_or_default();
        if title.is_empty() { text.trim().to_owned() } else { format!("{title} {}", text.trim()) }
    };
    let sentences = input.blocks.iter().flat_map(|measured| {
        (0..measured.units().len()).map(move |unit| titled(measured, measured.text(unit, unit + 1)))
    });
    let passages = input.blocks.iter().map(|measured| titled(measured, &measured.block().text));
    sentences.chain(passages).collect()
}
