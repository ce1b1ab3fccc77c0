//! Which instruction takes the place of which.

use std::collections::{BTreeSet, HashMap};

use contextfit_kernel::Role;
use contextfit_text::{Analyzer, Tongue};
use foldhash::fast::FixedState;

use super::{
    Instruction,
    cues::{CUES, Cue},
    pattern::is_day,
    slot::{Filled, slots},
    token::Token,
};

/// Instructions of one term that are looked at, the latest.
const LATEST: usize = 16;

/// Blocks that "scratch that" reaches back over.
const REACH: usize = 4;

/// The terms of a sentence are compared: so much of the smaller set must be in both where one corrects the other, so much
/// where the values are of different kinds, and so much of both where neither corrects.
const LEAST: f64 = 0.3;
const LEAST_IN_CONTRAST: f64 = 0.4;
const CORRECTS: f64 = 0.5;
const CORRECTS_OTHER: f64 = 0.75;
const REPEATS: f64 = 0.6;

/// What is weaker replaces nothing.
const REPLACES: f64 = 0.4;

/// A sentence as it is compared.
#[derive(Debug)]
pub(super) struct Said<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Whether a word sets it against what was said before.
    pub(super) contrasts: bool,
    /// The speaker's name, where it is known.
    pub(super) speaker: Option<&'a str>,
}

/// What a sentence is about.
#[derive(Debug)]
struct About {
    /// Stems of its words, less those that cues are made of, numbers and days.
    terms: BTreeSet<String>,
    /// Numbers and days.
    values: BTreeSet<String>,
    /// Whether it has an amount, a number and a day.
    kinds: [bool; 2],
    slots: Vec<(usize, BTreeSet<String>)>,
    /// Whether it forbids.
    forbids: bool,
    /// Whether it says that something said before no longer holds.
    corrects: bool,
    /// The same, by more than a word such as "instead".
    retracts: bool,
    authority: u8,
    /// Whether it says something about the speaker, and who that is.
    personal: bool,
    speaker: Option<String>,
    /// Whether it is weak: then it replaces nothing.
    weak: bool,
}

/// The words of a sentence that say what it is about.
pub(super) fn topic<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t Token<'a>> {
    tokens.iter().filter(|token| is_content(token))
}

fn is_content(token: &Token<'_>) -> bool {
    let word = &*token.text;
    let says_nothing = || Tongue::ALL.into_iter().any(|tongue| tongue.is_stop_word(word));
    !token.is_number() && !is_day(word) && !CUES.words.contains(word) && !says_nothing()
}

