//! Standing instructions: sentences that are said once and continue to apply.
//!
//! A sentence is judged by its own words: by a cue ("from now on", "never", "I am allergic to"), or by an order at the
//! start of a clause ("Give distances in kilometres."). An order that generalises ("every", "before you", a bare
//! plural) is stronger; an order for the moment ("now", "this") or reported from somebody else is weaker; a question or
//! an idiom does not count.

mod cues;
mod replaced;
mod table;
mod tokens;

#[cfg(test)]
mod tests;

use contextfit_kernel::{ByteRange, Role};

use self::{cues::told, replaced::Stated, table::Class};

/// A sentence of a conversation.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// The block it is in.
    pub block: usize,
    /// Its range in that block.
    pub range: ByteRange,
    /// Its text.
    pub text: &'a str,
    /// The role of the speaker.
    pub role: Role,
    /// The name of the speaker, if several people take part.
    pub name: Option<&'a str>,
}

/// A sentence that continues to apply.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The block it was said in.
    pub block: usize,
    /// Its range in that block.
    pub range: ByteRange,
    /// How certainly it continues to apply, from 0 to 1: at least 0.5 for a rule, less for a task of the moment.
    pub strength: f64,
    /// Whether the same speaker later said something that replaces it.
    pub replaced: bool,
}

/// The strength from which a sentence is a rule.
pub(crate) const STANDS: f64 = 0.5;

/// The share of its strength that a sentence keeps if the assistant says it.
const ASSISTANT: f64 = 0.45;

/// How many of the last rules a new one is compared with, so that the time stays linear.
const COMPARED: usize = 64;

/// How certainly `sentence`, taken alone, says what must or must not be done or what continues to apply, from 0 to 1:
/// at least 0.5 for a rule. Linear in its length.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::binding;
///
/// assert!(binding("Never use floats for money.") > 0.5);
/// assert!(binding("The ledger was written in 2019.") < 0.5);
/// ```
#[must_use]
pub fn binding(sentence: &str) -> f64 {
    told(sentence).map_or(0.0, |told| told.strength)
}

/// The sentences that continue to apply, in order. Tasks of the moment are included with less strength.
///
/// The assistant's sentences keep less than half their strength, so they never become rules; tool output is left out.
/// `sentences` must be in the order of the conversation. Linear in the length of the sentences, apart from a bounded
/// comparison with earlier rules.
#[must_use]
pub fn standing_rules(sentences: &[Sentence<'_>]) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    let mut stated: Vec<(Stated, &Sentence<'_>)> = Vec::new();
    for sentence in sentences {
        let share = match sentence.role {
            Role::System | Role::Developer | Role::User => 1.0,
            Role::Assistant => ASSISTANT,
            Role::Tool | Role::Other => continue,
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
