//! The reasons why a message cannot be dropped.

use contextfit_kernel::{Hold, Role};

use super::{
    WireFormat,
    conversation::Conversation,
    entry::{Entry, Place},
    pins::Pins,
};

/// The reason why a message is pinned or must be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Held {
    /// Always pinned: the provider stores what belongs to it, or its rules on the order of roles require it.
    Provider,
    /// Always pinned: no format has this role, so its meaning for the model is unknown.
    UnknownRole(String),
    /// Pinned as instructions: [`Pins::instructions`].
    Instructions,
    /// Pinned by its index: [`Pins::indices`].
    Index(usize),
    /// Pinned by this id: [`Pins::ids`].
    Id(String),
    /// Pinned by this tool: [`Pins::tools`].
    Tool(String),
    /// Pinned by this text: [`Pins::markers`].
    Marker(String),
    /// Pinned as the last user message, by [`Pins::last_user`].
    PinnedUser,
    /// Always shown, as the last user message.
    LastUser,
    /// Always shown, as a result that the model has not read yet.
    Unread,
    /// Always shown, as the beginning of the answer: the last Anthropic message, if it is the assistant's.
    Prefill,
    /// In a group with a held message.
    With {
        /// The id of that message.
        id: String,
        /// The reason that message is held.
        held: Box<Self>,
    },
}

impl Held {
    /// How firmly the message is held.
    #[must_use]
    pub fn hold(&self) -> Hold {
        match self {
            Self::LastUser | Self::Unread | Self::Prefill => Hold::Shown,
            Self::With { held, .. } => held.hold(),
            _ => Hold::Pinned,
        }
    }
}

impl Conversation {
    /// The reason why the message with this `id` in the [context](Self::context) is held under `pins`; `None` if it may
    /// be dropped. Linear in the size of the conversation.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_formats as formats; }
    /// use contextfit::formats::{Conversation, Held, Pins};
    /// use serde_json::json;
    ///
    /// let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]);
    /// let conversation = Conversation::parse(messages)?;
    /// assert_eq!(conversation.why_held("0", &Pins::default()), Some(Held::Instructions));
    /// assert_eq!(conversation.why_held("1", &Pins::default()), Some(Held::LastUser));
    /// # Ok::<(), contextfit_formats::FormatError>(())
    /// ```
    #[must_use]
    pub fn why_held(&self, id: &str, pins: &Pins) -> Option<Held> {
        let newest = self.newest();
        let entry = self.entries.iter().find(|entry| entry.id() == id)?;
        let in_group = |other: &Entry| entry.group.is_some() && other.group == entry.group;
        let others = self.entries.iter().enumerate().filter(|(_, other)| in_group(other) || other.id() == id);
        let held = others.filter_map(|(at, other)| {
            let held = self.why(at, other, &self.text(other).0, pins, &newest)?;
            Some((held.hold(), other.id() == id, other.id(), held))
        });
        let (_, own, other, held) = held.max_by_key(|(hold, own, ..)| (*hold, *own))?;
        Some(if own { held } else { Held::With { id: other, held: Box::new(held) } })
    }

    /// The reason why the message at `at` with this `text` is held, apart from its group.
    pub(super) fn why(
        &self,
        at: usize,
        entry: &Entry,
        text: &str,
        pins: &Pins,
        newest: &Newest,
    ) -> Option<Held> {
        let is_last = newest.users.contains(&Some(at));
        let shown = || match is_last {
            true if pins.last_user => Some(Held::PinnedUser),
            true => Some(Held::LastUser),
            false if newest.prefill == Some(at) => Some(Held::Prefill),
            false => (newest.unread <= at && !entry.answers.is_empty()).then_some(Held::Unread),
        };
        let provider = entry.stays.then_some(Held::Provider);
        let unknown = || self.unknown_role(entry).map(|role| Held::UnknownRole(role.to_owned()));
        provider.or_else(unknown).or_else(|| pins.why(entry, self.own_id(entry), text)).or_else(shown)
    }

