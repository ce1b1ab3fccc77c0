//! Which instruction takes the place of which.

use std::collections::{BTreeSet, HashMap, VecDeque};

use contextfit_kernel::Role;
use contextfit_text::{Analyzer, Tongue};
use foldhash::fast::FixedState;

use super::{
    Instruction,
    cues::{CUES, Cue},
    measure::{Measure, measures},
    slot::slots,
    token::Token,
    words::{is_day, is_filler},
};
use crate::relevance::exact;

/// Instructions with the same term that are looked at, the latest.
const LATEST: usize = 8;

/// Terms of a sentence that are compared, the first.
const MOST_TERMS: usize = 64;

/// Blocks that "scratch that" reaches back over.
const REACH: usize = 4;

/// How much two sentences must have in common, as shares of the terms of the smaller and of both together, for one to
/// correct the other: where it says so or is of the same class, where it only contrasts, and where neither corrects.
const CORRECTED: (f64, f64) = (0.5, 0.3);
const CORRECTED_OTHERWISE: (f64, f64) = (0.75, 0.3);
const CONTRASTED: (f64, f64) = (0.75, 0.4);
const REPEATED: f64 = 0.6;

/// With the one at hand so many sentences have a term that is rare, at most.
const RARE: usize = 4;

/// What the odds start from that a sentence says anew what another said, and what adds to them, in logarithms: times the odds
/// that it changes anything, at most and at least so many; a term in both that no other sentence has, the second and the
/// third rare one; each name in both, two at most; a slot that both fill; the same measure; numbers or days in both, or other
/// values and neither; names in both and none of them the same; that it corrects; that one forbids and the other does not;
/// times how likely it goes on to hold, and how likely the other does; that there is no cue in the other; for each word of
/// both, since long sentences share words by chance.
///
/// A logistic regression over 99,000 pairs of sentences that share a term, in 1,130 stretches of meetings and chats into which twelve
/// instructions of one writer were put each, and with them 460 cases of an instruction that is replaced, and 280 of one that is
/// only added to, twice; rounded to quarters, of words to hundredths. Two are chosen: values of another kind take twice what was
/// fitted ("each slide needs a title" is not replaced by "three points a slide at most"), and the start, which finds two in three
/// of the cases that share a term, takes one in nineteen of those that only add for one, and one in 170 of the other instructions
/// for replaced.
const ANEW: f64 = -2.0;
const CHANGES: (f64, f64, f64) = (1.25, -5.0, 2.0);
const ONLY_HERE: f64 = 2.5;
const RARE_TERMS: [f64; 2] = [1.5, 1.25];
const NAMES: f64 = 1.25;
const SAME_SLOT: f64 = 1.75;
const SAME_MEASURE: f64 = 0.5;
const SAME_KIND: f64 = 0.5;
const OTHER_VALUES: f64 = -1.25;
const OTHER_NAMES: f64 = 1.0;
const CORRECTS: f64 = 0.5;
const FLIPS: f64 = 0.5;
const HOLDS: f64 = 1.0;
const HELD: f64 = 4.0;
const PLAIN: f64 = -0.75;
const EACH_WORD: (f64, f64) = (-0.15, -0.16);

/// Words of a sentence that count, at most.
const MOST_WORDS: usize = 40;

/// What is weaker replaces nothing; it stands beside what it says anew.
const REPLACES: f64 = 0.3;

/// A sentence as it is compared.
#[derive(Debug)]
pub(super) struct Said<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// Whether a word sets it against what was said before.
    pub(super) contrasts: bool,
    /// The logarithm of the odds that it changes what was said before.
    pub(super) changes: f64,
    /// Whether there is no cue in it: only what says it anew in its rare words takes its place.
    pub(super) plain: bool,
    /// The speaker's name, where it is known.
    pub(super) speaker: Option<&'a str>,
}

