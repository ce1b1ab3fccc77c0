//! Standing instructions: what somebody says once and what goes on to hold.
//!
//! A sentence stands by what it says itself: a cue ("from now on", "never", "I am allergic to"), or an order at the start
//! of a clause ("Give distances in kilometres."). An order that generalises ("every", "before you", a bare plural) is
//! stronger, one for the moment ("now", "this") or reported from somebody else is weaker, a question or an idiom is none.

mod cues;
mod replaced;
mod table;
mod tokens;

#[cfg(test)]
mod tests;

use contextfit_kernel::{ByteRange, Role};

use self::{cues::told, replaced::Stated, table::Class};

/// A sentence that somebody says, in the order of the conversation.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The block it is said in.
    pub block: usize,
    /// Its place in that block.
    pub range: ByteRange,
    /// The sentence itself.
    pub text: &'a str,
    /// Who says it.
    pub role: Role,
    /// The name of who says it, where several people talk.
    pub name: Option<&'a str>,
}

/// A sentence that goes on to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The block it was said in.
    pub block: usize,
    /// Its place in that block.
    pub range: ByteRange,
    /// How surely it goes on to hold, from 0 to 1: at least 0.5 for a rule, less for a task of the moment.
    pub strength: f64,
    /// Whether the same speaker said something later that takes its place.
    pub replaced: bool,
}

/// The strength from which a sentence stands.
pub(crate) const STANDS: f64 = 0.5;

/// The share of its strength that a sentence of the assistant's has.
const ASSISTANT: f64 = 0.45;

/// Earlier rules that a new one is compared with: the last ones, so that the time stays linear.
const COMPARED: usize = 64;

/// How surely `sentence` says by itself what must or must not be done, or what goes on to hold, from 0 to 1: at least 0.5 for
/// a rule. Linear in its length.
///
/// ```
/// use contextfit_text::binding;
///
/// assert!(binding("Never use floats for money.") > 0.5);
/// assert!(binding("The ledger was written in 2019.") < 0.5);
/// ```
#[must_use]
pub fn binding(sentence: &str) -> f64 {
    told(sentence).map_or(0.0, |told| told.strength)
}

/// The sentences that go on to hold, in order, tasks of the moment included with less strength.
///
/// What the assistant says gets less than half the strength, so that it never stands; what a tool prints is left out. Linear in the length of the sentences but for
/// a bounded comparison with earlier rules.
#[must_use]
pub fn standing_rules(sentences: &[Sentence<'_>]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut stated: Vec<(Stated, &Sentence<'_>)> = Vec::new();
    for sentence in sentences {
        let share = match sentence.role {
            Role::System | Role::Developer | Role::User => 1.0,
            Role::Assistant => ASSISTANT,
            Role::Tool => continue,
        };
        let Some(told) = told(sentence.text) else { continue };
        let new = Stated::of(&told);
        let first = rules.len().saturating_sub(COMPARED);
        if told.strength >= STANDS || told.class == Class::Release {
            let earlier = rules.iter_mut().zip(&stated).skip(first);
            for (rule, _) in earlier.filter(|(_, (old, said))| {
                said.role == sentence.role && said.name == sentence.name && new.replaces(old)
            }) {
                rule.replaced = true;
            }
        }
        stated.push((new, sentence));
        rules.push(Rule {
            block: sentence.block,
            range: sentence.range,
            strength: told.strength * share,
            replaced: false,
        });
    }
    rules
}
