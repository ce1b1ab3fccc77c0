//! What the sampled lines of a text look like.

use crate::{diff::Hunk, table::is_rule};

pub(crate) fn is_diff(sample: &[&str]) -> bool {
    // ablate: excerpt.diffs => false
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
