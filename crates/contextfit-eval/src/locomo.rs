//! Long conversations between two people over many sessions, and questions about one turn or a few.

use std::{collections::HashMap, sync::Arc};

use contextfit_formats::Conversation;
use contextfit_kernel::{CompressionResult, Context, TokenCounter, Tokens};
use serde::Deserialize;

use crate::{
    Base, EvalError, Gold, Input, Item, Kept,
    folder::{Folder, Line, some},
    python::folded,
    transcript::{conversation, said, shown},
};

#[derive(Deserialize)]
struct ConversationLine {
    conv_id: String,
    sessions: Vec<Session>,
}

#[derive(Deserialize)]
struct Session {
    date: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    speaker: String,
    text: String,
}

#[derive(Deserialize)]
struct QueryLine {
    id: String,
    conv_id: String,
    question: String,
    adversarial: bool,
    evidence: Vec<String>,
}

/// A conversation, parsed.
struct Talk {
    conversation: Arc<Conversation>,
    /// The content of each message, in order.
    contents: Arc<Vec<String>>,
    /// The text of each turn, folded, without date and speaker.
    texts: HashMap<String, String>,
}

/// The questions of a folder that the conversations answer; adversarial ones are left out.
pub(crate) fn load(folder: &Folder) -> Result<Vec<Line<Item>>, EvalError> {
    let mut talks = HashMap::new();
    for Line { number, value } in folder.read::<ConversationLine>("conversations")? {
        let id = value.conv_id.clone();
        let talk = talk(value)
            .map_err(|(field, message)| folder.malformed("conversations", number, field, message))?;
        if talks.insert(id.clone(), talk).is_some() {
            let message = format!("{id:?} is the conv_id of an earlier line");
            return Err(folder.malformed("conversations", number, "conv_id", message));
        }
    }
    let asked = folder.read::<QueryLine>("queries")?;
    let asked = asked.into_iter().filter(|line| !line.value.adversarial);
    folder.items("queries", asked, |query| item(query, &talks))
}

/// Every turn becomes a message with date and speaker.
fn talk(line: ConversationLine) -> Result<Talk, (String, String)> {
    let (mut messages, mut contents, mut texts) = (Vec::new(), Vec::new(), HashMap::new());
    for Session { date, turns } in line.sessions {
        for Turn { id, speaker, text } in turns {
            let content = format!("[{date}] {speaker}: {text}");
            messages.push(said(&speaker, content.clone()));
            contents.push(content);
            texts.insert(id, folded(&text));
        }
    }
    Ok(Talk { conversation: conversation(messages)?, contents: Arc::new(contents), texts })
}

/// The item of `query`; on error, the field and a message.
fn item(query: QueryLine, talks: &HashMap<String, Talk>) -> Result<Item, (String, String)> {
    let missing = || ("conv_id".to_owned(), format!("there is no conversation {:?}", query.conv_id));
    let talk = talks.get(&query.conv_id).ok_or_else(missing)?;
    let turn = |(n, id): (usize, &String)| {
        let text = talk.texts.get(id).cloned();
        text.ok_or_else(|| (format!("evidence[{n}]"), format!("there is no turn {id:?}")))
    };
    some("evidence", &query.evidence)?;
    let evidence = query.evidence.iter().enumerate().map(turn).collect::<Result<_, _>>()?;
    let conversation = talk.conversation.clone();
    Ok(Item {
        id: query.id,
        gold: Box::new(Question {
            conversation: conversation.clone(),
            contents: talk.contents.clone(),
            evidence,
        }),
        input: Input::Conversation { conversation, query: Some(query.question) },
    })
}

struct Question {
    conversation: Arc<Conversation>,
    contents: Arc<Vec<String>>,
    /// The turns with the answer, folded.
    evidence: Vec<String>,
}

impl Gold for Question {
    fn base(&self, _: &Context, counter: &dyn TokenCounter) -> Base {
        Base { fixed: Tokens::ZERO, shared: spoken(&self.contents, counter) }
    }

    fn judge(&self, _: &Context, result: Option<&CompressionResult>, _: &dyn TokenCounter) -> Kept {
        let Some(result) = result else { return Kept::default() };
        let shown = shown(&self.conversation, result);
        let kept = self.evidence.iter().filter(|turn| shown.contains(turn.as_str())).count();
        Kept::of(kept, self.evidence.len())
    }
}

/// The size of a conversation: its text, and a separating token for each turn.
pub(crate) fn spoken(contents: &[String], counter: &dyn TokenCounter) -> Tokens {
    contents.iter().map(|content| counter.count(content) + Tokens::new(1)).sum()
}
