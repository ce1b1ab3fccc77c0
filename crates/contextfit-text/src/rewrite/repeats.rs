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

/// The lines that `text` stands for: a line with a note of how often it is repeated, `text [x12]`.
#[must_use]
pub fn repeated(text: &str) -> Option<String> {
    let (shown, feed) = parted(text);
    let (body, note) = shown.rsplit_once(" [x")?;
    let count: usize = note.strip_suffix(']')?.parse().ok()?;
    if feed.is_empty() {
        return Some([format!("{body}\n").repeat(count.checked_sub(1)?), body.to_owned()].concat());
    }
    Some([body, feed].concat().repeat(count))
}

/// A line and its line feed.
fn parted(line: &str) -> (&str, &str) {
    let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
    line.split_at_checked(body.len()).unwrap_or((line, ""))
}
