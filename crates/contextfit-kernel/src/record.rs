//! The record: what stands for earlier turns of a conversation, and its grammar.
//!
//! A record is one message. Its first line says which turns it stands for and how many of them it says nothing of; then
//! come its entries, in the order of their turns:
//!
//! ```text
//! record   = "[Earlier turns, shortened v1: turns " from "-" to ", " n " left out" [quoted] "]" { line feed, entry }
//! quoted   = "; whole sentences and lines", where entries follow
//! entry    = label [" " line] { line feed, "  " line }
//! label    = "#" number " " speaker [" x" times] ":"
//! speaker  = role [" " name] [" again in #" number] | "user pasted" | "assistant called " tool | "summary from #" number
//! ```
//!
//! A line that does not begin with two spaces begins an entry, so that nothing a message or an output says can pass for
//! one: every line of theirs but the first is indented, and the first stands after a label.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Block, Quote, Role};

/// How every record begins.
const OPENING: &str = "[Earlier turns, shortened v1: turns ";

/// What the first line says about the rest.
const LEFT_OUT: &str = " left out";

/// What it goes on with where entries follow.
const QUOTED: &str = "; whole sentences and lines";

/// Continues an entry.
const INDENT: &str = "\n  ";

/// The longest name of a speaker or a tool in a label, in characters.
const NAME: usize = 64;

/// Whose entry it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// A part in the talk, or the result of a tool.
    Said {
        /// Who speaks.
        role: Role,
        /// The speaker's name, where several share a role.
        name: Option<String>,
    },
    /// What a message of the user's brings and the user does not say: a paste, the output of a program.
    Pasted,
    /// A call of a tool by the assistant.
    Called {
        /// The tool.
        tool: String,
    },
    /// A model's summary of the turns from this one to the entry's own; no words of the source.
    Summary {
        /// The first turn that it tells of.
        from: usize,
    },
    /// A turn that says what a later one says again.
    Again {
        /// Who speaks.
        role: Role,
        /// The later turn.
        at: usize,
    },
}

/// The declared beginning of an entry: which turn it is from, and who says it.
///
/// Names are shown without white space, colons and control characters, at most 64 characters of them.
///
/// ```
/// use contextfit_kernel::{Label, Role, Voice};
///
/// let label = Label::new(12, Voice::Called { tool: "read_file".into() }).with_times(3);
/// assert_eq!(label.to_string(), "#12 assistant called read_file x3");
/// assert_eq!(Label::parse("#12 assistant called read_file x3: {}"), Some((label, " {}")));
/// assert_eq!(Label::parse("  #12 user: no"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    /// The number of the turn in the whole session, from 1.
    pub number: usize,
    /// Whose entry it is.
    pub voice: Voice,
    /// How often the same was called, up to this turn.
    pub times: usize,
}

impl Label {
    /// A label for what happened once.
    #[must_use]
    pub fn new(number: usize, voice: Voice) -> Self {
        let voice = match voice {
            Voice::Said { role, name } => Voice::Said { role, name: name.map(|name| plain(&name)) },
            Voice::Called { tool } => Voice::Called { tool: plain(&tool) },
            other => other,
        };
        Self { number, voice, times: 1 }
    }

    /// The same for what happened so often.
    #[must_use]
    pub const fn with_times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// The label that `line` begins with, and what follows its colon. `None` where it begins with none.
    #[must_use]
    pub fn parse(line: &str) -> Option<(Self, &str)> {
        let colon = line.find(':')?;
        let (head, rest) = (line.get(1..colon)?, line.get(colon + 1..)?);
        let mut words = head.split(' ');
        let number = words.next()?.parse().ok()?;
        let first = words.next()?;
        let mut words: Vec<&str> = words.collect();
        let times = words.last().and_then(|word| word.strip_prefix('x')?.parse().ok());
        if times.is_some() {
            words.pop();
        }
        let turn = |word: &str| word.strip_prefix('#')?.parse::<usize>().ok();
        let voice = match (first, words.as_slice()) {
            ("summary", ["from", from]) => Voice::Summary { from: turn(from)? },
            ("user", ["pasted"]) => Voice::Pasted,
            ("assistant", ["called", tool]) => Voice::Called { tool: (*tool).to_owned() },
            (role, ["again", "in", at]) => Voice::Again { role: Role::named(role)?, at: turn(at)? },
            (role, []) => Voice::Said { role: Role::named(role)?, name: None },
            (role, [name]) => Voice::Said { role: Role::named(role)?, name: Some((*name).to_owned()) },
            _ => return None,
        };
        let label = Self { number, voice, times: times.unwrap_or(1) };
        // One way to write each, so that what was read is written again as it was.
        let same = line.get(..colon) == Some(label.to_string().as_str());
        same.then_some((label, rest))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} ", self.number)?;
        match &self.voice {
            Voice::Said { role, name: None } => f.write_str(role.name())?,
            Voice::Said { role, name: Some(name) } => write!(f, "{} {name}", role.name())?,
            Voice::Pasted => f.write_str("user pasted")?,
            Voice::Called { tool } => write!(f, "assistant called {tool}")?,
            Voice::Summary { from } => write!(f, "summary from #{from}")?,
            Voice::Again { role, at } => write!(f, "{} again in #{at}", role.name())?,
        }
        if self.times > 1 { write!(f, " x{}", self.times) } else { Ok(()) }
    }
}

