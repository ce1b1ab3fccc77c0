//! Conversations: budgets, contexts and judgements as in the data sets' metrics, and the baselines.

use contextfit_eval::{Base, Baseline, Contender, Dataset, Kept, Material, evaluate};
use contextfit_kernel::{
    Action, Budget, Entry, Error, Hold, Label, Measured, MeasuredBlock, Plan, Reason, Role, Step, Strategy,
    Tokens, Voice,
};
use contextfit_pipeline::Pipeline;
use contextfit_text::{counter, keep_shown};

use crate::folders::{CASES, CONVERSATIONS, MEETINGS, QUESTIONS, TRAJECTORIES, meeting, read, run, talk};

/// Keeps the messages at these indices, the pinned ones and the last user message, and drops the others; with `lines`,
/// those become entries of the record.
struct Keep {
    places: &'static [usize],
    lines: bool,
}

impl Strategy for Keep {
    fn name(&self) -> &str {
        "keep"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let holds = input.context.holds();
        let numbers = input.context.numbers();
        let is_last = |at: usize, block: &MeasuredBlock<'_>| {
            let is_users = block.block().as_turn().is_some_and(|turn| turn.role == Role::User);
            holds[at] == Hold::Shown && is_users
        };
        let step = |(at, block): (usize, &MeasuredBlock<'_>)| {
            let action = match holds[at] == Hold::Pinned || is_last(at, block) || self.places.contains(&at) {
                true => Action::Keep,
                false if self.lines => {
                    let role = block.block().as_turn().map_or(Role::User, |turn| turn.role);
                    let label = Label::new(numbers[at], Voice::Said { role, name: None });
                    Action::Record { entries: vec![Entry { label, lines: Vec::new() }] }
                }
                false => Action::Drop,
            };
            Step::new(&block.block().id, action, Reason::Other("as told".into()))
        };
        let steps = input.blocks.iter().enumerate().map(step).collect();
        let mut plan = Plan { strategy: self.name().into(), steps };
        keep_shown(&mut plan, input, Tokens::ZERO);
        Ok(plan)
    }
}

/// The meeting with a first turn so long that omitting it pays for the marker.
fn long_meeting() -> Dataset {
    let text = MEETINGS.replace("So we start .", &"So we start . ".repeat(40));
    read(&[("dev.meetings.jsonl", &text)], None).unwrap()
}

/// The conversation with a turn so long that omitting it pays for the marker.
fn long_talk() -> Dataset {
    let text = CONVERSATIONS.replace("What for?", &"What for? ".repeat(60));
    read(&[("dev.conversations.jsonl", &text), ("dev.queries.jsonl", QUESTIONS)], None).unwrap()
}

/// The run with a long request and a long output.
fn long_run() -> Dataset {
    let text = TRAJECTORIES
        .replace("change my flight.", &"change my flight. ".repeat(20))
        .replace("Card: ", &"Seat: none\\n".repeat(60));
    read(&[("dev.trajectories.jsonl", &text)], None).unwrap()
}

fn pipeline(strategy: impl Strategy + 'static) -> Pipeline {
    Pipeline::new(counter("chars/1").unwrap()).with_strategy(strategy)
}

/// Asserts what is kept of item `n` if the messages at `places` are; the rest becomes lines of digits.
#[track_caller]
fn check(dataset: &Dataset, n: usize, places: &'static [usize], expect: (bool, f64)) {
    let item = &dataset.items[n];
    let pipeline = pipeline(Keep { places, lines: true });
    let context = item.input.context(pipeline.counter());
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap().metrics.tokens_before;
    let room = Budget::new(whole.saturating_sub(Tokens::new(1)));
    let result = pipeline.fit(&context, &room).unwrap();
    assert_eq!(result.strategy(), Some("keep"), "{:?}", result.stages);
    let kept = item.gold.judge(&context, Some(&result), pipeline.counter());
    assert_eq!((kept.all, (kept.fraction * 1e3).round() / 1e3), expect, "{}", result.text);
    assert!(kept.invalid != Some(true), "{}", result.text);
    let nothing = item.gold.judge(&context, None, pipeline.counter());
    let whole_units = kept.whole_units.map(|_| 0.0);
    assert_eq!(nothing, Kept { invalid: kept.invalid, whole_units, ..Kept::default() });
}

#[test]
fn turns_that_answer() {
    let talk = long_talk();
    assert_eq!((talk.kind, talk.material, talk.budgets.len()), ("talk", Material::Talk, 4));
    let ids: Vec<&str> = talk.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["q1", "q2"], "questions without an answer are left out");
    check(&talk, 0, &[2], (true, 1.0));
    check(&talk, 0, &[0, 1], (false, 0.0));
    check(&talk, 1, &[0], (false, 0.5));
    check(&talk, 1, &[0, 1], (true, 1.0));
}

