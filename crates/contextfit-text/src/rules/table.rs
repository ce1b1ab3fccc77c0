//! Cues: literal phrases of every language, and what each says.

use std::{collections::HashMap, sync::LazyLock};

use aho_corasick::{AhoCorasick, MatchKind};
use foldhash::fast::FixedState;

use super::tokens::START;
use crate::{
    natural_language::{WORDS, all_languages},
    word_lists::lists_in,
};

/// The kind of a value, if `word` is one: of the values of a kind, only one can apply in one place.
pub(super) fn kind_of_value(word: &str) -> Option<&'static str> {
    static KINDS: LazyLock<HashMap<&str, &str, FixedState>> = LazyLock::new(|| {
        let kinds = WORDS.list("values").phrases().iter().filter_map(|kind| kind.split_once(' '));
        kinds.flat_map(|(kind, values)| values.split(' ').map(move |value| (value, kind))).collect()
    });
    KINDS.get(word).copied()
}

/// The kind of statement a cue makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// For always, or whenever something happens.
    Always,
    /// Something that must not be done.
    Never,
    /// Something that must be.
    Must,
    /// How much or how late at most.
    Limit,
    /// A wish, or a fact about the speaker.
    Wish,
    /// What somebody wants to be called.
    Name,
    /// A decision.
    Decision,
    /// Something to keep in mind.
    Note,
    /// A correction.
    Change,
    /// Something that is no longer required.
    Release,
    /// How something is to be done.
    Order,
}

contextfit_kernel::names!(
    Class, "kind of cue": Always => "always", Never => "never", Must => "must", Limit => "limit", Wish => "wish",
    Name => "name", Decision => "decision", Note => "note", Change => "change", Release => "release", Order => "order",
);

/// What a phrase says about its sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// It continues to apply, as strongly as the number says.
    Cue(Class, f64),
    /// It is an order, by a verb at the start of a clause.
    Verb(Class, f64),
    /// An adverb at the start of a clause, which may belong to an order: always, never.
    Adverb(Class),
    /// Not just this once.
    General,
    /// For the moment.
    Once,
    /// Somebody else's words, or something imagined.
    Hedge,
    /// Something has changed.
    Changed,
    /// Says nothing, whatever words it contains.
    Idiom,
}

/// All phrases and what each says. Of those that begin at one place, the longest is found.
pub(super) struct Phrases {
    pub(super) found: AhoCorasick,
    pub(super) marks: Vec<Mark>,
}

/// How many languages, English first, have cues.
fn languages() -> usize {
    // ablate: text.rules-in-other-languages => 1
    all_languages().count()
}

/// Never `None`, because the phrases are part of the program; if it were, no sentence would be a rule.
pub(super) static PHRASES: LazyLock<Option<Phrases>> = LazyLock::new(|| {
    let mut rows: Vec<(String, Mark)> = Vec::new();
    for (list, phrases) in all_languages().take(languages()).flat_map(lists_in) {
        if let Some(mark) = list.strip_prefix("rule ").and_then(mark_of) {
            phrases.for_each(|phrase| add(phrase, mark, &mut rows));
        }
    }
    let found = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(rows.iter().map(|(phrase, _)| phrase))
        .ok()?;
    Some(Phrases { found, marks: rows.into_iter().map(|(_, mark)| mark).collect() })
});

/// Every token surrounded by spaces, so that a phrase is found only between words.
pub(super) fn spaced<'a>(tokens: impl Iterator<Item = &'a str>) -> String {
    tokens.flat_map(|token| [" ", token, " "]).collect()
}

fn add(phrase: &str, mark: Mark, rows: &mut Vec<(String, Mark)>) {
    let words = || phrase.split_whitespace();
    match mark {
        Mark::Verb(..) => {
            let adverbs = [
                ("only", Class::Order, 0.7),
                ("always", Class::Always, 0.85),
                ("never", Class::Never, 0.85),
                ("do", Class::Release, 0.45),
            ];
            rows.push((spaced([START].into_iter().chain(words())), mark));
            rows.extend(adverbs.map(|(adverb, class, strength)| {
                (spaced([START, adverb].into_iter().chain(words())), Mark::Verb(class, strength))
            }));
        }
        // Chinese and Japanese have no spaces.
        _ if phrase.contains(|c| matches!(c, '\u{3040}'..='\u{9fff}')) => {
            rows.push((phrase.trim().to_owned(), mark));
        }
        // Phrases that begin a clause are found first: an idiom has to be found there as well.
        Mark::Idiom => rows.extend(
            [spaced([START].into_iter().chain(words())), spaced(words())].map(|phrase| (phrase, mark)),
        ),
        _ => rows.push((spaced(words()), mark)),
    }
}

/// What the name of a list says: the kind and, for cues, the strength.
fn mark_of(head: &str) -> Option<Mark> {
    let (kind, rest) = head.split_once(' ').unwrap_or((head, ""));
    let strength = rest.parse().unwrap_or_default();
    Some(match kind {
        "verb" => Mark::Verb(Class::Order, strength),
        "adverb" => Mark::Adverb(rest.parse().ok()?),
        "general" => Mark::General,
        "once" => Mark::Once,
        "hedge" => Mark::Hedge,
        "changed" => Mark::Changed,
        "idiom" => Mark::Idiom,
        _ => Mark::Cue(kind.parse().ok()?, strength),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of cues with a misspelled name would be passed over.
    #[test]
    fn every_list_of_cues_has_a_kind() {
        for (list, _) in all_languages().flat_map(lists_in) {
            let Some(head) = list.strip_prefix("rule ") else { continue };
            let mark = mark_of(head);
            let is_weighed = match mark {
                Some(Mark::Cue(_, strength) | Mark::Verb(_, strength)) => strength > 0.0 && strength <= 1.0,
                _ => true,
            };
            assert!(mark.is_some() && is_weighed, "{list:?}");
        }
    }
}
