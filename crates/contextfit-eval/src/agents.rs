//! Runs of agents, cut before a call: does what the agent used next still stand in what it is shown?

use std::sync::Arc;

use contextfit_formats::{Conversation, WireFormat, valid};
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    evaluate::fraction,
    folder::{Folder, Line},
    transcript::{conversation, is_system, messages, text_of, texts},
};

#[derive(Deserialize)]
struct TrajectoryLine {
    id: String,
    messages: Vec<Value>,
    eval_points: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    /// How many messages came before.
    cut: usize,
    gold: Vec<Used>,
}

/// Something that the agent used next and had seen before.
#[derive(Deserialize)]
struct Used {
    value: String,
}

/// The points of a folder, run by run.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    let mut items = Vec::new();
    for Line { number, value: run } in folder.read::<TrajectoryLine>("trajectories")? {
        for (n, point) in run.eval_points.into_iter().enumerate() {
            let value =
                item(format!("{}#{n}", run.id), &run.messages, point).map_err(|(field, message)| {
                    let field = if field == "cut" { format!("eval_points[{n}].cut") } else { field };
                    folder.malformed("trajectories", number, field, message)
                })?;
            items.push(Line { number, value });
        }
    }
    Ok(items)
}

/// The item at `point`; the error as field and message.
fn item(id: String, messages: &[Value], point: Point) -> Result<Item, (String, String)> {
    let before = messages.get(..point.cut).ok_or_else(|| {
        ("cut".to_owned(), format!("there are no {} messages, only {}", point.cut, messages.len()))
    })?;
    let request = serde_json::json!({ "messages": before });
    let values = point.gold.into_iter().map(|used| used.value).collect();
    let conversation = conversation(before.to_vec())?;
    let gold = Needed {
        conversation: conversation.clone(),
        messages: before.to_vec(),
        valid: valid(&request, WireFormat::OpenAiChat).is_ok(),
        values,
    };
    Ok(Item { id, gold: Box::new(gold), input: Input::Conversation { conversation, query: None } })
}

/// What an agent needs next.
struct Needed {
    conversation: Arc<Conversation>,
    messages: Vec<Value>,
    /// Whether a provider would take the messages as they are.
    valid: bool,
    values: Vec<String>,
}

/// What a message takes beside its text, for the budget.
const MESSAGE: usize = 4;

impl Gold for Needed {
    /// Instructions and framing are fixed, what was said and done since is shared.
    fn base(&self, _: &Context, counter: &dyn TokenCounter) -> Base {
        let size = |system: bool| -> Tokens {
            let of = self.messages.iter().filter(|message| is_system(message) == system);
            of.map(|message| counter.count(&text_of(message))).sum()
        };
        let framing = Tokens::new(MESSAGE * self.messages.len());
        Base { fixed: size(true) + framing, shared: size(false) }
    }

    /// Values are looked for outside of the instructions, as they are written. A result whose instructions are not the
    /// ones that went in is invalid, and so is one that a provider refuses although it would have taken the input.
    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept { invalid: Some(false), ..Kept::default() } };
        let request = self.conversation.shortened(result);
        let shown = messages(&request);
        let text = texts(shown.iter().filter(|message| !is_system(message)));
        let kept = self.values.iter().filter(|value| text.contains(value.as_str())).count();
        let refused = self.valid && valid(&request, WireFormat::OpenAiChat).is_err();
        let mut instructions = self.messages.iter().filter(|message| is_system(message));
        Kept {
            all: kept == self.values.len(),
            fraction: fraction(kept, self.values.len()),
            invalid: Some(refused || !instructions.all(|message| shown.contains(message))),
            ..Kept::default()
        }
    }
}
