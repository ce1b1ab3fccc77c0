//! Strategies tried in order.

use std::sync::Arc;

use contextfit_kernel::{
    Block, Budget, Context, ContextCompressor, Error, Hold, Measured, Outcome, Passage, Plan, Planner,
    Strategy, Tokens,
};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::{DropAll, Stubborn, arbitrary_context};
use contextfit_text::CharsPer;
use proptest::prelude::{prop_assert, proptest};

/// Always fails.
struct Failing;

impl Strategy for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn plan(&self, _: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        Err(Error::UnknownStrategy { name: "failing".into(), known: "none".into() })
    }
}

/// Makes a plan for another context.
struct Astray;

impl Strategy for Astray {
    fn name(&self) -> &str {
        "astray"
    }

    fn plan(&self, _: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        Ok(Plan { strategy: "astray".into(), steps: Vec::new() })
    }
}

fn pipeline() -> Pipeline {
    Pipeline::new(Arc::new(CharsPer::new(1).unwrap()))
}

fn context() -> Context {
    Context::new(vec![
        Block::passage("a", Passage::default(), "first block").with_pinned(),
        Block::passage("b", Passage::default(), "second block, a little longer than the first"),
    ])
}

fn budget(tokens: usize) -> Budget {
    Budget::new(Tokens::new(tokens))
}

#[test]
fn within_the_budget_nothing_is_tried() {
    let result = pipeline().with_strategy(Failing).fit(&context(), &budget(1_000)).unwrap();
    assert!(result.stages.is_empty() && result.plan().is_none());
    assert_eq!(result.text, "first block\n---\nsecond block, a little longer than the first");
}

#[test]
fn a_failing_strategy_gives_way_and_is_reported() {
    let pipeline = pipeline()
        .with_strategy(Failing)
        .with_strategy(Astray)
        .with_strategy(Stubborn)
        .with_strategy(DropAll);
    let result = pipeline.fit(&context(), &budget(40)).unwrap();
    let outcomes: Vec<_> =
        result.stages.iter().map(|stage| (stage.strategy.as_str(), &stage.outcome)).collect();
    assert!(matches!(outcomes[0], ("failing", Outcome::Failed(why)) if why.contains("unknown strategy")));
    assert!(matches!(outcomes[1], ("astray", Outcome::Failed(why)) if why.contains("0 steps for 2 blocks")));
    assert!(matches!(outcomes[2], ("stubborn", Outcome::TooLong(tokens)) if *tokens > Tokens::new(40)));
    assert_eq!(outcomes[3], ("drop-all", &Outcome::Applied));
    assert_eq!(result.text, "first block\n[... 1 passage]");
}

/// Says that its smallest plan needs more room.
struct Small;

impl Strategy for Small {
    fn name(&self) -> &str {
        "small"
    }

    fn plan(&self, _: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        Err(Error::Infeasible { needed: room + Tokens::new(1), available: room, blockers: Vec::new() })
    }
}

/// Panics, as soon as it is asked for a planner or only for a plan.
struct Panicking {
    early: bool,
}

impl Strategy for Panicking {
    fn name(&self) -> &str {
        "panicking"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        panic!("no plan for {} blocks", input.blocks.len())
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        assert!(!self.early, "no planner");
        Box::new(move |room| self.plan(input, room))
    }
}

#[track_caller]
fn check_error(pipeline: Pipeline, expect: &str) {
    assert_eq!(pipeline.fit(&context(), &budget(40)).unwrap_err().to_string(), expect);
}

#[test]
fn a_failure_that_nothing_makes_good_is_an_error() {
    let unknown = "unknown strategy \"failing\"; known: none";
    check_error(pipeline().with_strategy(Failing), unknown);
    check_error(pipeline().with_strategy(Stubborn).with_strategy(Failing).with_strategy(Astray), unknown);
    check_error(
        pipeline().with_strategy(Astray),
        "strategy astray made an invalid plan: 0 steps for 2 blocks",
    );
    let panicking = |early| pipeline().with_strategy(Panicking { early });
    check_error(panicking(true), "strategy panicking failed: it panicked: no planner");
    check_error(panicking(false), "strategy panicking failed: it panicked: no plan for 2 blocks");
    let result = panicking(true).with_strategy(DropAll).fit(&context(), &budget(40)).unwrap();
    assert_eq!(result.text, "first block\n[... 1 passage]");
}

#[test]
fn too_little_room_is_no_failure() {
    let result = pipeline().with_strategy(Small).fit(&context(), &budget(40)).unwrap();
    assert_eq!((result.strategy(), result.text.as_str()), (Some("smallest"), "first block\n[... 1 passage]"));
}