/// What a sentence is about.
#[derive(Debug)]
struct About<'a> {
    /// The stems of its words, less those that cues are made of, numbers and days: ascending.
    terms: Vec<usize>,
    /// Numbers and days.
    values: BTreeSet<&'a str>,
    /// Words with a capital within its clauses.
    names: BTreeSet<&'a str>,
    /// How many words it has, so many at most.
    words: usize,
    /// Whether it has a number, and whether it has a day.
    kinds: [bool; 2],
    /// The slots that it fills, each with the terms beside what names and fills it.
    slots: Vec<(usize, Vec<usize>)>,
    cue: Option<Cue>,
    /// Whether it forbids.
    forbids: bool,
    /// Whether it says that something said before no longer holds.
    corrects: bool,
    /// Whether a word such as "instead" hints at that.
    contrasts: bool,
    /// Whether it says something about the speaker, and who that is.
    personal: bool,
    speaker: Option<&'a str>,
    /// Nobody replaces what somebody with more of it said.
    authority: u8,
    weak: bool,
    plain: bool,
    /// The logarithm of the odds that it changes what was said, and how likely it goes on to hold.
    changes: f64,
    likelihood: f64,
    /// What its numbers are of.
    measures: Vec<Measure>,
}

/// The words of a sentence in `tongue` (in any where that is not known) that say what it is about.
pub(super) fn topic<'t, 'a>(
    tokens: &'t [Token<'a>],
    tongue: Option<Tongue>,
) -> impl Iterator<Item = &'t Token<'a>> {
    tokens.iter().filter(move |token| is_content(token, tongue))
}

fn is_content(token: &Token<'_>, tongue: Option<Tongue>) -> bool {
    let word = &*token.text;
    let is_stop_word = || match tongue {
        Some(tongue) => tongue.is_stop_word(word) || Tongue::English.is_stop_word(word),
        None => Tongue::ALL.into_iter().any(|tongue| tongue.is_stop_word(word)),
    };
    let is_filler = || tongue == Some(Tongue::English) && is_filler(word);
    !CUES.words.contains(word) && !token.is_number() && !is_day(word) && !is_stop_word() && !is_filler()
}

