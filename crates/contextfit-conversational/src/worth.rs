//! What a unit of a turn is worth to whoever goes on.

use serde::{Deserialize, Serialize};

use crate::{relevance::exact, values::Kind};

/// What the units of earlier turns are worth, next to each other.
///
/// A unit is worth the names in it that nothing shown has yet, and something of its own; the packer takes what is worth most
/// for its tokens, again and again. A name (an identifier, a number, a name in prose) is worth what its kind is, times 1 and
/// the logarithm of the number of turns that it came up in, times how lately it came up: [`always`](Self::always) for the
/// first turn of the session, 1 for the last, rising with the square of the place in between. Of its own a unit is worth what
/// its signal says where a tool printed it (an error, a total), and what its turn has to do with what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Worth {
    /// Identifiers: paths, addresses, codes, dates, names of code.
    pub identifier: f64,
    /// Numbers.
    pub number: f64,
    /// Names.
    pub name: f64,
    /// Words that are values of their own in JSON.
    pub word: f64,
    /// What is left of a name that came up in the first turn alone, from 0 to 1.
    pub always: f64,
    /// A line that reports an error; one that says less, less.
    pub signal: f64,
    /// A sentence of the turn that has most to do with what is asked; one of another turn, less.
    pub relevance: f64,
    /// One of the first two sentences of the last thing that the assistant says before the user speaks again: what came of the
    /// request.
    pub outcome: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self {
            identifier: 1.0,
            number: 0.1,
            name: 0.05,
            word: 0.4,
            always: 0.5,
            signal: 1.5,
            relevance: 0.1,
            outcome: 1.0,
        }
    }
}

/// The rungs of the ladder of excerpts between which a signal counts: below the first it counts nothing, from the second on it
/// counts whole. What is higher heads others and says nothing without them.
const SIGNAL: (f32, f32) = (4.0, 24.0);

impl Worth {
    /// A name of `kind` that came up in `turns` turns, the last of them at this place of the session, from 0 to 1.
    pub(crate) fn of_name(&self, kind: Kind, turns: usize, last: f64) -> f64 {
        let kind = match kind {
            Kind::Identifier => self.identifier,
            Kind::Number => self.number,
            Kind::Name => self.name,
            Kind::Word => self.word,
        };
        kind * (1.0 + exact(turns.max(1)).ln()) * self.lately(last)
    }

    /// How much counts what stands at this place of the session.
    pub(crate) fn lately(&self, place: f64) -> f64 {
        self.always + (1.0 - self.always) * place.clamp(0.0, 1.0).powi(2)
    }

    /// What a line of this worth on the ladder of excerpts is worth of its own.
    pub(crate) fn of_signal(&self, worth: f32) -> f64 {
        let (none, whole) = SIGNAL;
        if worth > whole {
            return 0.0;
        }
        self.signal * f64::from(((worth - none) / (whole - none)).clamp(0.0, 1.0))
    }
}
