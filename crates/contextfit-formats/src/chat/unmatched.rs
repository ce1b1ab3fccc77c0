//! Pins that match no message.

use std::{collections::BTreeSet, fmt};

use super::{conversation::Conversation, entry::Entry, held::marks, pins::Pins};

/// The pins that match no message of a conversation, and everything that pins can match.
///
/// A pin that matches nothing is usually mistyped, so the message that it should protect is not protected. In a growing
/// conversation, its message may still come.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Unmatched {
    /// Those of [`Pins::indices`] that no message has.
    pub indices: Vec<usize>,
    /// Those of [`Pins::ids`] that belong to no message, item or call.
    pub ids: Vec<String>,
    /// Those of [`Pins::tools`] that no message calls or answers.
    pub tools: Vec<String>,
    /// Those of [`Pins::markers`] that no message contains, such as an empty one.
    pub markers: Vec<String>,
    /// Everything that pins can match.
    pub known: Known,
}

/// Everything that pins can match in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Known {
    /// The number of messages that have an index, from 0.
    pub messages: usize,
    /// The numbers of the first and the last turn that is a message, for [`Conversation::index_of`].
    pub turns: Option<(usize, usize)>,
    /// The ids of messages, items and calls.
    pub ids: BTreeSet<String>,
    /// The tools that are called or answered.
    pub tools: BTreeSet<String>,
}

impl Unmatched {
    /// Whether every pin matches a message.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.indices.is_empty() && self.ids.is_empty() && self.tools.is_empty() && self.markers.is_empty()
    }
}

/// Writes the pins as in JSON: `indices [8], tools ["read"]`.
impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { indices, ids, tools, markers, .. } = self;
        let indices = (!indices.is_empty()).then(|| format!("indices {indices:?}"));
        let texts = [("ids", ids), ("tools", tools), ("markers", markers)];
        let texts = texts.into_iter().filter(|(_, pins)| !pins.is_empty());
        let texts = texts.map(|(field, pins)| format!("{field} {pins:?}"));
        f.write_str(&indices.into_iter().chain(texts).collect::<Vec<_>>().join(", "))
    }
}

impl Conversation {
    /// Those of `pins` that match no message. Linear in the size of the conversation, for each marker.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_formats as formats; }
    /// use contextfit::formats::{Conversation, Pins};
    /// use serde_json::json;
    ///
    /// let conversation = Conversation::parse(json!([{"role": "user", "content": "Never delete it."}]))?;
    /// let pins = Pins::default().with_index(0).with_tool("readfile").with_marker("Never");
    /// let unmatched = conversation.unmatched(&pins);
    /// assert_eq!(unmatched.tools, ["readfile"]);
    /// assert!(unmatched.indices.is_empty() && unmatched.markers.is_empty() && unmatched.known.tools.is_empty());
    /// # Ok::<(), contextfit_formats::FormatError>(())
    /// ```
    #[must_use]
    pub fn unmatched(&self, pins: &Pins) -> Unmatched {
        let known = self.known();
        let missing = |pins: &[String], known: &BTreeSet<String>| -> Vec<String> {
            pins.iter().filter(|pin| !known.contains(*pin)).cloned().collect()
        };
        let mut markers = pins.markers.clone();
        for entry in self.entries.iter().take_while(|_| !pins.markers.is_empty()) {
            let text = self.text(entry).0;
            markers.retain(|marker| !marks(marker, &text));
        }
        Unmatched {
            indices: pins.indices.iter().copied().filter(|at| *at >= known.messages).collect(),
            ids: missing(&pins.ids, &known.ids),
            tools: missing(&pins.tools, &known.tools),
            markers,
            known,
        }
    }

    /// Everything that pins can match.
    #[must_use]
    pub fn known(&self) -> Known {
        let ids = self.entries.iter().flat_map(|entry| entry.ids(self.own_id(entry)));
        let tools = self.entries.iter().flat_map(Entry::tools);
        let turns: Vec<usize> = self.turns().map(|(number, _)| number).collect();
        Known {
            messages: self.entries.iter().filter_map(Entry::index).map(|at| at + 1).max().unwrap_or(0),
            turns: turns.first().copied().zip(turns.last().copied()),
            ids: ids.map(str::to_owned).collect(),
            tools: tools.map(str::to_owned).collect(),
        }
    }
}