/// Marks in `found` what a later one takes the place of; `said` are the tokens of each. Linear: of each term the latest few
/// are compared.
pub(super) fn supersede(found: &mut [Instruction], said: &[Said<'_>]) {
    let sample = said.iter().take(64).flat_map(|said| &said.tokens).map(|token| &*token.text);
    let analyzer = Analyzer::new(Some(Tongue::of_texts(sample)));
    let about: Vec<About> =
        found.iter().zip(said).map(|(instruction, said)| about(instruction, said, &analyzer)).collect();
    let mut by_term: HashMap<String, Vec<usize>, FixedState> = HashMap::default();
    for (place, now) in about.iter().enumerate() {
        let keys: Vec<String> =
            now.terms.iter().cloned().chain(now.slots.iter().map(|(slot, _)| format!("#{slot}"))).collect();
        let known = keys.iter().filter_map(|key| by_term.get(key)).flatten().copied();
        let mut earlier: BTreeSet<usize> = known.collect();
        let last = retracted(found, &about, place);
        earlier.extend(last);
        for candidate in earlier {
            let Some(before) = about.get(candidate) else { continue };
            let retracts = last == Some(candidate);
            if now.authority >= before.authority && (retracts || replaces(now, before)) {
                if let Some(instruction) = found.get_mut(candidate) {
                    instruction.superseded_by.get_or_insert(place);
                }
            }
        }
        for key in keys {
            let places = by_term.entry(key).or_default();
            if places.len() == LATEST {
                places.remove(0);
            }
            places.push(place);
        }
    }
}

fn about(instruction: &Instruction, said: &Said<'_>, analyzer: &Analyzer) -> About {
    let tokens = &said.tokens;
    let stem = |token: &Token<'_>| analyzer.term(&token.text).map(std::borrow::Cow::into_owned);
    let terms = topic(tokens).filter_map(stem).collect();
    let is_value = |token: &&Token<'_>| token.is_number() || is_day(&token.text);
    let values = tokens.iter().filter(is_value).map(|token| token.text.to_string()).collect();
    let kinds = [tokens.iter().any(Token::is_number), tokens.iter().any(|token| is_day(&token.text))];
    let others = |filled: &Filled| {
        let rest =
            tokens.iter().enumerate().filter(|(at, token)| !filled.covers.contains(at) && is_content(token));
        rest.filter_map(|(_, token)| stem(token)).collect()
    };
    About {
        terms,
        values,
        kinds,
        slots: slots(tokens).iter().map(|filled| (filled.slot, others(filled))).collect(),
        forbids: instruction.cues.contains(&Cue::Prohibition),
        corrects: said.contrasts || instruction.cues.contains(&Cue::Correction),
        retracts: instruction.cues.contains(&Cue::Correction),
        authority: match instruction.role {
            Role::System | Role::Developer => 2,
            Role::User => 1,
            Role::Assistant | Role::Tool => 0,
        },
        personal: instruction.cues.contains(&Cue::Preference),
        speaker: said.speaker.map(str::to_owned),
        weak: instruction.strength < REPLACES,
    }
}

/// Whether `now` is about what `before` is about, and says something else, or the same again.
fn replaces(now: &About, before: &About) -> bool {
    if now.weak || (now.personal || before.personal) && now.speaker != before.speaker {
        return false;
    }
    let slot = now.slots.iter().any(|(slot, rest)| {
        before.slots.iter().any(|(known, other)| {
            slot == known
                && (rest.is_empty() && other.is_empty()
                    || now.corrects && (rest.is_empty() || other.is_empty())
                    || shared(rest, other) * 2 >= rest.len().min(other.len()).max(1))
        })
    });
    let both = shared(&now.terms, &before.terms);
    if slot || both == 0 {
        return slot;
    }
    let smaller = share(both, now.terms.len().min(before.terms.len()));
    let all = share(both, now.terms.len() + before.terms.len() - both);
    let same_kind = now.kinds.iter().zip(before.kinds).any(|(now, before)| *now && before);
    if now.corrects {
        let least = if now.retracts { LEAST } else { LEAST_IN_CONTRAST };
        return all >= least && smaller >= if same_kind { CORRECTS } else { CORRECTS_OTHER };
    }
    let differs = now.values != before.values;
    let flips = now.forbids != before.forbids;
    let repeats = all >= 1.0 && !differs && !flips;
    repeats || both >= 2 && all >= REPEATS && (differs && same_kind || flips) || all >= 1.0 && flips
}

/// What "scratch that" takes back: the last instruction of the same speaker, a few blocks before at most.
fn retracted(found: &[Instruction], about: &[About], place: usize) -> Option<usize> {
    let (now, this) = (about.get(place)?, found.get(place)?);
    if !now.retracts || now.terms.len() > 1 || !now.slots.is_empty() {
        return None;
    }
    let last = found.get(..place)?.iter().rposition(|before| before.role == this.role)?;
    let before = about.get(last)?;
    let near = found.get(last).is_some_and(|before| this.block.saturating_sub(before.block) <= REACH);
    let same_kind =
        now.values.is_empty() || now.kinds.iter().zip(before.kinds).any(|(now, before)| *now && before);
    (near && same_kind && shared(&now.terms, &before.terms) == now.terms.len()).then_some(last)
}

fn shared(a: &BTreeSet<String>, b: &BTreeSet<String>) -> usize {
    a.intersection(b).count()
}

#[expect(clippy::cast_precision_loss, reason = "sentences have fewer words than that")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
