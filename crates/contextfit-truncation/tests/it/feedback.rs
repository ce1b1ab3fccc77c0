//! What was learned from feedback governs its own scope.

use std::sync::Arc;

use contextfit_kernel::{Block, Budget, Context, Level, Passage, Reason, Strategy};
use contextfit_pipeline::Pipeline;
use contextfit_testkit::check_strategy;
use contextfit_text::CharsPer;
use contextfit_truncation::feedback::{Event, History, Rule, Scale, Score, State, Subject};
use contextfit_truncation::{Incremental, MetadataOnly, TruncationOptions};

/// Misses in `src`, which lower its threshold and raise its weight.
fn learned(scale: Scale, misses: usize) -> Arc<State> {
    let subject = Subject::new("", "src/a.rs", Some(Level::Gist)).with_score(Score::new(scale, 0.0));
    let history: History = (0..misses).map(|_| Event::Restored(subject.clone())).collect();
    Arc::new(history.state("", Rule::new(scale, 0.4).unwrap()))
}

/// Two blocks in each of two folders.
fn context() -> Context {
    let block = |path: &str, score: f64| {
        let text = format!("{path} says this, line by line.\n").repeat(20);
        Block::passage(path, Passage::at(path).with_score(score), text)
    };
    Context::new(vec![
        block("src/a.rs", 0.9),
        block("src/b.rs", 0.3),
        block("docs/a.md", 0.9),
        block("docs/b.md", 0.3),
    ])
}

/// The levels of the blocks and the reasons of those below a threshold.
fn shown(strategy: impl Strategy + 'static, budget: usize) -> (Vec<Option<Level>>, Vec<Reason>) {
    let context = context();
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(strategy);
    let result = pipeline.fit(&context, &Budget::new(budget)).unwrap();
    let steps = &result.plan().unwrap().steps;
    let below =
        |reason: &&Reason| matches!(reason, Reason::BelowThreshold { .. } | Reason::BelowLearned { .. });
    (
        steps.iter().map(|step| step.action.level(Level::Full)).collect(),
        steps.iter().map(|step| &step.reason).filter(below).cloned().collect(),
    )
}

#[test]
fn a_learned_threshold_applies_to_its_scope_only() {
    let options = TruncationOptions::default();
    let usual = MetadataOnly::new(options.clone());
    let (full, gist) = (Some(Level::Full), Some(Level::Gist));
    assert_eq!(shown(usual.clone(), 2300).0, [full, gist, full, gist]);

    let (levels, reasons) = shown(usual.clone().with_feedback(learned(Scale::Absolute, 2)), 2300);
    assert_eq!(levels, [full, full, full, gist]);
    assert_eq!(reasons, [Reason::BelowThreshold { value: 0.3, threshold: 0.4 }]);

    let (levels, reasons) = shown(usual.clone().with_feedback(learned(Scale::Absolute, 1)), 2300);
    assert_eq!(levels, [full, gist, full, gist]);
    assert_eq!(reasons[0].to_string(), "0.3000 is below 0.3100, learned from 1 report for src/");

    // Thresholds of another scale, and none at all.
    assert_eq!(
        shown(usual.clone().with_feedback(learned(Scale::Quantile, 2)), 2300).0,
        [full, gist, full, gist]
    );
    assert_eq!(shown(usual.clone().with_feedback(learned(Scale::Absolute, 0)), 2300), shown(usual, 2300));
}

#[test]
fn of_equally_relevant_blocks_those_that_were_missed_stay() {
    let options = TruncationOptions::default();
    let usual = MetadataOnly::new(options.clone());
    let learned = || learned(Scale::Absolute, 2);
    // Room for one whole block: without feedback, the first of the best.
    let turned = |strategy: MetadataOnly| {
        let mut context = context();
        context.blocks.reverse();
        let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(strategy);
        let result = pipeline.fit(&context, &Budget::new(1100)).unwrap();
        let steps = result.plan().unwrap().steps.iter();
        steps.map(|step| step.action.level(Level::Full) == Some(Level::Full)).collect::<Vec<_>>()
    };
    assert_eq!(turned(usual.clone()), [false, true, false, false]);
    assert_eq!(turned(usual.with_feedback(learned())), [false, false, false, true]);

    let incremental = Incremental::new(options).with_feedback(learned());
    let (levels, _) = shown(incremental, 1100);
    assert!(levels[0] > levels[2], "{levels:?}");
}

#[test]
fn strategies_with_feedback_keep_their_contract() {
    let subject = Subject::new("", "a", None).with_score(Score::new(Scale::Absolute, 0.2));
    let history: History = [Event::Restored(subject)].into_iter().collect();
    let learned = Arc::new(history.state("", Rule::new(Scale::Absolute, 0.4).unwrap()));
    let options = TruncationOptions::default();
    check_strategy(Arc::new(MetadataOnly::new(options.clone()).with_feedback(learned.clone())));
    check_strategy(Arc::new(Incremental::new(options).with_feedback(learned)));
}
