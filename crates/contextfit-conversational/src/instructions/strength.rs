//! How strongly a sentence says that it goes on to hold.

use super::{
    cues::{CUES, Cue, Mark},
    pattern::Found,
    slot::slots,
    token::Token,
};

/// What the address, the scope and the emphasis of a sentence add to its cues.
const ADDRESS: f64 = 0.1;
const SCOPE: f64 = 0.1;
const EMPHASIS: f64 = 0.2;
const CONTRAST: f64 = 0.1;

/// What a request for a manner gains that fills a slot: a language, a unit, a format. Cues that any order has are none for a
/// manner.
const SLOT: f64 = 0.2;
const MANNER: f64 = 0.4;

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

/// The mark that a sentence ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Question,
    Exclamation,
    Other,
}

impl Ending {
    pub(super) fn of(sentence: &str) -> Self {
        match sentence.trim_end_matches(['"', '”', ')', ' ']).chars().next_back() {
            Some('?' | '？') => Self::Question,
            Some('!' | '！') => Self::Exclamation,
            _ => Self::Other,
        }
    }
}

/// What was found in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// From 0 to 1.
    pub(super) strength: f64,
    /// The strongest cue of each class, strongest first.
    pub(super) cues: Vec<Cue>,
    /// Whether a word sets it against what was said before: "instead".
    pub(super) contrasts: bool,
}

/// The strength of the sentence of `tokens`; `None` where there is no cue in it.
///
/// Of each class of cues the best one counts; the classes are added, the strongest in full and the others by half. Address,
/// scope, emphasis, contrast and a slot that is filled are added where there is a cue. A question that asks for nothing, an exclamation,
/// what is imagined, told by somebody else, told of the past or asked for once, and a very long sentence are worth a share of that.
pub(super) fn strength(tokens: &[Token<'_>], ending: Ending) -> Option<Finding> {
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
    let void = |found: &Found| {
        let quoted = tokens.get(found.start).is_some_and(|token| token.quoted);
        let idioms = idioms.get(found.start..found.end).unwrap_or_default();
        quoted || idioms.iter().any(|&longest| longest >= found.end - found.start)
    };
    let mut best: Vec<(Cue, f64)> = Vec::new();
    let mut shouted = false;
    for (mark, found) in &marks {
        let Mark::Cue(cue, weight) = mark else { continue };
        if void(found) {
            continue;
        }
        shouted |= tokens.get(found.start..found.end).unwrap_or_default().iter().any(Token::shouts);
        match best.iter_mut().find(|(known, _)| known == cue) {
            Some((_, known)) => *known = known.max(*weight),
            None => best.push((*cue, *weight)),
        }
    }
    best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let (&(_, first), others) = best.split_first()?;
    let has = |wanted: Mark| marks.iter().any(|(mark, found)| *mark == wanted && !void(found));
    let all_shouted = tokens.iter().filter(|token| token.shouts()).count() * 2 > tokens.len();
    let emphasised = has(Mark::Emphasis) || shouted && !all_shouted;
    let mut strength = first + others.iter().map(|(_, weight)| weight / 2.0).sum::<f64>();
    let contrasts = has(Mark::Contrast);
    let manner = best.iter().any(|(cue, weight)| *cue == Cue::Manner && *weight >= MANNER)
        && !slots(tokens).is_empty();
    let supports = [
        (has(Mark::Address), ADDRESS),
        (has(Mark::Scope), SCOPE),
        (emphasised, EMPHASIS),
        (contrasts, CONTRAST),
        (manner, SLOT),
    ];
    for (holds, weight) in supports {
        strength += if holds { weight } else { 0.0 };
    }
    strength = strength.min(1.0);
    let asks = ending == Ending::Question && !has(Mark::Request);
    let exclaims = ending == Ending::Exclamation && !emphasised;
    // With a condition or for good, it is asked for again and again.
    let again = best.iter().any(|(cue, _)| matches!(cue, Cue::Permanence | Cue::Obligation));
    let shares = [
        (asks, QUESTION),
        (exclaims, EXCLAIMED),
        (has(Mark::Imagined), IMAGINED),
        (has(Mark::Reported), REPORTED),
        (has(Mark::Told), TOLD),
        (has(Mark::Once) && !again, ONCE),
        (tokens.len() > LONG.0, LONG.1),
    ];
    for (holds, share) in shares {
        strength *= if holds { share } else { 1.0 };
    }
    Some(Finding { strength, cues: best.into_iter().map(|(cue, _)| cue).collect(), contrasts })
}
