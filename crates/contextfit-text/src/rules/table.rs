//! The tables of cues, one for English and one for other languages: literal phrases and what each says.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::tokens::START;

/// Words that end the object of an order.
pub(super) const FUNCTION_WORDS: &str = "a an the my our your his her their its this that these those me us it them him you to in on at for of with as by from \
    into and or if when before after is are some more one about up out how what where why who which";

/// Objects that refer to something of the moment.
pub(super) const OF_THE_MOMENT: &str = "it them him her me us this that these those some a an";

/// Words that often follow "always" and "never" and are not verbs in base form.
pub(super) const NO_VERBS: &str = "been seen had heard saw knew thought went came made got did was felt said again once happy here there good great nice full \
    fun glad ready so too love need want gets nervous proud known even really quite better enough much not something";

/// Words of which only one can apply in one place, by kind.
pub(super) const VALUES: &[&str] = &[
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "january february march april may june july august september october november december",
    "english german french spanish italian dutch portuguese russian chinese japanese korean polish turkish arabic hindi deutsch \
     englisch französisch spanisch anglais français allemand espagnol inglés español francés alemán italiano inglese",
    "euro euros dollar dollars pound pounds franc francs yen",
    "celsius fahrenheit kelvin",
    "metric imperial",
    "kilometre kilometres kilometer kilometers mile miles",
    "formal informal casual",
    "tabs spaces",
    "csv json yaml xml markdown html",
];

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

/// English, and other languages.
fn tables() -> &'static [&'static str] {
    // ablate: text.rules-in-other-languages => &[include_str!("english.txt")]
    &[include_str!("english.txt"), include_str!("languages.txt")]
}

/// Never `None`, because the tables are part of the program; if it were, no sentence would be a rule.
pub(super) static PHRASES: LazyLock<Option<Phrases>> = LazyLock::new(|| {
    let mut rows: Vec<(String, Mark)> = Vec::new();
    for table in tables() {
        let mut mark = None;
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            if let Some(head) = line.strip_suffix(':') {
                mark = mark_of(head);
            } else if let Some(mark) = mark {
                line.split(';').for_each(|phrase| add(phrase, mark, &mut rows));
            }
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

/// What the head of a table row says: the kind and, for cues, the strength.
fn mark_of(head: &str) -> Option<Mark> {
    let (kind, rest) = head.split_once(' ').unwrap_or((head, ""));
    let strength = rest.parse().unwrap_or_default();
    Some(match kind {
        "verb" => Mark::Verb(Class::Order, strength),
        "adverb" => Mark::Adverb(class_of(rest)?),
        "general" => Mark::General,
        "once" => Mark::Once,
        "hedge" => Mark::Hedge,
        "changed" => Mark::Changed,
        "idiom" => Mark::Idiom,
        _ => Mark::Cue(class_of(kind)?, strength),
    })
}

fn class_of(name: &str) -> Option<Class> {
    Some(match name {
        "always" => Class::Always,
        "never" => Class::Never,
        "must" => Class::Must,
        "limit" => Class::Limit,
        "wish" => Class::Wish,
        "name" => Class::Name,
        "decision" => Class::Decision,
        "note" => Class::Note,
        "change" => Class::Change,
        "release" => Class::Release,
        "order" => Class::Order,
        _ => return None,
    })
}
