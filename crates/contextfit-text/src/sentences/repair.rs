//! Repairs to the breaks of Unicode Standard Annex 29.

use super::abbreviation::{CLOSING, keeps_its_stop, starter};

/// Brackets that open and never close.
const OPENING: [char; 9] = ['(', '[', '「', '『', '（', '《', '【', '〈', '〔'];

/// What may come before the first word of a sentence, besides brackets.
const LEADING: [char; 12] = ['"', '\'', '“', '‘', '„', '«', '‹', '»', '¿', '¡', '*', '_'];

/// Stops of the scripts written in lines with spaces, and of Chinese and Japanese.
const STOPS: [char; 16] =
    ['.', '!', '?', '。', '！', '？', '．', '｡', '؟', '۔', '।', '॥', '։', '።', '។', '‽'];

/// Where the sentence of `text` that starts at `last` ends, if it ends near `at`. `annex` says whether Annex 29 has a
/// break there; if not, there is a stop before `at`.
///
/// - Opening brackets belong to the next sentence, closing ones and references such as `[12]` to this one.
/// - No sentence begins with a lowercase letter, except after a bullet, or with an equals sign: `$? = 255`.
/// - Some stops belong to their words: abbreviations, initials, ordinals.
/// - Without a space, a break needs more evidence: `in 1990.He then`, `the film.[2]The plot`.
pub(super) fn sentence_end(text: &str, last: usize, at: usize, annex: bool) -> Option<usize> {
    if let Some((head, next)) = usual_end(text, last, at).filter(|_| annex) {
        return (!keeps_its_stop(head, next)).then_some(at - 1);
    }
    // Annex 29 treats opening brackets as closing ones if there is no space between.
    let head = text.get(last..at)?.trim_end().trim_end_matches(OPENING).trim_end();
    let rest = text.get(last + head.len()..)?;
    let words = head.trim_end_matches(CLOSING);
    let cited = behind_references(words, rest);
    let (gap, next) = gap(cited);
    if gap.is_empty() {
        let referred = cited.len() < rest.len();
        let parts = if next.starts_with(|c: char| c.is_ascii_alphanumeric() || c.is_uppercase()) {
            !keeps_its_stop(head, next) && space_is_missing(words, referred || words.len() < head.len(), next)
        } else if greek_question(words, next) {
            true
        } else {
            // The text of a link and its target: `[Who may vote?](#votes)`.
            let is_link = head.ends_with(']') && next.starts_with(['(', '[']);
            annex && !is_link && !goes_on_close(words, head, next) && !keeps_its_stop(head, next)
        };
        return parts.then(|| text.len() - cited.len());
    }
    if gap.contains(['\n', '\r']) && !words.ends_with(STOPS) && !greek_question(words, cited) {
        return None;
    }
    let (next, cited) = behind_closing(next, cited);
    let known =
        annex || cited.len() < rest.len() || greek_question(words, cited) || figure_begins(words, next);
    let parts = next.starts_with(['•', '‣', '◦', '▪', '●'])
        || known && !begins_small(next) && !next.starts_with('=') && !keeps_its_stop(head, next);
    // A line feed belongs to the line it ends.
    let (gap, _) = self::gap(cited);
    let feed = memchr::memrchr(b'\n', gap.as_bytes()).map_or(0, |feed| feed + 1);
    parts.then(|| text.len() - cited.len() + feed)
}

/// The text from `last` through a stop and the text from `at`, if only a space separates them and the second begins
/// with a capital or a digit: most sentences end like this, and only the word before the stop needs examining.
fn usual_end(text: &str, last: usize, at: usize) -> Option<(&str, &str)> {
    let stop = at.checked_sub(2).filter(|&stop| stop >= last)?;
    let [b'.' | b'!' | b'?', b' ', b'A'..=b'Z' | b'0'..=b'9'] = text.as_bytes().get(stop..=at)? else {
        return None;
    };
    Some((text.get(last..at - 1)?, text.get(at..)?))
}

/// The white space that `text` begins with, including the marks of a block quote in it, and the rest.
fn gap(text: &str) -> (&str, &str) {
    let mut next = text.trim_start();
    if next.starts_with('>') && text.get(..text.len() - next.len()).is_some_and(|gap| gap.contains('\n')) {
        next = next.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
    }
    text.split_at_checked(text.len() - next.len()).unwrap_or(("", text))
}

/// Whether the first word of `text` begins with a lowercase letter.
fn begins_small(text: &str) -> bool {
    text.trim_start_matches(OPENING).trim_start_matches(LEADING).starts_with(char::is_lowercase)
}

/// Whether `next` begins a sentence with a figure, as in `35 people came.`, after `words` that end in a common word:
/// Annex 29 sees the lowercase letter after the figure.
fn figure_begins(words: &str, next: &str) -> bool {
    let common = || words.chars().rev().skip(1).take_while(|c| c.is_lowercase()).take(4).count() == 4;
    let unit = next.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '%'));
    unit.len() < next.len()
        && words.ends_with('.')
        && unit.strip_prefix(' ').is_some_and(|unit| unit.starts_with(char::is_lowercase))
        && common()
}

