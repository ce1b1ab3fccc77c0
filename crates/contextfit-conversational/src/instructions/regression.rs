//! How likely a sentence goes on to hold, and how likely it changes what was said: by its cues and the words it is built of.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use super::{texture::is_told, token::Token};
use crate::relevance::exact;

/// Whether a sentence goes on to hold.
///
/// Fitted with an L1 penalty to 5,260 instructions and 3,280 remarks that sound like instructions and are none, by 25 writers who
/// did not know the cues (400 and 400 of them short, and counted twice); to 180 cases of an instruction that replaces another, by
/// twelve of them; to 2,640 turns of chats and meetings, by six more; and to the 35 meetings of QMSum (MIT licence) that
/// docs/quality.md measures with. No weight have: what fewer than nine of these texts have, or fewer than five beside the meetings;
/// words that are mostly names; and the subjects of the meetings, that is what is three times as frequent in them as elsewhere
/// and has a residual IDF (Church and Gale 1995) of more than a half over them.
///
/// The table has a weight on each line, rounded to a quarter of a logarithm of odds, and what adds it: a word, wherever it
/// stands, or a pair `a_b` where `b` follows `a` in a clause; `^` stands for the beginning of the sentence, `,` for that of a
/// later clause, `NUM` for a number and `NAME` for a capital where no clause begins. Capitals name the rest: what a sentence
/// of at most so many words starts from (`LENGTH`); times the strength of the cues (`CUES`), again in sentences of at most
/// six and nine words, times what it has beyond a half (`STRONG`), where it has none (`NO_CUE`); a question, an exclamation, a
/// first clause that tells of the past; a second clause, and a third; for each number and name, two at most; for each longer
/// word with an ending, two at most, three in `s`.
const HOLDS: &str = include_str!("holds.txt");

/// Whether a sentence sets aside what was said before: "these days", "now that", "got moved". A table of the same kind.
///
/// Fitted to 460 statements that replace an instruction, against 2,160 instructions and 1,680 remarks of those of [`HOLDS`], its chats
/// and meetings, and 280 statements that only add to an instruction. What fewer than ten of them have has no weight, nor have names
/// and the subjects of the meetings.
const CHANGES: &str = include_str!("changes.txt");

/// Logarithms of odds, by two logistic regressions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Odds {
    /// That a sentence goes on to hold.
    pub(super) holds: f64,
    /// That it changes what was said.
    pub(super) changes: f64,
}

/// A feature in two parts: that of a word by itself is empty.
type Key<'t> = (&'t str, &'t str);

/// What features weigh, each with its place among all.
type Weights = HashMap<Key<'static>, (usize, Odds), FixedState>;

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut weights = Weights::default();
    let rows = HOLDS.lines().flat_map(row).map(|(key, holds)| (key, Odds { holds, changes: 0.0 }));
    let others = CHANGES.lines().flat_map(row).map(|(key, changes)| (key, Odds { holds: 0.0, changes }));
    for (key, odds) in rows.chain(others) {
        let place = weights.len();
        weights.entry(key).or_insert((place, Odds::default())).1.add(odds, 1.0);
    }
    weights
});

/// What a line of a table weighs.
fn row(line: &'static str) -> impl Iterator<Item = (Key<'static>, f64)> {
    let (weight, keys) = line.split_once(' ').unwrap_or_default();
    let weight = weight.parse().unwrap_or_default();
    keys.split(' ').map(move |key| (key.split_once('_').unwrap_or(("", key)), weight))
}

/// The most words of sentences that start from the same.
const LENGTHS: &[(usize, &str)] = &[(4, "4"), (6, "6"), (9, "9"), (13, "13"), (20, "20"), (30, "30")];

/// Endings of words, and how many of them count.
const ENDINGS: &[(&str, usize)] = &[("ing", 2), ("ed", 2), ("ly", 2), ("s", 3)];