/// A name without what would end it, and without what could be taken for another part of a label.
fn plain(name: &str) -> String {
    let keep = |c: char| if c.is_whitespace() || c.is_control() || c == ':' { '_' } else { c };
    let name: String = name.chars().take(NAME).map(keep).collect();
    let is_times = name.strip_prefix('x').is_some_and(|digits| digits.parse::<usize>().is_ok());
    match name.as_str() {
        "" => "_".to_owned(),
        "called" | "again" | "pasted" => name + "_",
        _ if is_times => name + "_",
        _ => name,
    }
}

/// What the record shows of one turn, or of one call in it: a label, and lines of whole units of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// Which turn it is from, and who says it.
    pub label: Label,
    /// The lines, in order; what one holds is parted by commas.
    pub lines: Vec<Vec<Quote>>,
}

impl Entry {
    /// The entry as it is shown, of `block`. Quotes outside of the block's texts show nothing.
    #[must_use]
    pub fn text(&self, block: &Block) -> String {
        let line = |quotes: &Vec<Quote>| {
            quotes.iter().filter_map(|quote| quote.text(block)).collect::<Vec<_>>().join(", ")
        };
        labelled(&self.label, self.lines.iter().map(line))
    }
}

/// An entry of `label` and `lines`. Whatever breaks a line begins a new one of the entry.
#[must_use]
pub fn labelled(label: &Label, lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let breaks = |c| matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut text = format!("{label}:");
    let mut is_first = true;
    for line in lines {
        for part in line.as_ref().replace("\r\n", "\n").split(breaks) {
            text.push_str(if std::mem::take(&mut is_first) { " " } else { INDENT });
            text.push_str(part);
        }
    }
    text
}

/// What an entry says, as it is shown: without its label and the indentation of its lines. Empty where it is no entry.
#[must_use]
pub fn entry_body(text: &str) -> String {
    let body = Label::parse(text).map_or("", |(_, body)| body);
    body.strip_prefix(' ').unwrap_or(body).replace(INDENT, "\n")
}

/// A record, as data.
///
/// ```
/// use contextfit_kernel::Record;
///
/// let text = "[Earlier turns, shortened v1: turns 2-9, 6 left out; whole sentences and lines]\n\
///     #2 user: Keep the tests green.\n#5 tool: error: not found\n  --> src/lib.rs:4";
/// let record = Record::parse(text).ok_or("no record")?;
/// assert_eq!((record.from, record.to, record.left_out, record.entries.len()), (2, 9, 6, 2));
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The first turn that it stands for.
    pub from: usize,
    /// The last.
    pub to: usize,
    /// How many of these turns it says nothing of.
    pub left_out: usize,
    /// The entries as they are shown, in the order of their turns.
    pub entries: Vec<(Label, String)>,
}

impl Record {
    /// The record that `text` is: nothing but what [`Display`](fmt::Display) writes is one. Linear.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (heading, rest) = text.split_once('\n').unwrap_or((text, ""));
        let heading = heading.strip_prefix(OPENING)?.strip_suffix(']')?;
        let heading = heading.strip_suffix(QUOTED).unwrap_or(heading);
        let (turns, left_out) = heading.strip_suffix(LEFT_OUT)?.split_once(", ")?;
        let (from, to) = turns.split_once('-')?;
        let number = |digits: &str| digits.parse::<usize>().ok();
        let (from, to, left_out) = (number(from)?, number(to)?, number(left_out)?);
        let mut entries: Vec<(Label, String)> = Vec::new();
        for line in rest.split('\n').filter(|_| !rest.is_empty()) {
            if let (Some((_, entry)), true) = (entries.last_mut(), line.starts_with("  ")) {
                entry.extend(["\n", line]);
                continue;
            }
            let (label, _) = Label::parse(line)?;
            let before = entries.last().map_or(from, |(before, _)| before.number);
            if !(before..=to).contains(&label.number) {
                return None;
            }
            entries.push((label, line.to_owned()));
        }
        let record = Self { from, to, left_out, entries };
        (record.to_string() == text).then_some(record)
    }

    /// The first line of a record of the turns `from` to `to`, of which it says nothing of `left_out`; it says what entries
    /// are made of where some follow.
    #[must_use]
    pub fn heading(from: usize, to: usize, left_out: usize, has_entries: bool) -> String {
        let quoted = if has_entries { QUOTED } else { "" };
        format!("{OPENING}{from}-{to}, {left_out}{LEFT_OUT}{quoted}]")
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::heading(self.from, self.to, self.left_out, !self.entries.is_empty()))?;
        self.entries.iter().try_for_each(|(_, entry)| write!(f, "\n{entry}"))
    }
}
