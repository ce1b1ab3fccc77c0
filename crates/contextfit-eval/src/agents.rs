//! Runs of agents and developers' sessions, cut before a call: is what was needed next still there?

use std::sync::Arc;

use contextfit_formats::{Conversation, WireFormat, valid};
use contextfit_kernel::{CompressionResult, Context, Framing, TokenCounter, Tokens};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, flattened, some},
    item::fraction,
    legible::SourceMessages,
    python::{folded, lines},
    transcript::{conversation, is_of, is_system, messages, text_of, texts, with_arguments},
    units::sentences,
};

/// The kind of run measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    /// A run of an application.
    Agent,
    /// A developer's own session; the user's words are checked too.
    Session,
}

#[derive(Deserialize)]
struct TrajectoryLine {
    id: String,
    pub(crate) messages: Vec<Value>,
    pub(crate) eval_points: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    /// The number of messages before the point.
    pub(crate) cut: usize,
    gold: Vec<Used>,
}

/// A value that the agent used next and had seen before.
#[derive(Deserialize)]
struct Used {
    value: String,
}

/// The points of all runs in a folder.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    points(folder, Run::Agent)
}

/// The runs of a folder.
fn runs(folder: &Folder) -> Result<Vec<Line<TrajectoryLine>>, EvalError> {
    folder.read("trajectories")
}

/// The points of a folder whose runs are of `kind`.
fn points(folder: &Folder, kind: Run) -> Result<Vec<Line<Item>>, EvalError> {
    let items_of = |run: TrajectoryLine| {
        let item = |(n, point)| {
            item(format!("{}#{n}", run.id), &run.messages, point, kind).map_err(|(field, message)| {
                let of_point = matches!(field.as_str(), "cut" | "gold");
                (if of_point { format!("eval_points[{n}].{field}") } else { field }, message)
            })
        };
        run.eval_points.into_iter().enumerate().map(item).collect::<Result<Vec<_>, _>>()
    };
    Ok(flattened(folder.items("trajectories", runs(folder)?, items_of)?))
}

/// The item at `point`; on error, the field and a message.
fn item(id: String, messages: &[Value], point: Point, kind: Run) -> Result<Item, (String, String)> {
    let before = messages.get(..point.cut).ok_or_else(|| {
        ("cut".to_owned(), format!("expected at least {} messages, found {}", point.cut, messages.len()))
    })?;
    some("gold", &point.gold)?;
    let request = serde_json::json!({ "messages": before });
    let values = point.gold.into_iter().map(|used| used.value).collect();
    let conversation = conversation(before.to_vec())?;
    let gold = Needed {
        kind,
        conversation: conversation.clone(),
        messages: before.to_vec(),
        valid: valid(&request, WireFormat::OpenAiChat).is_ok(),
        values,
        source: SourceMessages::of(before),
        said: (kind == Run::Session).then(|| user_sentences(before)),
    };
    Ok(Item { id, gold: Box::new(gold), input: Input::Conversation { conversation, query: None } })
}

/// What the agent needs next.
struct Needed {
    kind: Run,
    conversation: Arc<Conversation>,
    messages: Vec<Value>,
    /// Whether a provider would accept the messages unchanged.
    valid: bool,
    values: Vec<String>,
    /// The reference for judging the record.
    source: SourceMessages,
    /// The user's earlier sentences, folded; only for sessions.
    said: Option<Vec<String>>,
}

impl Gold for Needed {
    /// Instructions and framing are fixed; everything said and done since is shared.
    fn base(&self, _: &Context, counter: &dyn TokenCounter) -> Base {
        let text = match self.kind {
            Run::Agent => text_of,
            Run::Session => with_arguments,
        };
        let size = |system: bool| -> Tokens {
            let of = self.messages.iter().filter(|message| is_system(message) == system);
            of.map(|message| counter.count(&text(message))).sum()
        };
        let framing = Tokens::new(Framing::MESSAGE.get() * self.messages.len());
        Base { fixed: size(true) + framing, shared: size(false) }
    }

