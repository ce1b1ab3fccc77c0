//! How a sentence is built: what goes on to hold is told otherwise than small talk is, whatever it is about.

use std::{collections::HashMap, ops::Range, sync::LazyLock};

use contextfit_text::Tongue;
use foldhash::fast::FixedState;

use super::{
    token::Token,
    words::{is_day, is_number},
};

type Weights = HashMap<&'static str, f64, FixedState>;

/// What a sentence starts from that has no strong cue, and what it may lose and gain.
const START: f64 = -0.2;
const LEAST: f64 = -0.3;
const MOST: f64 = 0.5;

/// What an exclamation, a sentence of fewer than five words, one of several clauses gains; each number, each name (two at
/// most), a day; what is told of the past.
const EXCLAMATION: f64 = -0.35;
const SHORT: f64 = -0.1;
const CLAUSES: f64 = 0.1;
const NUMBER: f64 = 0.1;
const NAME: f64 = 0.05;
const DAY: f64 = 0.1;
const PAST: f64 = -0.3;

/// What a word adds that answers or greets, once; what each word adds that says how something feels, two at most.
const ANSWER: f64 = -0.4;
const FEELING: f64 = -0.35;

const ANSWERS: &str = "yeah yep yes oh wow hey hi haha thanks thank um uh eh cool absolutely \
                       definitely totally mm hmm aww nah nope lol congrats bye";

const FEELINGS: &str = "awesome amazing incredible inspiring adorable gorgeous fantastic wonderful glad happy \
                        proud excited exciting fun cute nice great good sad sweet lucky blessed grateful \
                        thankful love loved feel feels felt heart joy dream dreams hope enjoy enjoyed enjoying \
                        beautiful special favorite favourite";

/// Behind these, a word in `ed` tells what happened.
const PERSONS: &[&str] = &["i", "we", "you", "he", "she", "they", "it"];

const TOLD: &str = "was were had went got made did saw took came found started realized learned tried knew met ate bought brought \
                     built chose drove fell forgot grew heard held kept lost ran sat slept spent stood taught won \
                     wrote became began passed happened missed seemed turned";

/// What words add, each once.
const WORDS: &[(f64, &str)] = &[
    (-0.3, "your"),
    (-0.2, "but gonna just really"),
    (-0.15, "to like"),
    (-0.1, "have i us"),
    (-0.05, "you"),
    (0.05, "only when even everything each unless"),
    (0.1, "no not than by so he she his are on anything every otherwise at does her"),
    (0.15, "after has goes whenever over gets"),
    (0.2, "in the nobody needs"),
    (0.25, "without under"),
    (0.3, "before"),
];

/// What the first word adds beside that.
const FIRST: &[(f64, &str)] = &[
    (-0.3, "so"),
    (-0.25, "and"),
    (-0.15, "no"),
    (-0.1, "it that"),
    (0.05, "my"),
    (0.1, "i we"),
    (0.15, "if"),
    (0.2, "the"),
    (0.3, "our"),
];

/// The tables by word.
struct Tables {
    answers: Weights,
    feelings: Weights,
    told: Weights,
    words: Weights,
    first: Weights,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    answers: by_word(&[(ANSWER, ANSWERS)]),
    feelings: by_word(&[(FEELING, FEELINGS)]),
    told: by_word(&[(PAST, TOLD)]),
    words: by_word(WORDS),
    first: by_word(FIRST),
});

fn by_word(rows: &[(f64, &'static str)]) -> Weights {
    rows.iter()
        .flat_map(|(weight, words)| words.split_whitespace().map(move |word| (word, *weight)))
        .collect()
}

/// What the build of the sentence of `tokens` adds to its strength: -0.3 to 0.5, nothing where it is not English. Where it
/// is `marked` by a strong cue, which is at `cue`, only small talk takes from it. Linear.
///
/// The weights are those of a logistic regression, over the factor it found for the strength of the cues, and rounded: 760
/// sentences of instructions that people made up for tests, against 14,400 sentences of long chats, meetings and orders. What
/// is told of the past was not part of it.
pub(super) fn texture(tokens: &[Token<'_>], cue: &Range<usize>, exclaims: bool, marked: bool) -> f64 {
    if !is_english(tokens) {
        return 0.0;
    }
    // The words of the cue have had their say, and what is quoted is somebody else's.
    let said = |(at, token): (usize, &Token<'_>)| !cue.contains(&at) && !token.quoted;
    let outside: Vec<&Token<'_>> =
        tokens.iter().enumerate().filter(|found| said(*found)).map(|(_, token)| token).collect();
    let known = |table: &Weights, most: usize| -> f64 {
        outside.iter().filter_map(|token| table.get(&*token.text)).take(most).sum()
    };
    let chats = known(&TABLES.answers, 1)
        + known(&TABLES.feelings, 2)
        + if is_told(tokens, cue, marked) { PAST } else { 0.0 }
        + if exclaims { EXCLAMATION } else { 0.0 };
    let built = words(&outside) + counted(&outside);
    let texture = chats + if marked { built.max(0.0) } else { START + built };
    texture.clamp(LEAST, MOST)
}

/// Whether the clause of the cue, the first where there is none, tells of the past; where it is `marked`, up to there.
fn is_told(tokens: &[Token<'_>], cue: &Range<usize>, marked: bool) -> bool {
    let opens = |&at: &usize| tokens.get(at).is_some_and(|token| token.opens);
    let start = (0..=cue.start).rev().find(opens).unwrap_or_default();
    let end = if marked { Some(cue.start) } else { (start + 1..tokens.len()).find(opens) };
    let clause = tokens.get(start..end.unwrap_or(tokens.len())).unwrap_or_default();
    let told = |token: &Token<'_>| TABLES.told.contains_key(&*token.text);
    let tells = |pair: &[Token<'_>]| match pair {
        [who, what] => PERSONS.contains(&&*who.text) && what.text.ends_with("ed"),
        _ => false,
    };
    clause.iter().any(told) || clause.windows(2).any(tells)
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

/// What numbers, names, days, clauses and the length add.
fn counted(tokens: &[&Token<'_>]) -> f64 {
    let is_number = |token: &Token<'_>| token.is_number() || is_number(&token.text);
    let each = |weight: f64, most: usize, is: &dyn Fn(&Token<'_>) -> bool| -> f64 {
        tokens.iter().filter(|token| is(token)).take(most).map(|_| weight).sum()
    };
    each(NUMBER, 2, &is_number)
        + each(NAME, 2, &|token| token.is_name())
        + each(DAY, 1, &|token| is_day(&token.text) && !token.is_number())
        + if tokens.iter().skip(1).any(|token| token.opens) { CLAUSES } else { 0.0 }
        + if tokens.len() < 5 { SHORT } else { 0.0 }
}

/// Whether a fifth of the words at least are stop words of English, and no other language has more.
fn is_english(tokens: &[Token<'_>]) -> bool {
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
        check("The hall holds 110 people before the fire officer closes it.", false, 0.5);
        check("We keep the minutes of the board in a shared folder.", false, 0.3);
        check("That is so much fun, I love your new garden!", false, -0.3);
        check("Yeah, it is.", false, -0.3);
        check("La sala es para 110 personas.", false, 0.0);
        check("", false, 0.0);
    }

    #[test]
    fn strong_cues_need_no_more() {
        check("The hall holds 110 people.", true, 0.5);
        check("You have to ask them, haha!", true, -0.3);
        check("You have to ask them just to know of it.", true, 0.0);
    }
}
