//! The language that cues are stated in, and how they are found.

use std::collections::HashMap;

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

#[derive(Debug, Clone)]
enum Choice {
    Word(String),
    /// A word with a colon behind it.
    Titled(String),
    Number,
    Day,
    Verb,
    Act,
    Done,
    Name,
    Any,
}

impl Pattern {
    /// Reads a pattern.
    fn read(source: &str) -> Self {
        let mut anchored = false;
        let mut parts = Vec::new();
        for word in source.split_whitespace() {
            let (optional, word) = word.strip_prefix('?').map_or((false, word), |word| (true, word));
            match word {
                "^" => anchored = true,
                ".." => parts.push((Part::Gap, false)),
                ",," => parts.push((Part::Turn, false)),
                "<end>" => parts.push((Part::End, false)),
                _ => parts.extend(read_part(word).into_iter().map(|part| (part, optional))),
            }
        }
        Self { anchored, parts }
    }

    /// Where the pattern ends that begins at `at`, if it does.
    fn end(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        follow(&self.parts, tokens, at, at)
    }
}

/// The parts that `word` stands for: several where it folds to several tokens, as Chinese does; then `|` parts their last
/// ones.
fn read_part(word: &str) -> Vec<Part> {
    let titled = word.ends_with(':');
    let mut head = Vec::new();
    let mut choices = Vec::new();
    for choice in word.split('|') {
        choices.push(match choice {
            "<num>" => Choice::Number,
            "<day>" => Choice::Day,
            "<verb>" => Choice::Verb,
            "<act>" => Choice::Act,
            "<done>" => Choice::Done,
            "<name>" => Choice::Name,
            "<any>" => Choice::Any,
            _ => {
                let mut folded: Vec<String> =
                    tokens(choice).into_iter().map(|token| token.text.into_owned()).collect();
                let Some(last) = folded.pop() else { continue };
                if choices.is_empty() {
                    head = folded;
                }
                if titled { Choice::Titled(last) } else { Choice::Word(last) }
            }
        });
    }
    let head = head.into_iter().map(|word| Part::One(vec![Choice::Word(word)]));
    head.chain([Part::One(choices)]).collect()
}

/// Where `parts` end when they begin at `at`. Bounded by the length of the pattern, the gaps in it and their width.
fn follow(parts: &[(Part, bool)], tokens: &[Token<'_>], start: usize, at: usize) -> Option<usize> {
    let Some(((part, optional), rest)) = parts.split_first() else { return Some(at) };
    if matches!(part, Part::End) {
        return tokens.get(at).is_none_or(|token| token.opens).then_some(at);
    }
    if matches!(part, Part::Turn) {
        let mut later = (at..=at + CLAUSE).filter(|&at| tokens.get(at).is_some_and(|token| token.opens));
        return later.find_map(|at| follow(rest, tokens, at, at));
    }
    if matches!(part, Part::Gap) {
        for skipped in 0..=GAP {
            if let Some(end) = follow(rest, tokens, start, at + skipped) {
                return Some(end);
            }
            if tokens.get(at + skipped).is_none_or(|token| token.opens && at + skipped > start) {
                return None;
            }
        }
        return None;
    }
    let here = tokens.get(at).filter(|token| at == start || !token.opens || colon_before(tokens, at));
    if here.is_some_and(|token| part.matches(token, tokens.get(at + 1)))
        && let Some(end) = follow(rest, tokens, start, at + 1)
    {
        return Some(end);
    }
    if *optional { follow(rest, tokens, start, at) } else { None }
}

fn colon_before(tokens: &[Token<'_>], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|token| token.colon)
}

impl Part {
    fn matches(&self, token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
        match self {
            Self::One(choices) => choices.iter().any(|choice| choice.matches(token, next)),
            Self::Gap | Self::Turn | Self::End => false,
        }
    }
}

impl Choice {
    fn matches(&self, token: &Token<'_>, next: Option<&Token<'_>>) -> bool {
        match self {
            Self::Word(word) => token.text == *word,
            Self::Titled(word) => token.colon && token.text == *word,
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
    by_word: HashMap<String, Vec<usize>, FixedState>,
    /// The few that begin with no certain word.
    others: Vec<usize>,
}

impl Matcher {
    /// Adds a pattern; its place among all is the number of those before.
    pub(super) fn add(&mut self, source: &str) {
        let pattern = Pattern::read(source);
        let place = self.patterns.len();
        for (part, optional) in &pattern.parts {
            let Part::One(choices) = part else { break };
            for choice in choices {
                match choice {
                    Choice::Word(word) | Choice::Titled(word) => {
                        self.by_word.entry(word.clone()).or_default().push(place);
                    }
                    _ => self.others.push(place),
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
        for ((start, token), &initial) in tokens.iter().enumerate().zip(initial) {
            let places = self.by_word.get(&*token.text).into_iter().flatten();
            for &place in places.chain(&self.others) {
                let Some(pattern) = self.patterns.get(place) else { continue };
                if pattern.anchored && !initial {
                    continue;
                }
                if let Some(end) = pattern.end(tokens, start) {
                    found(Found { pattern: place, start, end });
                }
            }
        }
    }
}
