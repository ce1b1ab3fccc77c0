//! Runs of agents, cut before a call: does the shortened context still contain what the agent used next?

use std::sync::Arc;

use contextfit_formats::{Conversation, WireFormat, valid};
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{FileLine, Folder, some},
    legible::SourceMessages,
    python::{folded, lines},
    ratio::fraction,
    transcript::{conversation, is_system, messages, text_of, texts, with_arguments},
    user_words::user_sentences,
};

/// The kind of run measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Run {
    /// A run of an application.
    Agent,
    /// A developer's own session; the user's words are checked too.
    Session,
}

#[derive(Deserialize)]
pub(crate) struct TrajectoryLine {
    id: String,
    pub(crate) messages: Vec<Value>,
    pub(crate) eval_points: Vec<Point>,
}

#[derive(Deserialize)]
pub(crate) struct Point {
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
pub(crate) fn load(folder: &Folder) -> Result<Vec<FileLine<Item>>, EvalError> {
    points(folder, Run::Agent)
}

/// The runs of a folder.
pub(crate) fn runs(folder: &Folder) -> Result<Vec<FileLine<TrajectoryLine>>, EvalError> {
    folder.read("trajectories")
}

/// The points of a folder whose runs are of `kind`.
pub(crate) fn points(folder: &Folder, kind: Run) -> Result<Vec<FileLine<Item>>, EvalError> {
    let mut items = Vec::new();
    for FileLine { number, value: run } in runs(folder)? {
        for (n, point) in run.eval_points.into_iter().enumerate() {
            let value =
                item(format!("{}#{n}", run.id), &run.messages, point, kind).map_err(|(field, message)| {
                    let of_point = matches!(field.as_str(), "cut" | "gold");
                    let field = if of_point { format!("eval_points[{n}].{field}") } else { field };
                    folder.malformed("trajectories", number, field, message)
                })?;
            items.push(FileLine { number, value });
        }
    }
    Ok(items)
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

/// The framing of a message, besides its text, in the budget.
const MESSAGE: usize = 4;

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
        let framing = Tokens::new(MESSAGE * self.messages.len());
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
