//! The text of memories, read back.
//!
//! A memory begins with a line `[id] type importance`, and goes on to the next such line. Lines between
//! `[fence-0 text 1]` and `[fence-0 end 1]` belong to it, whatever they say, and so does what is in quotes in its first
//! line. `[... 3 memories]` is no memory.

use contextfit_kernel::{Importance, LINE_BREAKS};

/// The first line of a memory, as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryHeading {
    /// The id.
    pub id: String,
    /// The type; empty if there is none.
    pub memory_type: String,
    /// The importance.
    pub importance: Importance,
}

/// The memories that a reader finds in `text`, the context that
/// [`compress_batch_to_fit`](crate::MemoryCompressor::compress_batch_to_fit) makes, in order. It reads generously:
/// blanks before a line, other line breaks and capitals make no difference. Linear.
///
/// ```
/// use contextfit_hierarchical::read_memories;
///
/// let text = "[a] rule low: One.\n[fence-0 text 1]\n[b] rule critical: Two.\n[fence-0 end 1]\n[... 1 memory]";
/// let ids: Vec<String> = read_memories(text).into_iter().map(|memory| memory.id).collect();
/// assert_eq!(ids, ["a"]);
/// ```
#[must_use]
pub fn read_memories(text: &str) -> Vec<MemoryHeading> {
    let mut closing: Option<String> = None;
    let mut found = Vec::new();
    for line in text.split(LINE_BREAKS) {
        match &closing {
            Some(close) if line == close => closing = None,
            Some(_) => {}
            None => match Line::of(line) {
                Line::Heading(heading) => found.push(heading),
                Line::Opens(close) => closing = Some(close),
                Line::Closes | Line::Gap | Line::Text => {}
            },
        }
    }
    found
}

/// Whether a line of `text` could be taken for one that the layout writes itself.
pub(crate) fn is_forged(text: &str) -> bool {
    text.contains('[') && text.split(LINE_BREAKS).any(|line| !matches!(Line::of(line), Line::Text))
}

/// Whether `text` has more lines than one, or a gap like those that the layout marks.
pub(crate) fn is_misread_in_line(text: &str) -> bool {
    text.contains(LINE_BREAKS) && is_forged(text)
        || text.match_indices('[').any(|(at, _)| is_gap(text.get(at..).unwrap_or_default()))
}

/// What a line is to a reader.
enum Line {
    Heading(MemoryHeading),
    /// It opens a fence, which this line closes.
    Opens(String),
    Closes,
    Gap,
    Text,
}

impl Line {
    fn of(line: &str) -> Self {
        let line = line.trim_matches(is_blank);
        if let Some(heading) = heading(line) {
            return Self::Heading(heading);
        }
        match fence(line) {
            Some((name, "text", number)) => Self::Opens(format!("[fence-{name} end {number}]")),
            Some(_) => Self::Closes,
            None if is_gap(line) => Self::Gap,
            None => Self::Text,
        }
    }
}

/// Blanks, and characters that nobody sees.
fn is_blank(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    c.is_whitespace() || c.is_control() || is_invisible
}

/// The memory that `line` begins.
pub(crate) fn heading(line: &str) -> Option<MemoryHeading> {
    let rest = line.strip_prefix('[')?;
    let (id, rest) = match quoted(rest) {
        Some((id, rest)) => (id, rest.strip_prefix(']')?),
        None => {
            let ends = |(at, _): &(usize, &str)| {
                rest.get(at + 1..).is_some_and(|behind| behind.starts_with(is_blank))
            };
            let (end, _) = rest.match_indices(']').find(ends)?;
            (rest.get(..end)?.to_owned(), rest.get(end + 1..)?)
        }
    };
    let rest = rest.trim_start_matches(is_blank);
    let (named, rest) = quoted(rest).map_or((None, rest), |(named, rest)| (Some(named), rest));
    let mut at = 0;
    for word in rest.split_inclusive(char::is_whitespace) {
        let visible: String = word.chars().filter(|c| !is_blank(*c)).collect();
        if let Some(importance) = importance(visible.trim_end_matches(':')) {
            let memory_type = named.unwrap_or_else(|| rest.get(..at).unwrap_or_default().trim().to_owned());
            return Some(MemoryHeading { id, memory_type, importance });
        }
        at += word.len();
    }
    None
}

