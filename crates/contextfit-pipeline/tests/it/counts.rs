//! The token count of a result is the count of its text and of what the application adds, however it was computed.

use std::sync::Arc;

use contextfit_kernel::{Action, Block, Budget, Context, Passage, TokenCounter, Tokens};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_testkit::{
    DropAll, PairCounter, arbitrary_context, arbitrary_conversation, awkward_contexts, awkward_conversations,
};
use contextfit_text::{CharsPer, Tiktoken};
use proptest::prelude::*;

fn counters() -> Vec<Arc<dyn TokenCounter>> {
    vec![
        Arc::new(Tiktoken::o200k_base()),
        Arc::new(Tiktoken::cl100k_base()),
        Arc::new(CharsPer::new(1).unwrap()),
        Arc::new(CharsPer::new(4).unwrap()),
        Arc::new(PairCounter),
    ]
}

/// `context` with numbered lines.
fn numbered(context: &Context) -> Context {
    let layout = context.layout.clone().with_line_numbers(true);
    context.clone().with_layout(layout)
}

#[track_caller]
fn check(context: &Context) {
    for counter in counters() {
        let pipeline = Pipeline::new(Arc::clone(&counter)).with_strategy(DropAll);
        let result = pipeline.fit(context, &Budget::new(Tokens::MAX)).unwrap();
        let overhead = context.blocks.iter().filter_map(|block| block.as_passage()?.overhead).sum();
        assert_eq!(
            result.metrics.tokens_after,
            counter.count(&result.text) + overhead,
            "{}: {:?}",
            counter.name(),
            result.text
        );
        assert_eq!(measure(context, &counter).tokens, result.metrics.tokens_before);
    }
}

#[test]
fn awkward() {
    awkward_contexts().iter().for_each(check);
    awkward_contexts().iter().map(numbered).for_each(|context| check(&context));
}

/// Texts longer than what is kept of them while counting, with and without places to split; together more than 64 KB,
/// so that they are counted on all cores with the feature `parallel`.
#[test]
fn long() {
    let lines = [
        "fn main() {}\n",
        "};\n",
        "// a mark\n",
        "\n\n",
        "\tlet x = 'a';\n",
        "     \n",
        "It's 1,234.5 ",
        "é'S\r\n",
    ];
    let text = |n: usize| (0..200).map(|at| lines[(at * (n + 1) + at / 7) % lines.len()]).collect::<String>();
    let blocks = (0..48).map(|n| Block::passage(n.to_string(), Passage::default(), text(n)));
    check(&Context::new(
        blocks.chain([Block::passage("x", Passage::default(), "x".repeat(5_000))]).collect(),
    ));
}

/// A conversation that fits is not read, and has the tokens of one that is.
#[track_caller]
fn check_conversation(context: &Context) {
    for counter in counters() {
        let pipeline = Pipeline::new(Arc::clone(&counter)).with_strategy(DropAll);
        let read = measure(context, &counter);
        let result = pipeline.fit(context, &Budget::new(read.tokens)).unwrap();
        let blocks: Vec<Tokens> = read.blocks.iter().map(|it| it.cost(&Action::Keep, &counter)).collect();
        assert_eq!(
            (result.metrics.tokens_after, &result.tokens),
            (read.tokens, &blocks),
            "{}",
            counter.name()
        );
        assert!(result.stages.is_empty());
    }
}

#[test]
fn awkward_conversations_that_fit() {
    awkward_conversations().iter().for_each(check_conversation);
}

proptest! {
    #[test]
    fn arbitrary(context in arbitrary_context()) {
        check(&context);
    }

    #[test]
    fn arbitrary_conversations_that_fit(context in arbitrary_conversation()) {
        check_conversation(&context);
    }
}
