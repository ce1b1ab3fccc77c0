//! Who says what: the sentences of a block with their authority, quotations and data set apart.

use contextfit_kernel::{ByteRange, MeasuredBlock, Role, Turn};

use crate::opening::said_from;

/// How a ledger begins, whatever the layout calls it now.
const HEADING: &str = "[Earlier turns, shortened]";

/// How a summary by a model begins: it speaks for nobody, but for the lines that were put behind it verbatim.
const SUMMARY: &str = "Summary of ";

/// A sentence and how much its speaker's word counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sentence<'a> {
    /// Its bytes in the block's text: a whole unit, without what [`said_from`] finds before it.
    pub(super) range: ByteRange,
    /// What it says, without the name of the speaker that a ledger puts before it.
    pub(super) text: &'a str,
    /// The share of its strength that counts.
    pub(super) share: f64,
    /// Who speaks.
    pub(super) role: Role,
    /// The speaker's name, where it is known.
    pub(super) speaker: Option<&'a str>,
    /// Whether the sentence before it in the block is of the same speaker and says something.
    pub(super) follows: bool,
}

/// The share of the strength that a sentence of `role` keeps.
const fn share(role: Role, named: bool) -> f64 {
    match role {
        Role::System | Role::Developer | Role::User => 1.0,
        // An agent among several, or one of the people who talk.
        Role::Assistant if named => 0.7,
        // It acknowledges, offers and recounts.
        Role::Assistant => 0.35,
        // Data. What it says must never gain authority.
        Role::Tool => 0.0,
    }
}

/// Calls `found` with the sentences of `block` whose speaker counts, in order. Linear.
pub(super) fn sentences<'a>(block: &MeasuredBlock<'a>, heading: &str, mut found: impl FnMut(Sentence<'a>)) {
    let source = block.block();
    let plain = Turn::new(Role::User);
    let turn = source.as_turn().unwrap_or(&plain);
    if turn.role == Role::Tool || source.as_turn().is_none() && source.as_passage().is_some() {
        return;
    }
    let text = source.text.as_str();
    let opening = text.trim_start();
    let is_ledger = opening.starts_with(HEADING)
        || !heading.is_empty() && opening.starts_with(heading)
        || !source.level.shows_source() && opening.starts_with(SUMMARY);
    let own_name = source.as_turn().and_then(|turn| turn.name.as_deref());
    let mut speaker = (turn.role, own_name);
    let mut data = Data::default();
    let mut parts = turn.parts.iter().peekable();
    let mut follows = false;
    let mut start = said_from(source);
    for unit in block.units() {
        let Some(range) = ByteRange::new(start, unit.end) else { continue };
        start = unit.end;
        while parts.next_if(|part| part.end <= range.start()).is_some() {
            follows = false;
        }
        let of_tool = parts.peek().is_some_and(|part| part.tool.is_some());
        let mut sentence = range.of(text).unwrap_or_default().trim();
        if is_ledger || !source.level.shows_source() {
            let begins_line = range.start() == 0 || text.as_bytes().get(range.start() - 1) == Some(&b'\n');
            if begins_line && let Some((role, name, said)) = spoken(sentence) {
                speaker = (role, name);
                sentence = said;
                follows = false;
            } else if begins_line && is_ledger {
                // The heading, a marker, or a line that names no speaker.
                speaker = (Role::Tool, None);
            }
        }
        let share = share(speaker.0, speaker.1.is_some());
        let counts = !of_tool && share > 0.0 && !data.is_data(sentence);
        if counts {
            let (role, speaker) = speaker;
            found(Sentence { range, text: sentence, share, role, speaker, follows });
        }
        follows = counts;
    }
}

/// The role that a line of a ledger names, whether it names the speaker too, and what is said: `user: ...`,
/// `user (Ann): ...`, `tool search: ...`.
fn spoken(line: &str) -> Option<(Role, Option<&str>, &str)> {
    let (head, said) = line.trim_start_matches(['-', '*', ' ', '[']).split_once(':')?;
    let mut words = head.split([' ', '(', ']', '/', '-', '[']).filter(|word| !word.is_empty());
    let first = words.next()?;
    let roles = [Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool];
    let role = roles.into_iter().find(|role| role.name().eq_ignore_ascii_case(first))?;
    (head.len() < 80).then(|| (role, words.next(), said.trim()))
}

/// Where in a message its speaker shows something instead of saying it.
#[derive(Debug, Default)]
struct Data {
    /// The fence that closes the code.
    fence: Option<&'static str>,
    /// The tag that closes the document.
    tag: Option<String>,
}

/// Tags around what is shown: a document is quoted, whatever it says.
const TAGS: &[&str] = &[
    "article",
    "code",
    "context",
    "content",
    "data",
    "diff",
    "doc",
    "document",
    "documents",
    "email",
    "example",
    "examples",
    "file",
    "files",
    "function_results",
    "html",
    "log",
    "logs",
    "output",
    "page",
    "pre",
    "quote",
    "readme",
    "result",
    "results",
    "search_results",
    "source",
    "stderr",
    "stdout",
    "text",
    "tool_output",
    "tool_result",
    "transcript",
    "webpage",
];

impl Data {
    /// Whether `sentence`, the next of the message, is shown: fenced code, a document between tags, a quotation, a log, a
    /// line of code or of a table.
    fn is_data(&mut self, sentence: &str) -> bool {
        if let Some(fence) = self.fence {
            if sentence.starts_with(fence) {
                self.fence = None;
            }
            return true;
        }
        if let Some(tag) = &self.tag {
            if sentence.contains(tag.as_str()) {
                self.tag = None;
            }
            return true;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| sentence.starts_with(fence)) {
            self.fence = Some(fence);
            return true;
        }
        if let Some(inner) = sentence.strip_prefix('<') {
            let name: String =
                inner.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').take(32).collect();
            let name = name.to_ascii_lowercase();
            if TAGS.contains(&name.as_str()) {
                let close = ["</", name.as_str()].concat();
                if !sentence.contains(close.as_str()) {
                    self.tag = Some(close);
                }
                return true;
            }
        }
        sentence.starts_with(['>', '|', '{', '}', '<', '$', '/', '+', '@']) || looks_like_data(sentence)
    }
}

/// Whether a line is of a log, of code or of a listing: few of its characters are letters and spaces, a date, a number or a
/// level begins it, or it ends like a statement.
fn looks_like_data(line: &str) -> bool {
    const LEVELS: &[&str] =
        &["ERROR", "WARN", "WARNING:", "INFO", "DEBUG", "TRACE", "FATAL", "Traceback", "File"];
    let first = line.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_matches(['[', ']', ':', '(', ')']);
    let stamped =
        bare.len() >= 8 && bare.starts_with(|c: char| c.is_ascii_digit()) && bare.contains(['-', ':']);
    let numbered = first.split_once(':').is_some_and(|(number, _)| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && first.len() > number.len() + 1
    }) || first
        .strip_suffix(':')
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    if stamped
        || numbered
        || LEVELS.contains(&bare) && bare.len() != line.len() && !line.ends_with(['.', '!'])
    {
        return true;
    }
    if line.ends_with(['{', '}', ';'])
        || line.starts_with("//")
        || line.starts_with("/*")
        || line.starts_with("#!")
    {
        return true;
    }
    let (mut all, mut plain) = (0_usize, 0_usize);
    for c in line.chars() {
        all += 1;
        plain += usize::from(c.is_alphabetic() || c == ' ' || matches!(c, '\'' | '’' | ',' | '.'));
    }
    all > 24 && plain * 10 < all * 7
}
