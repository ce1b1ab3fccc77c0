//! What tells that a sentence goes on to hold: cues, orders, and what makes either stronger or weaker.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{
    english, languages,
    tokens::{NUMBER, START, tokens},
};

/// What kind of thing a cue says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// For always, or whenever something happens.
    Always,
    /// What is not to be done.
    Never,
    /// What has to be.
    Must,
    /// How much or how late at most.
    Limit,
    /// What somebody wants, and facts about them.
    Wish,
    /// How somebody is to be called.
    Name,
    /// What was decided.
    Decision,
    /// What is to be kept in mind.
    Note,
    /// What is put right.
    Change,
    /// What need not be any longer.
    Release,
    /// How something is to be done.
    Order,
}

/// What a phrase says about the sentence that it stands in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// Goes on to hold, as strongly as the number.
    Cue(Class, f64),
    /// An order, by its verb at the start of a clause.
    Verb(f64),
    /// Not for this once only.
    General,
    /// For the moment.
    Once,
    /// Somebody else's word, or something imagined.
    Hedge,
    /// Something is otherwise than before.
    Changed,
    /// Says nothing, whatever words are in it.
    Idiom,
}

/// A sentence that may go on to hold.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) class: Class,
    pub(super) strength: f64,
    /// Whether it says itself that something changes.
    pub(super) changes: bool,
    /// Its words but for the cues.
    pub(super) rest: String,
}

struct Cues {
    phrases: AhoCorasick,
    marks: Vec<Mark>,
}

/// Every token in spaces of its own, so that a phrase is found between words only.
fn spaced<'a>(tokens: impl Iterator<Item = &'a str>) -> String {
    tokens.flat_map(|token| [" ", token, " "]).collect()
}

static CUES: LazyLock<Option<Cues>> = LazyLock::new(|| {
    let rows = english::ROWS.iter().chain(languages::ROWS).flat_map(|(mark, phrases)| phrases.split(';').map(move |phrase| (*mark, phrase)));
    let mut found: Vec<(String, Mark)> = Vec::new();
    for (mark, phrase) in rows {
        let dense = phrase.chars().any(|c| matches!(c, '\u{3040}'..='\u{9fff}'));
        let phrase = if dense { phrase.trim().to_owned() } else { spaced(phrase.split_whitespace()) };
        // What begins a clause is found first: an idiom has to be found there as well.
        if mark == Mark::Idiom {
            found.push((format!(" {START} {phrase}"), mark));
        }
        found.push((phrase, mark));
    }
    for (strength, verbs) in english::VERBS {
        let orders = verbs.split_whitespace().map(|verb| (spaced([START, verb].into_iter()), Mark::Verb(*strength)));
        found.extend(orders);
    }
    let phrases = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(found.iter().map(|(phrase, _)| phrase)).ok()?;
    Some(Cues { phrases, marks: found.into_iter().map(|(_, mark)| mark).collect() })
});

/// What `text`, one sentence, says that may go on to hold; `None` where it is ordinary talk.
pub(super) fn told(text: &str) -> Option<Told> {
    let cues = CUES.as_ref()?;
    let spaced = spaced(tokens(text)?.iter().map(String::as_str));
    let (mut best, mut general, mut once, mut hedged, mut changes) = (None, false, false, false, false);
    let (mut rest, mut at) = (String::new(), 0);
    for found in cues.phrases.find_iter(&spaced) {
        let Some(mark) = cues.marks.get(found.pattern().as_usize()) else { continue };
        let after = spaced.get(found.end()..).unwrap_or_default();
        let stated = match *mark {
            Mark::Cue(class, strength) => Some((class, strength)),
            Mark::Verb(strength) if has_object(after) => {
                general |= is_plural(after);
                Some((Class::Order, strength))
            }
            Mark::Verb(_) | Mark::Idiom => None,
            Mark::General => flag(&mut general),
            Mark::Once => flag(&mut once),
            Mark::Hedge => flag(&mut hedged),
            Mark::Changed => flag(&mut changes),
        };
        // A verb may be what two orders have in common; a cue is left out of what is compared.
        if !matches!(mark, Mark::Verb(_)) {
            rest.push_str(spaced.get(at..found.start()).unwrap_or_default());
            at = found.end();
        }
        if let Some((class, strength)) = stated
            && best.is_none_or(|(_, most)| strength > most)
        {
            best = Some((class, strength));
        }
    }
    rest.push_str(spaced.get(at..).unwrap_or_default());
    let (class, mut strength) = best?;
    strength += if general || changes { 0.2 } else { 0.0 };
    strength -= if once && strength < 0.75 { 0.25 } else { 0.0 };
    strength *= if hedged { 0.4 } else { 1.0 };
    changes |= matches!(class, Class::Change | Class::Release);
    Some(Told { class, strength: strength.clamp(0.0, 1.0), changes, rest })
}

fn flag(flag: &mut bool) -> Option<(Class, f64)> {
    *flag = true;
    None
}

/// Whether an order goes on with what it is about.
fn has_object(after: &str) -> bool {
    after.split_whitespace().next().is_some_and(|word| word != START)
}

/// Whether the object of an order is a plural without an article: `distances`, `commit messages`.
fn is_plural(after: &str) -> bool {
    let object = after.split_whitespace().take(3).take_while(|word| !english::FUNCTION_WORDS.contains(word) && *word != START && *word != NUMBER);
    object.last().is_some_and(|noun| noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us"))
}
