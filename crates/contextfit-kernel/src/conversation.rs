//! How the blocks of a conversation stand as messages.

use serde::{Deserialize, Serialize};

use crate::{Block, Context, Tokens};

/// What the messages of a conversation take beside their texts.
///
/// A block shown at level 2 or 3 is a message of its own. Blocks at level 0 and 1 that follow one another share a
/// message, the *ledger*: its heading, then a line for each block that has a text. When turns were left out, the first
/// ledger says how many; where there is none, one is made for it behind the instructions that the conversation begins
/// with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framing {
    /// Tokens of the request beside its messages: the tools it offers, the start of the answer.
    pub request: Tokens,
    /// Tokens that a ledger takes beside its text.
    pub ledger: Tokens,
    /// The first line of a ledger: says what it is.
    pub heading: String,
}

/// A message of a conversation as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<'a> {
    /// A block of its own.
    Turn(&'a Block),
    /// Lines for several blocks: the text of the message.
    Ledger(String),
}

impl Context {
    /// The messages that the blocks make, in order; a [`Message::Turn`] for each block when the layout is that of no
    /// conversation. Linear in the length of the blocks at level 0 and 1.
    #[must_use]
    pub fn messages(&self) -> Vec<Message<'_>> {
        let Some(framing) = &self.layout.framing else {
            return self.blocks.iter().map(Message::Turn).collect();
        };
        let mut messages = Vec::with_capacity(self.blocks.len());
        let mut ledger: Option<String> = None;
        let mut marker = self.layout.omission_marker(self.omitted);
        for block in &self.blocks {
            if block.level.shows_source() {
                messages.extend(ledger.take().map(Message::Ledger));
                messages.push(Message::Turn(block));
            } else if !block.text.is_empty() {
                let ledger = ledger.get_or_insert_with(|| framing.opening(marker.take()));
                ledger.extend(["\n", &block.text]);
            }
        }
        messages.extend(ledger.map(Message::Ledger));
        if marker.is_some() {
            let instructs = |message: &Message<'_>| matches!(message, Message::Turn(block) if block.as_turn().is_some_and(|turn| turn.role.instructs()));
            let at = messages.iter().take_while(|message| instructs(message)).count();
            messages.insert(at, Message::Ledger(framing.opening(marker)));
        }
        messages
    }
}

impl Framing {
    /// How a ledger begins: the heading, and how many turns were left out where it is the one to say so.
    #[must_use]
    pub fn opening(&self, marker: Option<String>) -> String {
        let mut opening = self.heading.clone();
        if let Some(marker) = marker {
            opening.extend(["\n", &marker]);
        }
        opening
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, Level, Role, Turn};

    #[track_caller]
    fn check(blocks: &[(Role, Level, &str)], omitted: usize, expect: &[&str]) {
        let framing = Framing { request: Tokens::ZERO, ledger: Tokens::ZERO, heading: "[Earlier]".into() };
        let block = |&(role, level, text): &(Role, Level, &str)| {
            Block::turn("b", Turn::new(role), text).shown_as(text.into(), level)
        };
        let context = Context::new(blocks.iter().map(block).collect())
            .with_layout(Layout::conversation(framing))
            .with_omitted(omitted);
        let shown: Vec<String> = context
            .messages()
            .into_iter()
            .map(|message| match message {
                Message::Turn(block) => block.text.clone(),
                Message::Ledger(text) => text,
            })
            .collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn messages() {
        use Level::{Extract, Full, Gist, Reference};
        use Role::{Assistant, System, User};

        check(&[], 0, &[]);
        check(&[(System, Full, "s"), (User, Full, "u")], 0, &["s", "u"]);
        check(&[(System, Full, "s"), (User, Full, "u")], 1, &["s", "[Earlier]\n[... 1 turn left out]", "u"]);
        check(&[], 2, &["[Earlier]\n[... 2 turns left out]"]);
        check(
            &[(User, Gist, "a"), (Assistant, Reference, "b"), (User, Extract, "c"), (Assistant, Gist, "d")],
            0,
            &["[Earlier]\na\nb", "c", "[Earlier]\nd"],
        );
        check(
            &[(User, Full, "a"), (User, Gist, ""), (User, Gist, "b"), (User, Full, "c"), (User, Gist, "d")],
            3,
            &["a", "[Earlier]\n[... 3 turns left out]\nb", "c", "[Earlier]\nd"],
        );
        check(&[(User, Full, "a"), (User, Gist, ""), (User, Full, "b")], 0, &["a", "b"]);
    }
}
