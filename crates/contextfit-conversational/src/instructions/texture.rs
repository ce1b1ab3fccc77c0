//! How a sentence is built: what goes on to hold is told otherwise than small talk is, whatever it is about.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::LazyLock,
};

use contextfit_text::Tongue;
use foldhash::fast::FixedState;

use super::token::Token;

type Weights = HashMap<&'static str, f64, FixedState>;

/// What a sentence starts from that has no strong cue, what its build may take and add at most, what is taken from one that tells of
/// the past, and how many odds make one of it.
const FLAT: f64 = -0.2;
const LEAST: f64 = -0.3;
const MOST: f64 = 0.5;
const IS_TOLD: f64 = -0.3;
const ODDS: f64 = 8.0;

/// What an exclamation, a sentence of fewer than five words, one of several clauses adds; each number, two at most. All in
/// logarithms of odds.
const EXCLAMATION: f64 = -2.7;
const SHORT: f64 = -1.6;
const CLAUSES: f64 = 1.4;
const NUMBER: f64 = 0.3;

/// What a word adds that answers or greets, once; what each word adds that says how something feels, two at most.
const ANSWER: f64 = -1.3;
const FEELING: f64 = -2.1;

const ANSWERS: &str = "yeah yep yes oh wow hey hi haha thanks thank well um uh okay ok cool sure absolutely \
                       definitely totally mm hmm alright aww nah nope";

const FEELINGS: &str = "awesome amazing incredible inspiring adorable gorgeous fantastic wonderful glad happy \
                        proud excited exciting fun cute nice great good sad sweet lucky blessed grateful \
                        thankful love loved feel feels felt heart joy dream dreams hope enjoy enjoyed enjoying \
                        beautiful special favorite favourite";

/// Behind these, a word in `ed` tells what happened.
const PERSONS: &[&str] = &["i", "we", "you", "he", "she", "they", "it"];

const TOLD: &str = "was were had went got made did saw took came felt found started loved realized learned wanted \
                    tried needed said told asked thought knew gave left met ate bought brought built chose drove fell \
                    forgot grew heard held kept lost ran sat sent slept spent stood taught won wrote became began \
                    been done gone seen";

/// What words add, each once.
const WORDS: &[(f64, &str)] = &[
    (-2.4, "think which"),
    (-2.1, "went"),
    (-1.8, "maybe those"),
    (-1.5, "again could really why"),
    (-1.2, "gonna just like see then there us very will your"),
    (-0.9, "always can know must should to were what"),
    (-0.6, "a but did now only our that"),
    (-0.3, "it this"),
    (0.3, "from me you"),
    (0.6, "are as for in no on so up"),
    (0.9, "at does each is not nothing off said the"),
    (1.2, "after anything by than under"),
    (1.5, "before has needs"),
    (1.8, "goes otherwise"),
    (2.1, "nobody without"),
    (2.4, "gets"),
    (3.0, "stays"),
];

/// What the first word adds beside that.
const FIRST: &[(f64, &str)] = &[
    (-3.0, "and"),
    (-2.1, "so"),
    (-1.8, "but is"),
    (-1.5, "this they well can"),
    (-1.2, "it that what yeah"),
    (0.3, "the"),
    (0.6, "we"),
    (1.2, "if"),
    (2.4, "our"),
];

/// The tables by word.
struct Tables {
    answers: Weights,
    feelings: Weights,
    told: HashSet<&'static str, FixedState>,
    words: Weights,
    first: Weights,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    answers: by_word(&[(ANSWER, ANSWERS)]),
    feelings: by_word(&[(FEELING, FEELINGS)]),
    told: TOLD.split_whitespace().collect(),
    words: by_word(WORDS),
    first: by_word(FIRST),
});

