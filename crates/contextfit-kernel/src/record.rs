//! The record, a message that replaces earlier turns of a conversation, and its grammar.
//!
//! The first line of a record says which turns it replaces and how many of them it leaves out. The entries follow, in
//! the order of their turns:
//!
//! ```text
//! record   = "[Earlier turns, shortened v1: turns " from "-" to ", " n " left out" [quoted] "]" { line feed, entry }
//! quoted   = "; whole sentences and lines", where entries follow
//! entry    = label [" " line] { line feed, "  " line }
//! label    = "#" number " " speaker [" x" times] [" …"] ":"
//! speaker  = role [" " name] [" attached"] | role " again in #" number | "user pasted" | "assistant called " tool
//!          | "summary from #" number
//!          | "assistant called " tool [" x" times] { ", " tool [" x" times] }
//! ```
//!
//! A line that does not begin with two spaces begins an entry. Text of a message or a tool output can therefore not be
//! mistaken for an entry: its first line follows a label, and every later line is indented.
//!
//! A label that ends with ` …` says that the entry, together with the others of its turn, does not have all words of its
//! message. A line of such an entry that ends with ` …` has a gap in it or after it: words are left out before the next
//! quote. If a quoted line itself ends with `…`, the gaps of its entry are marked with one `…` more (`……`).
//!
//! Two kinds of entries are not planned but written by the pipeline. `#4 user attached: [1 image]` names the
//! attachments of a turn that is not shown. `#9 assistant called search x3, read:`, with nothing after the colon, names
//! the calls up to turn 9 that are neither shown nor quoted: three of `search` and one of `read`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Block, ByteRange, LINE_BREAKS, Quote, QuoteSource, Role};

/// The start of every record.
const OPENING: &str = "[Earlier turns, shortened v1: turns ";

/// The part of the first line after the number of turns left out.
const LEFT_OUT: &str = " left out";

/// The continuation of the first line if entries follow.
const QUOTED: &str = "; whole sentences and lines";

/// The beginning of the second and later lines of an entry.
const INDENT: &str = "\n  ";

/// Maximum length of a speaker's or tool's name in a label, in characters.
const LONGEST_LABEL_NAME_CHARS: usize = 64;

/// The origin of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Voice {
    /// Said in the conversation, or returned by a tool.
    Said {
        /// The speaker's role.
        role: Role,
        /// The speaker's name, if several share a role.
        name: Option<String>,
    },
    /// Pictures, recordings and files of a turn that is not shown, named by the pipeline.
    Attached {
        /// The speaker's role.
        role: Role,
        /// The speaker's or the tool's name.
        name: Option<String>,
    },
    /// Content of a user's message that the user did not write, such as pasted text or the output of a program.
    Pasted,
    /// A tool call by the assistant.
    Called {
        /// The name of the tool.
        tool: String,
    },
    /// Calls of several tools that are neither shown nor quoted: each tool with the number of calls.
    Calls {
        /// At least two tools.
        tools: Vec<(String, usize)>,
    },
    /// A model's summary of the turns from `from` to the entry's own; not a quotation of the source.
    Summary {
        /// The first turn the summary covers.
        from: usize,
    },
    /// A turn that a later one repeats.
    Again {
        /// The speaker's role.
        role: Role,
        /// The later turn.
        at: usize,
    },
}

/// The start of an entry: the number of its turn, and its voice.
///
/// White space, colons, commas and control characters in names are replaced, and names are truncated to 64 characters.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Role; pub use ::contextfit_kernel as kernel; }
/// use contextfit::{Role, kernel::{Label, Voice}};
///
/// let label = Label::new(12, Voice::Called { tool: "read_file".into() }).with_times(3);
/// assert_eq!(label.to_string(), "#12 assistant called read_file x3");
/// assert_eq!(Label::parse("#12 assistant called read_file x3: {}"), Some((label, " {}")));
/// assert_eq!(Label::parse("  #12 user: no"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    /// The turn's number in the whole session, from 1.
    pub number: usize,
    /// The origin of the entry.
    pub voice: Voice,
    /// How often the same call was made, up to and including this turn. For a call without quotes: the number of calls
    /// of its tool that are neither shown nor quoted.
    pub times: usize,
}

