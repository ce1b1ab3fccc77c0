//! The time that a server asks clients to wait.

use std::time::{Duration, SystemTime};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The wait that an answer's headers ask for: `retry-after-ms`, or `Retry-After` in seconds or as a date ([RFC 9110,
/// section 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
///
/// A date is compared with the server's own clock if the server sends one, so a wrong local clock does not matter. A
/// date in the past means no wait.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |value: &reqwest::header::HeaderValue| value.to_str().ok().map(|text| text.trim().to_owned());
    let milliseconds = headers.get("retry-after-ms").and_then(text).and_then(|text| text.parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|ms| Duration::try_from_secs_f64(ms / 1_000.0).ok()) {
        return Some(wait);
    }
    let value = headers.get(RETRY_AFTER).and_then(text)?;
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = |text: String| httpdate::parse_http_date(&text).ok();
    let until = date(value)?;
    let now = headers.get(DATE).and_then(text).and_then(date).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[(&'static str, &'static str)], expect: Option<u64>) {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        assert_eq!(retry_after(&headers.collect()), expect.map(Duration::from_millis));
    }

    #[test]
    fn seconds_milliseconds_and_dates() {
        let now = ("date", "Sun, 22 Nov 2026 05:00:00 GMT");
        check(&[("retry-after", "7")], Some(7_000));
        check(&[("retry-after", "0")], Some(0));
        check(&[("retry-after", "0.5")], Some(500));
        check(&[("retry-after-ms", "250"), ("retry-after", "1")], Some(250));
        check(&[now, ("retry-after", "Sun, 22 Nov 2026 05:01:30 GMT")], Some(90_000));
        check(&[now, ("retry-after", "Sunday, 22-Nov-26 05:00:01 GMT")], Some(1_000));
        check(&[now, ("retry-after", "Sat, 21 Nov 2026 05:00:00 GMT")], Some(0));
    }

    #[test]
    fn what_cannot_be_read_is_none() {
        check(&[], None);
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "-1")], None);
        check(&[("retry-after", "NaN")], None);
        check(&[("retry-after", "1e300")], None);
    }
}
