//! How likely a sentence goes on to hold, and how likely it changes what was said: by its cues and the words it is built of.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use super::{texture::is_told, token::Token, words::is_number};

/// Whether a sentence goes on to hold.
///
/// Fitted with an L1 penalty to 2,560 instructions and 2,080 remarks that sound like instructions and are none, by fourteen
/// writers who did not know the cues (400 and 400 of them short, and counted twice); to 180 cases of an instruction that replaces
/// another, by twelve of them; to 2,640 turns of chats and meetings, by six more; and to the 35 meetings of QMSum (MIT licence)
/// that docs/quality.md measures with. What fewer than nine of these texts have has no weight.
pub(super) static HOLDS: LazyLock<Regression> = LazyLock::new(|| Regression::read(include_str!("holds.txt")));

/// Whether a sentence sets aside what was said before: "these days", "now that", "got moved".
///
/// Fitted to 460 statements that replace an instruction, against all the other sentences of [`HOLDS`] and 280 that only add to
/// one. What fewer than five of them have has no weight.
pub(super) static CHANGES: LazyLock<Regression> =
    LazyLock::new(|| Regression::read(include_str!("changes.txt")));

/// A pair of a feature's parts: a word by itself has an empty first part.
type Key<'t> = (&'t str, &'t str);

/// A logistic regression.
///
/// Its table has a weight on each line, rounded to a quarter of a logarithm of odds, and what adds it: a word, wherever it
/// stands, or a pair `a_b` where `b` follows `a` in a clause; `^` stands for the beginning of the sentence, `,` for that of a
/// later clause, `NUM` for a number and `NAME` for a capital where no clause begins. Capitals name the rest: what a sentence
/// of at most so many words starts from (`LENGTH`); times the strength of the cues (`CUES`), again in sentences of at
/// most six and nine words, times what it has beyond a half (`STRONG`), where it has none (`NO_CUE`); a question, an exclamation, a first clause that tells of the past; a second
/// clause, and a third; for each number and name, two at most; for each longer word with an ending, two at most, three in `s`.
pub(super) struct Regression(HashMap<Key<'static>, f64, FixedState>);

impl Regression {
    fn read(table: &'static str) -> Self {
        Self(table.lines().flat_map(row).collect())
    }

    /// The logarithm of the odds that it is so for a sentence with these features. Linear.
    pub(super) fn odds(&self, sentence: &Features<'_>) -> f64 {
        let weigh = |(key, times): &(Key<'_>, f64)| self.0.get(key).map(|weight| weight * times);
        sentence.0.iter().filter_map(weigh).sum()
    }
}

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

/// What a sentence has that is weighed, and how many times.
pub(super) struct Features<'t>(Vec<(Key<'t>, f64)>);

impl<'t> Features<'t> {
    /// Those of the sentence of `tokens`, whose cues are `by_cues` strong. Linear-logarithmic.
    pub(super) fn of(tokens: &'t [Token<'_>], by_cues: f64, asks: bool, exclaims: bool) -> Self {
        // What is quoted is somebody else's.
        let own: Vec<&Token<'_>> = tokens.iter().filter(|token| !token.quoted).collect();
        let classes: Vec<&str> = own.iter().map(|token| class(token)).collect();
        let mut keys: Vec<Key<'_>> = Vec::with_capacity(2 * own.len());
        let mut before = "^";
        for (word, token) in classes.iter().zip(&own) {
            keys.push(("", word));
            keys.push((if before != "^" && token.opens { "," } else { before }, word));
            before = word;
        }
        keys.sort_unstable();
        keys.dedup();

        let length = LENGTHS.iter().find(|(most, _)| own.len() <= *most).map_or("more", |(_, name)| name);
        let holds = |is: bool| f64::from(u8::from(is));
        let joints = own.iter().skip(1).filter(|token| token.opens).count();
        let named = |name: &str| capped(classes.iter().filter(|class| **class == name).count(), 2);
        let mut found: Vec<(Key<'_>, f64)> = keys.into_iter().map(|key| (key, 1.0)).collect();
        found.extend([
            (("LENGTH", length), 1.0),
            (("", "CUES"), by_cues),
            (("CUES", "6"), if own.len() <= 6 { by_cues } else { 0.0 }),
            (("CUES", "9"), if own.len() <= 9 { by_cues } else { 0.0 }),
            (("", "STRONG"), (by_cues - 0.5).max(0.0)),
            (("NO", "CUE"), holds(by_cues <= 0.0)),
            (("", "QUESTION"), holds(asks)),
            (("", "EXCLAMATION"), holds(exclaims)),
            (("", "TOLD"), holds(is_told(tokens, &(0..0), false))),
            (("", "CLAUSE"), holds(joints > 0)),
            (("", "CLAUSES"), holds(joints > 1)),
            (("", "NUMBERS"), named("NUM")),
            (("", "NAMES"), named("NAME")),
        ]);
        for &(ending, most) in ENDINGS {
            let ends = |word: &&&str| word.len() > 4 && word.ends_with(ending) && !word.ends_with("ss");
            found.push((("ENDING", ending), capped(classes.iter().filter(ends).count(), most)));
        }
        Self(found)
    }
}

fn capped(count: usize, most: usize) -> f64 {
    crate::relevance::exact(count.min(most))
}

/// What a word counts as: a number, a name, or itself.
fn class<'t>(token: &'t Token<'_>) -> &'t str {
    if token.is_number() || is_number(&token.text) {
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

    #[track_caller]
    fn check(regression: &Regression, sentence: &str, by_cues: f64, expect: bool) {
        let ends = |mark| sentence.ends_with(mark);
        let tokens = tokens(sentence);
        let odds = regression.odds(&Features::of(&tokens, by_cues, ends('?'), ends('!')));
        assert_eq!(odds > -1.0, expect, "{sentence:?} has {odds}");
    }

    #[test]
    fn what_holds() {
        check(&HOLDS, "The board needs the minutes by noon, without names.", 0.0, true);
        check(&HOLDS, "Keep the receipts for the board.", 0.5, true);
        check(&HOLDS, "Nobody gets in without a badge.", 1.0, true);
        check(&HOLDS, "I think you could just keep the receipts again!", 0.5, false);
        check(&HOLDS, "We looked at the boats in the harbour.", 0.0, false);
        check(&HOLDS, "", 0.0, false);
    }

    #[test]
    fn what_changes() {
        check(&CHANGES, "As of next week the bins go out on Tuesdays instead.", 0.3, true);
        check(&CHANGES, "The door code got changed, it's 4410 these days.", 0.3, true);
        check(&CHANGES, "Never let the bins stand in the hall.", 0.6, false);
        check(&CHANGES, "We looked at the boats in the harbour.", 0.0, false);
    }

    #[test]
    fn tables_are_read() {
        for (regression, least) in [(&HOLDS, 900), (&CHANGES, 200)] {
            assert!(regression.0.len() > least);
            assert!(
                regression.0.values().all(|weight| weight.abs() >= 0.25 && (weight * 4.0).fract() == 0.0)
            );
        }
    }
}
