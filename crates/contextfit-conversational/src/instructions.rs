//! Standing instructions.

mod cues;
mod exact;
mod measure;
mod pattern;
mod regression;
mod slot;
mod source;
mod strength;
mod supersede;
mod texture;
mod token;
mod words;

use contextfit_kernel::{ByteRange, Measured, MeasuredBlock, Role};

pub use self::cues::Cue;
use self::{
    exact::exact,
    source::{Sentence, sentences},
    strength::{Ending, Finding, strength},
    supersede::{Said, supersede},
    token::{Token, tokens},
};

/// What is weaker is no instruction.
const WEAKEST: f64 = 0.25;

/// What is at least this strong reads like an instruction by itself.
const STRONG: f64 = 0.5;

/// What is as likely as this counts however weak its cues are,
const LIKELY: f64 = 0.15;

/// and as likely as this it reads like an instruction by itself.
const SURE: f64 = 0.7;

/// How much the strength of its cues weighs where likely sentences compete for the room.
const OUTRIGHT: f64 = 0.3;

/// What changes something that was said with as much in logarithms of odds is looked at, however weak it is itself.
const CHANGED: f64 = -2.0;

/// A message of no more bytes is one thing: what is said beside an instruction gives its reason or its exception.
const SHORT: usize = 240;

/// A sentence that goes on to hold.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Instruction {
    /// The place of its block in the context.
    pub block: usize,
    /// Its bytes in the text of the block: whole units, but for the time and the name that transcripts put in front. Where it
    /// cannot be understood alone ("Never do that again."), the sentence before it is part of it; in a message of 240 bytes at
    /// most, all that stands beside it.
    pub range: ByteRange,
    /// The same without what stands beside it in a short message: for where the room is scarce.
    pub core: ByteRange,
    /// How strong the cues are, from 0 to 1. What is at least 0.6 reads like an instruction by itself; most of what is
    /// below 0.4 is ordinary talk.
    pub strength: f64,
    /// How likely it goes on to hold, from 0 to 1, by its cues and by how it is built: what comes first where not all instructions
    /// have room. Ordinary talk is rarely 0.5 likely; by cues alone, where the language is not English, it is the strength.
    pub likelihood: f64,
    /// The cues in it, the strongest first.
    pub cues: Vec<Cue>,
    /// Who says it: in a ledger, whom its line names.
    pub role: Role,
    /// The later instruction (its place among all) that takes the place of this one.
    pub superseded_by: Option<usize>,
}

impl Instruction {
    /// Its text, verbatim; empty where `input` is not what it was found in.
    #[must_use]
    pub fn text<'a>(&self, input: &Measured<'a>) -> &'a str {
        let block = input.blocks.get(self.block).map(MeasuredBlock::block);
        block.and_then(|block| self.range.of(&block.text)).unwrap_or_default().trim()
    }

    /// What comes first where not all have room: what is likely, and of that what says so outright. From 0 to 1.
    pub(crate) fn rank(&self) -> f64 {
        (1.0 - OUTRIGHT) * self.likelihood + OUTRIGHT * self.strength
    }

    /// Whether it is worth anything.
    fn counts(&self) -> bool {
        self.strength >= WEAKEST || self.likelihood >= LIKELY
    }

    /// Whether no later one has taken its place.
    #[must_use]
    pub const fn stands(&self) -> bool {
        self.superseded_by.is_none()
    }
}

