//! A run of identical lines, or of identical groups of lines, shown once.

use crate::skeleton;

/// The maximum lines in a repeated group: enough for recursion through several functions at two lines a frame.
const LONGEST_REPEAT_LINES: usize = 16;

/// `text`, which must only repeat a few lines, as these lines with the number of repetitions. The last one may lack its
/// line feed.
pub(super) fn once(text: &str) -> Option<String> {
    let ends = text.split_inclusive('\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    ends.take(LONGEST_REPEAT_LINES).zip(1_usize..).find_map(|(end, lines)| {
        let (group, feed) = parted(text.get(..end)?);
        let count = count(text, group, feed)?;
        let end = if text.ends_with('\n') { feed } else { "" };
        let note = if lines == 1 { format!("[x{count}]") } else { format!("[{lines} lines x{count}]") };
        let shown = format!("{group} {note}{end}");
        (!group.trim().is_empty() && shown.len() < text.len()).then_some(shown)
    })
}

/// The number of times that `text` repeats `group` and `feed`; `None` if fewer than two, or if it has anything else.
fn count(text: &str, group: &str, feed: &str) -> Option<usize> {
    let (mut rest, mut count) = (text, 0);
    while let Some(after) = rest.strip_prefix(group) {
        count += 1;
        match after.strip_prefix(feed) {
            Some(after) if !feed.is_empty() => rest = after,
            // The note cannot say which kind of line feed the others have if the last one has none.
            _ => return (after.is_empty() && feed == "\n" && count > 1).then_some(count),
        }
    }
    (rest.is_empty() && count > 1).then_some(count)
}

/// The lines that `text` shows and the number of times that its source repeats them: for `waiting [x12]`, `waiting` and
/// 12. Each repetition ends as `text` does; if `text` has no final line feed, only the last repetition lacks it.
#[must_use]
pub fn repeated(text: &str) -> Option<(&str, usize)> {
    let (group, note) = parted(text).0.rsplit_once(" [")?;
    let note = note.strip_suffix(']')?;
    let count = match note.split_once(" lines x") {
        Some((lines, count)) if lines.parse() == Ok(group.split('\n').count()) => count,
        Some(_) => return None,
        None => note.strip_prefix('x')?,
    };
    let count = count.parse().ok()?;
    (count > 0).then_some((group, count))
}

/// Whether `line` could be mistaken for one with its number of repetitions, such as `waiting [x12]` or `[3 lines x4]`,
/// judged by its [`skeleton`]. Linear.
#[must_use]
pub fn reads_as_repeated(line: &str) -> bool {
    let seen = skeleton(line);
    let note = seen.trim_end().strip_suffix(']').and_then(|seen| Some(seen.rsplit_once('[')?.1));
    let times = note.and_then(|note| Some(note.trim_end().rsplit_once(['x', 'X'])?.1.trim_start()));
    times.is_some_and(|times| !times.is_empty() && times.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether `text` represents `source` and no other text.
pub(super) fn stands_for(text: &str, source: &str) -> bool {
    let Some((group, times)) = repeated(text) else { return false };
    let (_, end) = parted(text);
    let feed = if end.is_empty() { "\n" } else { end };
    end.is_empty() != source.ends_with('\n') && count(source, group, feed) == Some(times)
}

/// A text without its final line feed, and the line feed.
fn parted(text: &str) -> (&str, &str) {
    let body = text.strip_suffix('\n').map_or(text, |body| body.strip_suffix('\r').unwrap_or(body));
    text.split_at_checked(body.len()).unwrap_or((text, ""))
}
