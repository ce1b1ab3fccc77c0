//! Explanations add up to the score by which a sentence is taken.

use contextfit_bm25::{Explanation, SentenceOptions, SentenceSelection};
use contextfit_kernel::{Action, Block, Context, Passage, Reason, Strategy, Symbols, Tokens};
use contextfit_pipeline::measure;
use contextfit_testkit::arbitrary_context;
use contextfit_text::CharsPer;
use proptest::prelude::*;

use crate::requests::{chunk, own_words, titled};

/// Checks that every figure with parts is their sum.
#[track_caller]
fn check_sums(tree: &Explanation) {
    let sum: f64 = tree.parts.iter().map(|part| part.value).sum();
    let near = (tree.value - sum).abs() <= 1e-9 * tree.value.abs().max(1.0);
    assert!(tree.parts.is_empty() || near, "{sum} is not {} of\n{tree}", tree.value);
    assert!(tree.value.is_finite() && tree.value >= 0.0, "{tree}");
    tree.parts.iter().for_each(check_sums);
}

/// Checks that the trees of all sentences of `context` add up, and that the highest score of a block is the one the
/// plan reports.
fn check(options: &SentenceOptions, context: &Context) {
    let counter = CharsPer::new(1).unwrap();
    let measured = measure(context, &counter);
    let strategy = SentenceSelection::new(options.clone());
    let room = measured.tokens.saturating_sub(Tokens::new(1));
    let plan = strategy.plan(&measured, room).unwrap();
    let mut highest = 0.0_f64;
    for (block, step) in plan.steps.iter().enumerate() {
        let units = measured.blocks[block].units().len();
        let mut best = 0.0_f64;
        for unit in 0..units {
            let tree = strategy.explain(&measured, block, unit).unwrap();
            check_sums(&tree);
            best = best.max(tree.value);
        }
        highest = highest.max(best);
        assert!(strategy.explain(&measured, block, units).is_none());
        if let Reason::Relevant { score, kept, .. } = step.reason {
            // The best sentence may be too long; the kept ones never score more.
            assert!(score <= best * (1.0 + 1e-9), "{score} of at most {best}, {kept} kept");
        }
    }
    assert!(strategy.explain(&measured, plan.steps.len(), 0).is_none());
    let unmatched = plan.steps.iter().any(|step| matches!(step.reason, Reason::Unmatched { .. }));
    assert!(!unmatched || highest <= 0.0, "a score of {highest} is no match");
}

fn town() -> Context {
    let symbols = Symbols { section: Some("Crossings".into()), ..Symbols::default() };
    let passage = Passage::default().with_title("Harrow Bridge").with_score(0.9).with_symbols(symbols);
    Context::new(vec![
        Block::passage(
            "bridge",
            passage,
            "The Harrow Bridge is of steel. Its architect was Ada Quill. Tolls were raised.",
        ),
        titled("Ada Quill", "Ada Quill was born in 1871. She studied at night."),
        Block::passage("c", Passage::default().with_score(0.1), "Quill pens were sold. The steel was dear."),
        chunk("d", ""),
    ])
    .with_query("who was the architect of the Harrow Bridge of steel")
}

#[test]
fn as_text() {
    let context = town();
    let counter = CharsPer::new(1).unwrap();
    let measured = measure(&context, &counter);
    let strategy = SentenceSelection::default();
    let trees: Vec<String> = [(0, 0), (0, 1), (1, 0), (2, 0)]
        .map(|(block, unit)| {
            let sentence = measured.blocks[block].text(unit, unit + 1).trim();
            format!("{sentence}\n{}", strategy.explain(&measured, block, unit).unwrap())
        })
        .into();
    insta::assert_snapshot!("explanations", trees.join("\n"));
}

#[test]
fn the_score_that_a_sentence_is_taken_by() {
    let context = town();
    let counter = CharsPer::new(1).unwrap();
    let measured = measure(&context, &counter);
    let strategy = SentenceSelection::default();
    check(&SentenceOptions::default(), &context);
    // The room grows sentence by sentence: the score of a kept block is that of the best sentence taken.
    let mut seen = 0;
    for room in 0..measured.tokens.get() {
        let plan = strategy.plan(&measured, Tokens::new(room)).unwrap();
        for (block, step) in plan.steps.iter().enumerate() {
            let (Reason::Relevant { score, .. }, Action::Cut { .. }) = (&step.reason, &step.action) else {
                continue;
            };
            let units = 0..measured.blocks[block].units().len();
            let known: Vec<f64> =
                units.map(|unit| strategy.explain(&measured, block, unit).unwrap().value).collect();
            assert!(known.iter().any(|known| (known - score).abs() < 1e-9), "{score} is none of {known:?}");
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} cuts");
}

#[test]
fn every_part_off() {
    let options = own_words();
    check(&options, &town());
    let context = town();
    let counter = CharsPer::new(1).unwrap();
    let tree = SentenceSelection::new(options).explain(&measure(&context, &counter), 0, 0).unwrap();
    assert!((tree.value - tree.parts[0].value).abs() < 1e-12, "{tree}");
}

/// A pinned line without words has the words of its path as a heading and still scores nothing.
#[test]
fn a_line_without_words_scores_nothing() {
    let blank = Block::passage("a", Passage::at("bridge.md"), "\t").with_pinned();
    let other =
        Block::passage("b", Passage::default(), "A sentence. Another one, which is longer. ".repeat(4));
    check(&SentenceOptions::default(), &Context::new(vec![blank, other]).with_query("bridge"));
}

proptest! {
    #[test]
    fn parts_add_up(
        mut context in arbitrary_context(),
        query in "(A|sentence|fourth|call|read|third|第三句|é|[a-z]{1,9}| ){0,9}",
        feedback in 0..4_usize,
        weights in prop::array::uniform4(0.0..2.0_f64),
    ) {
        context.query = Some(query);
        context.blocks.truncate(5);
        let [heading, passage, phrase, mention] = weights;
        check(&SentenceOptions::default().with_heading(heading).with_passage(passage).with_phrase(phrase).with_mention(mention).with_feedback(feedback), &context);
    }
}
