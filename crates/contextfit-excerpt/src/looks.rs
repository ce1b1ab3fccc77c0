//! What the sampled lines of a text look like.

use contextfit_text::{is_item, is_underline, reads_like_prose};

use crate::{diff::Hunk, table::is_rule};

/// A line that is wrapped has at least this many bytes.
const WIDE: usize = 48;

/// Fewer lines are no wrapped text.
const FEWEST: usize = 8;

pub(crate) fn is_diff(sample: &[&str]) -> bool {
    let hunk = sample.iter().position(|line| Hunk::of(line).is_some());
    hunk.is_some_and(|hunk| {
        hunk == 0
            || sample.iter().take(hunk).any(|line| line.starts_with("+++ ") || line.starts_with("diff "))
    })
}

/// Whether `line` begins with file permissions.
pub(crate) fn has_rights(line: &str) -> bool {
    let rights = line.as_bytes().get(..10).unwrap_or_default();
    matches!(rights.first(), Some(b'-' | b'd' | b'l' | b'c' | b'b' | b'p' | b's'))
        && rights
            .iter()
            .skip(1)
            .all(|byte| matches!(byte, b'r' | b'w' | b'x' | b'-' | b's' | b't' | b'S' | b'T'))
}

/// Whether one of the first lines has a rule below it that is divided into columns.
pub(crate) fn has_rule(sample: &[&str]) -> bool {
    let divided = |line: &str| {
        line.trim().contains(['|', '+', ' ']) && line.trim().bytes().any(|byte| matches!(byte, b'-' | b'='))
    };
    let rule = sample.iter().take(8).skip(1).find(|line| is_rule(line) && divided(line));
    // A document with headings may begin with a table.
    let is_document = |rule: &str| rule.contains('|') && sample.iter().any(|line| line.starts_with("## "));
    sample.len() > 2 && rule.is_some_and(|rule| !is_document(rule))
}

/// Whether the first line names columns in capitals.
pub(crate) fn is_headed(sample: &[&str]) -> bool {
    let named =
        |line: &&&str| line.split_whitespace().nth(2).is_some() && !line.contains(|c: char| c.is_lowercase());
    sample.first().filter(named).is_some_and(|line| line.contains(|c: char| c.is_uppercase()))
}

/// Whether the lines are a document in Markdown: headings, and outside fenced code as many lines of prose as not. Lists
/// and links count for neither.
pub(crate) fn is_document(sample: &[&str]) -> bool {
    let is_heading = |n: usize| {
        let line = sample.get(n).copied().unwrap_or_default();
        let above = n.checked_sub(1).and_then(|n| sample.get(n)).map_or(0, |above| above.len());
        let is_underlined = || above.abs_diff(line.len()) < 2 && is_underline(line);
        line.starts_with("## ") || line.starts_with("### ") || is_underlined()
    };
    let headings = (0..sample.len()).filter(|&n| is_heading(n)).count();
    if headings < 2 {
        return false;
    }
    let (mut is_fenced, mut told, mut others) = (false, 0, 0);
    for (n, line) in sample.iter().enumerate() {
        let is_fence = line.starts_with("```") || line.starts_with("~~~");
        is_fenced ^= is_fence;
        if is_fence || is_fenced || is_heading(n) {
            continue;
        }
        let text = line.trim_start();
        if reads_like_prose(text) {
            told += 1;
        } else if !is_item(text) && !text.starts_with(['[', '!', '>', '|', '<', '#']) {
            others += 1;
        }
    }
    told >= others.max(headings / 2)
}

/// Whether a quarter of the lines go on with the sentence of the line before, as in a manual page.
pub(crate) fn is_wrapped(sample: &[&str]) -> bool {
    let words = |line: &str| line.split_whitespace().count();
    let goes_on = |pair: &&[&str]| {
        let [before, line] = pair else { return false };
        // Lines that begin alike are entries.
        let letters = |line: &str| -> String {
            line.trim_start()
                .chars()
                .take_while(|c| !c.is_whitespace())
                .filter(|c| c.is_alphabetic())
                .collect()
        };
        before.len() >= WIDE
            && words(before) > 4
            && letters(before) != letters(line)
            && words(line) > 2
            && before.ends_with(|c: char| c.is_alphabetic() || matches!(c, ',' | '-' | '\u{2010}'))
            && line.trim_start().starts_with(|c: char| c.is_lowercase() || c == '(')
    };
    sample.len() >= FEWEST && sample.windows(2).filter(goes_on).count() * 4 >= sample.len()
}

/// Whether at least two columns of spaces run through all lines, except for a few short ones. Words that only happen to
/// be of one length have single spaces between them.
pub(crate) fn is_aligned(sample: &[&str]) -> bool {
    let lines: Vec<&[u8]> = sample
        .iter()
        .take(32)
        .filter(|line| line.split_whitespace().nth(2).is_some())
        .map(|line| line.as_bytes())
        .collect();
    let is_spaced = sample.iter().take(32).any(|line| line.trim().contains("  "));
    if lines.len() < 4 || lines.len() * 4 < sample.len().min(32) * 3 || !is_spaced {
        return false;
    }
    let (mut gutters, mut within, mut begun) = (0, false, false);
    let widest = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    for column in 0..widest {
        let at = |line: &&[u8]| line.get(column).copied();
        let reached = lines.iter().filter(|line| line.len() > column).count();
        if reached * 5 < lines.len() * 4 {
            break;
        }
        let blank = lines.iter().all(|line| at(line).is_none_or(|byte| byte == b' '));
        gutters += usize::from(within && !blank && begun);
        begun |= !blank;
        within = blank;
    }
    gutters >= 2
}