#[test]
fn tokens_of_stretches() {
    let meeting = long_meeting();
    // "Grad G: The recorder crashed twice last week ." has 46 characters, "Prof. E: Why ?" 14.
    check(&meeting, 0, &[1], (false, 0.767));
    check(&meeting, 0, &[1, 2], (true, 1.0));
    // The last turn must be shown: 12 characters of 581.
    check(&meeting, 1, &[], (false, 0.021));
    let context = meeting.items[0].input.context(&*counter("chars/1").unwrap()).into_owned();
    assert_eq!(context.query.as_deref(), Some("Why did the recorder crash?"));
    assert_eq!(context.blocks[0].as_turn().unwrap().name.as_deref(), Some("Prof__E"));
}

#[test]
fn facts_of_an_output() {
    let text = CASES.replace("cc a.c\\n", &"cc a.c\\n".repeat(60));
    let cases = read(&[("dev.cases.jsonl", &text)], None).unwrap();
    assert_eq!((cases.kind, cases.material, cases.budgets.len()), ("output", Material::Agent, 3));
    // The output must be shown, if only by a marker.
    check(&cases, 0, &[], (false, 0.0));
    let item = &cases.items[0];
    let context = item.input.context(&*counter("chars/1").unwrap()).into_owned();
    let base = item.gold.base(&context, &*counter("chars/1").unwrap());
    assert_eq!((base.fixed, base.shared), (Tokens::ZERO, Tokens::new(120)));
    let whole = pipeline(Keep { places: &[], lines: true }).fit(&context, &Budget::new(Tokens::MAX)).unwrap();
    assert!(item.gold.judge(&context, Some(&whole), &*counter("chars/1").unwrap()).all);
}

#[test]
fn values_outside_of_the_instructions() {
    let run = long_run();
    let ids: Vec<&str> = run.items.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["r1#0", "r1#1"]);
    check(&run, 0, &[1], (false, 0.5));
    // The call contains the name too.
    check(&run, 0, &[2, 3], (true, 1.0));
    // The call is shown with its result, which the model has not read yet, if only by a marker.
    check(&run, 0, &[], (false, 0.5));
}

#[test]
fn a_value_in_the_instructions_alone_is_not_kept() {
    let run = run();
    let item = &run.items[1];
    let pipeline = pipeline(Keep { places: &[], lines: false });
    let context = item.input.context(pipeline.counter());
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap();
    let kept = item.gold.judge(&context, Some(&whole), pipeline.counter());
    assert_eq!((kept.all, kept.invalid), (false, Some(false)));
}

#[test]
fn budgets_are_shares_of_what_is_said() {
    let chars = counter("chars/1").unwrap();
    let base = |dataset: &Dataset, n: usize| {
        dataset.items[n].gold.base(&dataset.items[n].input.context(&*chars), &*chars)
    };
    let sum = |texts: &[&str]| Tokens::new(texts.iter().map(|text| text.len()).sum());
    let only = |shared| Base { fixed: Tokens::ZERO, shared };
    assert_eq!(
        base(&talk(), 0),
        only(sum(&[
            "[1:56 pm on 8 May, 2023] Ada: Hello Ben: how was the regatta?\n",
            "[1:56 pm on 8 May, 2023] Ben: We came third.\n",
            "[9 June, 2023] Ada: I bought a sextant in Lisbon.\n",
            "[9 June, 2023] Ben: What for?\n",
            "[9 June, 2023] Ada: To look at.\n",
        ]))
    );
    assert_eq!(
        base(&meeting(), 1),
        only(sum(&[
            "Prof. E: So we start .\n",
            "Grad G: The recorder crashed twice last week .\n",
            "Prof. E: Why ?\n",
            "Grad G: OK .\n",
        ]))
    );
    let instructions = "You book flights. Flight HAT001 is closed.";
    assert_eq!(
        base(&run(), 0),
        Base {
            fixed: sum(&[instructions]) + Tokens::new(4 * 5),
            shared: sum(&[
                "I am mia_li_3668; change my flight.",
                " get_user{\"user_id\": \"mia_li_3668\"}",
                "Name: Mia Li\nReservation: NO6JO3\nCard: credit_card_4421486\n",
                "The one to Oslo, please.",
            ]),
        }
    );
}

#[test]
fn every_figure() {
    let mut told = Vec::new();
    for (name, dataset) in [("talk", long_talk()), ("meeting", long_meeting()), ("run", long_run())] {
        let contender = |baseline: &Baseline| {
            let pipeline = Pipeline::new(counter("o200k_base").unwrap()).with_strategy(*baseline);
            Contender::new(baseline.name(), pipeline)
        };
        let contenders: Vec<Contender> = dataset.material.baselines().iter().map(contender).collect();
        let shares = ["60%", "90%"].map(|share| share.parse().unwrap());
        for row in evaluate(&dataset, &contenders, &shares, || ()).rows {
            assert_eq!((row.over_budget, row.invalid.unwrap_or_default()), (0, 0), "{row:?}");
            let percent = |share: f64| (share * 1000.0).round() / 10.0;
            told.push(format!(
                "{name:<8} {:<17} {:>5} all {:>5} fraction {:>5} errors {} invalid {:?}",
                row.strategy,
                row.budget.to_string(),
                percent(row.evidence_all.mean),
                percent(row.evidence_fraction.mean),
                row.errors,
                row.invalid,
            ));
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}
