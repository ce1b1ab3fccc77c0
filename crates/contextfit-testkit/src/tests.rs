//! The fakes pass the suites: a suite that rejects the simplest implementation is itself wrong.

use std::sync::Arc;

use contextfit_kernel::{Action, EmbeddingProvider, Error, Measured, Piece, Plan, Step, Strategy, Tokens};
use contextfit_pipeline::Pipeline;

use crate::{
    DropAll, HashEmbedder, PairCounter, Stubborn, awkward_contexts, check_counter, check_embedder, check_fit,
    check_strategy, quietly::quietly,
};

#[test]
fn the_pair_counter_counts() {
    check_counter(&PairCounter);
}

#[test]
fn a_strategy_that_drops_everything_is_valid() {
    check_strategy(Arc::new(DropAll));
}

/// The pipeline falls back when a strategy never shortens: the result is right, and the suite finds the strategy.
#[test]
fn a_strategy_that_never_shortens_is_harmless() {
    let pipeline = Pipeline::new(Arc::new(PairCounter)).with_strategy(Arc::new(Stubborn));
    for context in awkward_contexts() {
        check_fit(&pipeline, &context, 100);
    }
}

/// Breaks the contract in one way.
struct Broken(fn(&Measured<'_>, &mut Vec<Step>));

impl Strategy for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let mut plan = DropAll.plan(input, room)?;
        plan.strategy = "broken".into();
        (self.0)(input, &mut plan.steps);
        Ok(plan)
    }
}

/// Checks that the suite finds what `breaks` does, and says it in fewer than forty lines, once.
#[track_caller]
fn check_found(breaks: fn(&Measured<'_>, &mut Vec<Step>), expect: &str) {
    let violation = quietly(|| check_strategy(Arc::new(Broken(breaks)))).unwrap_err();
    assert!(violation.contains(expect), "{violation}");
    assert!(violation.starts_with("broken violates an invariant with "), "{violation}");
    assert!(violation.lines().count() < 40, "{violation}");
}

#[test]
fn strategies_that_break_the_contract_are_found() {
    check_found(
        |_, steps| steps.iter_mut().for_each(|step| step.action = Action::Keep),
        "1: plans of broken do not",
    );
    check_found(
        |input, steps| {
            let groups = input.context.groups();
            let pair = groups.iter().find(|group| group.len() > 1).and_then(|group| group.first());
            pair.and_then(|&n| steps.get_mut(n)).into_iter().for_each(|step| step.action = Action::Keep);
        },
        "3 to 8: strategy broken made an invalid plan: group \"g0\" is split",
    );
    check_found(
        |_, steps| assert!(steps.len() < 5, "five blocks"),
        "11: strategy broken failed: it panicked: five blocks",
    );
    check_found(
        |_, steps| {
            let invented = || vec![Piece::Marker("Something else.".into())];
            steps.iter_mut().take(1).for_each(|step| step.action = Action::Cut { pieces: invented() });
        },
        "pass for something else",
    );
    check_found(|_, steps| steps.reverse(), "step 0 is for block");
}

#[tokio::test]
async fn the_hash_embedder_embeds() {
    for dimension in [1, 64] {
        check_embedder(&HashEmbedder { dimension }).await;
    }
}

#[tokio::test]
async fn the_hash_embedder_sees_shared_words() {
    let embedder = HashEmbedder { dimension: 64 };
    let texts = ["a red car", "the Red car!", "bananas are yellow", "..."];
    let vectors = embedder.embed_texts(&texts);
    assert_eq!(vectors, embedder.embed(&texts).await.unwrap());
    let cosine = |n: usize| vectors[0].iter().zip(&vectors[n]).map(|(l, r)| l * r).sum::<f32>();
    assert!(cosine(1) > 0.6 && cosine(2).abs() < 0.5, "{} {}", cosine(1), cosine(2));
    assert_eq!(vectors[3], [0.0; 64]);
}
