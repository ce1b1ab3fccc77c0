//! Which reports are trials, and where they move a threshold and a weight.

use contextfit_kernel::Level;
use contextfit_truncation::feedback::{Event, History, Learned, Rule, Scale, Scope, Score, Subject};

fn rule() -> Rule {
    Rule::new(Scale::Absolute, 0.4).unwrap()
}

fn block(shown: Option<Level>, value: impl Into<Option<f64>>) -> Subject {
    let score = value.into().and_then(|value| Score::new(Scale::Absolute, value));
    Subject::new("shop", "src/a.rs", shown).with_score(score)
}

fn learned(events: impl IntoIterator<Item = Event>) -> Learned {
    let history: History = events.into_iter().collect();
    history.state("shop", rule()).of("src/b.rs").unwrap().1.clone()
}

/// The directions in which one report moves the threshold and the weight.
#[track_caller]
fn check(event: Event, threshold: &str, worth: &str) {
    let learned = learned([event.clone()]);
    let direction = |value: f64, start: f64| match value.total_cmp(&start) {
        std::cmp::Ordering::Less => "down",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => "up",
    };
    let moved = (direction(learned.threshold.value, 0.4), direction(learned.worth.value, 1.0));
    assert_eq!(moved, (threshold, worth), "{event:?}");
    assert_eq!(learned.reports.all(), 1);
    let trials = (u32::from(!threshold.is_empty()), u32::from(!worth.is_empty()));
    assert_eq!((learned.threshold.trials, learned.worth.trials), trials, "{event:?}");
}

#[test]
fn a_report_that_a_block_was_needed_is_a_trial() {
    use Event::{Failed, Restored, Used};

    let (full, cut, gist, name) = (Level::Full, Level::Extract, Level::Gist, Level::Reference);
    check(Used(block(Some(full), 0.9)), "up", "down");
    check(Used(block(Some(cut), 0.4)), "up", "down");
    // Shown all the same, but the threshold would hide it.
    check(Used(block(Some(full), 0.39)), "down", "down");
    for event in [Restored, Failed] {
        check(event(block(Some(gist), 0.39)), "down", "up");
        check(event(block(Some(name), 0.1)), "down", "up");
        check(event(block(None, 0.0)), "down", "up");
        check(event(block(Some(cut), 0.2)), "down", "up");
        // Short of room, which no threshold would have changed.
        check(event(block(Some(cut), 0.7)), "", "up");
        check(event(block(None, 0.4)), "", "up");
        check(event(block(Some(gist), None)), "", "up");
        check(event(block(Some(full), 0.1)), "", "");
    }
    check(Used(block(Some(gist), 0.2)), "", "");
    check(Used(block(None, 0.9)), "", "");
    check(Used(block(Some(full), None)), "", "down");
    let normalised = block(Some(gist), None).with_score(Score::new(Scale::Normalised, 0.1));
    check(Restored(normalised), "", "up");
}

#[test]
fn the_first_step_and_later_ones() {
    let miss = || Event::Restored(block(Some(Level::Gist), 0.0));
    let one = learned([miss()]).threshold.value;
    assert!((one - (0.4 - 0.1 * 0.9)).abs() < 1e-12, "{one}");
    let hits = |n: usize| learned((0..n).map(|_| Event::Used(block(Some(Level::Full), 1.0)))).threshold.value;
    assert!((hits(1) - (0.4 + 0.1 * 0.1)).abs() < 1e-12, "{}", hits(1));
    assert!(hits(101) - hits(100) < (hits(2) - hits(1)) / 3.0, "steps shrink");
}

#[test]
fn the_narrowest_scope_with_reports_governs_a_block() {
    let report = |scope: &str| Event::Restored(block(None, 0.1).in_scope(Scope::new(scope)));
    let state = [report(""), report("src"), report("src/deep/er")].into_iter().collect::<History>();
    let state = state.state("shop", rule());
    let of = |path: &str| state.of(path).map(|(scope, _)| scope.as_str());
    assert_eq!(of("src/deep/er/a.rs"), Some("src/deep/er"));
    assert_eq!(of("src/deep/a.rs"), Some("src"));
    assert_eq!(of("docs/a.md"), Some(""));
    assert_eq!(History::default().state("shop", rule()).of("src/a.rs"), None);
}

#[test]
fn a_reset_forgets_a_scope_and_those_in_it() {
    let report = |scope: &str| Event::Restored(block(None, 0.1).in_scope(Scope::new(scope)));
    let all = ["", "docs", "src", "src/a", "src2"];
    let check = |reset: &str, project: &str, left: &[&str]| {
        let reset =
            contextfit_truncation::feedback::Reset { project: project.into(), scope: Scope::new(reset) };
        let history: History = all.iter().map(|scope| report(scope)).chain([Event::Reset(reset)]).collect();
        let state = history.state("shop", rule());
        assert_eq!(state.scopes().keys().map(Scope::as_str).collect::<Vec<_>>(), left);
    };
    check("src", "shop", &["", "docs", "src2"]);
    check("src/a", "shop", &["", "docs", "src", "src2"]);
    check("", "shop", &[]);
    check("src", "another", &all);
}

#[test]
fn rules_are_checked() {
    let check = |error: Result<Rule, contextfit_truncation::feedback::RuleError>, expect: &str| {
        assert_eq!(error.unwrap_err().to_string(), expect);
    };
    check(Rule::new(Scale::Absolute, 12.0), "expected a score threshold from 0 to 1 to learn from, found 12");
    check(rule().with_miss_rate(0.0), "expected a miss rate above 0 and below 1, found 0");
    check(rule().with_miss_rate(f64::NAN), "expected a miss rate above 0 and below 1, found NaN");
    check(
        rule().with_bounds(0.5, 0.9),
        "expected bounds from 0 to 1 around the threshold 0.4, found 0.5 to 0.9",
    );
    assert_eq!(Rule::new(Scale::Quantile, 0.9).unwrap().bounds(), (0.0, 0.9));
}
