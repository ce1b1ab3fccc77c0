//! What someone says: lines that begin with a name, behind a time or not.

use std::collections::HashSet;

use crate::look::is_timed;

/// The most words in the name of a speaker.
const NAME: usize = 4;

/// How many lines of a text are looked at.
const LINES: usize = 400;

/// Words in the place of a name that say how bad it is.
const LEVELS: [&str; 8] = ["Error", "Warning", "Info", "Debug", "Notice", "Trace", "Fatal", "Critical"];

/// The name of who says `line`, if it begins with that and a colon: `Ann: ...`, `User Interface: ...`; a time may come
/// before it.
pub(crate) fn speaker(line: &str) -> Option<&str> {
    let line = behind_time(line);
    let start = line.get(..line.floor_char_boundary(64)).unwrap_or(line);
    let (name, said) = start.split_once([':', '：'])?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || "*_>".contains(c));
    let mut words = name.split_whitespace();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let is_speaker = said.starts_with(|c: char| c.is_whitespace() || c == '*')
        && words.next().is_some_and(is_name)
        && words.clone().all(is_name)
        && words.count() < NAME;
    is_speaker.then_some(name)
}

/// `line` without the time that it begins with: `[00:01:26] Ann: ...`, `2026-09-02 10:01 - Ann: ...`.
fn behind_time(line: &str) -> &str {
    let text = line.trim_start();
    let stamp = text.len()
        - text.trim_start_matches(|c: char| c.is_ascii_digit() || " [](),.:-/TZ".contains(c)).len();
    let is_stamp = text
        .get(..stamp)
        .is_some_and(|stamp| stamp.contains(':') && stamp.contains(|c: char| c.is_ascii_digit()));
    if is_stamp { text.get(stamp..).unwrap_or_default() } else { line }
}

/// Whether `name` stands before a question that an [answer](is_answer) follows.
pub(crate) fn is_question(name: &str) -> bool {
    matches!(name, "Q" | "Question" | "F" | "Frage" | "P" | "Pregunta" | "Pergunta" | "D" | "Domanda")
}

/// Whether `name` stands before the answer to a question.
pub(crate) fn is_answer(name: &str) -> bool {
    matches!(name, "A" | "Answer" | "Antwort" | "R" | "Réponse" | "Respuesta" | "Resposta" | "Risposta")
}

/// Whether `line` is the name of an author and when they wrote, and no more: `Ann Lee  15:40`.
pub(crate) fn is_author(line: &str) -> bool {
    let (name, when) = line.split_at(line.find(|c: char| c.is_ascii_digit()).unwrap_or(line.len()));
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    line.len() <= 64 && !name.is_empty() && is_name(name) && is_when(when) && when.contains(':')
}

/// Whether `text` is one to four words in capitals or with a capital.
pub(crate) fn is_name(text: &str) -> bool {
    text.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
        && text.split_whitespace().count() <= NAME
}

/// Whether `text` is a date or a time, with the name of a month at most, and has no end of a sentence.
pub(crate) fn is_when(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = words.collect();
    words.iter().any(|word| is_number(word))
        && words.iter().filter(|word| !is_number(word)).count() <= 2
        && words.len() <= 8
        && !text.contains('\n')
        && !text.trim_end().ends_with(['.', '!', '?'])
}

/// Whether `text` is a transcript or a chat with the times of its lines and not a log: two out of three lines with a time
/// go on with the name of a speaker, of whom there are several, and half of those end as sentences do. Linear in the
/// first 400 lines.
///
/// ```
/// use contextfit_text::is_speech;
///
/// assert!(is_speech("[00:01:26] Ann: Who flashes it?\n[00:01:31] Bo: Ann does.\n"));
/// assert!(!is_speech("2026-01-02 10:11:12 Server: listening on 80\n2026-01-02 10:11:13 Worker: ready\n"));
/// ```
#[must_use]
pub fn is_speech(text: &str) -> bool {
    let (mut timed, mut said, mut ended) = (0, 0, 0);
    let mut names: HashSet<&str> = HashSet::new();
    for line in text.lines().take(LINES).map(str::trim).filter(|line| is_timed(line)) {
        timed += 1;
        let is_name = |name: &&str| !LEVELS.contains(name) && name.contains(char::is_lowercase);
        let Some(name) = speaker(line).filter(is_name) else { continue };
        names.insert(name);
        said += 1;
        ended += usize::from(line.ends_with(['.', '?', '!', '…', '"', '。', '？', '！']));
    }
    names.len() > 1 && said * 3 >= timed * 2 && ended * 2 >= said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_names() {
        let check = |line, expect| assert_eq!(speaker(line), expect, "{line}");
        check("[00:01:26] Ann Lee: Next.", Some("Ann Lee"));
        check("00:01:26 Ann: Next.", Some("Ann"));
        check("[02.09.25, 10:01:26] Ann: Next.", Some("Ann"));
        check("2026-09-02 10:01:26 - Ann: Next.", Some("Ann"));
        check("**Ann**: Next.", Some("Ann"));
        check("12 Apples: Next.", None);
        check("10:01:26 started: Next.", None);
    }

    #[test]
    fn authors() {
        let check = |line, expect| assert_eq!(is_author(line), expect, "{line}");
        check("Ann Lee  15:40", true);
        check("Ann Lee, 3 May 2026 15:40", true);
        check("Ann Lee — Today at 3:40 PM", false);
        check("Doors open 15:40", false);
        check("Ann Lee came at 15:40.", false);
        check("15:40", false);
        check("Ann Lee 3", false);
    }

    #[test]
    fn speech() {
        let check = |text, expect| assert_eq!(is_speech(text), expect, "{text}");
        check("Sync\n\n[00:00:04] Ann: Late?\n[00:00:09] Bo: No.\n[00:00:12] Ann: Fine.\n", true);
        check("[00:00:04] Ann: Late?\n[00:00:09] Ann: No.\n", false);
        check("10:00:04 Error: it failed.\n10:00:05 Warning: it is slow.\n", false);
        check("10:00:04 GET /a 200\n10:00:05 GET /b 404\n", false);
    }
}
