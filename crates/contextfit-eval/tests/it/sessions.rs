//! Sessions of a developer with a coding agent: which runs are sessions, their budgets, and what is kept of the user's
//! words.

use contextfit_eval::{Base, Dataset, Kept};
use contextfit_kernel::{
    Action, Budget, Error, Hold, Measured, MeasuredBlock, Plan, Reason, Step, Strategy, Tokens,
};
use contextfit_pipeline::Pipeline;
use contextfit_text::counter;

use crate::folders::{TRAJECTORIES, read};

/// A session: a request, a call with its result, an answer, and one more request.
const SESSION: &str = r#"{"id": "s1", "messages": [{"role": "user", "content": "Task 154 fails. Read the log first!"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "run", "arguments": "{\"cmd\": \"tail build.log\"}"}}]}, {"role": "tool", "tool_call_id": "c1", "content": "OUTPUT"}, {"role": "assistant", "content": "It fails in core.rs."}, {"role": "user", "content": "Then fix that."}, {"role": "assistant", "content": "Done."}], "eval_points": [{"cut": 5, "gold": [{"value": "core.rs", "seen_in": [3]}, {"value": "154", "seen_in": [0]}]}]}"#;

fn session() -> Dataset {
    let text = SESSION.replace("OUTPUT", &"error in core.rs, line 12\\n".repeat(30));
    read(&[("dev.trajectories.jsonl", &text)], None).unwrap()
}

/// Keeps the messages at these indices and the pinned ones; drops the others.
struct Keep(&'static [usize]);

impl Strategy for Keep {
    fn name(&self) -> &str {
        "keep"
    }

    fn plan(&self, input: &Measured<'_>, _: Tokens) -> Result<Plan, Error> {
        let holds = input.context.holds();
        let step = |(at, block): (usize, &MeasuredBlock<'_>)| {
            let action =
                if holds[at] != Hold::Free || self.0.contains(&at) { Action::Keep } else { Action::Drop };
            Step::new(&block.block().id, action, Reason::Other("as told".into()))
        };
        Ok(Plan { strategy: self.name().into(), steps: input.blocks.iter().enumerate().map(step).collect() })
    }
}

/// What is kept if the messages at `places` are.
fn kept(places: &'static [usize]) -> Kept {
    let session = session();
    let item = &session.items[0];
    let pipeline = Pipeline::new(counter("chars/1").unwrap()).with_strategy(Keep(places));
    let context = item.input.context(pipeline.counter());
    let whole = pipeline.fit(&context, &Budget::new(Tokens::MAX)).unwrap().metrics.tokens_before;
    let room = Budget::new(whole.saturating_sub(Tokens::new(1)));
    let result = pipeline.fit(&context, &room).unwrap();
    assert_eq!(result.strategy(), Some("keep"), "{:?}", result.stages);
    item.gold.judge(&context, Some(&result), pipeline.counter())
}

#[test]
fn runs_without_instructions_cut_after_a_request() {
    let system = r#"{"role": "system", "content": "Be brief."}, {"role": "user""#;
    for (text, kind) in [
        (SESSION.to_owned(), "session"),
        (SESSION.replacen(r#"{"role": "user""#, system, 1).replace(r#""cut": 5"#, r#""cut": 6"#), "agent"),
        (SESSION.replace(r#""cut": 5"#, r#""cut": 4"#), "agent"),
        (SESSION.replace(r#""cut": 5"#, r#""cut": 0"#), "agent"),
        (TRAJECTORIES.to_owned(), "agent"),
    ] {
        let dataset = read(&[("dev.trajectories.jsonl", &text)], None).unwrap();
        assert_eq!(dataset.kind, kind, "{text}");
    }
}

#[test]
fn arguments_count_twice_in_budgets() {
    let (session, chars) = (session(), counter("chars/1").unwrap());
    let item = &session.items[0];
    let arguments = r#"{"cmd": "tail build.log"}"#;
    let said = ["Task 154 fails. Read the log first!", " run", arguments, "\n", arguments];
    let answered = ["It fails in core.rs.", "Then fix that."];
    let length: usize = said.iter().chain(&answered).map(|text| text.len()).sum();
    let shared = Tokens::new(length + 30 * "error in core.rs, line 12\n".len());
    let base = item.gold.base(&item.input.context(&*chars), &*chars);
    assert_eq!(base, Base { fixed: Tokens::new(4 * 5), shared });
}

#[test]
fn what_the_user_said_earlier() {
    for (places, words, values) in [(&[0][..], 1.0, 0.5), (&[3], 0.0, 0.5), (&[0, 3], 1.0, 1.0)] {
        let kept = kept(places);
        assert_eq!((kept.user_words, kept.fraction), (Some(words), values), "{places:?}");
        assert_eq!((kept.whole_units, kept.invalid), (Some(values), Some(false)), "{places:?}");
        assert_eq!(kept.record.map(|record| record.fragments), Some(Tokens::ZERO), "{places:?}");
    }
}

#[test]
fn an_error_keeps_nothing() {
    let (session, chars) = (session(), counter("chars/1").unwrap());
    let item = &session.items[0];
    let kept = item.gold.judge(&item.input.context(&*chars), None, &*chars);
    assert_eq!((kept.fraction, kept.whole_units, kept.user_words), (0.0, Some(0.0), Some(0.0)));
    assert_eq!((kept.record, kept.invalid), (None, Some(false)));
}