/// Marks in `found` what a later one takes the place of; `said` are the sentences. Linear: of each term and each slot the
/// latest few are compared.
pub(super) fn supersede(found: &mut [Instruction], said: &[Said<'_>]) {
    let mut terms = Terms::new(said);
    let about: Vec<About<'_>> =
        found.iter().zip(said).map(|(instruction, said)| terms.about(instruction, said)).collect();
    let mut by_term: Vec<VecDeque<usize>> = vec![VecDeque::new(); terms.known.len()];
    let mut by_slot: HashMap<usize, VecDeque<usize>, FixedState> = HashMap::default();
    for (place, now) in about.iter().enumerate() {
        let with_term = now.terms.iter().filter_map(|&term| by_term.get(term)).flatten();
        let with_slot = now.slots.iter().filter_map(|(slot, _)| by_slot.get(slot)).flatten();
        let mut earlier: Vec<usize> = with_term.chain(with_slot).copied().collect();
        earlier.sort_unstable();
        earlier.dedup();
        let known = |term: &usize| by_term.get(*term).map_or(0, VecDeque::len);
        earlier.retain(|&earlier| {
            about.get(earlier).is_some_and(|before| replaces(now, before) || renews(now, before, known))
        });
        earlier.extend(retracted(found, &about, place));
        let (mut strength, mut likelihood): (f64, f64) = (0.0, 0.0);
        for earlier in earlier {
            if let Some(instruction) = found.get_mut(earlier) {
                if !now.weak {
                    instruction.superseded_by.get_or_insert(place);
                }
                strength = strength.max(instruction.strength);
                likelihood = likelihood.max(instruction.likelihood);
            }
        }
        // What takes the place of something matters no less.
        if let Some(instruction) = found.get_mut(place) {
            instruction.strength = instruction.strength.max(strength);
            instruction.likelihood = instruction.likelihood.max(likelihood);
        }
        for &term in &now.terms {
            if let Some(places) = by_term.get_mut(term) {
                remember(places, place);
            }
        }
        for (slot, _) in &now.slots {
            remember(by_slot.entry(*slot).or_default(), place);
        }
    }
}

fn remember(places: &mut VecDeque<usize>, place: usize) {
    if places.len() == LATEST {
        places.pop_front();
    }
    places.push_back(place);
}

/// The terms of all sentences, each with a number.
struct Terms {
    tongue: Tongue,
    analyzer: Analyzer,
    known: HashMap<String, usize, FixedState>,
}

impl Terms {
    fn new(said: &[Said<'_>]) -> Self {
        let sample = said.iter().take(64).flat_map(|said| &said.tokens).map(|token| token.source);
        let tongue = Tongue::of_texts(sample);
        Self { tongue, analyzer: Analyzer::new(Some(tongue)), known: HashMap::default() }
    }

    fn about<'a>(&mut self, instruction: &Instruction, said: &'a Said<'a>) -> About<'a> {
        let tokens = &said.tokens;
        let terms: Vec<Option<usize>> = tokens.iter().map(|token| self.term(token)).collect();
        let others = |covers: &[bool]| {
            let rest = terms.iter().zip(covers).filter(|(_, covered)| !**covered);
            ascending(rest.filter_map(|(term, _)| *term))
        };
        let values = tokens.iter().filter(|token| token.is_number() || is_day(&token.text));
        let names = tokens.iter().filter(|token| token.is_name() && !is_day(&token.text));
        About {
            slots: slots(tokens).iter().map(|filled| (filled.slot, others(&filled.covers))).collect(),
            terms: ascending(terms.iter().flatten().copied()),
            values: values.map(|token| &*token.text).collect(),
            names: names.map(|token| &*token.text).collect(),
            words: tokens.len().min(MOST_WORDS),
            kinds: [tokens.iter().any(Token::is_number), tokens.iter().any(|token| is_day(&token.text))],
            cue: instruction.cues.first().copied(),
            forbids: instruction.cues.contains(&Cue::Prohibition),
            corrects: instruction.cues.contains(&Cue::Correction),
            contrasts: said.contrasts,
            personal: instruction.cues.contains(&Cue::Preference),
            speaker: said.speaker,
            authority: match instruction.role {
                Role::System | Role::Developer => 2,
                Role::User => 1,
                Role::Assistant | Role::Tool => 0,
            },
            weak: instruction.strength.max(instruction.likelihood) < REPLACES,
            plain: said.plain,
            changes: said.changes,
            likelihood: instruction.likelihood,
            measures: measures(tokens, &terms),
        }
    }

    fn term(&mut self, token: &Token<'_>) -> Option<usize> {
        let term = is_content(token, Some(self.tongue)).then(|| self.analyzer.term(&token.text)).flatten()?;
        let next = self.known.len();
        Some(*self.known.entry(term.into_owned()).or_insert(next))
    }
}

/// The first few of `terms`, each once.
fn ascending(terms: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut terms: Vec<usize> = terms.take(MOST_TERMS).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Whether `now` is about what `before` is about, and says something else, or the same again.
fn replaces(now: &About<'_>, before: &About<'_>) -> bool {
    if now.weak || now.plain || before.plain || !may_replace(now, before) {
        return false;
    }
    let corrects = now.corrects || now.contrasts;
    let same_slot = now.slots.iter().any(|(slot, rest)| {
        before.slots.iter().any(|(known, other)| {
            let one_is_bare = rest.is_empty() || other.is_empty();
            let agree = shared(rest, other) * 2 >= rest.len().min(other.len()).max(1);
            slot == known && (rest.is_empty() && other.is_empty() || corrects && one_is_bare || agree)
        })
    });
    let both = shared(&now.terms, &before.terms);
    if same_slot || both == 0 {
        return same_slot;
    }
    let smaller = share(both, now.terms.len().min(before.terms.len()));
    let all = share(both, now.terms.len() + before.terms.len() - both);
    let same_kind = same_kind(now, before);
    if corrects {
        let (least, least_of_all) = match (now.corrects, same_kind || now.cue == before.cue) {
            (_, true) => CORRECTED,
            (true, false) => CORRECTED_OTHERWISE,
            (false, false) => CONTRASTED,
        };
        return smaller >= least && all >= least_of_all;
    }
    let differs = now.values != before.values;
    let flips = now.forbids != before.forbids;
    let is_all = both == now.terms.len().max(before.terms.len());
    is_all && (flips || same_kind || !differs)
        || both >= 2 && all >= REPEATED && (flips || differs && same_kind)
}

/// Whether `now` says anew what `before` said, going by what they have in common; `known` says how many sentences before `now`
/// have a term.
fn renews(now: &About<'_>, before: &About<'_>, known: impl Fn(&usize) -> usize) -> bool {
    let common = || now.terms.iter().filter(|term| before.terms.binary_search(term).is_ok());
    let rare = common().filter(|term| known(term) < RARE).count();
    let (weight, least, most) = CHANGES;
    let names = now.names.intersection(&before.names).take(2).map(|_| NAMES);
    let other_names =
        !now.names.is_empty() && !before.names.is_empty() && now.names.is_disjoint(&before.names);
    let same_slot = now.slots.iter().any(|(slot, _)| before.slots.iter().any(|(known, _)| slot == known));
    let same_kind = same_kind(now, before);
    let same_measure = now.measures.iter().any(|measure| before.measures.contains(measure));
    let supports = [
        (common().any(|term| known(term) == 1), ONLY_HERE),
        (same_slot, SAME_SLOT),
        (same_measure, SAME_MEASURE),
        (same_kind, SAME_KIND),
        (now.values != before.values && !same_kind, OTHER_VALUES),
        (other_names, OTHER_NAMES),
        (now.corrects, CORRECTS),
        (now.forbids != before.forbids, FLIPS),
        (before.plain, PLAIN),
    ];
    let odds = ANEW
        + weight * now.changes.clamp(least, most)
        + RARE_TERMS.iter().take(rare.saturating_sub(1)).sum::<f64>()
        + names.sum::<f64>()
        + supports.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum::<f64>()
        + HOLDS * now.likelihood
        + HELD * before.likelihood
        + EACH_WORD.0 * exact(now.words)
        + EACH_WORD.1 * exact(before.words);
    odds > 0.0 && may_replace(now, before)
}

/// Whether both have a number, or both a day.
fn same_kind(now: &About<'_>, before: &About<'_>) -> bool {
    now.kinds.iter().zip(before.kinds).any(|(now, before)| *now && before)
}

/// Nobody replaces what somebody with more authority said, nor what another says of himself.
fn may_replace(now: &About<'_>, before: &About<'_>) -> bool {
    now.authority >= before.authority && (!now.personal && !before.personal || now.speaker == before.speaker)
}

/// What "scratch that" takes back: the last instruction of the same speaker, a few blocks before at most.
fn retracted(found: &[Instruction], about: &[About<'_>], place: usize) -> Option<usize> {
    let (now, this) = (about.get(place)?, found.get(place)?);
    if !now.corrects || now.weak || now.terms.len() > 1 || !now.slots.is_empty() {
        return None;
    }
    let near = |before: &&Instruction| this.block.saturating_sub(before.block) <= REACH;
    let known = found.get(..place)?;
    let back = known.iter().rev().take(REACH).take_while(near).position(|before| before.role == this.role)?;
    let last = place.checked_sub(back + 1)?;
    let before = about.get(last)?;
    let fits = now.values.is_empty() || same_kind(now, before);
    (fits && now.speaker == before.speaker && shared(&now.terms, &before.terms) == now.terms.len())
        .then_some(last)
}

/// How many terms are in both.
fn shared(a: &[usize], b: &[usize]) -> usize {
    a.iter().filter(|term| b.binary_search(term).is_ok()).count()
}

fn share(part: usize, whole: usize) -> f64 {
    exact(part) / exact(whole.max(1))
}
