//! What a sentence says that may continue to apply: its cues and orders, and what makes them stronger or weaker.

use super::{
    table::{Class, Mark, PHRASES, kind_of_value, spaced},
    tokens::{NUMBER, START, tokens},
};
use crate::natural_language::WORDS;

/// A sentence that may continue to apply.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) class: Class,
    pub(super) strength: f64,
    /// Whether it announces a change itself.
    pub(super) changes: bool,
    /// Its words without the cues.
    pub(super) rest: String,
}

/// What `text`, a single sentence, says that may continue to apply; `None` if it is ordinary conversation.
pub(super) fn told(text: &str) -> Option<Told> {
    // ablate: text.rules => None
    let cues = PHRASES.as_ref()?;
    let spaced = spaced(tokens(text)?.iter().map(String::as_str));
    let mut best: Option<(Class, f64)> = None;
    let (mut general, mut once, mut hedged, mut changes, mut adverb) = (false, false, false, false, false);
    let (mut rest, mut at) = (String::new(), 0);
    for found in cues.found.find_iter(&spaced) {
        let Some(mark) = cues.marks.get(found.pattern().as_usize()) else { continue };
        let after = spaced.get(found.end()..).unwrap_or_default();
        let stated = match *mark {
            Mark::Adverb(class) => is_base(after).then_some((class, 0.7)),
            Mark::Cue(class, strength) => Some((class, strength)),
            Mark::Verb(class, strength) if first(after) != START => {
                general |= is_plural(after);
                once |= WORDS.list("objects of the moment").has(first(after));
                Some((class, strength))
            }
            Mark::Verb(..) | Mark::Idiom => None,
            Mark::General => flag(&mut general),
            Mark::Once => flag(&mut once),
            Mark::Hedge => flag(&mut hedged),
            Mark::Changed => flag(&mut adverb),
        };
        // Two orders may share a verb; a cue is left out of the comparison.
        if !matches!(mark, Mark::Verb(..)) {
            rest.push_str(spaced.get(at..found.start()).unwrap_or_default());
            at = found.end();
        }
        changes |= matches!(stated, Some((Class::Change | Class::Release, _)));
        if let Some((class, strength)) = stated
            && best.is_none_or(|(_, most)| strength > most)
        {
            best = Some((class, strength));
        }
    }
    rest.push_str(spaced.get(at..).unwrap_or_default());
    if best.is_none() && general && text.trim_end_matches(['.', '!', ' ']).ends_with("please") {
        best = Some((Class::Order, 0.3));
    }
    let (class, mut strength) = best?;
    let n_words = rest.split_whitespace().filter(|word| *word != START).count();
    match class {
        Class::Release => strength += if adverb { 0.2 } else { 0.0 },
        Class::Limit if !is_bounded(&spaced) => strength *= 0.6,
        Class::Decision | Class::Note if n_words < 2 => strength *= 0.5,
        Class::Order if once && !general => strength -= 0.25,
        _ => strength += if general { 0.2 } else { 0.0 },
    }
    strength *= if hedged { 0.4 } else { 1.0 };
    Some(Told { class, strength: strength.clamp(0.05, 1.0), changes: changes || adverb, rest })
}

/// Words that end the object of an order.
const AFTER_AN_ORDER: &str = "words after an order";

fn flag(flag: &mut bool) -> Option<(Class, f64)> {
    *flag = true;
    None
}

fn first(after: &str) -> &str {
    after.split_whitespace().next().unwrap_or(START)
}

/// Whether what comes after an adverb may be the verb of an order: not a past form, third person or adjective.
fn is_base(after: &str) -> bool {
    let word = first(after);
    let inflected = word.ends_with("ed") && !word.ends_with("eed")
        || word.ends_with("ing")
        || word.ends_with('s') && !word.ends_with("ss");
    word != START
        && !inflected
        && !WORDS.list("no verbs after an adverb").has(word)
        && !WORDS.list(AFTER_AN_ORDER).has(word)
}

/// Whether a limit says how much or how late: by a number or a day.
fn is_bounded(spaced: &str) -> bool {
    spaced
        .split_whitespace()
        .any(|word| word == NUMBER || matches!(kind_of_value(word), Some("day" | "month")))
}

/// Whether the object of an order is a plural without an article: `distances`, `commit messages`.
fn is_plural(after: &str) -> bool {
    let object = after
        .split_whitespace()
        .take(3)
        .take_while(|word| !WORDS.list(AFTER_AN_ORDER).has(word) && *word != START && *word != NUMBER);
    object.last().is_some_and(|noun| {
        noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us")
    })
}