/// The standing instructions of a conversation, in order.
///
/// ```
/// use contextfit_conversational::standing_instructions;
/// use contextfit_kernel::{Block, Context, Role, Turn};
/// use contextfit_text::CharsPer;
///
/// let said = |text: &str| Block::turn("t", Turn::new(Role::User), text);
/// let talk = Context::new(vec![
///     said("Hello! From now on, answer in French."),
///     said("I have never been to Lyon."),
///     said("Actually, answer in Spanish from here on."),
/// ]);
/// let counter = CharsPer::new(4).unwrap();
/// let measured = contextfit_pipeline::measure(&talk, &counter);
///
/// let found = standing_instructions(&measured);
/// let strong: Vec<_> = found.iter().filter(|found| found.strength >= 0.6).collect();
/// assert_eq!(strong[0].text(&measured), "Hello! From now on, answer in French.");
/// assert_eq!(strong[0].superseded_by, Some(1));
/// assert!(strong[1].stands() && strong.len() == 2);
/// ```
///
/// Cues are stated rules of language; the tables are in `instructions/cues`, one for each of ten languages (English, German,
/// French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese). All of them are looked for in every sentence;
/// those of the languages in Latin script count where the stop words of the sentence do not speak for English.
///
/// **Strength.** Of each class of cues ([`Cue`]) the strongest in the sentence counts with its weight, 0.25 to 0.6. The
/// strongest class counts in full, every other by half. To that is added 0.1 where the sentence speaks to somebody
/// ("please", "you must"), 0.1 where it holds for all of a kind ("every", "only"), 0.1 where it is set against something
/// ("instead"), 0.2 for emphasis ("IMPORTANT", a cue in capitals), 0.2 where it says how answers are to be and names a
/// language, a unit or a format, 0.15 where it has a value that is of use to the letter alone (an address, a path, a code),
/// 0.05 for each number and name, three at most; 1 is the most. Without any cue such a value is worth 0.35 (0.45 where it
/// is said what it is), a number beside another or a name 0.2, and 0.45 is the most.
///
/// Questions that ask for nothing are worth 0.3 of that, exclamations without emphasis 0.85, what is imagined or hesitated
/// over ("if I had", "I wish", "uh") 0.5, what somebody else said 0.4, what is told of the past 0.5 (unless these stand
/// behind the clause of the cue, and give its reason), what is asked for once ("send me ...") 0.8, sentences of more than
/// 40 words 0.7. Imperatives count where a clause begins; in English a list of verbs of doing tells them from small talk.
/// Idioms ("never mind", "I must say") void the cues in them, and so do quotation marks. A word by itself is no instruction.
/// The name of the speaker that transcripts put in front is not read, nor the time before it.
///
/// **Likelihood.** How likely an English sentence goes on to hold is told by a logistic regression over the strength of its
/// cues, its words and pairs of them, its length and its clauses. What is said of how things are done ("Invoices leave this house
/// as PDF") is found by it alone, and common talk with a cue in it is not likely.
///
/// **Build.** The strength of English sentences also depends on how they are built: what is said of numbers, days, the thing itself ("the",
/// "our", "in", "before", "without", "nobody") in several clauses is mostly a rule, what is said of feelings, past events, to
/// "you" and with "just" and "really" is mostly talk. That adds up to 0.5 and takes up to 0.3; but the build alone makes nothing
/// stronger than 0.57, an order that may be for once gains nothing, and from what is at least 0.4 strong only small talk takes.
///
/// **Authority.** The application and the people count in full, an assistant 0.35 (0.7 where it has a name of its own). Tool
/// results, passages, fenced code, documents between tags, quotations and logs count nothing at all, whatever they say: a
/// page that was fetched and says "from now on" is data, and to carry it forward as an instruction would give whoever wrote
/// it a say. What an attacker gets a person to paste as plain prose is beyond this.
///
/// **Ledgers.** A message that begins with the heading of a ledger is read line by line, each with the role it names, so
/// that an instruction is found again after each compaction. Lines that name no role count nothing. What writes a ledger owes
/// it that no text of a tool begins a line.
///
/// **Superseding.** A later instruction takes the place of an earlier one of the same slot (how to call somebody, the
/// language of answers, the budget for the same thing), of one that it corrects and shares its topic with, of one that it
/// repeats but for values or polarity, and of one that it most likely says anew, going by a logistic regression over the
/// words that tell of a change, the rare words, names and measures in both, and how likely both are to hold; then it is as
/// strong as that was. "Scratch that" takes back what the speaker said just before. Topics are compared by stems. Nobody takes the place of what somebody with more authority said, or of what
/// another says of himself.
///
/// Linear in the length of the conversation.
#[must_use]
pub fn standing_instructions(input: &Measured<'_>) -> Vec<Instruction> {
    let heading = input.context.layout.framing.as_ref().map_or("", |framing| framing.heading.as_str());
    let mut found: Vec<Instruction> = Vec::new();
    let mut said: Vec<Said<'_>> = Vec::new();
    for (place, block) in input.blocks.iter().enumerate() {
        let mut before: Option<ByteRange> = None;
        let mut message = Message::default();
        sentences(block, heading, |sentence| {
            let previous = before.replace(sentence.range).filter(|_| sentence.follows);
            if !sentence.follows {
                message.settle(&mut found, &mut said);
                message = Message { range: None, first: found.len() };
            }
            message.add(sentence.range);
            let Some((tokens, finding)) = judge(&sentence) else { return };
            let range = match previous.filter(|_| leans(&tokens)) {
                Some(previous) => ByteRange::new(previous.start(), sentence.range.end()),
                None => None,
            };
            let range = range.unwrap_or(sentence.range);
            found.push(Instruction {
                block: place,
                range,
                core: range,
                strength: finding.strength,
                likelihood: finding.likelihood,
                cues: finding.cues,
                role: sentence.role,
                superseded_by: None,
            });
            said.push(Said {
                tokens,
                contrasts: finding.contrasts,
                changes: finding.changes,
                plain: finding.plain,
                speaker: sentence.speaker,
            });
        });
        message.settle(&mut found, &mut said);
    }
    supersede(&mut found, &said);
    without_weakest(found)
}

