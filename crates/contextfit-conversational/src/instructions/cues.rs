//! The cues: what makes a sentence one that goes on to hold, stated as data.

mod chinese;
mod dutch;
mod english;
mod french;
mod german;
mod italian;
mod japanese;
mod portuguese;
mod russian;
mod spanish;

use std::{collections::HashSet, sync::LazyLock};

use contextfit_text::Tongue;
use foldhash::fast::FixedState;

use super::{
    pattern::{Found, Matcher},
    token::{Token, tokens},
};

/// What a cue says of its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cue {
    /// Something is not to be done: "never ...", "avoid ...".
    Prohibition,
    /// It holds from here on: "from now on", "always".
    Permanence,
    /// It has to be done: "must", "make sure".
    Obligation,
    /// A limit, a budget or a deadline: "at most", "by Friday".
    Limit,
    /// How the speaker wants things, and what must be known of the speaker: "I prefer", "call me".
    Preference,
    /// It is to be remembered: "keep in mind".
    Reminder,
    /// Something is settled: "let's go with".
    Decision,
    /// What was said before no longer holds: "scratch that", "change X to Y".
    Correction,
    /// How answers and work are to be: "reply in ...", "use ...".
    Manner,
}

/// What a pattern is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// A cue, and what it adds to the strength.
    Cue(Cue, f64),
    /// Adds to the strength of sentences with a cue: it speaks to somebody, or holds for everything of a kind.
    Address,
    Scope,
    Emphasis,
    /// Adds too, and says that the sentence may correct another.
    Contrast,
    /// An idiom: what it covers is no cue.
    Idiom,
    /// Takes from the strength: it is imagined, somebody else's word, or told of the past.
    Imagined,
    Reported,
    Told,
    /// It is asked for here and now.
    Once,
    /// A question that asks for something to be done.
    Request,
}

/// A row of a table: a mark, and the patterns that carry it, with `;` between them.
pub(super) type Row = (Mark, &'static str);

/// The cues of one language.
#[derive(Debug)]
pub(super) struct Table {
    /// The language, where its script is that of others too.
    tongue: Option<Tongue>,
    /// Words that may stand before an imperative at the start of a clause.
    openers: &'static str,
    /// Words that join clauses: a new one begins behind them, unless a subject stands before.
    joints: &'static str,
    /// Words that are subjects.
    subjects: &'static str,
    rows: &'static [&'static [Row]],
    /// Rows whose words say what a sentence is about as well.
    topical: &'static [Row],
}

const TABLES: [&Table; 10] = [
    &english::TABLE,
    &german::TABLE,
    &french::TABLE,
    &spanish::TABLE,
    &italian::TABLE,
    &portuguese::TABLE,
    &dutch::TABLE,
    &russian::TABLE,
    &chinese::TABLE,
    &japanese::TABLE,
];

/// Letters of a word that is of one language alone, most likely.
const LONG: usize = 5;

type Words = HashSet<String, FixedState>;

/// All tables in one: patterns of different languages do not stand in each other's way, and a talk may be of several.
#[derive(Debug, Default)]
pub(super) struct Cues {
    matcher: Matcher,
    /// The mark of each pattern, and its language where that has to be looked at.
    marks: Vec<(Mark, Option<Tongue>)>,
    openers: Words,
    joints: Words,
    subjects: Words,
    /// Words of which cues are made: they say nothing about what the sentence is about.
    pub(super) words: Words,
}

/// The cues of all languages.
pub(super) static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let mut cues = Cues::default();
    for table in TABLES {
        cues.openers.extend(folded(table.openers));
        cues.joints.extend(folded(table.joints));
        cues.subjects.extend(folded(table.subjects));
        let rows = table.rows.iter().copied().flatten().map(|row| (row, true));
        for ((mark, patterns), bare) in rows.chain(table.topical.iter().map(|row| (row, false))) {
            for pattern in patterns.split(';').map(str::trim).filter(|pattern| !pattern.is_empty()) {
                cues.matcher.add(pattern);
                cues.marks.push((*mark, table.tongue));
                let speaks = matches!(mark, Mark::Cue(cue, _) if *cue != Cue::Preference);
                if bare && (speaks || matches!(mark, Mark::Scope)) {
                    let plain = pattern.replace(['|', '?', '^', ':'], " ");
                    let words = plain.split_whitespace().filter(|word| !word.starts_with(['<', '.']));
                    cues.words.extend(words.flat_map(folded));
                }
            }
        }
    }
    cues
});

fn folded(text: &str) -> Vec<String> {
    tokens(text).into_iter().map(|token| token.text.into_owned()).collect()
}

/// Stop words in a sentence that are of one language and not of the other.
#[derive(Debug, Clone, Copy, Default)]
struct Stops {
    own: usize,
    english: usize,
}

impl Stops {
    fn of(tongue: Tongue, tokens: &[Token<'_>]) -> Self {
        // Between commas it is a sound of hesitation.
        let said = tokens.iter().filter(|token| !(token.text == "um" && token.opens));
        said.fold(Self::default(), |Self { own, english }, token| {
            let word = token.source.to_lowercase();
            match (tongue.is_stop_word(&word), Tongue::English.is_stop_word(&word)) {
                (true, false) => Self { own: own + 1, english },
                (false, true) => Self { own, english: english + 1 },
                _ => Self { own, english },
            }
        })
    }
}

impl Cues {
    /// Calls `found` with every mark of a sentence and where it stands.
    ///
    /// A mark of a language that the sentence does not read like is none. Where no other word is a stop word of English
    /// alone, two tokens in the mark speak for it, or a long one; else there must be more stop words of the other language
    /// alone.
    pub(super) fn find(&self, tokens: &[Token<'_>], mut found: impl FnMut(Mark, Found)) {
        let mut known: Vec<(Tongue, Stops)> = Vec::new();
        self.matcher.find(tokens, &self.initial(tokens), |place| {
            let Some((mark, tongue)) = self.marks.get(place.pattern) else { return };
            let reads_so = tongue.is_none_or(|tongue| {
                let all = match known.iter().find(|(known, _)| *known == tongue) {
                    Some((_, all)) => *all,
                    None => {
                        let all = Stops::of(tongue, tokens);
                        known.push((tongue, all));
                        all
                    }
                };
                let mark = tokens.get(place.start..place.end).unwrap_or_default();
                let english = all.english - Stops::of(tongue, mark).english;
                let long = || mark.first().is_some_and(|token| token.text.chars().count() >= LONG);
                all.own > english || english == 0 && (mark.len() > 1 || long())
            });
            if reads_so {
                found(*mark, place);
            }
        });
    }

    /// For each token whether it begins a clause: an imperative may stand there.
    fn initial(&self, tokens: &[Token<'_>]) -> Vec<bool> {
        let mut initial = Vec::with_capacity(tokens.len());
        // Whether a subject stands before, and whether the last token may be followed by the start of a clause.
        let (mut subject, mut open) = (false, false);
        for token in tokens {
            let begins = token.opens || open;
            initial.push(begins);
            let joins = !subject && self.joints.contains(&*token.text);
            open = begins && self.openers.contains(&*token.text) || joins;
            subject |= self.subjects.contains(&*token.text);
        }
        initial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        assert!(CUES.marks.len() > 500);
        for (_, patterns) in TABLES.iter().flat_map(|table| table.rows.iter().copied().flatten()) {
            let mut seen = HashSet::new();
            for pattern in patterns.split(';').map(str::trim) {
                assert!(seen.insert(pattern), "{pattern:?} twice in {patterns:?}");
            }
        }
    }
}