impl Label {
    /// Creates a label for a single occurrence.
    #[must_use]
    pub fn new(number: usize, voice: Voice) -> Self {
        let voice = match voice {
            Voice::Said { role, name } => Voice::Said { role, name: name.map(|name| plain(&name)) },
            Voice::Attached { role, name } => Voice::Attached { role, name: name.map(|name| plain(&name)) },
            Voice::Called { tool } => Voice::Called { tool: plain(&tool) },
            Voice::Calls { tools } => {
                Voice::Calls { tools: tools.into_iter().map(|(tool, times)| (plain(&tool), times)).collect() }
            }
            other => other,
        };
        Self { number, voice, times: 1 }
    }

    /// Sets the number of occurrences.
    #[must_use]
    pub const fn with_times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// Parses the label that `line` begins with and returns it with the text after its colon. Whether it is marked as
    /// that of [a part](in_part) is not part of it. `None` if there is no label.
    #[must_use]
    pub fn parse(line: &str) -> Option<(Self, &str)> {
        let (head, rest) = line.split_once(':')?;
        let whole = head.strip_suffix(IN_PART).unwrap_or(head);
        let head = whole.get(1..)?;
        let mut words = head.split(' ');
        let number = words.next()?.parse().ok()?;
        let first = words.next()?;
        let mut words: Vec<&str> = words.collect();
        let list = head.split_once(" assistant called ").map_or("", |(_, list)| list);
        if list.contains(", ") {
            let tool = |tool: &str| match tool.rsplit_once(" x") {
                Some((name, times)) => Some((name.to_owned(), times.parse().ok()?)),
                None => Some((tool.to_owned(), 1)),
            };
            let tools = list.split(", ").map(tool).collect::<Option<_>>()?;
            let label = Self { number, voice: Voice::Calls { tools }, times: 1 };
            return (whole == label.to_string()).then_some((label, rest));
        }
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
            (role, ["attached"]) => Voice::Attached { role: Role::named(role)?, name: None },
            (role, [name, "attached"]) => {
                Voice::Attached { role: Role::named(role)?, name: Some((*name).to_owned()) }
            }
            (role, []) => Voice::Said { role: Role::named(role)?, name: None },
            (role, [name]) => Voice::Said { role: Role::named(role)?, name: Some((*name).to_owned()) },
            _ => return None,
        };
        let label = Self { number, voice, times: times.unwrap_or(1) };
        // Accept only the canonical spelling, so that a parsed label is written back unchanged.
        (whole == label.to_string()).then_some((label, rest))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} ", self.number)?;
        match &self.voice {
            Voice::Said { role, name: None } => f.write_str(role.name())?,
            Voice::Said { role, name: Some(name) } => write!(f, "{} {name}", role.name())?,
            Voice::Attached { role, name: None } => write!(f, "{} attached", role.name())?,
            Voice::Attached { role, name: Some(name) } => write!(f, "{} {name} attached", role.name())?,
            Voice::Pasted => f.write_str("user pasted")?,
            Voice::Called { tool } => write!(f, "assistant called {tool}")?,
            Voice::Calls { tools } => {
                f.write_str("assistant called ")?;
                for (n, (tool, times)) in tools.iter().enumerate() {
                    write!(f, "{}{tool}", if n > 0 { ", " } else { "" })?;
                    if *times > 1 {
                        write!(f, " x{times}")?;
                    }
                }
            }
            Voice::Summary { from } => write!(f, "summary from #{from}")?,
            Voice::Again { role, at } => write!(f, "{} again in #{at}", role.name())?,
        }
        if self.times > 1 { write!(f, " x{}", self.times) } else { Ok(()) }
    }
}

