//! The dates of memories.

use contextfit_kernel::MemoryRecord;

/// A point in time: year, month, day, hour, minute, second. A later time is greater.
type Time = [u16; 6];

/// The time at the start of `text`, year first: `2025-03-31`, `2025/03`, `2025-03-31T10:00:00Z`. Missing parts are
/// zero; zones are ignored. `None` if there is no such time.
fn time(text: &str) -> Option<Time> {
    let text = text.trim();
    let parts = text.split(|c: char| !c.is_ascii_digit());
    let mut time = Time::default();
    let mut given = 0;
    for (place, part) in time.iter_mut().zip(parts.take_while(|part| !part.is_empty())) {
        *place = part.parse().ok()?;
        given += 1;
    }
    (given > 1 && text.find(|c: char| !c.is_ascii_digit()) == Some(4)).then_some(time)
}

/// The date of `memory` as shown, without the time of day.
pub(crate) fn shown(memory: &MemoryRecord) -> Option<&str> {
    let date = memory.date.as_deref()?;
    let day = date.trim().split(['T', ' ']).next().filter(|day| time(date).is_some() && time(day).is_some());
    Some(day.unwrap_or(date))
}

/// Whether `one` is known to be newer than `other`: by their dates or else by the recency from the application.
pub(crate) fn is_newer(one: &MemoryRecord, other: &MemoryRecord) -> bool {
    let time = |memory: &MemoryRecord| memory.date.as_deref().and_then(time);
    match (time(one), time(other)) {
        (Some(one), Some(other)) => one > other,
        _ => one.recency > other.recency && other.recency.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(date: &str, recency: Option<f64>) -> MemoryRecord {
        MemoryRecord::default().with_date(date).with_recency(recency)
    }

    #[test]
    fn later_is_newer() {
        let check = |older: &str, newer: &str, expect: bool| {
            assert_eq!(is_newer(&memory(newer, None), &memory(older, None)), expect, "{older} {newer}");
            assert!(!expect || !is_newer(&memory(older, None), &memory(newer, None)), "{older} {newer}");
        };
        check("2024-12-31", "2025-01-01", true);
        check("2025-01", "2025-01-02", true);
        check("2025-01-02", "2025/01/03", true);
        check("2025-01-02T09:00:00Z", "2025-01-02T10:30:00Z", true);
        check("2025-01-02", "2025-01-02", false);
        check("yesterday", "2025-01-02", false);
        check("2024", "in 2025-01", false);
        assert!(is_newer(&memory("", Some(0.5)), &memory("", Some(0.2))));
        assert!(!is_newer(&memory("", Some(0.5)), &memory("", None)));
    }

    #[test]
    fn a_date_is_shown_without_the_time_of_day() {
        let check = |date, expect| assert_eq!(shown(&memory(date, None)), Some(expect));
        check("2025-03-31T10:00:00+02:00", "2025-03-31");
        check("2025-03-31 10:00", "2025-03-31");
        check("31 March 2025", "31 March 2025");
        check("Today", "Today");
    }
}
