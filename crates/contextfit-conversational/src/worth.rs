//! The score of a unit of a turn, for whoever continues the conversation.

use serde::{Deserialize, Serialize};

use contextfit_text::float;

use crate::values::ValueKind;

/// The relative scores of the units of earlier turns.
///
/// A unit scores for the names in it that are not shown yet, plus a base score; the packer repeatedly takes the unit
/// with the highest score per token. A name (an identifier, a number, a name in prose) has the weight of its kind,
/// times 1 plus the logarithm of the number of turns it came up in, times its recency: [`always`](Self::always) for the
/// first turn of the session and 1 for the last, rising with the square of the position in between. The base score of a
/// unit is that of its signal if a tool printed it (an error, a total), and that of its turn's relevance to the
/// request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Worth {
    /// Identifiers: paths, addresses, codes, dates, names in code.
    pub identifier: f64,
    /// Numbers.
    pub number: f64,
    /// Names.
    pub name: f64,
    /// The share of its weight, from 0 to 1, that a name keeps if it came up only in the first turn.
    pub always: f64,
    /// A line that reports an error; weaker signals score less.
    pub signal: f64,
    /// A sentence of the most relevant turn; sentences of other turns score less.
    pub relevance: f64,
    /// One of the first two sentences of the assistant's last message before the user speaks again: the outcome of the
    /// request.
    pub outcome: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self {
            identifier: 1.0,
            number: 0.1,
            name: 0.05,
            always: 0.5,
            signal: 1.5,
            relevance: 0.1,
            outcome: 1.0,
        }
    }
}

/// The scores of excerpts between which a signal counts: nothing up to the first, in full from the second, which is that
/// of an error. The result of failed tests scores up to the third. Higher scores belong to headers, which say nothing
/// without the lines below them.
const SIGNAL: (f32, f32, f32) = (4.0, 24.0, 60.0);

impl Worth {
    /// The score of a name of `kind` that came up in `turns` turns, the last of them at this position in the session,
    /// from 0 to 1.
    pub(crate) fn of_name(&self, kind: ValueKind, turns: usize, last: f64) -> f64 {
        let kind = match kind {
            ValueKind::Identifier => self.identifier,
            ValueKind::Number => self.number, // ablate: chat.numbers => 0.0
            ValueKind::Name => self.name,     // ablate: chat.names => 0.0
        };
        let turns = 1.0 + float(turns.max(1)).ln(); // ablate: chat.turns-of-a-name => 1.0
        kind * turns * self.lately(last)
    }

    /// The recency factor for this position in the session.
    pub(crate) fn lately(&self, place: f64) -> f64 {
        // ablate: chat.recency => 1.0
        self.always + (1.0 - self.always) * place.clamp(0.0, 1.0).powi(2)
    }

    /// The base score of a line with this score on the scale of excerpts.
    pub(crate) fn of_signal(&self, worth: f32) -> f64 {
        // ablate: chat.signals => 0.0
        self.signal * signal(worth)
    }
}

/// How strong the signal of a line with this score is, from 0 to 1.
pub(crate) fn signal(score: f32) -> f64 {
    let (none, whole, most) = SIGNAL;
    if score > most { 0.0 } else { f64::from(((score - none) / (whole - none)).clamp(0.0, 1.0)) }
}