/// The name without characters that would end it or that nobody sees, and with one `_` more at its end if it could be
/// mistaken for another part of a label, so that different names stay different.
fn plain(name: &str) -> String {
    let keep = |c: char| if is_in_name(c) { c } else { '_' };
    let name: String = name.chars().take(LONGEST_LABEL_NAME_CHARS).map(keep).collect();
    // Fullwidth letters look like the usual ones.
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => u8::try_from(u32::from(c) - 0xfee0).map_or(c, char::from),
        _ => c,
    };
    let seen = name.trim_end_matches('_').chars().map(narrow).collect::<String>().to_lowercase();
    let is_times = seen.strip_prefix('x').is_some_and(|digits| digits.parse::<usize>().is_ok());
    match seen.as_str() {
        "" => name + "_",
        "called" | "again" | "pasted" | "attached" => name + "_",
        _ if is_times => name + "_",
        _ => name,
    }
}

/// Whether `c` may stand in a name: letters and digits that are visible, and signs of ASCII that end nothing.
fn is_in_name(c: char) -> bool {
    // The fillers of Hangul are letters.
    let is_filler = matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}');
    c.is_alphanumeric() && !is_filler || c.is_ascii_graphic() && !matches!(c, ':' | ',')
}

/// The part of a record that quotes one turn, or one call in it: a label, and lines made of whole units of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Entry {
    /// The turn it is from, and its voice.
    pub label: Label,
    /// The lines, in order. The quotes in a line are separated by commas.
    pub lines: Vec<Vec<Quote>>,
}

impl Entry {
    /// The texts of `entries`, all of which quote `block`. An entry is [marked](in_part) if its part of the message, or
    /// its call, has words that none of them quotes or a marker of an earlier gap, or if another part has words and none of
    /// them quotes any. Linear in the length of the block, times the number of its parts.
    #[must_use]
    pub fn texts(entries: &[Self], block: &Block) -> Vec<String> {
        let parts: Vec<ByteRange> = match block.as_turn() {
            Some(turn) => turn.ranges(&block.text).collect(),
            None => vec![ByteRange::whole(&block.text)],
        };
        let mut quotes: Vec<&Quote> = entries.iter().flat_map(|entry| entry.lines.iter().flatten()).collect();
        quotes.sort_by_key(|quote| quote.range.start());
        let quotes_in = |source: QuoteSource, part: ByteRange| {
            let is_inside = move |quote: &&Quote| {
                quote.source == source && (part.start()..part.end()).contains(&quote.range.start())
            };
            quotes.iter().copied().filter(is_inside)
        };
        let leaves_gap = |source: QuoteSource, part: ByteRange| {
            Quote::leave_gap(quotes_in(source, part), part, source.of(block).unwrap_or_default())
        };
        let is_left_out = |part: &ByteRange| {
            quotes_in(QuoteSource::Text, *part).next().is_none() && leaves_gap(QuoteSource::Text, *part)
        };
        let leaves_part_out = parts.iter().any(is_left_out);
        let is_in_part = |entry: &Self| {
            let first = entry.lines.iter().flatten().next();
            let gap = |quote: &Quote| {
                let has_marker = |part: ByteRange| part.of(quote.source.of(block)?).map(tells_gap);
                let around = quote.around(block);
                around.is_some_and(|part| leaves_gap(quote.source, part) || has_marker(part) == Some(true))
            };
            first.is_some_and(|quote| leaves_part_out || gap(quote))
        };
        let text = |entry: &Self| match is_in_part(entry) {
            true => in_part(&entry.text(block)),
            false => entry.text(block),
        };
        entries.iter().map(text).collect()
    }

    /// The text of the entry, with quotes from `block` and a mark in every gap between them. Quotes outside the texts
    /// of the block are skipped. Linear in the length of the block.
    fn text(&self, block: &Block) -> String {
        let gap = self.gap_mark(block);
        let mut lines: Vec<String> = Vec::with_capacity(self.lines.len());
        let mut before: Option<&Quote> = None;
        for quotes in &self.lines {
            let (mut line, mut leaves_gap) = (String::new(), false);
            for quote in quotes {
                let Some(text) = quote.text(block) else { continue };
                let is_after_gap = before.is_some_and(|before| before.leaves_gap(quote, block));
                if line.is_empty() {
                    let above = lines.last_mut().filter(|line| is_after_gap && !line.ends_with(&gap));
                    above.into_iter().for_each(|line| line.push_str(&gap));
                } else {
                    leaves_gap |= is_after_gap;
                    line.push_str(", ");
                }
                line.push_str(&text);
                before = Some(quote);
            }
            if leaves_gap {
                line.push_str(&gap);
            }
            lines.push(line);
        }
        labelled(&self.label, lines)
    }

