//! What the messages of a request say, without regard to its format.

use contextfit_kernel::{CompressionResult, Message, TokenCounter, Turn};

use super::{
    conversation::{Conversation, field},
    entry::Place,
};

/// What one message or item says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Said {
    /// Its place in the request, such as `messages[3]`; of what a result must say, the id of its block.
    pub place: String,
    /// The text of all its text parts.
    pub text: String,
    /// Who says it, what it calls and attaches, and its tokens besides the text; of what a result must say, `None` for a
    /// record of earlier turns, whose role the caller chooses.
    pub turn: Option<Turn>,
}

impl Conversation {
    /// What each message says, in order, with everything but texts counted by `counter`. Linear in the size of the
    /// request.
    #[must_use]
    pub fn said(&self, counter: &dyn TokenCounter) -> Vec<Said> {
        // A message that only replaces a dropped one says nothing.
        let entries = self.entries.iter().filter(|entry| !entry.bridges);
        let said = entries.map(|entry| {
            let place = match entry.place {
                Place::Field(name) => name.to_owned(),
                Place::Item(at) => format!("{}[{at}]", field(self.format)),
                Place::Whole => field(self.format).to_owned(),
            };
            let (text, parts) = self.text(entry);
            Said { place, text, turn: Some(Self::turn(entry, parts, counter)) }
        });
        said.collect()
    }

    /// The index of the message that is turn `number`, as records count them: from 1, instructions included. `None` if
    /// a record holds the turn, or the conversation has fewer.
    #[must_use]
    pub fn index_of(&self, number: usize) -> Option<usize> {
        self.turns().find(|(turn, _)| *turn == number).map(|(_, at)| at)
    }

    /// The numbers of the turns that are messages with an index, and these indices.
    pub(super) fn turns(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut turn: usize = 0;
        self.entries.iter().filter_map(move |entry| {
            match &entry.record {
                Some(record) => turn = record.to,
                None => turn = turn.saturating_add(usize::from(!entry.bridges)),
            }
            Some((turn, entry.index()?)).filter(|_| entry.record.is_none() && !entry.bridges)
        })
    }
}

impl Said {
    /// What the messages of `result` must say, in order.
    #[must_use]
    pub fn of(result: &CompressionResult) -> Vec<Self> {
        let said = |message: Message<'_>| match message {
            Message::Turn(block) => {
                Self { place: block.id.clone(), text: block.text.clone(), turn: block.as_turn().cloned() }
            }
            Message::Record(text) => Self { place: String::new(), text, turn: None },
        };
        result.context.messages().into_iter().map(said).collect()
    }
}
