//! The pins of `chat`, and those that match nothing.

use std::{
    collections::BTreeSet,
    str::FromStr,
    sync::{Mutex, PoisonError},
};

use contextfit::{
    formats::{ChatRequest, Conversation, Known, Pins, Unmatched},
    kernel::one_line,
};

use crate::error::CliError;

/// The most names that an error lists.
const LISTED: usize = 20;

/// What must not be touched, in addition to instructions.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Pins")]
pub(crate) struct PinArgs {
    /// Keep the message at this index as it is, counting from 0, or that of a turn as records number it (#60); may be
    /// repeated
    #[arg(long, value_name = "INDEX|#TURN")]
    pin: Vec<Pin>,
    /// Keep the message, item or call with this id; may be repeated
    #[arg(long, value_name = "ID")]
    pin_id: Vec<String>,
    /// Keep calls to this tool and their results; may be repeated
    #[arg(long, value_name = "NAME")]
    pin_tool: Vec<String>,
    /// Keep messages that contain this text; may be repeated
    #[arg(long, value_name = "TEXT")]
    pin_text: Vec<String>,
    /// Keep the last user message as it is; otherwise it is cut if nothing else makes room, but never dropped
    #[arg(long)]
    pin_last_user: bool,
    /// Let instructions (system and developer messages) be cut or dropped like other messages
    #[arg(long)]
    unpin_instructions: bool,
}

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pin {
    /// By its index, from 0.
    Index(usize),
    /// By the number of its turn, from 1, as records and --explain have it.
    Turn(usize),
}

impl FromStr for Pin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let pin = match text.strip_prefix('#') {
            Some(number) => number.parse().map(Self::Turn),
            None => text.parse().map(Self::Index),
        };
        pin.map_err(|_| "expected an index from 0, such as 59, or the number of a turn, such as #60")
    }
}

impl PinArgs {
    /// Adds these pins to those of `request`. A turn that is not a message of it is not added.
    pub(crate) fn add_to(&self, request: &mut ChatRequest) {
        let own = self.pins(&request.conversation);
        let pins = &mut request.pins;
        pins.indices.extend(own.indices);
        pins.ids.extend(own.ids);
        pins.tools.extend(own.tools);
        pins.markers.extend(own.markers);
        pins.last_user |= self.pin_last_user;
        pins.instructions &= !self.unpin_instructions;
    }

    /// Those that match no message of `conversation`.
    pub(crate) fn unmatched(&self, conversation: &Conversation) -> Misses {
        let turns = self.pin.iter().filter_map(|pin| match pin {
            Pin::Turn(turn) if conversation.index_of(*turn).is_none() => Some(*turn),
            _ => None,
        });
        Misses { turns: turns.collect(), others: conversation.unmatched(&self.pins(conversation)) }
    }

    /// The pins of messages, with turns as indices of `conversation`.
    fn pins(&self, conversation: &Conversation) -> Pins {
        let mut pins = Pins::none();
        let index = |pin: &Pin| match *pin {
            Pin::Index(index) => Some(index),
            Pin::Turn(number) => conversation.index_of(number),
        };
        pins.indices = self.pin.iter().filter_map(index).collect();
        pins.ids.clone_from(&self.pin_id);
        pins.tools.clone_from(&self.pin_tool);
        pins.markers.clone_from(&self.pin_text);
        pins
    }
}

/// Pins that match no message.
#[derive(Debug)]
pub(crate) struct Misses {
    /// The turns that are not messages.
    turns: Vec<usize>,
    others: Unmatched,
}

/// The error for pins of a request that match nothing.
pub(crate) fn unmatched(others: Unmatched) -> CliError {
    let misses = Misses { turns: Vec::new(), others };
    CliError::Pins { what: "no message matches", lines: misses.lines() }
}