#[test]
fn without_a_strategy_nothing_is_fitted() {
    for tokens in [10, 40, 1_000] {
        assert!(matches!(pipeline().fit(&context(), &budget(tokens)), Err(Error::NoStrategy)));
    }
}

/// Asserts what remains of `blocks` within `tokens` if no strategy fits.
#[track_caller]
fn check_smallest(blocks: Vec<Block>, tokens: usize, expect: &str) {
    let result = pipeline().with_strategy(Stubborn).fit(&Context::new(blocks), &budget(tokens)).unwrap();
    assert_eq!((result.strategy(), result.text.as_str()), (Some("smallest"), expect));
}

#[test]
fn what_is_held_remains_if_nothing_fits() {
    let code = || Block::passage("c", Passage::default(), "One line.\n".repeat(9));
    check_smallest(context().blocks, 40, "first block\n[... 1 passage]");
    // A block that must be shown keeps at least a marker, and as much as fits.
    let last = Block::passage("b", Passage::default(), "free, and not short at all".repeat(3));
    let shown = || vec![context().blocks.remove(0), code().with_shown(), last.clone()];
    check_smallest(shown(), 45, "first block\n---\n[... 9 lines]\n[... 1 passage]");
    check_smallest(shown(), 70, "first block\n---\nOne line.\nOne line.\n[... 7 lines]\n[... 1 passage]");
    // A group with a shown block is shown as a whole.
    let group = vec![code().with_group("g"), code().with_group("g").with_shown(), last];
    check_smallest(group, 50, "[... 9 lines]\n---\n[... 9 lines]\n[... 1 passage]");
    // A marker as long as the block is not used.
    let short = vec![Block::passage("a", Passage::default(), "short").with_shown(), code()];
    check_smallest(short, 22, "short\n[... 1 passage]");
}

#[test]
fn what_cannot_fit_says_what_it_needs_and_who_is_to_blame() {
    let error = pipeline().with_strategy(DropAll).fit(&context(), &budget(10)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot fit: the smallest possible result needs 27 tokens, 10 are available; raise the budget or free one of these blocks: \"a\" (15 tokens, pinned)"
    );
    // Exactly the number in the error is enough.
    assert!(pipeline().with_strategy(DropAll).fit(&context(), &budget(27)).is_ok());
    assert!(pipeline().with_strategy(DropAll).fit(&context(), &budget(26)).is_err());

    let block = |id: &str, text: &str| Block::passage(id, Passage::default(), text);
    let blocks = vec![
        block("a", "12345").with_pinned(),
        block("b", &"shown ".repeat(9)).with_shown(),
        block("c", "1234567").with_group("g"),
        block("d", "123456").with_group("g").with_pinned(),
    ];
    let error =
        pipeline().with_strategy(Stubborn).fit(&Context::new(blocks), &budget(10)).unwrap_err().to_string();
    let end = error.split_once("blocks: ").unwrap().1;
    assert_eq!(
        end,
        "\"b\" (16 tokens, always shown), \"c\" (11 tokens, pinned), \"d\" (10 tokens, pinned), and 1 more"
    );
}

#[test]
fn a_reserve_is_not_spent() {
    let reserved = budget(1_000).with_reserve(Tokens::new(960)).unwrap();
    let result = pipeline().with_strategy(DropAll).fit(&context(), &reserved).unwrap();
    assert!(result.metrics.tokens_after <= Tokens::new(40));
    assert!(budget(10).with_reserve(Tokens::new(11)).is_err());
}

#[tokio::test]
async fn an_executor_holds_it_as_a_trait_object() {
    let compressor: Arc<dyn ContextCompressor> = Arc::new(pipeline().with_strategy(DropAll));
    assert_eq!(compressor.count_tokens(&context()), Tokens::new(60));
    let result = compressor.compress_with_metrics(&context(), &budget(40)).await.unwrap();
    assert_eq!(compressor.compress(&context(), &budget(40)).await.unwrap(), result.context);
}

proptest! {
    /// A block alone has a header and a separator that the whole may not have.
    #[test]
    fn no_blocker_is_larger_than_the_whole(context in arbitrary_context(), budget in 0..80_usize) {
        for counter in [CharsPer::new(1).unwrap(), CharsPer::new(4).unwrap()] {
            let mut context = context.clone();
            context.blocks.iter_mut().step_by(2).for_each(|block| block.hold = Hold::Pinned);
            let pipeline = Pipeline::new(Arc::new(counter)).with_strategy(DropAll);
            if let Err(Error::Infeasible { needed, blockers, .. }) = pipeline.fit(&context, &Budget::new(budget)) {
                prop_assert!(blockers.iter().all(|blocker| blocker.tokens <= needed), "{needed}: {blockers:?}");
            }
        }
    }
}
