//! What the baselines do, and that the pipeline always accepts their plans.

use contextfit_eval::Baseline;
use contextfit_kernel::{Block, Budget, Context, Passage, Strategy, Tokens};
use contextfit_pipeline::{Pipeline, check_plan, measure};
use contextfit_testkit::awkward_contexts;
use contextfit_text::{CharsPer, counter};

#[test]
fn plans_keep_the_contract() {
    let counter = CharsPer::new(4).unwrap();
    for context in awkward_contexts() {
        let measured = measure(&context, &counter);
        for baseline in Baseline::ALL {
            for room in [0, 10, 100, 1_000, 10_000] {
                let plan = baseline.plan(&measured, Tokens::new(room)).unwrap();
                assert_eq!(check_plan(&measured, &plan), Ok(()), "{baseline} at {room}");
            }
        }
    }
}

/// Three passages of four sentences; the third sentence of the second answers the query.
fn context() -> Context {
    let filler = |what: &str, n: usize| {
        format!("The {what} number {n} is described here in a sentence that is long enough to be one.")
    };
    let text =
        |what: &str, third: &str| [filler(what, 1), filler(what, 2), third.into(), filler(what, 4)].join(" ");
    let passage = |id: &str, what: &str, third: &str| {
        Block::passage(id, Passage::default().with_title(what), text(what, third))
    };
    let blocks = vec![
        passage("a", "lamp", "The lamps of the harbour are lit by hand at sundown each day."),
        passage("b", "bell", "Every zeppelin was moored at the tower in the year of the flood."),
        passage("c", "dock", "A dock takes ships of up to two hundred metres in length."),
    ];
    Context::new(blocks).with_query("when was the zeppelin moored")
}

#[track_caller]
fn shown(baseline: Baseline, budget: usize) -> String {
    let pipeline = Pipeline::new(counter("o200k_base").unwrap()).with_strategy(baseline);
    let result = pipeline.fit(&context(), &Budget::new(Tokens::new(budget))).unwrap();
    assert_eq!(result.strategy(), Some(baseline.name()), "{:?}", result.stages);
    format!("# {baseline}, {budget} tokens, {} used\n{}\n", result.metrics.tokens_after, result.text)
}

#[test]
fn what_each_shows() {
    let all =
        Baseline::PASSAGES.into_iter().flat_map(|baseline| [60, 130].map(|budget| shown(baseline, budget)));
    insta::assert_snapshot!(all.collect::<Vec<_>>().join("\n"));
}