impl Misses {
    /// Fails if there are any; `what` says of which conversations.
    ///
    /// # Errors
    /// [`CliError::Pins`], which lists what there is to match.
    pub(crate) fn refuse(self, what: &'static str) -> Result<(), CliError> {
        let lines = self.lines();
        if lines.is_empty() { Ok(()) } else { Err(CliError::Pins { what, lines }) }
    }

    /// One line for each pin.
    fn lines(&self) -> Vec<String> {
        let Unmatched { indices, ids, tools, markers, known, .. } = &self.others;
        let messages = match known.messages {
            0 => "there is no message".to_owned(),
            1 => "the only message is 0".to_owned(),
            n => format!("messages are 0 to {}", n - 1),
        };
        let turns = match known.turns {
            None => String::new(),
            Some((from, to)) => format!("; messages are turns #{from} to #{to}"),
        };
        let indices = indices.iter().map(|index| format!("--pin {index} (pins.indices): {messages}"));
        let turns = self.turns.iter().map(|number| {
            format!("--pin #{number}: no message is turn {number}: a record holds it, or the conversation is shorter{turns}")
        });
        let (of_ids, of_tools) = (among(&known.ids, "ids"), among(&known.tools, "tools"));
        let ids = ids.iter().map(|id| format!("--pin-id {} (pins.ids): {of_ids}", one_line(id)));
        let tools =
            tools.iter().map(|tool| format!("--pin-tool {} (pins.tools): {of_tools}", one_line(tool)));
        let markers = markers.iter().map(|text| {
            let why = if text.is_empty() { "expected a text, found none" } else { "no message contains it" };
            format!("--pin-text {text:?} (pins.markers): {why}")
        });
        indices.chain(turns).chain(ids).chain(tools).chain(markers).collect()
    }

    /// Keeps what `other` misses too, and knows what either knows.
    fn keep_common(&mut self, other: Self) {
        let Unmatched { indices, ids, tools, markers, known, .. } = &mut self.others;
        let theirs = other.others;
        self.turns.retain(|turn| other.turns.contains(turn));
        indices.retain(|index| theirs.indices.contains(index));
        ids.retain(|id| theirs.ids.contains(id));
        tools.retain(|tool| theirs.tools.contains(tool));
        markers.retain(|marker| theirs.markers.contains(marker));
        let Known { messages, turns, ids, tools, .. } = theirs.known;
        known.messages = known.messages.max(messages);
        known.turns = match (known.turns, turns) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (ours, theirs) => ours.or(theirs),
        };
        add(&mut known.ids, ids);
        add(&mut known.tools, tools);
    }
}

/// Adds `more` names, keeping as many as an error lists and one, so that a run of any length takes little memory.
fn add(names: &mut BTreeSet<String>, more: BTreeSet<String>) {
    names.extend(more);
    while names.len() > LISTED + 1 {
        names.pop_last();
    }
}

/// The names that a pin could have, of which `what` is the plural.
fn among(names: &BTreeSet<String>, what: &str) -> String {
    let listed: Vec<_> = names.iter().take(LISTED).map(|name| one_line(name)).collect();
    match names.len() {
        0 => format!("there are no {what}"),
        n if n <= LISTED => format!("{what} are {}", listed.join(", ")),
        _ => format!("{what} are {} and more", listed.join(", ")),
    }
}

/// The pins of flags that no line has matched yet.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<Option<Misses>>);

impl Waiting {
    /// Drops what matches `conversation`.
    pub(crate) fn meet(&self, args: &PinArgs, conversation: &Conversation) {
        let misses = args.unmatched(conversation);
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.as_mut() {
            Some(waiting) => waiting.keep_common(misses),
            None => *waiting = Some(misses),
        }
    }

    /// Fails if a pin has matched no line.
    ///
    /// # Errors
    /// [`CliError::Pins`], which lists what there was to match.
    pub(crate) fn done(self) -> Result<(), CliError> {
        let waiting = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        waiting.map_or(Ok(()), |misses| misses.refuse("no message of any line matches"))
    }
}