    /// Values are looked up outside the instructions, verbatim; then again without the lines of the record that are
    /// fragments. A result is invalid if its instructions changed, or if a provider would refuse it although it would
    /// have accepted the input.
    fn judge(&self, _: &Context, result: Option<&CompressionResult>, counter: &dyn TokenCounter) -> Kept {
        let Some(result) = result else {
            let user_words = self.said.is_some().then_some(0.0);
            return Kept { invalid: Some(false), whole_units: Some(0.0), user_words, ..Kept::default() };
        };
        let request = self.conversation.shortened(result);
        let shown = messages(&request);
        let text = texts(shown.iter().filter(|message| !is_system(message)));
        let (record, fragments) = self.source.record(shown, counter);
        let legible: Vec<&str> = lines(&text).filter(|line| !fragments.contains(*line)).collect();
        let kept = share(&self.values, &text);
        let said = self.said.as_ref().filter(|said| !said.is_empty());
        let refused = self.valid && valid(&request, WireFormat::OpenAiChat).is_err();
        let mut instructions = self.messages.iter().filter(|message| is_system(message));
        Kept {
            all: kept >= 1.0,
            fraction: kept,
            invalid: Some(refused || !instructions.all(|message| shown.contains(message))),
            whole_units: Some(share(&self.values, &legible.join("\n"))),
            user_words: said.map(|said| share(said, &folded(&text))),
            record: Some(record),
            ..Kept::default()
        }
    }
}

/// The share of `values` found in `text`; 1 if there are none.
fn share(values: &[String], text: &str) -> f64 {
    let kept = values.iter().filter(|value| text.contains(value.as_str())).count();
    fraction(kept, values.len())
}

/// The points of all sessions in a folder.
pub(crate) fn load_sessions(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    points(folder, Run::Session)
}

/// Whether the runs of a folder are sessions: none has an application's instructions, which developers' tools do not
/// record, and all points come right after a user message.
pub(crate) fn is_session(folder: &Folder) -> Result<bool, EvalError> {
    let runs = runs(folder)?;
    Ok(runs.iter().all(|Line { value: run, .. }| {
        let said = |cut: usize| cut.checked_sub(1).and_then(|at| run.messages.get(at));
        let asked = |cut: usize| said(cut).is_some_and(|message| is_of(message, "user"));
        run.eval_points.iter().all(|point| asked(point.cut)) && !run.messages.iter().any(is_system)
    }))
}

/// A message with more characters is a paste, not speech.
const LONGEST_MESSAGE: usize = 600;

/// A sentence with fewer words says too little to be missed.
const SENTENCE_WORDS: usize = 3;

/// The user's sentences in all messages but the last, folded, without pastes.
fn user_sentences(messages: &[Value]) -> Vec<String> {
    let earlier = messages.split_last().map_or(&[][..], |(_, earlier)| earlier);
    let texts = earlier.iter().filter(|message| is_of(message, "user")).map(text_of);
    let said = texts.filter(|text| text.chars().count() <= LONGEST_MESSAGE);
    let mut found = Vec::new();
    for line in said.flat_map(|text| text.split('\n').map(folded).collect::<Vec<_>>()) {
        let long = sentences(&line, &['.', '!', '?'])
            .filter(|sentence| sentence.split(' ').count() >= SENTENCE_WORDS);
        found.extend(long.map(str::to_owned));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_user_says() {
        let paste = "A line of output. ".repeat(40);
        let messages = [
            json!({"role": "user", "content": "Fix  the build. Thanks a lot! Now\nand run e.g. all tests"}),
            json!({"role": "assistant", "content": "I will do that."}),
            json!({"role": "user", "content": paste}),
            json!({"role": "user", "content": "What is the outcome?"}),
        ];
        assert_eq!(user_sentences(&messages), ["fix the build.", "thanks a lot!", "and run e.g."]);
        assert!(user_sentences(&[]).is_empty());
    }
}
