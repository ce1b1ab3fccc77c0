//! The language that cues are stated in, and how they are found.

use std::{cell::Cell, collections::HashMap};

use foldhash::fast::FixedState;

use super::{
    token::{Token, tokens},
    words::{ends_subject, is_act, is_auxiliary, is_base_form, is_day, is_done},
};

/// Words between two parts of a pattern, at most.
const GAP: usize = 5;

/// Words before the clause that `,,` reaches, at most.
const CLAUSE: usize = 12;

/// A pattern: words side by side, in the order of the sentence.
///
/// | written | means |
/// |---|---|
/// | `word` | the word |
/// | `one\|other` | one of these |
/// | `?word` | the word or nothing |
/// | `word:` | the word with a colon behind it |
/// | `^ …` | at the start of a clause, behind openers such as "please" at most |
/// | `..` | up to five words of the same clause |
/// | `,,` | up to twelve words, up to where a clause begins |
/// | `<num>` | a number or a currency sign |
/// | `<day>` | a day, a month, a time or a number |
/// | `<verb>` | a word that may be a base form, or the imperative of one |
/// | `<act>` | a verb of doing that people are told to do, in its base form |
/// | `<done>` | the participle of such a verb, as far as its ending or a list says |
/// | `<end>` | the end of the clause |
/// | `<name>` | a word that begins with a capital |
/// | `<any>` | any word |
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// Whether it stands only at the start of a clause.
    anchored: bool,
    parts: Vec<(Part, bool)>,
}

#[derive(Debug, Clone)]
enum Part {
    /// One of these.
    One(Vec<Choice>),
    Gap,
    /// Up to the start of a later clause.
    Turn,
    /// The end of a clause.
    End,
}

#[derive(Debug, Clone, Copy)]
enum Choice {
    /// A word, by its number.
    Word(usize),
    /// A word with a colon behind it.
    Titled(usize),
    Of(Class),
}

/// What a token is, whatever the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Number,
    Day,
    Verb,
    Act,
    Done,
    Name,
    Any,
}

/// The words of patterns, each with a number: comparing numbers is quick.
type Words = HashMap<String, usize, FixedState>;

impl Pattern {
    /// Reads a pattern.
    fn read(source: &str, words: &mut Words) -> Self {
        let mut anchored = false;
        let mut parts = Vec::new();
        for word in source.split_whitespace() {
            let (optional, word) = word.strip_prefix('?').map_or((false, word), |word| (true, word));
            match word {
                "^" => anchored = true,
                ".." => parts.push((Part::Gap, false)),
                ",," => parts.push((Part::Turn, false)),
                "<end>" => parts.push((Part::End, false)),
                _ => parts.extend(read_part(word, words).into_iter().map(|part| (part, optional))),
            }
        }
        Self { anchored, parts }
    }

    /// Where the pattern ends that begins at `at`, if it does.
    fn end(&self, sentence: &Seen<'_, '_>, at: usize) -> Option<usize> {
        follow(&self.parts, sentence, at, at)
    }
}

/// The parts that `word` stands for: several where it folds to several tokens, as Chinese does; then `|` parts their last
/// ones.
fn read_part(word: &str, words: &mut Words) -> Vec<Part> {
    let mut number = |word: String| {
        let next = words.len();
        *words.entry(word).or_insert(next)
    };
    let titled = word.ends_with(':');
    let mut head = Vec::new();
    let mut choices = Vec::new();
    for choice in word.split('|') {
        choices.push(match choice {
            "<num>" => Choice::Of(Class::Number),
            "<day>" => Choice::Of(Class::Day),
            "<verb>" => Choice::Of(Class::Verb),
            "<act>" => Choice::Of(Class::Act),
            "<done>" => Choice::Of(Class::Done),
            "<name>" => Choice::Of(Class::Name),
            "<any>" => Choice::Of(Class::Any),
            _ => {
                let mut folded: Vec<String> =
                    tokens(choice).into_iter().map(|token| token.text.into_owned()).collect();
                let Some(last) = folded.pop() else { continue };
                if choices.is_empty() {
                    head = folded;
                }
                let last = number(last);
                if titled { Choice::Titled(last) } else { Choice::Word(last) }
            }
        });
    }
    let head = head.into_iter().map(|word| Part::One(vec![Choice::Word(number(word))]));
    head.chain([Part::One(choices)]).collect()
}

/// Where `parts` end when they begin at `at`. Bounded by the length of the pattern, the gaps in it and their width.
fn follow(parts: &[(Part, bool)], sentence: &Seen<'_, '_>, start: usize, at: usize) -> Option<usize> {
    let tokens = sentence.tokens;
    let Some(((part, optional), rest)) = parts.split_first() else { return Some(at) };
    if matches!(part, Part::End) {
        return tokens.get(at).is_none_or(|token| token.opens).then_some(at);
    }
    if matches!(part, Part::Turn) {
        let mut later = (at..=at + CLAUSE).filter(|&at| tokens.get(at).is_some_and(|token| token.opens));
        return later.find_map(|at| follow(rest, sentence, at, at));
    }
    if matches!(part, Part::Gap) {
        for skipped in 0..=GAP {
            if let Some(end) = follow(rest, sentence, start, at + skipped) {
                return Some(end);
            }
            if tokens.get(at + skipped).is_none_or(|token| token.opens && at + skipped > start) {
                return None;
            }
        }
        return None;
    }
    let here = tokens.get(at).filter(|token| at == start || !token.opens || colon_before(tokens, at));
    if here.is_some()
        && part.matches(sentence, at)
        && let Some(end) = follow(rest, sentence, start, at + 1)
    {
        return Some(end);
    }
    if *optional { follow(rest, sentence, start, at) } else { None }
}

