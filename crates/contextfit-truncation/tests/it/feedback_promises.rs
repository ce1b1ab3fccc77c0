//! What holds for every history.

use contextfit_kernel::Level;
use contextfit_truncation::feedback::{
    Event, History, Reset, Rule, Scale, Scope, Score, State, Subject, WORTH,
};
use proptest::{collection::vec, option, prelude::*};

fn scopes() -> impl Strategy<Value = Scope> {
    prop_oneof![Just(""), Just("src"), Just("src/a"), Just("docs"), Just("https://x.org")]
        .prop_map(Scope::new)
}

fn scales() -> impl Strategy<Value = Scale> {
    prop_oneof![Just(Scale::Absolute), Just(Scale::Normalised), Just(Scale::Quantile)]
}

fn projects() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just("mine"), 1 => Just("other")].prop_map(String::from)
}

fn subjects() -> impl Strategy<Value = Subject> {
    let score = (scales(), 0.0..=1.0).prop_map(|(scale, value)| Score::new(scale, value).unwrap());
    (
        projects(),
        scopes(),
        ".{0,8}",
        option::of((0_u8..4).prop_map(|n| Level::try_from(n).unwrap())),
        option::of(score),
    )
        .prop_map(|(project, scope, block, shown, score)| Subject {
            project,
            scope,
            block,
            shown,
            score,
        })
}

fn events() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => subjects().prop_map(Event::Used),
        8 => subjects().prop_map(Event::Restored),
        8 => subjects().prop_map(Event::Failed),
        1 => (projects(), scopes()).prop_map(|(project, scope)| Event::Reset(Reset { project, scope })),
    ]
}

fn rules() -> impl Strategy<Value = Rule> {
    (scales(), 0.0..=1.0, 0.0..=1.0, 0.0..=1.0, 0.001..0.999).prop_map(
        |(scale, a, b, c, rate): (_, f64, f64, f64, _)| {
            let mut three = [a, b, c];
            three.sort_by(f64::total_cmp);
            let [lowest, start, highest] = three;
            let rule = Rule::new(scale, start).unwrap().with_miss_rate(rate).unwrap();
            rule.with_bounds(lowest, highest).unwrap()
        },
    )
}

fn state(events: &[Event], rule: Rule) -> State {
    events.iter().cloned().collect::<History>().state("mine", rule)
}

proptest! {
    #[test]
    fn nothing_leaves_its_bounds(events in vec(events(), 0..200), rule in rules()) {
        let (lowest, highest) = rule.bounds();
        for n in 0..=events.len() {
            for learned in state(&events[..n], rule).scopes().values() {
                prop_assert!((lowest..=highest).contains(&learned.threshold.value));
                prop_assert!((WORTH.0..=WORTH.1).contains(&learned.worth.value));
            }
        }
    }

    /// One kind of report over and over again, the worst that an adversary can do.
    #[test]
    fn a_flood_stays_within_the_bounds(event in events(), times in 0_usize..5000, rule in rules()) {
        let mut state = State::new("mine", rule);
        (0..times).for_each(|_| state.observe(&event));
        let (lowest, highest) = rule.bounds();
        for learned in state.scopes().values() {
            prop_assert!((lowest..=highest).contains(&learned.threshold.value));
            prop_assert!((WORTH.0..=WORTH.1).contains(&learned.worth.value));
        }
    }

    /// Whatever is reported for one scope, another one is as it would be without those reports.
    #[test]
    fn reports_change_their_own_scope_only(events in vec(events(), 0..200), rule in rules(), scope in scopes()) {
        let concerns = |event: &Event| match event {
            Event::Used(subject) | Event::Restored(subject) | Event::Failed(subject) => {
                subject.project == "mine" && subject.scope == scope
            }
            Event::Reset(_) => true,
        };
        let (own, rest): (Vec<Event>, Vec<Event>) = events.iter().cloned().partition(concerns);
        let resets = |event: &Event| matches!(event, Event::Reset(_));
        let all = state(&events, rule);
        let alone = state(&own, rule);
        prop_assert_eq!(all.scopes().get(&scope), alone.scopes().get(&scope));
        if !own.iter().any(resets) {
            let without = state(&rest, rule);
            for (other, learned) in without.scopes() {
                prop_assert_eq!(all.scopes().get(other), Some(learned));
            }
        }
    }

    #[test]
    fn the_same_lines_give_the_same_state(events in vec(events(), 0..100), rule in rules()) {
        let text: String = events.iter().map(|event| event.to_line().unwrap()).collect();
        let (history, unread) = History::parse(&text);
        prop_assert!(unread.is_empty());
        prop_assert_eq!(history.events(), events.as_slice());
        prop_assert_eq!(history.state("mine", rule), state(&events, rule));
    }

    #[test]
    fn any_text_is_read(text in ".*") {
        let (history, unread) = History::parse(&text);
        let lines = text.split('\n').filter(|line| !line.trim().is_empty()).count();
        prop_assert_eq!(history.events().len() + unread.len(), lines);
    }

    /// The miss rate comes close to the requested one, whatever the scores are: with scores from 0 to 1 and steps that
    /// never grow, the gap after T trials is at most (1 + first step) / (T · last step). No score is within a step of a
    /// bound, so nothing is clipped.
    #[test]
    fn the_miss_rate_is_kept(values in vec(0.2..0.9_f64, 400..800), rate in 0.05..0.5_f64) {
        let rule = Rule::new(Scale::Absolute, 0.4).unwrap().with_miss_rate(rate).unwrap();
        let mut state = State::new("mine", rule.with_bounds(0.0, 1.0).unwrap());
        for value in &values {
            let threshold = state.of("src/a.rs").map_or(0.4, |(_, learned)| learned.threshold.value);
            let shown = if *value < threshold { Level::Gist } else { Level::Full };
            let subject = Subject::new("mine", "src/a.rs", Some(shown)).with_score(Score::new(Scale::Absolute, *value));
            state.observe(&if *value < threshold { Event::Restored(subject) } else { Event::Used(subject) });
        }
        let (_, learned) = state.of("src/a.rs").unwrap();
        prop_assert_eq!(learned.threshold.trials as usize, values.len());
        let trials = f64::from(learned.threshold.trials);
        let last = 0.1 * (1.0 + trials / 20.0).powf(-0.75);
        let gap = (f64::from(learned.threshold.misses) / trials - rate).abs();
        prop_assert!(gap <= 1.1 / (trials * last), "{gap}");
    }
}

/// Another order of the lines is another history.
#[test]
fn the_order_of_lines_is_the_order_of_events() {
    let subject = |value| {
        Subject::new("mine", "src/a.rs", Some(Level::Gist)).with_score(Score::new(Scale::Absolute, value))
    };
    let events = [Event::Restored(subject(0.35)), Event::Restored(subject(0.1))];
    let rule = Rule::new(Scale::Absolute, 0.4).unwrap();
    let mut turned = events.clone();
    turned.reverse();
    assert_ne!(state(&events, rule), state(&turned, rule));
}
