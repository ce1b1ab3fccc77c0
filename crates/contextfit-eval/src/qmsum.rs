//! Meetings, and queries about stretches of them.

use std::sync::Arc;

use contextfit_formats::Conversation;
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, flattened, some},
    item::ratio,
    locomo::spoken,
    python::folded,
    transcript::{conversation, said, shown},
};

#[derive(Deserialize)]
struct MeetingLine {
    turns: Vec<Turn>,
    queries: Vec<Query>,
}

#[derive(Deserialize)]
struct Turn {
    speaker: String,
    text: String,
}

#[derive(Deserialize)]
struct Query {
    id: String,
    query: String,
    /// First and last turn of each stretch, from 0.
    spans: Vec<(usize, usize)>,
}

/// The queries of a folder, meeting by meeting.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    Ok(flattened(folder.items("meetings", folder.read("meetings")?, items_of)?))
}

/// The items of one meeting; on error, the field and a message.
fn items_of(meeting: MeetingLine) -> Result<Vec<Item>, (String, String)> {
    let content = |turn: &Turn| format!("{}: {}", turn.speaker, turn.text);
    let contents: Arc<Vec<String>> = Arc::new(meeting.turns.iter().map(content).collect());
    let turns = meeting.turns.iter().zip(contents.iter());
    let messages = turns.map(|(turn, content)| said(&name(&turn.speaker), content.clone())).collect();
    let conversation = conversation(messages)?;
    let item = |(n, query): (usize, Query)| {
        some(&format!("queries[{n}].spans"), &query.spans)?;
        for (span, &(first, last)) in query.spans.iter().enumerate() {
            if first > last || last >= contents.len() {
                let message =
                    format!("turns {first} to {last} are not a range of the {} `turns`", contents.len());
                return Err((format!("queries[{n}].spans[{span}]"), message));
            }
        }
        let gold =
            Stretches { conversation: conversation.clone(), contents: contents.clone(), spans: query.spans };
        let input = Input::Conversation { conversation: conversation.clone(), query: Some(query.query) };
        Ok(Item { id: query.id, input, gold: Box::new(gold) })
    };
    meeting.queries.into_iter().enumerate().map(item).collect()
}

/// A name allowed in the wire format: letters, digits and `_`.
fn name(speaker: &str) -> String {
    speaker.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// The stretches of a meeting that a query is about.
struct Stretches {
    conversation: Arc<Conversation>,
    contents: Arc<Vec<String>>,
    spans: Vec<(usize, usize)>,
}

impl Gold for Stretches {
    fn base(&self, _: &Context, counter: &dyn TokenCounter) -> Base {
        Base { fixed: Tokens::ZERO, shared: spoken(&self.contents, counter) }
    }

    /// The fraction is weighted by tokens, so that long turns count more.
    fn judge(&self, _: &Context, result: Option<&CompressionResult>, counter: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept::default() };
        let shown = shown(&self.conversation, result);
        let turns = self.spans.iter().filter_map(|&(first, last)| self.contents.get(first..=last)).flatten();
        let (mut kept, mut whole) = (Tokens::ZERO, Tokens::ZERO);
        for turn in turns {
            let tokens = counter.count(turn);
            whole += tokens;
            if shown.contains(&folded(turn)) {
                kept += tokens;
            }
        }
        Kept { all: kept == whole, fraction: ratio(kept.get(), whole.get()), ..Kept::default() }
    }
}
