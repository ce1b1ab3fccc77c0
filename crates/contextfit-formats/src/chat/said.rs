//! The content of the messages of a request, without regard to its format.

use contextfit_kernel::{CompressionResult, Message, TokenCounter, Turn};

use super::{
    conversation::{Conversation, field},
    entry::Place,
};

/// The content of one message or item.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Said {
    /// Its place in the request, such as `messages[3]`; for an expected message of a result, the id of its block.
    pub place: String,
    /// The text of all its text parts.
    pub text: String,
    /// Its role, calls, attachments and tokens in addition to the text; for an expected message of a result, `None` if
    /// it is a record of earlier turns, whose role the caller chooses.
    pub turn: Option<Turn>,
}

impl Conversation {
    /// The content of each message, in order, with the tokens of everything but texts counted by `counter`. Linear in
    /// the size of the request.
    #[must_use]
    pub fn said(&self, counter: &dyn TokenCounter) -> Vec<Said> {
        // A message that only replaces a dropped one has no content.
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

    /// The index of the message that is turn `number`, counted as in records: from 1, including instructions. `None` if
    /// the turn is in a record, or the conversation has fewer turns.
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
    /// The expected messages of `result`, in order.
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
