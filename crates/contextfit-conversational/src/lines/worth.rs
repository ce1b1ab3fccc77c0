//! What a place in a line is given for.

use serde::{Deserialize, Serialize};

use crate::values::Kind;

/// What the sentences and values of turns are worth, next to each other.
///
/// A value: its kind; more when it was said, by the user or the assistant, and not only printed by a tool; more when it came
/// up in several turns; less the longer ago it came up last. Values are taken in the order of worth over the square root of
/// their tokens: by worth alone the long ones would win, by worth for a token the numbers of one digit. A sentence is worth
/// what its speaker is and what its values are, and is taken by worth for a token.
///
/// The figures were chosen by hand on the development halves of tau-bench airline and SWE-agent. Of the values kept at a quarter of
/// the tokens in tau-bench airline (.957), half or twice of one of them at a time costs .07 (identifiers halved), .05 (names doubled),
/// .03 (the user's sentences doubled), and .004 at most for any other.
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
    /// Words that stand as values of their own in JSON.
    pub word: f64,
    /// How much more when it was said.
    pub said: f64,
    /// How much more for every e-fold of turns that it came up in.
    pub again: f64,
    /// After so many messages a thing is worth half.
    pub half_life: f64,
    /// A sentence of the user's, beside its values.
    pub user: f64,
    /// A sentence of the assistant's.
    pub assistant: f64,
}

impl Default for Worth {
    fn default() -> Self {
        Self {
            identifier: 1.0,
            number: 0.2,
            name: 0.5,
            word: 0.5,
            said: 1.0,
            again: 0.7,
            half_life: 50.0,
            user: 0.4,
            assistant: 0.1,
        }
    }
}

impl Worth {
    /// What a value of `kind` is worth.
    pub(super) const fn of(&self, kind: Kind) -> f64 {
        match kind {
            Kind::Identifier => self.identifier,
            Kind::Number => self.number,
            Kind::Name => self.name,
            Kind::Word => self.word,
        }
    }

    /// What is left of a worth after `messages` messages.
    pub(super) fn fading(&self, messages: f64) -> f64 {
        let half_life = if self.half_life > 0.0 { self.half_life } else { f64::MIN_POSITIVE };
        1.0 / (1.0 + messages / half_life)
    }
}
