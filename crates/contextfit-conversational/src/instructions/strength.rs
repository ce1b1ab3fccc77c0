//! How strongly a sentence says that it goes on to hold.

use std::ops::Range;

use super::{
    cues::{CUES, Cue, Mark},
    exact::Exact,
    pattern::Found,
    regression::Odds,
    slot::slots,
    texture::{is_english, texture},
    token::Token,
};
use crate::relevance;

/// What the address, the scope and the emphasis of a sentence add to its cues.
const ADDRESS: f64 = 0.1;
const SCOPE: f64 = 0.1;
const EMPHASIS: f64 = 0.2;
const CONTRAST: f64 = 0.1;

/// What a value that must be had to the letter adds: an address, a path, the number of an account. What a sentence is worth
/// that has one and no cue, and one that says it of something: `the code is X4T-88`.
const EXACT: f64 = 0.15;
const EXACT_ALONE: f64 = 0.35;
const EXACT_SAID: f64 = 0.45;

/// What each number and each name adds, so many of them at most: what goes on to hold is about something, small talk is not.
/// What a sentence is worth that has a number, and two of them or more, and no cue.
const DETAIL: f64 = 0.05;
const DETAILS: usize = 3;
const DETAILED: f64 = 0.2;

/// What a request for a manner gains that fills a slot: a language, a unit, a format. Cues that any order has are none for a
/// manner.
const SLOT: f64 = 0.2;
const MANNER: f64 = 0.4;

/// What is as strong as this says by itself that it goes on to hold: only small talk takes from it. How strong the build of a
/// sentence makes one without cues at most, and how much of the cues comes on top.
const MARKED: f64 = 0.4;
const BUILT: f64 = 0.5;
const BUILT_BESIDE: f64 = 0.15;

/// What is left of the strength of a question, of what is imagined, of somebody else's word, of what is told.
const QUESTION: f64 = 0.3;
const IMAGINED: f64 = 0.5;
const REPORTED: f64 = 0.4;
const TOLD: f64 = 0.5;

/// What is left of the strength of what is asked for once, and not under a condition or for good.
const ONCE: f64 = 0.8;

/// What is left of the strength of an exclamation without emphasis: wishes and cheers are imperatives too.
const EXCLAIMED: f64 = 0.85;

/// What is left of the strength of a sentence with more words than this: some cue is in most of them.
const LONG: (usize, f64) = (40, 0.7);

/// No sentence is weaker: what has no cue at all may be likely by the words it is built of.
const FAINTEST: f64 = 0.01;

/// The odds that a likelihood of a half stands for: set so that less than two in a hundred sentences of chats and meetings are 0.5
/// likely (docs/quality.md).
const EVEN: f64 = -1.0;

/// The odds that a sentence changes anything where no regression knows its language.
const NEVER: f64 = -5.0;

/// Questions behind a statement that make none of it.
const TAGS: &[&str] = &["ok", "okay", "alright", "all right", "deal", "understood", "got it", "clear"];

/// The mark that a sentence ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Question,
    Exclamation,
    Other,
}

impl Ending {
    pub(super) fn of(sentence: &str) -> Self {
        let sentence = sentence.trim_end_matches(['"', '”', ')', ' ']);
        match sentence.chars().next_back() {
            Some('?') if is_tagged(sentence) => Self::Other,
            Some('?' | '？') => Self::Question,
            Some('!' | '！') => Self::Exclamation,
            _ => Self::Other,
        }
    }
}

/// Whether the question mark of `sentence` is that of a tag, which asks for no answer: "…, ok?", "…, okay, Ann?".
fn is_tagged(sentence: &str) -> bool {
    let clauses = sentence.trim_end_matches('?').rsplit(',').map(str::trim_start);
    let is_name = |clause: &&str| !clause.contains(' ') && clause.starts_with(char::is_uppercase);
    // What the sentence begins with is no tag.
    let mut behind = clauses.take(sentence.matches(',').count().min(2)).skip_while(is_name);
    behind.next().is_some_and(|clause| TAGS.contains(&clause))
}