fn colon_before(tokens: &[Token<'_>], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|token| token.colon)
}

impl Part {
    fn matches(&self, sentence: &Seen<'_, '_>, at: usize) -> bool {
        match self {
            Self::One(choices) => choices.iter().any(|choice| choice.matches(sentence, at)),
            Self::Gap | Self::Turn | Self::End => false,
        }
    }
}

impl Choice {
    fn matches(self, sentence: &Seen<'_, '_>, at: usize) -> bool {
        let is_word = |word| sentence.words.get(at) == Some(&Some(word));
        match self {
            Self::Word(word) => is_word(word),
            Self::Titled(word) => is_word(word) && sentence.tokens.get(at).is_some_and(|token| token.colon),
            Self::Of(class) => sentence.is(at, class),
        }
    }
}

impl Class {
    /// Whether `token` is so, before `next`.
    fn holds(self, token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
        match self {
            Self::Number => token.is_numeral(),
            Self::Day => token.is_number() || is_day(&token.text),
            Self::Verb => is_base_form(&token.text) && next.is_none_or(|next| !is_auxiliary(&next.text)),
            Self::Act => {
                is_act(&token.text) && next.is_some_and(|next| !next.opens && !ends_subject(&next.text))
            }
            Self::Done => is_done(&token.text),
            Self::Name => token.is_capitalised(),
            Self::Any => true,
        }
    }

    /// Its place in a set.
    const fn bit(self) -> u8 {
        match self {
            Self::Number => 1,
            Self::Day => 1 << 1,
            Self::Verb => 1 << 2,
            Self::Act => 1 << 3,
            Self::Done => 1 << 4,
            Self::Name => 1 << 5,
            Self::Any => 1 << 6,
        }
    }
}

/// A sentence as patterns see it: what its tokens are is found out once, however many patterns ask.
struct Seen<'s, 'a> {
    tokens: &'s [Token<'a>],
    /// The number of each token's word, where a pattern has it.
    words: Vec<Option<usize>>,
    /// Of each token the classes that were asked for, and those of them that it is of.
    classes: Vec<Cell<(u8, u8)>>,
}

impl Seen<'_, '_> {
    /// Whether the token at `at` is of `class`.
    fn is(&self, at: usize, class: Class) -> bool {
        let (Some(token), Some(classes)) = (self.tokens.get(at), self.classes.get(at)) else { return false };
        let (asked, is) = classes.get();
        if asked & class.bit() != 0 {
            return is & class.bit() != 0;
        }
        let holds = class.holds(token, self.tokens.get(at + 1));
        classes.set((asked | class.bit(), if holds { is | class.bit() } else { is }));
        holds
    }
}

/// A pattern that was found: which one, and the tokens it covers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Its place among all patterns.
    pub(super) pattern: usize,
    /// The first token.
    pub(super) start: usize,
    /// One past the last token.
    pub(super) end: usize,
}

/// Patterns, found by their first words.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    patterns: Vec<Pattern>,
    words: Words,
    /// The patterns that may begin with each word, by its number.
    by_word: Vec<Vec<usize>>,
    /// The few that begin with no certain word.
    others: Vec<(Class, usize)>,
}

impl Matcher {
    /// Adds a pattern; its place among all is the number of those before.
    pub(super) fn add(&mut self, source: &str) {
        let pattern = Pattern::read(source, &mut self.words);
        let place = self.patterns.len();
        self.by_word.resize_with(self.words.len(), Vec::new);
        for (part, optional) in &pattern.parts {
            let Part::One(choices) = part else { break };
            for choice in choices {
                match choice {
                    Choice::Word(word) | Choice::Titled(word) => {
                        self.by_word.get_mut(*word).into_iter().for_each(|places| places.push(place));
                    }
                    Choice::Of(class) => self.others.push((*class, place)),
                }
            }
            if !optional {
                break;
            }
        }
        self.patterns.push(pattern);
    }

    /// Calls `found` with each pattern that stands in `tokens`; `initial` says which tokens begin a clause. Linear in the
    /// number of tokens, patterns of one first word being few.
    pub(super) fn find(&self, tokens: &[Token<'_>], initial: &[bool], mut found: impl FnMut(Found)) {
        let words = tokens.iter().map(|token| self.words.get(&*token.text).copied()).collect();
        let sentence = Seen { tokens, words, classes: vec![Cell::default(); tokens.len()] };
        for (start, (word, &initial)) in sentence.words.iter().zip(initial).enumerate() {
            let with_word = word.and_then(|word| self.by_word.get(word)).into_iter().flatten().copied();
            let others = self.others.iter().filter(|(class, _)| sentence.is(start, *class));
            for place in with_word.chain(others.map(|(_, place)| *place)) {
                let Some(pattern) = self.patterns.get(place) else { continue };
                if pattern.anchored && !initial {
                    continue;
                }
                if let Some(end) = pattern.end(&sentence, start) {
                    found(Found { pattern: place, start, end });
                }
            }
        }
    }
}
