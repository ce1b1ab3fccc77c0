//! Turns that say the same: a test for each defect of the original design, MoFA.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use contextfit_conversational::{SemanticCompressor, SemanticOptions, TurnVectors};
use contextfit_kernel::{
    Block, Budget, CompressionResult, Context, EmbeddingProvider, ProviderError, Reason, Role, Scorer,
    Tokens, Turn,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_testkit::{HashEmbedder, check_fit, conversation_of};
use contextfit_text::CharsPer;

/// Rates nothing as relevant.
struct Nothing;

impl Scorer for Nothing {
    fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
        vec![0.0; texts.len()]
    }
}

fn strategy() -> SemanticCompressor {
    SemanticCompressor::new(Arc::new(Nothing))
}

fn turn(n: usize, role: Role, text: &str) -> Block {
    Block::turn(n.to_string(), Turn::new(role).with_framing(Tokens::new(4)), text)
}

fn talk(turns: &[(Role, &str)]) -> Context {
    let blocks = turns.iter().enumerate().map(|(n, (role, text))| turn(n, *role, text)).collect();
    Context::new(blocks).with_layout(conversation_of(2).layout)
}

/// The conversation within all but `less` of its tokens.
fn compress(strategy: SemanticCompressor, context: &Context, less: usize) -> CompressionResult {
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(strategy);
    let all = measure(context, pipeline.counter()).tokens.get();
    check_fit(&pipeline, context, all - less);
    pipeline.fit(context, &Budget::new(Tokens::new(all - less))).unwrap()
}

const SLOW: &str =
    "The page with the list of orders is terribly slow today and it took an hour to get through half of it.";

#[test]
fn the_newest_stays_and_an_entry_says_where_the_oldest_was() {
    let context = talk(&[
        (Role::User, SLOW),
        (Role::Assistant, "Which browser do you use, and since when is it slow?"),
        (Role::User, &SLOW.replace(" today", "")),
        (Role::Assistant, "I see. Let me have a look at the logs of the server for a moment."),
        (Role::User, &[SLOW, " Really slow."].concat()),
        (Role::Assistant, "It was the cache. It should be quick again now."),
    ]);
    let mut options = SemanticOptions::default();
    // In so short a conversation every new word is rare.
    options.similarity = 0.7;
    let result = compress(strategy().with_options(options), &context, 12);
    assert_eq!(result.text.matches(SLOW).count(), 1, "{}", result.text);
    assert!(result.text.contains("#1 user again in #5:"), "{}", result.text);
    let steps = &result.plan().unwrap().steps;
    assert_eq!(steps[0].reason, Reason::SaidAgain { by: "4".into() });
    assert_eq!(steps[2].reason, Reason::SaidAgain { by: "4".into() });
}

#[test]
fn roles_and_results_of_tools_are_never_compared() {
    let context = talk(&[
        (Role::Assistant, SLOW),
        (Role::Tool, SLOW),
        (Role::User, SLOW),
        (Role::Tool, SLOW),
        (Role::Assistant, "Something else, and not a little of it, to have something to leave out."),
    ]);
    let result = compress(strategy(), &context, 5);
    let merged = |reason: &Reason| matches!(reason, Reason::SaidAgain { .. });
    assert!(!result.plan().unwrap().steps.iter().any(|step| merged(&step.reason)), "{}", result.text);
}

#[test]
fn an_instruction_is_replaced_by_the_very_same_words_alone() {
    let never = "Never ship any of my orders to the office in Rome without asking me first, please.";
    let context = talk(&[
        (Role::User, never),
        (Role::User, &never.replace("Rome", "Oslo")),
        (Role::User, &never.replace("Rome", "Bonn")),
        (
            Role::Assistant,
            &"Something else, and not a little of it, to have something to leave out. ".repeat(9),
        ),
    ]);
    let result = compress(strategy(), &context, 60);
    assert!(["Rome", "Oslo", "Bonn"].iter().all(|city| result.text.contains(city)), "{}", result.text);
}

/// Counts the texts that it embeds, and fails on demand.
struct Counting {
    texts: AtomicUsize,
    fails: bool,
}

#[async_trait]
impl EmbeddingProvider for Counting {
    fn model(&self) -> &str {
        "counting"
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        if self.fails {
            return Err(ProviderError::new("counting", true, "busy"));
        }
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        Ok(HashEmbedder { dimension: 64 }.embed_texts(texts))
    }
}

#[tokio::test]
async fn turns_are_embedded_once_and_failures_are_not_remembered() {
    let mut vectors = TurnVectors::new();
    let mut context = conversation_of(100);
    let busy = Counting { texts: AtomicUsize::new(0), fails: true };
    assert!(vectors.add(&busy, &context).await.is_err());
    assert!(vectors.is_empty());
    let model = Counting { texts: AtomicUsize::new(0), fails: false };
    vectors.add(&model, &context).await.unwrap();
    let first = model.texts.load(Ordering::Relaxed);
    assert_eq!(vectors.len(), first);
    context.blocks.push(turn(100, Role::User, "Something new."));
    vectors.add(&model, &context).await.unwrap();
    assert_eq!(model.texts.load(Ordering::Relaxed), first + 1);

    let with = strategy().with_vectors(Arc::new(vectors));
    let result = compress(with, &context, 200);
    assert!(result.text.contains(" again in #"), "{}", result.text);
}