/// What follows the references that `rest` begins with right after the stop of `words`: `[12]`, `[a]`, `[note 1]`,
/// superscript figures, and figures as text extraction leaves them: `the market.12 The next`.
fn behind_references<'t>(words: &str, mut rest: &'t str) -> &'t str {
    let figures = |text: &'t str| text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - figures(rest).len();
    if (1..=3).contains(&digits) && words.ends_with('.') {
        let letters = words.chars().rev().skip(1).take_while(|c| c.is_lowercase()).take(4).count();
        let next = figures(rest).strip_prefix(' ').unwrap_or_default();
        if letters == 4 && next.starts_with(char::is_uppercase) {
            rest = figures(rest);
        }
    }
    loop {
        let raised = rest.trim_start_matches(|c| matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹'));
        let start = raised.get(..raised.floor_char_boundary(20)).unwrap_or(raised);
        let behind =
            start.strip_prefix('[').and_then(|label| label.split_once(']')).and_then(|(label, _)| {
                let word = label.trim_end_matches(|c: char| c.is_ascii_digit() || ", –-".contains(c));
                let refers = word.is_empty() || word.len() == 1 || matches!(word, "note" | "citation needed");
                (refers && !label.is_empty()).then(|| raised.get(label.len() + 2..)).flatten()
            });
        let Some(behind) = behind else { return raised };
        rest = behind;
    }
}

/// `next` and the gap before it, without the quotes and brackets that close after the gap's white space: `« Oui. »`.
fn behind_closing<'t>(next: &'t str, gap: &'t str) -> (&'t str, &'t str) {
    let behind = next.trim_start_matches(CLOSING);
    if behind.len() == next.len() || !behind.starts_with(char::is_whitespace) {
        return (next, gap);
    }
    (behind.trim_start(), behind)
}

/// Whether a space is missing between `words`, which end in a stop (`closed`: followed by brackets, quotes or
/// references), and the first word of `next`, so that the two are not a name such as `System.out` or `Node.js`.
fn space_is_missing(words: &str, closed: bool, next: &str) -> bool {
    let letters = next.trim_start_matches(char::is_alphabetic);
    let word = next.get(..next.len() - letters.len()).unwrap_or_default();
    let mut chars = word.chars();
    let capitalised = chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase);
    if !capitalised || !letters.starts_with([' ', '\n', ',', '\u{a0}', '’', '\'']) {
        return false;
    }
    let sure = starter(next).is_some();
    let clear = letters.strip_prefix([' ', '\n']).is_some_and(|text| text.starts_with(char::is_lowercase));
    let body = words.trim_end_matches(['.', '!', '?']);
    let start = body.ceil_char_boundary(body.len().saturating_sub(32));
    let token = body.get(start..).unwrap_or_default().rsplit(char::is_whitespace).next().unwrap_or_default();
    // There must be a word, with something before it.
    if token.len() == body.len() - start || token.is_empty() {
        return false;
    }
    let open = token.trim_end_matches(CLOSING);
    let (closed, token) = (closed || open.len() < token.len(), open);
    let token = token.trim_start_matches(['(', '"', '“', '\'', '‘', '[']);
    let name = |c: char| matches!(c, '.' | '/' | '@' | ':' | '_' | '\\' | '=' | '#' | '`' | '(' | '$');
    let small = token.chars().all(|c| c.is_lowercase() || matches!(c, '-' | '’' | '\'')) && token.len() > 1;
    let figure = token.chars().all(|c| c.is_ascii_digit() || ",%".contains(c));
    if small && words.ends_with('.') && !closed {
        return sure;
    }
    (small || figure || closed && !token.contains(name)) && (sure || clear)
}

/// Whether a quote that closes after a stop is part of a Chinese or Japanese sentence: `「はい。」と彼は言った。`
fn goes_on_close(words: &str, head: &str, next: &str) -> bool {
    const PARTICLES: [&str; 9] = ["と", "って", "の", "を", "が", "は", "に", "も", "で"];
    const STARTERS: [&str; 9] =
        ["とても", "ところ", "ときどき", "とにかく", "のち", "がん", "はい", "もし", "でも"];
    const SAYS: [char; 12] = ['说', '說', '道', '问', '問', '答', '喊', '叫', '想', '笑', '曰', '写'];
    if words.len() == head.len() {
        return words.is_ascii() && !words.is_empty() && next.is_ascii();
    }
    let particle = PARTICLES.iter().any(|particle| next.starts_with(particle));
    let starter = || STARTERS.iter().any(|starter| next.starts_with(starter));
    let says = || next.chars().take(6).take_while(|c| c.is_alphabetic()).any(|c| SAYS.contains(&c));
    particle && !starter() || says()
}

/// Whether `words` end in a Greek question, whose mark looks like a semicolon, and `next` begins a sentence.
fn greek_question(words: &str, next: &str) -> bool {
    let greek = |c: char| matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}');
    let Some(body) = words.strip_suffix([';', '\u{37e}']) else { return false };
    let next = next.strip_prefix(char::is_whitespace).unwrap_or_default().trim_start();
    let first = next.trim_start_matches(OPENING).trim_start_matches(LEADING).chars().next();
    body.ends_with(greek) && first.is_some_and(|c| c.is_uppercase() || c == '—' || c == '–')
}