fn by_word(rows: &[(f64, &'static str)]) -> Weights {
    rows.iter()
        .flat_map(|(weight, words)| words.split_whitespace().map(move |word| (word, *weight)))
        .collect()
}

/// What the build of the English sentence of `tokens` adds to its strength: -0.3 to 0.5. Where it is `marked` by a strong cue, which is at `cue`, only small talk takes from it. Linear.
pub(super) fn texture(tokens: &[Token<'_>], cue: &Range<usize>, exclaims: bool, marked: bool) -> f64 {
    // The words of the cue have had their say, and what is quoted is somebody else's.
    let said = |(at, token): (usize, &Token<'_>)| !cue.contains(&at) && !token.quoted;
    let outside: Vec<&Token<'_>> =
        tokens.iter().enumerate().filter(|found| said(*found)).map(|(_, token)| token).collect();
    let told = if is_told(tokens, cue, marked) { IS_TOLD } else { 0.0 };
    let chats = (chats(&outside) + if exclaims { EXCLAMATION } else { 0.0 }) / ODDS + told;
    let built = (words(&outside) + counted(&outside)) / ODDS;
    let texture = chats + if marked { built.max(0.0) } else { FLAT + built };
    texture.clamp(LEAST, MOST)
}

/// Whether the clause of the cue, the first where there is none, tells of the past; where it is `marked`, up to there.
pub(super) fn is_told(tokens: &[Token<'_>], cue: &Range<usize>, marked: bool) -> bool {
    let opens = |&at: &usize| tokens.get(at).is_some_and(|token| token.opens);
    let start = (0..=cue.start).rev().find(opens).unwrap_or_default();
    let end = if marked { Some(cue.start) } else { (start + 1..tokens.len()).find(opens) };
    let clause = tokens.get(start..end.unwrap_or(tokens.len())).unwrap_or_default();
    let told = |token: &Token<'_>| TABLES.told.contains(&*token.text);
    let tells = |pair: &[Token<'_>]| match pair {
        [who, what] => PERSONS.contains(&&*who.text) && what.text.ends_with("ed"),
        _ => false,
    };
    clause.iter().any(told) || clause.windows(2).any(tells)
}

/// What the words of small talk add.
fn chats(tokens: &[&Token<'_>]) -> f64 {
    let known = |table: &Weights, most: usize| -> f64 {
        tokens.iter().filter_map(|token| table.get(&*token.text)).take(most).sum()
    };
    known(&TABLES.answers, 1) + known(&TABLES.feelings, 2)
}

/// What words add, and the first of them.
fn words(tokens: &[&Token<'_>]) -> f64 {
    let mut seen: Vec<&str> = Vec::new();
    let mut sum =
        tokens.first().and_then(|first| TABLES.first.get(&*first.text)).copied().unwrap_or_default();
    for token in tokens {
        if let Some((word, weight)) = TABLES.words.get_key_value(&*token.text)
            && !seen.contains(word)
        {
            seen.push(word);
            sum += weight;
        }
    }
    sum
}

/// What numbers, clauses and the length add.
fn counted(tokens: &[&Token<'_>]) -> f64 {
    twice(NUMBER, tokens.iter().map(|token| token.is_numeral()))
        + if tokens.iter().skip(1).any(|token| token.opens) { CLAUSES } else { 0.0 }
        + if tokens.len() < 5 { SHORT } else { 0.0 }
}

/// `weight` for each that is so, two at most.
fn twice(weight: f64, are: impl Iterator<Item = bool>) -> f64 {
    are.filter(|is| *is).take(2).map(|_| weight).sum()
}

/// Whether a fifth of the words at least are stop words of English, and no other language has more.
pub(super) fn is_english(tokens: &[Token<'_>]) -> bool {
    let stops = tokens.iter().filter(|token| Tongue::English.is_stop_word(&token.text)).count();
    stops > 0
        && stops * 5 >= tokens.len()
        && Tongue::of_texts(tokens.iter().map(|token| token.source)) == Tongue::English
}

#[cfg(test)]
mod tests {
    use super::{super::token::tokens, *};

    #[track_caller]
    fn check(sentence: &str, marked: bool, expect: f64) {
        let found = texture(&tokens(sentence), &(0..0), sentence.ends_with('!'), marked);
        assert!((found - expect).abs() < 1e-9, "{sentence:?} has {found}");
    }

    #[test]
    fn rules_are_told_otherwise_than_small_talk() {
        check("The hall holds 110 people before the fire officer closes it.", false, 1.1 / 8.0);
        check("Our hall holds 110 people before nobody gets in without a badge.", false, 0.5);
        check("That is so much fun, I love your new garden!", false, -0.3);
        check("Yeah, it is.", false, -0.3);
        for (sentence, expect) in
            [("The hall is for 110 people.", true), ("La sala es para 110 personas.", false), ("", false)]
        {
            assert_eq!(is_english(&tokens(sentence)), expect, "{sentence:?}");
        }
    }

    #[test]
    fn strong_cues_need_no_more() {
        check("The hall holds 110 people.", true, 1.5 / 8.0);
        check("You have to ask them, haha!", true, -0.3);
        check("You have to ask them just to know of it.", true, 0.0);
    }
}