    /// The mark of a gap: one `…` more than any quoted line ends with.
    fn gap_mark(&self, block: &Block) -> String {
        let own = |line: &str| line.trim_end().chars().rev().take_while(|c| *c == GAP).count();
        let texts = self.lines.iter().flatten().filter_map(|quote| quote.text(block));
        let longest = texts.map(|text| text.split(LINE_BREAKS).map(own).max().unwrap_or_default()).max();
        [" ".to_owned(), GAP.to_string().repeat(longest.unwrap_or_default() + 1)].concat()
    }
}

/// Whether `text` says itself that something is missing, as a message does that was shortened before: `[... 40 lines]`.
fn tells_gap(text: &str) -> bool {
    let counts = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("gap-");
    text.split("... ").skip(1).any(counts)
}

/// The sign that marks a gap.
const GAP: char = '…';

/// The end of the label of an entry that does not have all words of its message.
const IN_PART: &str = " …";

/// `entry` with ` …` at the end of its label, which says that words of its message are left out. Unchanged if it has
/// the mark, or if it is no entry.
#[must_use]
pub fn in_part(entry: &str) -> String {
    let label = Label::parse(entry).and_then(|(_, body)| entry.strip_suffix(body)?.strip_suffix(':'));
    match label.filter(|label| !label.ends_with(IN_PART)) {
        Some(label) => [label, IN_PART, entry.get(label.len()..).unwrap_or_default()].concat(),
        None => entry.to_owned(),
    }
}

/// Builds an entry from `label` and `lines`. Every line break starts a new line of the entry.
#[must_use]
pub fn labelled(label: &Label, lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut text = format!("{label}:");
    let mut is_first = true;
    for line in lines {
        for part in line.as_ref().replace("\r\n", "\n").split(LINE_BREAKS) {
            text.push_str(if std::mem::take(&mut is_first) { " " } else { INDENT });
            text.push_str(part);
        }
    }
    text
}

/// The content of an entry, without its label and indentation. Empty if `text` is not an entry.
#[must_use]
pub fn entry_body(text: &str) -> String {
    let body = Label::parse(text).map_or("", |(_, body)| body);
    body.strip_prefix(' ').unwrap_or(body).replace(INDENT, "\n")
}

/// A parsed record.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel as kernel; }
/// use contextfit::kernel::Record;
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
    /// The first turn it replaces.
    pub from: usize,
    /// The last turn it replaces.
    pub to: usize,
    /// How many of these turns it leaves out.
    pub left_out: usize,
    /// The entries as shown, in the order of their turns.
    pub entries: Vec<(Label, String)>,
}

impl Record {
    /// Parses a record. Only text exactly as written by [`Display`](fmt::Display) is accepted. Linear.
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

    /// The first line of a record of the turns `from` to `to` that leaves out `left_out` of them. If entries follow,
    /// the line also says that they are whole sentences and lines.
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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_stay_apart_from_each_other_and_from_the_rest_of_a_label() {
        let check = |name: &str, expect: &str| assert_eq!(plain(name), expect, "{name:?}");
        check("read_file", "read_file");
        check("Anna-Lena.Müller", "Anna-Lena.Müller");
        check("", "_");
        check("a b:c,d\n", "a_b_c_d_");
        check("attached", "attached_");
        check("attached_", "attached__");
        check("ATTACHED", "ATTACHED_");
        check("x3", "x3_");
        check("x3_", "x3__");
        // What nobody sees, or sees as another character.
        check("attached\u{200b}", "attached__");
        check("\u{202e}pasted", "_pasted");
        check("\u{ff50}asted", "\u{ff50}asted_");
        check("\u{3164}a\u{2800}b", "_a_b");
        check("user\u{ff1a}a", "user_a");
        check("_", "__");
    }
}