impl Odds {
    /// Those of the sentence of `tokens`, whose cues are `by_cues` strong. Linear.
    pub(super) fn of(tokens: &[Token<'_>], by_cues: f64, asks: bool, exclaims: bool) -> Self {
        // What is quoted is somebody else's.
        let own: Vec<&Token<'_>> = tokens.iter().filter(|token| !token.quoted).collect();
        let classes: Vec<&str> = own.iter().map(|token| class(token)).collect();
        let mut odds = words(&own, &classes);
        let mut weigh = |key: Key<'_>, times: f64| {
            if let Some((_, weight)) = WEIGHTS.get(&key) {
                odds.add(*weight, times);
            }
        };
        let length = LENGTHS.iter().find(|(most, _)| own.len() <= *most).map_or("more", |(_, name)| name);
        let up_to = |most: usize| if own.len() <= most { by_cues } else { 0.0 };
        let holds = |is: bool| f64::from(u8::from(is));
        let joints = own.iter().skip(1).filter(|token| token.opens).count();
        let named = |name: &str| capped(classes.iter().filter(|class| **class == name).count(), 2);
        weigh(("LENGTH", length), 1.0);
        weigh(("", "CUES"), by_cues);
        weigh(("CUES", "6"), up_to(6));
        weigh(("CUES", "9"), up_to(9));
        weigh(("", "STRONG"), (by_cues - 0.5).max(0.0));
        weigh(("NO", "CUE"), holds(by_cues <= 0.0));
        weigh(("", "QUESTION"), holds(asks));
        weigh(("", "EXCLAMATION"), holds(exclaims));
        weigh(("", "TOLD"), holds(is_told(tokens, &(0..0), false)));
        weigh(("", "CLAUSE"), holds(joints > 0));
        weigh(("", "CLAUSES"), holds(joints > 1));
        weigh(("", "NUMBERS"), named("NUM"));
        weigh(("", "NAMES"), named("NAME"));
        for &(ending, most) in ENDINGS {
            let ends = |word: &&&str| word.len() > 4 && word.ends_with(ending) && !word.ends_with("ss");
            weigh(("ENDING", ending), capped(classes.iter().filter(ends).count(), most));
        }
        odds
    }

    fn add(&mut self, weight: Self, times: f64) {
        self.holds += weight.holds * times;
        self.changes += weight.changes * times;
    }
}

/// What words and pairs of words add, each once.
fn words(tokens: &[&Token<'_>], classes: &[&str]) -> Odds {
    let mut odds = Odds::default();
    let mut seen = vec![false; WEIGHTS.len()];
    let mut weigh = |key: Key<'_>| {
        if let Some((place, weight)) = WEIGHTS.get(&key)
            && let Some(seen) = seen.get_mut(*place).filter(|seen| !**seen)
        {
            *seen = true;
            odds.add(*weight, 1.0);
        }
    };
    let mut before = "^";
    for (word, token) in classes.iter().zip(tokens) {
        weigh(("", word));
        weigh((if before != "^" && token.opens { "," } else { before }, word));
        before = word;
    }
    odds
}

fn capped(count: usize, most: usize) -> f64 {
    exact(count.min(most))
}

/// What a word counts as: a number, a name, or itself.
fn class<'t>(token: &'t Token<'_>) -> &'t str {
    if token.is_numeral() {
        "NUM"
    } else if token.is_name() {
        "NAME"
    } else {
        &token.text
    }
}

#[cfg(test)]
mod tests {
    use super::{super::token::tokens, *};

    /// Whether it is likely that `sentence` holds, and that it changes something.
    #[track_caller]
    fn check(sentence: &str, by_cues: f64, holds: bool, changes: bool) {
        let ends = |mark| sentence.ends_with(mark);
        let odds = Odds::of(&tokens(sentence), by_cues, ends('?'), ends('!'));
        assert_eq!((odds.holds > -1.0, odds.changes > -1.0), (holds, changes), "{sentence:?} has {odds:?}");
    }

    #[test]
    fn what_holds_and_what_changes() {
        check("The board needs the minutes by noon, without names.", 0.0, true, false);
        check("Keep the receipts for the board.", 0.5, true, false);
        check("Nobody gets in without a badge.", 1.0, true, false);
        check("I think you could just keep the receipts again!", 0.5, false, false);
        check("We looked at the boats in the harbour.", 0.0, false, false);
        check("Never let the bins stand in the hall.", 0.6, true, false);
        check("As of next week the bins go out on Tuesdays instead.", 0.3, true, true);
        check("The door code got changed, it's 4410 these days.", 0.3, true, true);
        check("", 0.0, false, false);
    }

    #[test]
    fn repeated_words_count_once() {
        let odds = |text: &str| Odds::of(&tokens(text), 0.0, false, false).holds;
        assert!((odds("gets gets gets gets") - odds("gets")).abs() < 1e-9);
    }

    #[test]
    fn tables_are_read() {
        assert!(WEIGHTS.len() > 1_100);
        let is_quarters = |weight: f64| (weight * 4.0).fract() == 0.0;
        assert!(WEIGHTS.values().all(|(_, odds)| is_quarters(odds.holds) && is_quarters(odds.changes)));
        assert!(WEIGHTS.values().all(|(_, odds)| *odds != Odds::default()));
    }
}
