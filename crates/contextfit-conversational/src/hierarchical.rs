//! The strategy `hierarchical`: every turn at the level it deserves. For memories, see `contextfit-hierarchical`.

use std::sync::Arc;

use contextfit_kernel::{Error, Measured, Plan, Planner, Scorer, Strategy, Tokens};
use contextfit_text::share_of;
use serde::{Deserialize, Serialize};

use crate::{
    draft::Draft,
    outputs::{common_cap, shorten_all, start},
    reading::{Reading, Worth},
    record::RecordDraft,
    shown::{shares, worth},
};

/// How the room is spent. All shares are from 0 to 1, of the room that pinned turns leave.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct HierarchicalOptions {
    /// The share for the newest turns, whole. In a conversation without tools that has a query, the relevant turns come
    /// first, and the newest get the remaining room.
    pub recent: f64,
    /// The maximum share for standing rules in a conversation without tools.
    pub rules: f64,
    /// The minimum strength of a rule's cues, from 0 to 1.
    pub min_strength: f64,
    /// The maximum share for the user's words in a session with tools, while there is something else to show.
    pub words: f64,
    /// The maximum share for what the assistant reported before the user spoke again, in a session with tools.
    pub reports: f64,
    /// The weights that score the units of turns.
    pub worth: Worth,
}

impl Default for HierarchicalOptions {
    fn default() -> Self {
        Self { recent: 0.1, rules: 0.5, min_strength: 0.5, words: 0.6, reports: 0.2, worth: Worth::default() }
    }
}

/// Shows each turn as its score and the room allow: whole, quoted in the record, or not at all. The levels come from
/// MoFA.
///
/// The newest turns stay messages, and the record represents those before them by whole units (sentences, lines of
/// output, calls, members of JSON). First come the user's words and what the assistant reported or, in a conversation
/// without tools, standing rules; then the units that add the most names not shown yet, by [`Worth`]. If room remains,
/// more of the newest turns are shown whole. In a conversation without tools that has a query, the most relevant turns
/// are quoted whole. Linearithmic in the length of the conversation.
///
/// ```
/// use std::sync::Arc;
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Budget, Context};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_conversational as chat;
/// # }
/// use contextfit::{
///     Budget, Context, Pipeline,
///     chat::{Bm25, HierarchicalCompressor},
///     counter,
/// };
///
/// let counter = counter("chars/4")?;
/// let mut talk = Context::conversation(&*counter).user("Always answer in centimetres. What is the gauge at Bonn?");
/// for day in 1..=40 {
///     talk = talk.assistant(&format!("On day {day} it fell a little.")).user("And the next day?");
/// }
/// let strategy = HierarchicalCompressor::new(Arc::new(Bm25::default()));
/// let result = Pipeline::new(counter.clone()).with_strategy(strategy).fit(&talk.build()?, &Budget::new(200))?;
/// assert!(result.text.contains("Always answer in centimetres."), "{}", result.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct HierarchicalCompressor {
    options: HierarchicalOptions,
    scorer: Arc<dyn Scorer>,
}

impl HierarchicalCompressor {
    /// The strategy with its default options; `scorer` rates the relevance of turns to the request.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { options: HierarchicalOptions::default(), scorer }
    }

    /// Sets the options.
    #[must_use]
    pub const fn with_options(mut self, options: HierarchicalOptions) -> Self {
        self.options = options;
        self
    }
}

impl Strategy for HierarchicalCompressor {
    fn name(&self) -> &str {
        "hierarchical"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let reading = Reading::new(input, &*self.scorer, &self.options.worth);
        self.options.planner_on(reading, self.name())
    }
}

/// The maximum bytes of the conversations in all plans after the first together: some milliseconds' worth. On the
/// ladders of rooms in the tests, a plan with one more token never shows less of the user's words or of a result; with
/// about half as many, one line of a result gives way.
const EXTRA_BYTES: usize = 1 << 16;

/// The number of rooms that are tried, each one token smaller than the last.
const SMALLER_ROOMS: usize = 16;

/// At most this many outputs are cut rather than quoted, each to at least this many tokens. A few long outputs are more
/// useful in place than in a record; if they are many, or cut to a few lines, the record is more useful.
const MAX_CUT_OUTPUTS: usize = 3;
const READABLE_CUT_TOKENS: usize = 100;

