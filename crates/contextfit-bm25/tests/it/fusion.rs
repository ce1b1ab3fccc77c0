//! Embedding scores: computed in advance, looked up while planning.

use std::{
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Poll, Waker},
};

use async_trait::async_trait;
use contextfit_bm25::{Fusion, SentenceOptions, SentenceSelection, Similarity};
use contextfit_kernel::{Context, EmbeddingProvider, ProviderError, Reason, Scorer};
use contextfit_pipeline::measure;
use contextfit_text::CharsPer;
use proptest::prelude::*;

use crate::requests::{chunk, fit_with, titled};

/// Runs an embedding that never waits.
#[track_caller]
fn at_once<T>(embedding: impl Future<Output = T>) -> T {
    match pin!(embedding).poll(&mut std::task::Context::from_waker(Waker::noop())) {
        Poll::Ready(embedded) => embedded,
        Poll::Pending => panic!("a fake has nothing to wait for"),
    }
}

/// A model that knows a few words with a few meanings, one dimension per meaning.
struct Meanings;

const MEANINGS: [&[&str]; 3] =
    [&["bridge", "viaduct", "crossing"], &["old", "ancient", "aged"], &["river", "stream", "brook"]];

#[async_trait]
impl EmbeddingProvider for Meanings {
    fn model(&self) -> &str {
        "meanings"
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let vector = |text: &&str| {
            let holds = |words: &[&str]| words.iter().any(|word| text.to_lowercase().contains(word));
            MEANINGS.iter().map(|words| if holds(words) { 1.0 } else { 0.0 }).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

/// A model that always answers with these vectors.
struct Fixed(Vec<Vec<f32>>);

#[async_trait]
impl EmbeddingProvider for Fixed {
    fn model(&self) -> &str {
        "fixed"
    }

    async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        Ok(self.0.clone())
    }
}

/// A model that cannot be reached.
struct Unreachable;

#[async_trait]
impl EmbeddingProvider for Unreachable {
    fn model(&self) -> &str {
        "unreachable"
    }

    async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        Err(ProviderError::new(self.model(), true, "no route"))
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn cosines_of_one_query() {
    let known = texts(&["The ancient crossing.", "A brook.", "Nothing."]);
    let similarity = at_once(Similarity::embed(&Meanings, "old bridge", &known)).unwrap();
    let scores =
        similarity.score("old bridge", &["The ancient crossing.", "A brook.", "Nothing.", "An old bridge."]);
    assert!((scores[0] - 1.0).abs() < 1e-9, "{scores:?}");
    assert_eq!(scores[1..], [0.0, 0.0, 0.0], "another meaning, none, and not embedded");
    assert_eq!(similarity.score("bridge", &["The ancient crossing."]), [0.0], "another query");
    assert!(similarity.score("old bridge", &[]).is_empty());
}

#[test]
fn another_number_of_vectors() {
    let vectors = |n: usize| Fixed(vec![vec![1.0, 0.0]; n]);
    for n in [0, 1, 2, 4, 5] {
        let error = at_once(Similarity::embed(&vectors(n), "q", &texts(&["a", "b"]))).err();
        if n == 3 {
            assert!(error.is_none());
            continue;
        }
        let error = error.unwrap();
        assert_eq!((error.model.as_str(), error.retryable), ("fixed", false));
        assert_eq!(error.to_string(), format!("model fixed failed: {n} vectors for 3 texts"));
    }
    assert!(at_once(Similarity::embed(&vectors(3), "q", &texts(&["a", "b"]))).is_ok());
    assert!(at_once(Similarity::embed(&vectors(1), "q", &[])).is_ok());
}

#[test]
fn what_the_provider_says() {
    let error = at_once(Similarity::embed(&Unreachable, "q", &texts(&["a"]))).unwrap_err();
    assert!(error.retryable);
    assert_eq!(error.to_string(), "model unreachable failed: no route");
}

#[test]
fn vectors_of_any_kind_give_scores() {
    let of = |asked: &[f32], other: &[f32]| {
        let model = Fixed(vec![asked.to_vec(), other.to_vec()]);
        at_once(Similarity::embed(&model, "q", &texts(&["a"]))).unwrap().score("q", &["a"])[0]
    };
    // A scorer must return finite, non-negative scores.
    assert_eq!(of(&[1.0, 0.0], &[-1.0, 0.0]), 0.0, "the opposite");
    assert_eq!(of(&[0.0, 0.0], &[1.0, 0.0]), 0.0, "no length");
    assert_eq!(of(&[], &[]), 0.0);
    assert_eq!(of(&[f32::NAN, 1.0], &[1.0, 1.0]), 0.0);
    assert_eq!(of(&[f32::INFINITY, 1.0], &[1.0, 1.0]), 0.0);
    assert!((of(&[f32::MAX, f32::MAX], &[f32::MAX, f32::MAX]) - 1.0).abs() < 1e-9);
}

/// Three chunks, two of them about the same subject in different words, and a query.
fn context() -> Context {
    Context::new(vec![
        chunk(
            "words",
            "Gulls cry over roofs. The bridge was painted. Rain fell all week. Nobody came along.",
        ),
        chunk(
            "meaning",
            "Lamps burn late there. The ancient crossing fell. Trains run late then. Doors stay shut.",
        ),
        chunk("neither", "Bells ring twice. Snow lies deep. Sheep graze there. The mill stood still."),
    ])
    .with_query("old bridge")
}

/// The result for `context` in `budget` characters when `fusion` combines words and embeddings.
#[track_caller]
fn fused(context: &Context, fusion: Fusion, budget: usize) -> contextfit_kernel::CompressionResult {
    let counter = CharsPer::new(1).unwrap();
    let known = SentenceSelection::texts(&measure(context, &counter));
    let query = context.query.as_deref().unwrap();
    let similarity = at_once(Similarity::embed(&Meanings, query, &known)).unwrap();
    // By the sentences' own words, to isolate the effect of the embeddings.
    let options = SentenceOptions::default().with_passage(0.0).with_neighbour(0.0).with_lead(0.0);
    fit_with(SentenceSelection::new(options).with_scorer(Arc::new(similarity), fusion), context, budget)
}

#[test]
fn what_the_words_do_not_say() {
    let weighted = |sentence| Fusion { sentence, passage: 0.0 };
    let words = fused(&context(), weighted(0.0), 110).text;
    assert!(words.contains("The bridge was painted."), "{words}");
    let little = fused(&context(), weighted(0.5), 110).text;
    assert!(little.contains("The bridge was painted."), "words come first: {little}");
    let much = fused(&context(), weighted(5.0), 110).text;
    assert!(much.contains("The ancient crossing fell."), "{much}");
    assert!(!much.contains("bridge"), "{much}");
    // There is room for both, and for nothing of the third.
    let both = fused(&context(), weighted(0.5), 180);
    assert!(both.text.contains("The bridge was painted."), "{}", both.text);
    assert!(both.text.contains("The ancient crossing fell."), "{}", both.text);
    assert!(!both.text.contains("Bells"), "{}", both.text);
}

#[test]
fn the_title_is_part_of_the_meaning() {
    let context =
        Context::new(vec![titled("Viaduct", "It fell. It rose."), chunk("b", "Gulls cry. ")]).with_query("q");
    let counter = CharsPer::new(1).unwrap();
    let texts = SentenceSelection::texts(&measure(&context, &counter));
    assert_eq!(texts[..3], ["Viaduct It fell.", "Viaduct It rose.", "Gulls cry."]);
}

#[test]
fn meaning_alone_is_a_match_and_neither_is_none() {
    let reason = |query: &str| {
        let result = fused(&context().with_query(query), Fusion::default(), 100);
        let mut reasons = result.plan().unwrap().steps.iter().map(|step| step.reason.clone());
        reasons.find(|reason| matches!(reason, Reason::Relevant { .. } | Reason::Unmatched { .. })).unwrap()
    };
    assert!(matches!(reason("an aged thing"), Reason::Relevant { .. }));
    assert!(matches!(reason("zebra"), Reason::Unmatched { .. }));
}

#[test]
fn sentences_that_are_all_equally_relevant() {
    let blocks = (0..3).map(|n| chunk(&n.to_string(), "The old bridge."));
    let result = fused(&Context::new(blocks.collect()).with_query("old bridge"), Fusion::default(), 40);
    assert!(result.plan().unwrap().steps.iter().all(|step| !matches!(step.reason, Reason::Unmatched { .. })));
    assert!(result.text.starts_with("The old bridge."), "{}", result.text);
}

#[test]
fn no_query_has_no_meaning() {
    struct Never;
    impl Scorer for Never {
        fn score(&self, _: &str, _: &[&str]) -> Vec<f64> {
            panic!("there is nothing to compare with")
        }
    }
    let mut context = context();
    context.query = None;
    let strategy = SentenceSelection::default().with_scorer(Arc::new(Never), Fusion::default());
    let result = fit_with(strategy, &context, 110);
    assert!(matches!(result.plan().unwrap().steps[0].reason, Reason::NoRoomWhole { .. }));
}

/// A scorer that fulfils its contract: returns these scores repeatedly, as many as needed.
struct Any(Vec<f64>);

impl Scorer for Any {
    fn score(&self, _: &str, _: &[&str]) -> Vec<f64> {
        self.0.clone()
    }
}

proptest! {
    #[test]
    fn scorers_of_any_kind(scores in prop::collection::vec(any::<f64>(), 0..20), budget in 40..230_usize) {
        let strategy = || SentenceSelection::default().with_scorer(Arc::new(Any(scores.clone())), Fusion::default());
        let (once, again) = (fit_with(strategy(), &context(), budget), fit_with(strategy(), &context(), budget));
        prop_assert_eq!(once, again);
    }
}
