//! When memories were written, as far as their texts say.

use contextfit_kernel::MemoryRecord;

/// The English month names, which may be abbreviated to three letters.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A day, month or year found in a text. Later dates are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date<'t> {
    /// Year, month, day; 0 for unknown parts.
    pub(crate) day: (u16, u8, u8),
    /// As written, without a time.
    pub(crate) text: &'t str,
}

/// The date since which `memory` holds: its own date, or the latest date in summary and knowledge.
pub(crate) fn date(memory: &MemoryRecord) -> Option<Date<'_>> {
    let given = memory.date.as_deref().and_then(latest);
    given.or_else(|| latest(&memory.summary).max(latest(&memory.knowledge)))
}

/// The latest date in `text`: `2025-03-31`, `2025-03`, `31 March 2025`, `March 31, 2025`, `Mar 2025`. Slashes and dots
/// work like dashes. Linear in the length of the text.
pub(crate) fn latest(text: &str) -> Option<Date<'_>> {
    let mut latest = None;
    let mut words: [Option<&str>; 2] = [None, None];
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        latest = latest.max(by_numbers(bare)).max(by_name(text, words, bare));
        words = [words[1], Some(bare)];
    }
    latest
}

/// A numeric date, year first, at the start of `word`; a time may follow.
fn by_numbers(word: &str) -> Option<Date<'_>> {
    let year = year(word.get(..4)?)?;
    let rest = word.get(4..)?;
    let separator = rest.chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let month = number(rest.get(1..3)?, 12)?;
    let day = rest.get(3..).and_then(|rest| number(rest.strip_prefix(separator)?.get(..2)?, 31));
    let end = if day.is_some() { 10 } else { 7 };
    let after = word.get(end..)?.chars().next();
    let ends = after.is_none_or(|c| !c.is_ascii_digit() && c != separator);
    ends.then_some(Date { day: (year, month, day.unwrap_or(0)), text: word.get(..end)? })
}

/// A year whose month, and possibly day, are the two words before it.
fn by_name<'t>(text: &'t str, [first, second]: [Option<&'t str>; 2], word: &str) -> Option<Date<'t>> {
    let year = year(word)?;
    let second = second?;
    let (month, day, start) = match (month(second), first) {
        (Some(month), Some(day)) => {
            number(day, 31).map_or((month, 0, second), |of_month| (month, of_month, day))
        }
        (Some(month), None) => (month, 0, second),
        (None, first) => (month(first?)?, number(second, 31)?, first?),
    };
    let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    Some(Date { day: (year, month, day), text: text.get(at(start)..at(word) + word.len())? })
}

fn year(word: &str) -> Option<u16> {
    let year = word.parse().ok().filter(|year| (1970..2100).contains(year));
    year.filter(|_| word.len() == 4)
}

fn month(word: &str) -> Option<u8> {
    let word = word.to_lowercase();
    (1..)
        .zip(MONTHS)
        .find(|(_, name)| *name == word || name.get(..3) == Some(&*word))
        .map(|(number, _)| number)
}

fn number(word: &str, most: u8) -> Option<u8> {
    word.parse().ok().filter(|number| (1..=most).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(latest(text).map_or("", |date| date.text), expect, "{text:?}");
    }

    #[test]
    fn dates_in_texts() {
        check("as of 2023-04 it allows 100", "2023-04");
        check("(2023-09-11): it runs; since 2025-01-20T10:00:00Z elsewhere", "2025-01-20");
        check("on 2024/02/29, and 2023.12.24.", "2024/02/29");
        check("in March 2024, later on 3 May 2025.", "3 May 2025");
        check("Dec 24, 2023 was before Jan 2024", "Jan 2024");
        check("decided May 3, 2025", "May 3, 2025");
        check("in 2021 we had 2024 parcels; port 2025-99, 1.2.2024, 2024-13, 20240102", "");
        check("Mayor 2024, 12345-01", "");
        check("", "");
    }

    #[test]
    fn the_date_given_counts_first() {
        let memory = MemoryRecord {
            date: Some("2023-05-02T08:00:00+02:00".into()),
            knowledge: "Valid until 2027-01-01.".into(),
            ..MemoryRecord::default()
        };
        assert_eq!(date(&memory).map(|date| date.text), Some("2023-05-02"));
        let memory = MemoryRecord { date: Some("yesterday".into()), ..memory };
        assert_eq!(date(&memory).map(|date| date.text), Some("2027-01-01"));
    }
}
