//! A run of identical lines, shown once.

/// `text`, which is the same line again and again, as the line with how often it stands there; the last may lack its line feed.
pub(super) fn once(text: &str) -> Option<String> {
    let line = text.split_inclusive('\n').next()?;
    let (body, feed) = parted(line);
    if body.trim().is_empty() || feed.is_empty() {
        return None;
    }
    let (mut rest, mut count) = (text, 0_usize);
    while let Some(behind) = rest.strip_prefix(line) {
        (rest, count) = (behind, count + 1);
    }
    let end = if rest.is_empty() { feed } else { "" };
    // Without a line feed behind it, the note does not say which one there was.
    if !rest.is_empty() {
        if rest != body || feed != "\n" {
            return None;
        }
        count += 1;
    }
    let shown = format!("{body} [x{count}]{end}");
    (shown.len() < text.len()).then_some(shown)
}

/// The line that `text` shows, and how many of it it stands for: of `waiting [x12]`, `waiting` and 12. They end as the text does;
/// where that has no line feed, the last of them has none.
#[must_use]
pub fn repeated(text: &str) -> Option<(&str, usize)> {
    let (line, note) = parted(text).0.rsplit_once(" [x")?;
    let count = note.strip_suffix(']')?.parse().ok()?;
    (count > 0).then_some((line, count))
}

/// Whether `text` stands for `source`, and no other text.
pub(super) fn stands_for(text: &str, source: &str) -> bool {
    let Some((line, count)) = repeated(text) else { return false };
    let (_, end) = parted(text);
    let feed = if end.is_empty() { "\n" } else { end };
    let mut lines = source.split_inclusive('\n').map(parted).enumerate();
    let last = count.wrapping_sub(1);
    lines.clone().count() == count
        && lines.all(|(n, found)| found == (line, if n == last { end } else { feed }))
}

/// A line and its line feed.
fn parted(line: &str) -> (&str, &str) {
    let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
    line.split_at_checked(body.len()).unwrap_or((line, ""))
}
