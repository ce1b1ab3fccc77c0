//! What tells that a sentence goes on to hold: cues, orders, and what makes either stronger or weaker.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::{
    english, languages, replaced,
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
    Verb(Class, f64),
    /// An adverb at the start of a clause, which may be that of an order: always, never.
    Adverb(Class),
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
    let rows = english::ROWS
        .iter()
        .chain(languages::ROWS)
        .flat_map(|(mark, phrases)| phrases.split(';').map(move |phrase| (*mark, phrase)));
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
    for (strength, verb) in english::VERBS
        .iter()
        .flat_map(|(strength, verbs)| verbs.split_whitespace().map(move |verb| (*strength, verb)))
    {
        let orders = [
            (Class::Order, strength, ""),
            (Class::Order, 0.7, "only"),
            (Class::Always, 0.85, "always"),
            (Class::Never, 0.85, "never"),
            (Class::Release, 0.45, "do"),
        ];
        for (class, strength, adverb) in orders {
            let words = [START, adverb, verb].into_iter().filter(|word| !word.is_empty());
            found.push((spaced(words), Mark::Verb(class, strength)));
        }
    }
    let phrases = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(found.iter().map(|(phrase, _)| phrase))
        .ok()?;
    Some(Cues { phrases, marks: found.into_iter().map(|(_, mark)| mark).collect() })
});

/// What `text`, one sentence, says that may go on to hold; `None` where it is ordinary talk.
pub(super) fn told(text: &str) -> Option<Told> {
    let cues = CUES.as_ref()?;
    let spaced = spaced(tokens(text)?.iter().map(String::as_str));
    let mut best: Option<(Class, f64)> = None;
    let (mut general, mut once, mut hedged, mut changes, mut adverb) = (false, false, false, false, false);
    let (mut rest, mut at) = (String::new(), 0);
    for found in cues.phrases.find_iter(&spaced) {
        let Some(mark) = cues.marks.get(found.pattern().as_usize()) else { continue };
        let after = spaced.get(found.end()..).unwrap_or_default();
        let stated = match *mark {
            Mark::Adverb(class) => is_base(after).then_some((class, 0.7)),
            Mark::Cue(class, strength) => Some((class, strength)),
            Mark::Verb(class, strength) if first(after) != START => {
                general |= is_plural(after);
                once |= english::PRONOUNS.contains(&first(after));
                Some((class, strength))
            }
            Mark::Verb(..) | Mark::Idiom => None,
            Mark::General => flag(&mut general),
            Mark::Once => flag(&mut once),
            Mark::Hedge => flag(&mut hedged),
            Mark::Changed => flag(&mut adverb),
        };
        // A verb may be what two orders have in common; a cue is left out of what is compared.
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

fn flag(flag: &mut bool) -> Option<(Class, f64)> {
    *flag = true;
    None
}

fn first(after: &str) -> &str {
    after.split_whitespace().next().unwrap_or(START)
}

/// Whether what comes after an adverb may be the verb of an order: no form of the past, no third person, no adjective.
fn is_base(after: &str) -> bool {
    let word = first(after);
    let inflected = word.ends_with("ed") && !word.ends_with("eed")
        || word.ends_with("ing")
        || word.ends_with('s') && !word.ends_with("ss");
    word != START
        && !inflected
        && !english::NO_VERBS.contains(&word)
        && !english::FUNCTION_WORDS.contains(&word)
}

/// Whether a limit says how much or how late: by a number, or a day.
fn is_bounded(spaced: &str) -> bool {
    spaced.split_whitespace().any(|word| {
        word == NUMBER
            || replaced::VALUES.iter().take(2).any(|days| days.split_whitespace().any(|day| day == word))
    })
}

/// Whether the object of an order is a plural without an article: `distances`, `commit messages`.
fn is_plural(after: &str) -> bool {
    let object = after
        .split_whitespace()
        .take(3)
        .take_while(|word| !english::FUNCTION_WORDS.contains(word) && *word != START && *word != NUMBER);
    object.last().is_some_and(|noun| {
        noun.len() > 3 && noun.ends_with('s') && !noun.ends_with("ss") && !noun.ends_with("us")
    })
}