/// The length to which outputs are cut if nothing else needs it; `None` if too many would be cut, or too short.
fn few_long_outputs(draft: &Draft<'_>, reading: &Reading<'_>) -> Option<Tokens> {
    // ablate: chat.few-long-outputs => None
    let outputs = reading.speakers.printed();
    let cap = common_cap(draft, outputs).filter(|cap| cap.get() >= READABLE_CUT_TOKENS)?;
    let long =
        draft.open().flat_map(|n| draft.output_lengths(n, outputs)).filter(|length| *length > cap).count();
    (long <= MAX_CUT_OUTPUTS).then_some(cap)
}

/// The maximum share for earlier summaries, while there is something else to show.
const SUMMARIES: f64 = 0.5;

impl HierarchicalOptions {
    /// A planner on `reading`, whose plans carry the name of the `strategy`. In a larger room, a larger share of it can
    /// displace units of a higher score. So shares of smaller rooms are tried too, and slightly smaller rooms, as far
    /// as the length of the conversation permits. The plan that shows the most, by [`worth`], is taken.
    pub(crate) fn planner_on<'a>(self, reading: Reading<'a>, strategy: &'a str) -> Planner<'a> {
        let bytes: usize = reading.input.blocks.iter().map(|block| block.block().text.len()).sum();
        let tries = EXTRA_BYTES / bytes.max(1); // ablate: chat.tries => 0
        Box::new(move |room| {
            let (usual, other) = self.plans_on(&reading, self.shared(&reading, room, room), strategy);
            let mut best = (worth(&usual, &reading), usual);
            let less = (0..SMALLER_ROOMS).map_while(|less| room.checked_sub(Tokens::new(less)));
            let drafts = less.flat_map(|room| self.drafts(&reading, room)).skip(1).take(tries);
            let others = drafts.flat_map(|draft| {
                let (plan, other) = self.plans_on(&reading, draft, strategy);
                std::iter::once(plan).chain(other)
            });
            for plan in other.into_iter().chain(others) {
                let worth = worth(&plan, &reading);
                if worth > best.0 {
                    best = (worth, plan);
                }
            }
            Ok(best.1)
        })
    }

    /// Different drafts for `room`: the first with shares of all of it, the others with shares of less and less.
    fn drafts<'a>(&self, reading: &Reading<'a>, room: Tokens) -> Vec<Draft<'a>> {
        let mut drafts: Vec<Draft<'a>> = Vec::new();
        for shared in shares(room) {
            let draft = self.shared(reading, shared, room);
            if !drafts.iter().any(|known| known.shows_as(&draft)) {
                drafts.push(draft);
            }
        }
        drafts
    }

    /// A draft for `room` that shows what must be shown, within shares of `shared`.
    fn shared<'a>(&self, reading: &Reading<'a>, shared: Tokens, room: Tokens) -> Draft<'a> {
        let mut draft = start(reading.input, shared, &reading.speakers);
        draft.widen(room);
        draft
    }

    /// The plan that continues `draft`, and if outputs are cut in it instead of quoted, another one with a record.
    fn plans_on<'a>(&self, reading: &Reading<'a>, draft: Draft<'a>, strategy: &str) -> (Plan, Option<Plan>) {
        let in_place = few_long_outputs(&draft, reading).map(|cap| {
            let mut draft = draft.clone();
            shorten_all(&mut draft, reading.speakers.printed(), cap);
            draft.finish(strategy)
        });
        let recorded = self.recorded(reading, draft, strategy);
        match in_place {
            Some(plan) => (plan, Some(recorded)),
            None => (recorded, None),
        }
    }

    /// The plan that continues `draft` and quotes everything else in a record.
    fn recorded<'a>(&self, reading: &Reading<'a>, mut draft: Draft<'a>, strategy: &str) -> Plan {
        self.newest(&mut draft, reading);
        let mut record = RecordDraft::new(&draft, reading);
        // A call that is quoted need not be named.
        let names = record.names(&draft);
        draft.left = draft.left.saturating_sub(names);
        self.quote_first(&mut draft, &mut record, reading);
        quote(&mut draft, &mut record);
        draft.left += names.saturating_sub(record.names(&draft));
        record.fill(&mut draft, true);
        record.write(&mut draft);
        draft.finish(strategy)
    }

    /// Keeps the newest turns.
    pub(crate) fn newest(&self, draft: &mut Draft<'_>, reading: &Reading<'_>) {
        // ablate: chat.newest-turns => ()
        if !reading.units.whole_turns {
            draft.keep_newest(share_of(draft.left, self.recent), usize::MAX);
        }
    }

    /// Takes the most important units into the record: earlier summaries of a model, then the user's words and the
    /// assistant's reports in a session with tools, or standing rules in a conversation without tools.
    pub(crate) fn quote_first(
        &self,
        draft: &mut Draft<'_>,
        record: &mut RecordDraft<'_, '_>,
        reading: &Reading<'_>,
    ) {
        record.take_summaries(draft, share_of(draft.left, SUMMARIES));
        let left = draft.left;
        if reading.speakers.has_tools() {
            let words = share_of(left, self.words);
            record.take_rules(draft, self.min_strength, words);
            record.take_words(draft, words.saturating_sub(left.saturating_sub(draft.left)));
            record.take_reports(draft, share_of(left, self.reports));
        } else if !reading.asked {
            record.take_rules(draft, self.min_strength, share_of(left, self.rules));
        }
    }
}