/// Those that are worth something: a sentence without a cue may have been looked at only for what it takes the place of.
fn without_weakest(found: Vec<Instruction>) -> Vec<Instruction> {
    let mut places = Vec::with_capacity(found.len());
    let mut next = 0;
    for instruction in &found {
        places.push(next);
        next += usize::from(instruction.counts());
    }
    let moved = |mut instruction: Instruction| {
        instruction.superseded_by = instruction.superseded_by.and_then(|by| places.get(by).copied());
        instruction
    };
    found.into_iter().filter(Instruction::counts).map(moved).collect()
}

/// What somebody says in one go.
#[derive(Debug, Default)]
struct Message {
    range: Option<ByteRange>,
    /// The place of its first instruction among all.
    first: usize,
}

impl Message {
    fn add(&mut self, sentence: ByteRange) {
        let start = self.range.map_or(sentence.start(), ByteRange::start);
        self.range = ByteRange::new(start, sentence.end());
    }

    /// In a short message with strong instructions each takes in what stands behind it, the first also what stands before.
    fn settle(&self, found: &mut Vec<Instruction>, said: &mut Vec<Said<'_>>) {
        let is_strong = |found: &Instruction| found.strength >= STRONG || found.likelihood >= SURE;
        let Some(range) = self.range.filter(|range| range.end() - range.start() <= SHORT) else { return };
        if !found.iter().skip(self.first).any(is_strong) {
            return;
        }
        let own = found.split_off(self.first).into_iter().zip(said.split_off(self.first));
        let (mut strong, tokens): (Vec<Instruction>, Vec<Said<'_>>) =
            own.filter(|(found, _)| is_strong(found)).unzip();
        let mut end = range.end();
        for (n, instruction) in strong.iter_mut().enumerate().rev() {
            let own = instruction.range;
            let start = if n == 0 { range.start() } else { own.start() };
            instruction.range = ByteRange::new(start, end.max(own.end())).unwrap_or(own);
            end = start;
        }
        found.extend(strong);
        said.extend(tokens);
    }
}

/// The tokens of a sentence and what was found in it, if that is worth anything.
fn judge<'a>(sentence: &Sentence<'a>) -> Option<(Vec<Token<'a>>, Finding)> {
    let tokens = tokens(sentence.text);
    // A word by itself asks for nothing that could be followed later.
    let mut finding =
        strength(&tokens, Ending::of(sentence.text), exact(sentence.text)).filter(|_| tokens.len() > 1)?;
    finding.strength *= sentence.share;
    finding.likelihood *= sentence.share;
    (finding.strength >= WEAKEST
        || finding.likelihood >= LIKELY
        || finding.contrasts
        || finding.changes >= CHANGED)
        .then_some((tokens, finding))
}

/// Whether a sentence points at what stands before it and says little itself.
fn leans(tokens: &[Token<'_>]) -> bool {
    const POINTERS: &[&str] = &[
        "that",
        "this",
        "it",
        "those",
        "these",
        "them",
        "so",
        "one",
        "das",
        "dies",
        "so",
        "cela",
        "ca",
        "eso",
        "esto",
        "lo",
        "questo",
        "quello",
        "isso",
        "isto",
        "dat",
        "dit",
        "это",
        "этого",
        "так",
        "这",
        "那",
        "这样",
        "それ",
        "これ",
    ];
    let points = tokens.iter().any(|token| POINTERS.contains(&&*token.text));
    points && supersede::topic(tokens, None).count() < 3
}