/// What was found in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// From 0 to 1.
    pub(super) strength: f64,
    /// From 0 to 1: how likely it goes on to hold, by its cues and its build.
    pub(super) likelihood: f64,
    /// The strongest cue of each class, strongest first.
    pub(super) cues: Vec<Cue>,
    /// Whether a word sets it against what was said before: "instead".
    pub(super) contrasts: bool,
    /// The logarithm of the odds that it sets aside what was said before.
    pub(super) changes: f64,
    /// Whether there is no cue, only values: it says something, and asks for nothing.
    pub(super) plain: bool,
}

/// The strength of the sentence of `tokens`. One without any cue is worth what its values are, and may be worth nothing.
///
/// Of each class of cues the best one counts; the classes are added, the strongest in full and the others by half. Address,
/// scope, emphasis, contrast, a slot that is filled and an `exact` value are added where there is a cue; an exact value by
/// itself is a reminder. A question that asks for nothing, an exclamation, what is imagined, told by somebody else, told of the
/// past or asked for once, and a very long sentence are worth a share of that. What is imagined or told behind the clause of the
/// strongest cue, or with its very words, takes nothing: it says why.
pub(super) fn strength(tokens: &[Token<'_>], ending: Ending, exact: Option<Exact>) -> Option<Finding> {
    let marks = marks(tokens);
    let Cues { mut best, strongest, place, until, shouted } = Cues::of(tokens, &marks);
    let (numbers, names) = details(tokens);
    let plain = best.is_empty();
    if plain {
        best.push((Cue::Reminder, values_alone(exact, numbers, names)));
    }
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (&(_, first), others) = best.split_first()?;
    let weakens = |wanted: Mark| {
        let outside = |found: &Found| found.end <= place.start || (place.end..until).contains(&found.start);
        marks.iter().any(|(mark, found)| *mark == wanted && outside(found))
    };
    let has = |wanted: Mark| marks.iter().any(|(mark, _)| *mark == wanted);
    let all_shouted = tokens.iter().filter(|token| token.shouts()).count() * 2 > tokens.len();
    let emphasised = has(Mark::Emphasis) || shouted && !all_shouted;
    let mut strength = first + others.iter().map(|(_, weight)| weight / 2.0).sum::<f64>();
    strength += relevance::exact(DETAILS.min(numbers + names)) * DETAIL;
    let contrasts = has(Mark::Contrast);
    let manner = best.iter().any(|(cue, weight)| *cue == Cue::Manner && *weight >= MANNER)
        && !slots(tokens).is_empty();
    let supports = [
        (has(Mark::Address), ADDRESS),
        (has(Mark::Scope), SCOPE),
        (emphasised, EMPHASIS),
        (contrasts, CONTRAST),
        (manner, SLOT),
        (exact.is_some() && strongest > 0.0, EXACT),
    ];
    for (holds, weight) in supports {
        strength += if holds && !plain { weight } else { 0.0 };
    }
    strength = strength.min(if plain { EXACT_SAID } else { 1.0 });
    let asks = ending == Ending::Question && (plain || !has(Mark::Request));
    let exclaims = ending == Ending::Exclamation && !emphasised;
    // With a condition or for good, it is asked for again and again.
    let again = best.iter().any(|(cue, _)| matches!(cue, Cue::Permanence | Cue::Obligation));
    let shares = [
        (asks, QUESTION),
        (exclaims, EXCLAIMED),
        (weakens(Mark::Imagined), IMAGINED),
        (weakens(Mark::Reported), REPORTED),
        (weakens(Mark::Told), TOLD),
        (has(Mark::Once) && !again, ONCE),
        (tokens.len() > LONG.0, LONG.1),
    ];
    for (holds, share) in shares {
        strength *= if holds { share } else { 1.0 };
    }
    let is_english = is_english(tokens);
    let (likelihood, changes) = if is_english {
        let odds = Odds::of(tokens, strength, asks, exclaims);
        (1.0 / (1.0 + (EVEN - odds.holds).exp()), odds.changes)
    } else {
        (strength, NEVER)
    };
    let marked = strength >= MARKED;
    let texture = if is_english { texture(tokens, &place, exclaims, marked) } else { 0.0 };
    // What is told to be done may be so for once, and what names a value is a reminder of it, however they are built.
    let names_value = plain && exact.is_some();
    let gains = !asks && !names_value && best.iter().any(|(cue, _)| *cue != Cue::Manner);
    let most = (BUILT + BUILT_BESIDE * strength).max(strength).min(1.0);
    strength = (strength + if gains { texture } else { texture.min(0.0) }).clamp(FAINTEST, most);
    Some(Finding {
        strength,
        likelihood,
        cues: best.into_iter().map(|(cue, _)| cue).collect(),
        contrasts,
        changes,
        plain,
    })
}

/// The marks in a sentence, but for those that idioms or quotation marks void.
fn marks(tokens: &[Token<'_>]) -> Vec<(Mark, Found)> {
    let mut marks: Vec<(Mark, Found)> = Vec::new();
    CUES.find(tokens, |mark, found| marks.push((mark, found)));
    // The tokens of the longest idiom that each token is part of.
    let mut idioms = vec![0; tokens.len()];
    for (_, found) in marks.iter().filter(|(mark, _)| matches!(mark, Mark::Idiom)) {
        let len = found.end - found.start;
        for longest in idioms.get_mut(found.start..found.end).unwrap_or_default() {
            *longest = len.max(*longest);
        }
    }
    marks.retain(|(_, found)| {
        let quoted = tokens.get(found.start).is_some_and(|token| token.quoted);
        let idioms = idioms.get(found.start..found.end).unwrap_or_default();
        !quoted && idioms.iter().all(|&longest| longest < found.end - found.start)
    });
    // "No longer than an hour" takes nothing back.
    let limits = marks.iter().filter(|(mark, _)| matches!(mark, Mark::Cue(Cue::Limit, _)));
    let limits: Vec<Range<usize>> = limits.map(|(_, found)| found.start..found.end).collect();
    let inside =
        |found: &Found| limits.iter().any(|limit| limit.start <= found.start && found.end <= limit.end);
    marks.retain(|(mark, found)| !matches!(mark, Mark::Cue(Cue::Correction, _)) || !inside(found));
    marks
}

/// The cues of a sentence.
struct Cues {
    /// The strongest of each class.
    best: Vec<(Cue, f64)>,
    /// The weight of the strongest of all, the first of equals; where it stands, and where its clause ends.
    strongest: f64,
    place: Range<usize>,
    until: usize,
    /// Whether one is written in capitals.
    shouted: bool,
}

impl Cues {
    fn of(tokens: &[Token<'_>], marks: &[(Mark, Found)]) -> Self {
        let mut cues =
            Self { best: Vec::new(), strongest: 0.0, place: 0..0, until: tokens.len(), shouted: false };
        for (mark, found) in marks {
            let Mark::Cue(cue, weight) = mark else { continue };
            let place = found.start..found.end;
            cues.shouted |= tokens.get(place.clone()).unwrap_or_default().iter().any(Token::shouts);
            if *weight > cues.strongest {
                let behind = tokens.iter().skip(found.end).position(|token| token.opens);
                cues.until = behind.map_or(tokens.len(), |behind| found.end + behind);
                (cues.strongest, cues.place) = (*weight, place);
            }
            match cues.best.iter_mut().find(|(known, _)| known == cue) {
                Some((_, known)) => *known = known.max(*weight),
                None => cues.best.push((*cue, *weight)),
            }
        }
        cues
    }
}

/// What a sentence is worth by its values alone.
const fn values_alone(exact: Option<Exact>, numbers: usize, names: usize) -> f64 {
    match exact {
        Some(Exact::Said) => EXACT_SAID,
        Some(Exact::Named) => EXACT_ALONE,
        None if numbers > 0 && numbers + names > 1 => DETAILED,
        None => 0.0,
    }
}

/// How many numbers and how many names there are.
fn details(tokens: &[Token<'_>]) -> (usize, usize) {
    let (mut numbers, mut names) = (0, 0);
    for token in tokens {
        let is_numeral = token.is_numeral();
        numbers += usize::from(is_numeral);
        names += usize::from(token.is_name() && !is_numeral);
    }
    (numbers, names)
}