/// Fills the remaining room.
pub(crate) fn quote(draft: &mut Draft<'_>, record: &mut RecordDraft<'_, '_>) {
    record.fill(draft, false);
    show_more(draft, record);
    record.take_words(draft, draft.left);
    record.fill(draft, true);
}

/// Spends the remaining room on showing the newest turns whole instead of as entries.
fn show_more(draft: &mut Draft<'_>, record: &mut RecordDraft<'_, '_>) {
    // ablate: chat.more-turns => ()
    // Stops at an entry of an earlier record, which is not a turn.
    let newest = |draft: &Draft<'_>| (0..draft.exchanges.len()).rev().find(|&n| !draft.is_shown(n));
    while let Some(n) = newest(draft).filter(|&n| !draft.is_entry(n)) {
        if !record.show_whole(draft, n) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Context, TokenCounter};
    use contextfit_testkit::conversation_of;
    use contextfit_text::CharsPer;

    use super::*;

    struct Any;

    impl Scorer for Any {
        fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
            vec![1.0; texts.len()]
        }
    }

    const RULES: &str = "Refund orders only once. Never touch the production database.";
    const WISH: &str = "Use the staging key from vault, and keep the public API as it is.";

    fn log(lines: usize) -> String {
        (0..lines)
            .map(|n| {
                format!(
                    "2026-11-26T10:{n:02}:07Z INFO  worker-{} did batch {} in {} ms\n",
                    n * 7 % 4,
                    n * 7919 % 9973,
                    n * 131 % 400
                )
            })
            .collect()
    }

    const TESTS: &str = "running 9 tests\ntest api::case_1 ... ok\ntest api::refund_twice ... FAILED\n\nassertion `left == right` failed\n  left: 2\n right: 1\n\ntest result: FAILED. 8 passed; 1 failed; 0 ignored\n";

    fn made(counter: &dyn TokenCounter) -> Context {
        Context::conversation(counter)
            .user(RULES)
            .call("read_log", "{}")
            .result("read_log", log(20))
            .call("run_tests", "{}")
            .result("run_tests", TESTS)
            .user(WISH)
            .assistant("Understood.")
            .call("read_log", "{}")
            .result("read_log", log(10))
            .user("Why is it slow?")
            .build()
            .unwrap()
    }

    /// No plan for a room has a lower score than the plan for a room of one token less.
    #[track_caller]
    fn check(context: &Context, counter: &dyn TokenCounter) {
        let measured = contextfit_pipeline::measure(context, counter);
        let strategy = HierarchicalCompressor::new(Arc::new(Any));
        let reading = Reading::new(&measured, &Any, &strategy.options.worth);
        let planner = strategy.planner(&measured);
        let mut before = 0.0;
        for room in 60..measured.tokens.get() {
            let shown = worth(&planner(Tokens::new(room)).unwrap(), &reading);
            assert!(shown >= before, "{shown} in {room} tokens, {before} in one less");
            before = shown;
        }
    }

    #[test]
    fn more_room_never_shows_less_of_what_comes_first() {
        let counter = CharsPer::new(4).unwrap();
        check(&made(&counter), &counter);
        check(&conversation_of(20), &counter);
    }
}