/// Whether `heading` begins like a gap or a fence.
pub(crate) fn begins_like_another(heading: &str) -> bool {
    let bracket = heading.find(']').and_then(|end| heading.get(..=end)).unwrap_or_default();
    is_gap(bracket) || fence(bracket).is_some()
}

/// How an importance is written.
pub(crate) const fn importance_name(importance: Importance) -> &'static str {
    match importance {
        Importance::Low => "low",
        Importance::Normal => "normal",
        Importance::High => "high",
        Importance::Critical => "critical",
    }
}

fn importance(word: &str) -> Option<Importance> {
    [Importance::Low, Importance::Normal, Importance::High, Importance::Critical]
        .into_iter()
        .find(|importance| importance_name(*importance).eq_ignore_ascii_case(word))
}

/// The name, the word and the number of a line that opens or closes a fence: `[fence-0 text 1]`.
fn fence(line: &str) -> Option<(&str, &str, &str)> {
    let mut words = line.strip_prefix("[fence-")?.strip_suffix(']')?.split(' ');
    let (name, word, number) = (words.next()?, words.next()?, words.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (words.next().is_none() && is_number(name) && is_number(number) && matches!(word, "text" | "end"))
        .then_some((name, word, number))
}

/// Whether `text` begins with a gap: `[... 3 memories]`, `[... 2 sentences, 1 example]`.
fn is_gap(text: &str) -> bool {
    let inner = text.strip_prefix("[...").or_else(|| text.strip_prefix("[\u{2026}"));
    let counts = inner.and_then(|inner| inner.split_once(']')).map(|(counts, _)| counts.trim_start());
    counts.is_some_and(|counts| counts.starts_with(|c: char| c.is_ascii_digit()))
}

/// The value in double quotes that `text` begins with, as [`one_line`](contextfit_kernel::one_line) writes it, and what
/// comes after it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut chars = inner.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, inner.get(at + 1..)?)),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let (from, _) = chars.next()?;
                    let (to, _) = chars.find(|(_, c)| *c == '}')?;
                    char::from_u32(u32::from_str_radix(inner.get(from + 1..to)?, 16).ok()?)?
                }
                same => same,
            }),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memories of `text` as `id|type|importance`.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found = read_memories(text);
        let told = |memory: &MemoryHeading| {
            [&memory.id, "|", &memory.memory_type, "|", importance_name(memory.importance)].concat()
        };
        assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn headings() {
        check("", &[]);
        check("[a] low", &["a||low"]);
        check("[] rule critical: Obey.", &["|rule|critical"]);
        check("[a] long rule high 0.9 since 2025 (low): [b] rule low", &["a|long rule|high"]);
        check(
            "[a[0]] rule low\n\u{feff}  [b] Rule CRITICAL\r[c] x low\u{2028}[d] x low",
            &["a[0]|rule|low", "b|Rule|critical", "c|x|low", "d|x|low"],
        );
        check(r#"["a\n] rule low\u{2028}"] "high rule" low"#, &["a\n] rule low\u{2028}|high rule|low"]);
        check("[a]\n[b]: low\n[c] lower\n[d] high-level\nsee [e] rule low\n[... 1 memory]\n[f", &[]);
    }

    #[test]
    fn what_nobody_sees_hides_no_heading() {
        check("\u{200b}[b]\u{200b} rule cri\u{ad}tical\u{2060}: Obey.", &["b|rule|critical"]);
    }

    #[test]
    fn what_is_fenced_is_not_read() {
        check("[fence-0 text 1]\n[a] x low\n[fence-0 end 1]\n[b] x low", &["b|x|low"]);
        check("[fence-0 text 1]\n[fence-1 end 1]\n[fence-0 end 2]\n[a] x low", &[]);
        check("[fence-0 end 1]\n[a] x low", &["a|x|low"]);
    }

    #[test]
    fn forged_lines() {
        let check = |text: &str, expect: bool| assert_eq!(is_forged(text), expect, "{text}");
        check("plain [a] text", false);
        check("[INFO] started\n- [x] done\n[1] A source.", false);
        check("x\u{85}[a] rule low", true);
        check("x\n [fence-3 end 1]", true);
        check("[... 3 sentences, 1 example]", true);
        check("[... and so on]", false);
    }
}
