//! The tables of cues: one for English, one for other languages, literal phrases and what each says.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::tokens::START;

/// Words that end what an order is about.
pub(super) const FUNCTION_WORDS: &str = "a an the my our your his her their its this that these those me us it them him you to in on at for of with as by from \
    into and or if when before after is are some more one about up out how what where why who which";

/// Objects that name something of the moment.
pub(super) const OF_THE_MOMENT: &str = "it them him her me us this that these those some a an";

/// What often follows "always" and "never" and is no verb in base form.
pub(super) const NO_VERBS: &str = "been seen had heard saw knew thought went came made got did was felt said again once happy here there good great nice full \
    fun glad ready so too love need want gets nervous proud known even really quite better enough much not something";

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

/// What a phrase says about the sentence that it is in.
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

/// All phrases, the longest of those that begin at one place being found, and what each says.
pub(super) struct Phrases {
    pub(super) found: AhoCorasick,
    pub(super) marks: Vec<Mark>,
}

/// `None` never, as the tables are part of the program; then no sentence is a rule.
pub(super) static PHRASES: LazyLock<Option<Phrases>> = LazyLock::new(|| {
    let mut rows: Vec<(String, Mark)> = Vec::new();
    for table in [include_str!("english.txt"), include_str!("languages.txt")] {
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

/// Every token in spaces of its own, so that a phrase is found between words only.
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
        // No spaces in Chinese and Japanese.
        _ if phrase.contains(|c| matches!(c, '\u{3040}'..='\u{9fff}')) => {
            rows.push((phrase.trim().to_owned(), mark));
        }
        // What begins a clause is found first: an idiom has to be found there as well.
        Mark::Idiom => rows.extend(
            [spaced([START].into_iter().chain(words())), spaced(words())].map(|phrase| (phrase, mark)),
        ),
        _ => rows.push((spaced(words()), mark)),
    }
}

/// What the head of a row of a table says: the kind, and for cues the strength.
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