    /// The role of the message, if no format has it.
    pub(super) fn unknown_role(&self, entry: &Entry) -> Option<&str> {
        self.value(entry).filter(|_| entry.role == Role::Other)?.get("role")?.as_str()
    }

    /// The id of the message or item itself.
    pub(super) fn own_id(&self, entry: &Entry) -> Option<&str> {
        self.value(entry)?.get("id")?.as_str()
    }

    /// The messages that the model is about to read.
    pub(super) fn newest(&self) -> Newest {
        let last = |is: &dyn Fn(&Entry) -> bool| self.entries.iter().rposition(is);
        let alone = |entry: &Entry| entry.is_users() && entry.answers.is_empty();
        let speaks = |entry: &Entry| entry.role == Role::Assistant;
        let is_anthropic = self.format == WireFormat::AnthropicMessages;
        let at_end =
            |at: usize| self.entries.get(at).is_some_and(|entry| speaks(entry) && entry.calls.is_empty());
        let called =
            last(&speaks).filter(|&at| self.entries.get(at).is_some_and(|entry| !entry.calls.is_empty()));
        Newest {
            users: [last(&Entry::is_users), last(&alone)],
            unread: called.map_or(usize::MAX, |at| at + 1),
            prefill: last(&|_| true).filter(|&at| is_anthropic && at_end(at)),
        }
    }
}

/// The messages that the model is about to read.
pub(super) struct Newest {
    /// The last message with text of the user, and the last with nothing else; see [`Pins::last_user`].
    users: [Option<usize>; 2],
    /// The beginning of the model's answer.
    prefill: Option<usize>,
    /// The first entry after the newest calls: results from here on answer them, and no assistant message follows.
    unread: usize,
}

impl Pins {
    /// The pin that holds `entry` with this `id` and `text`, apart from the pin of the last user message.
    fn why(&self, entry: &Entry, id: Option<&str>, text: &str) -> Option<Held> {
        let instructs = self.instructions && entry.role.instructs() && entry.record.is_none();
        let index = entry.index().filter(|at| self.indices.contains(at)).map(Held::Index);
        let by_id = || named(entry.ids(id), &self.ids).map(Held::Id);
        let by_tool = || named(entry.tools(), &self.tools).map(Held::Tool);
        let by_marker = || {
            let found = self.markers.iter().find(|marker| marks(marker, text));
            found.map(|marker| Held::Marker(marker.clone()))
        };
        let instructions = instructs.then_some(Held::Instructions);
        instructions.or(index).or_else(by_id).or_else(by_tool).or_else(by_marker)
    }
}

impl Entry {
    /// The index by which a pin can name it.
    pub(super) const fn index(&self) -> Option<usize> {
        match self.place {
            Place::Item(at) => Some(at),
            Place::Whole => Some(0),
            Place::Field(_) => None,
        }
    }

    /// The ids by which a pin can name it: its `own`, and those of the calls that it makes or answers.
    pub(super) fn ids<'a>(&'a self, own: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        let calls = self.calls.iter().filter_map(|call| call.id.as_deref());
        let answers = self.answers.iter().filter_map(Option::as_deref);
        own.into_iter().chain(calls).chain(answers)
    }

    /// The tools that it calls, or whose results it contains.
    pub(super) fn tools(&self) -> impl Iterator<Item = &str> {
        let calls = self.calls.iter().map(|call| call.name.as_str());
        let texts = self.slots.iter().filter_map(|slot| slot.tool.as_deref());
        calls.chain(texts).chain(self.attachments.iter().filter_map(|attached| attached.tool.as_deref()))
    }
}

/// Whether a message with this `text` contains the `marker`. No message contains an empty marker.
pub(super) fn marks(marker: &str, text: &str) -> bool {
    !marker.is_empty() && text.contains(marker)
}

/// The first of `names` that is among `pins`.
fn named<'a>(mut names: impl Iterator<Item = &'a str>, pins: &[String]) -> Option<String> {
    names.find(|name| pins.iter().any(|pin| pin == name)).map(str::to_owned)
}
