//! A sentence as the cues read it: words in lowercase, contractions expanded, starts of clauses marked.

use crate::natural_language::WORDS;

/// The token before the first word of a clause.
pub(super) const START: &str = "^";

/// The token of a number.
pub(super) const NUMBER: &str = "#";

/// Words before an order that do not change it.
const FILLERS: &str = "fillers";

/// The tokens of `text`. Quotations longer than a name are left out, as somebody else's words. `None` for a question
/// that does not ask for something to be done.
pub(super) fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens = vec![START.to_owned()];
    for word in unquoted(text).split_whitespace() {
        push_word(word, &mut tokens);
    }
    push_start(&mut tokens);
    let opens = |request: &&&str| {
        let mut tokens = tokens.iter().skip(1);
        request.split(' ').all(|word| tokens.next().is_some_and(|token| token == word))
    };
    if let Some(request) = WORDS.list("requests").phrases().iter().find(opens) {
        tokens.drain(1..=request.split(' ').count());
        while tokens.get(1).is_some_and(|word| WORDS.list(FILLERS).has(word)) {
            tokens.remove(1);
        }
    } else if text
        .trim_end_matches(|c: char| c.is_whitespace() || "\"'”’)".contains(c))
        .ends_with(['?', '？'])
    {
        return None;
    }
    Some(tokens)
}

/// `text` without quotations of three words or more.
fn unquoted(text: &str) -> String {
    let mut parts = text.split(['"', '“', '”', '„', '«', '»']);
    let mut kept = parts.next().unwrap_or_default().to_owned();
    while let Some(quoted) = parts.next() {
        let Some(rest) = parts.next() else {
            kept.push_str(quoted);
            break;
        };
        kept.push_str(if quoted.split_whitespace().count() > 2 { " " } else { quoted });
        kept.push_str(rest);
    }
    kept
}

/// Adds the tokens of `word`, the text between two spaces.
fn push_word(word: &str, tokens: &mut Vec<String>) {
    let lower = word.to_lowercase().replace('’', "'");
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let before = lower.split(bare).next().unwrap_or_default();
    if bare.is_empty() || before.contains(['(', '—', '–']) {
        push_start(tokens);
    }
    if bare.starts_with(|c: char| c.is_ascii_digit()) || WORDS.list("number words").has(bare) {
        tokens.push(NUMBER.to_owned());
    } else {
        // A stop without a space after it, a dash between words, an ideographic comma.
        for (n, clause) in bare.split([',', ';', ':', '—', '，', '。', '、', '！', '；']).enumerate() {
            if n > 0 {
                push_start(tokens);
            }
            push_plain(clause, tokens);
        }
    }
    let after = lower.rsplit(bare).next().unwrap_or_default();
    if after.contains([',', ';', ':', '.', '!', '?', ')', '—', '–', '。', '，', '！']) && !bare.is_empty()
    {
        push_start(tokens);
    }
}

fn push_start(tokens: &mut Vec<String>) {
    if tokens.last().is_none_or(|last| last != START) {
        tokens.push(START.to_owned());
    }
}

/// Adds `word` with its contraction expanded; fillers at the start of a clause are left out.
fn push_plain(word: &str, tokens: &mut Vec<String>) {
    let mut push = |word: &str| {
        let starts = tokens.last().is_some_and(|last| last == START);
        if !(word.is_empty() || starts && WORDS.list(FILLERS).has(word)) {
            tokens.push(word.to_owned());
        }
    };
    let (stem, tail) = word.split_once('\'').unwrap_or((word, ""));
    match (stem, tail) {
        ("cannot" | "can", "t") | ("cannot", "") => ["can", "not"].map(&mut push),
        ("won", "t") => ["will", "not"].map(&mut push),
        (_, "") if WORDS.list("negations without an apostrophe").has(stem) => {
            [stem.strip_suffix("nt").unwrap_or(stem), "not"].map(&mut push)
        }
        ("im", "") => ["i", "am"].map(&mut push),
        ("let", "s") | ("lets", "") => ["let", "us"].map(&mut push),
        (_, "t") if stem.ends_with('n') => [stem.strip_suffix('n').unwrap_or(stem), "not"].map(&mut push),
        (_, "m") => [stem, "am"].map(&mut push),
        (_, "re") => [stem, "are"].map(&mut push),
        (_, "ll") => [stem, "will"].map(&mut push),
        (_, "ve") => [stem, "have"].map(&mut push),
        (_, "d") => [stem, "would"].map(&mut push),
        (_, "s") if WORDS.list("subjects of a shortened is").has(stem) => [stem, "is"].map(&mut push),
        (_, "" | "s") => [stem, ""].map(&mut push),
        _ => [stem, tail].map(&mut push),
    };
}
